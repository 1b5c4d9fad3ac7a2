"""`doyle acpc`: play over the network by the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from doyle.agents import check_agent_text, own_game
from doyle.apps.cli.common import AsJson, Seed, output, progress_bar, say_written
from doyle.apps.cli.missing import BuildMissing, build_missing
from doyle.apps.cli.options import (
    AgentText,
    DealsFrom,
    GameName,
    Log,
    Sealed,
    Secret,
    check_file,
    chosen_chance,
)
from doyle.base.artifacts.files import write_text
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.histories import format_chips, format_score_line
from doyle.games.histories.files import writing
from doyle.matches.network import (
    Dealer,
    DealtMatch,
    Deviation,
    PlayedMatch,
    TimeLimits,
    connect,
    read_keys,
    ready_agent,
)
from doyle.matches.network import play as play_at
from doyle.matches.network.client import DEFAULT_GAME

acpc_app = typer.Typer(
    help="Play over the network: ACPC protocol 2.0.0, as client and as dealer.",
    no_args_is_help=True,
)

GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The dealer's game (default: the one the agent was built for, else holdem-nl-200bb).",
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(acpc_app, name="acpc")


class ListOptions(typer.core.TyperCommand):
    """A command whose list options accept several values: `--ports 5000 5001` or `5000,5001`."""

    lists = ("--ports", "--names", "--key-files")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.spread(args))

    def spread(self, args: Sequence[str]) -> list[str]:
        """The arguments with the option before each of its values.

        >>> ListOptions("dealer").spread(["kuhn", "--ports", "1", "2", "--json"])
        ['kuhn', '--ports', '1', '--ports', '2', '--json']
        """
        spread: list[str] = []
        option: str | None = None
        for word in args:
            if word.startswith("-"):
                option = word if word in self.lists else None
                if option is None:
                    spread.append(word)
            elif option is not None:
                spread += [option, word]
            else:
                spread.append(word)
        return spread


@acpc_app.command("play")
def play(
    agent: AgentText,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(metavar="PORT", min=1, max=65535, help="Its port for us.")],
    game: GameOption = None,
    key_file: Annotated[
        Path | None, typer.Option(help="Our dice, written by `doyle acpc dealer --key-files`.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Write the hands as this seat saw them.")] = None,
    time_limit: Annotated[
        float,
        typer.Option(help="Seconds an agent may take to act; of ours only searching ones need it."),
    ] = 10.0,
    wait: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the dealer to listen.")
    ] = 10.0,
    build: BuildMissing = False,
    as_json: AsJson = False,
) -> None:
    """Play an agent at a dealer until the dealer closes the connection."""
    check_file("--log", log)
    chosen = _game_of(agent, game)
    build_missing([agent], build=build, game=chosen)
    with ExitStack() as stack:
        player = stack.enter_context(ready_agent(agent, chosen, time_limit=time_limit))
        stream = None if log is None else stack.enter_context(writing(log))
        connection = connect(host, port, patience=wait)
        stack.callback(connection.close)
        keys = None if key_file is None else read_keys(key_file)
        match = play_at(player, chosen, connection, keys=keys, log=stream)
    output(match.document(), as_json=as_json, text=lambda: _show_played(match))
    if match.search is not None and (match.search["cut"] or match.search["left"]):
        typer.echo(
            f"warning: of {match.search['solves']} solves {match.search['cut']} were cut short by "
            f"--time-limit, {match.search['left']} decisions were left to the blueprint",
            err=True,
        )
    if match.interrupted:
        typer.echo("warning: the dealer closed the connection within a hand", err=True)
        raise typer.Exit(1)


@acpc_app.command("dealer", cls=ListOptions)
def dealer(
    game: GameName,
    hands: Annotated[int, typer.Option(min=1, help="Hands to play, each once.")] = 1000,
    seed: Seed = 0,
    sealed: Sealed = False,
    secret: Secret = None,
    deals: DealsFrom = "acpc",
    ports: Annotated[
        list[str] | None,
        typer.Option(metavar="P P", help="One per player (default: any free ones)."),
    ] = None,
    names: Annotated[list[str] | None, typer.Option(metavar="A B", help="Of the players.")] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; other machines reach 0.0.0.0.")
    ] = "127.0.0.1",
    log: Log = None,
    key_files: Annotated[
        list[str] | None, typer.Option(metavar="F F", help="Write the dice of each player here.")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Report every deviation from the protocol; exit 1 if any."),
    ] = False,
    on_failure: Annotated[
        str,
        typer.Option(
            metavar="end|fold",
            help="When a client leaves or runs out of time: end without a score, as the reference "
            "dealer does, or fold for it.",
        ),
    ] = "end",
    reconnect: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Let a client that disconnects come back within so long, once in a hand.",
        ),
    ] = None,
    timeout_action: Annotated[float, typer.Option(help="Seconds for one action.")] = 10.0,
    timeout_hand: Annotated[
        float | None, typer.Option(help="Seconds for the actions of one hand.")
    ] = None,
    timeout_match: Annotated[
        float | None, typer.Option(help="Seconds for all actions of the match.")
    ] = None,
    timeout_start: Annotated[
        float, typer.Option(help="Seconds for all clients to connect.")
    ] = 600.0,
    as_json: AsJson = False,
) -> None:
    """Deal a match to clients that connect; print their ports first and the score at the end."""
    check_file("--log", log)
    if on_failure not in ("end", "fold"):
        raise DoyleError(f"--on-failure {on_failure!r}: expected end or fold")
    limits = TimeLimits(timeout_action, timeout_hand, timeout_match, timeout_start)
    if (sealed or secret is not None) and deals == "acpc":
        deals = "secret"  # the default is of matches with a seed
    reporter = _Reporter(strict=strict)
    with Dealer(
        Game.named(game),
        hands=hands,
        chance=chosen_chance(seed, sealed=sealed, secret=secret, deals=deals),
        names=_split(names),
        host=host,
        ports=[_port(text) for text in _split(ports)],
        limits=limits,
        on_failure="fold" if on_failure == "fold" else "end",
        reconnect=reconnect,
        key_files=[Path(name) for name in _split(key_files)],
        report=reporter,
    ) as table:
        # Scripts read the ports from the first line, as the reference dealer prints it.
        typer.echo(" ".join(map(str, table.ports)), err=as_json)
        sys.stdout.flush()
        chance = table.match.chance
        if chance.mode == "sealed":
            typer.echo(f"sealed; SHA-256 of the secret {chance.commitment}", err=True)
        with progress_bar() as progress:
            dealt = table.play(log=log, progress=progress)
    _warn(dealt, strict=strict)
    output(dealt.document(), as_json=as_json, text=lambda: _show_dealt(dealt))
    if dealt.failure is not None or (strict and dealt.deviations.total):
        raise typer.Exit(1)


@acpc_app.command("script")
def script(
    agent: AgentText,
    game: GameOption = None,
    to: Annotated[
        Path | None, typer.Option("--output", help="The file to write (default: standard output).")
    ] = None,
) -> None:
    """Write the executable that match scripts start with the dealer's host and port."""
    check_file("--output", to)
    chosen = _game_of(agent, game)
    check_agent_text(agent, chosen)
    words = [sys.executable, "-m", "doyle", "acpc", "play", agent]
    command = shlex.join(words)
    given = f" --game {shlex.quote(game)}" if game is not None else ""
    text = (
        "#!/bin/sh\n"
        f"# Plays {shlex.quote(agent)} at an ACPC dealer: HOST PORT are its arguments.\n"
        f'exec {command} "$1" "$2"{given}\n'
    )
    if to is None:
        typer.echo(text, nl=False)
        return
    write_text(to, text)
    to.chmod(to.stat().st_mode | 0o111)
    say_written(to)


def _game_of(agent: str, game: str | None) -> Game:
    """The game to play: the one that is given, or the agent's own, or the competition's."""
    if game is not None:
        return Game.named(game)
    return own_game(agent) or Game.named(DEFAULT_GAME)


def _split(values: Sequence[str] | None) -> list[str]:
    return [part for value in values or () for part in value.split(",") if part]


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise DoyleError(f"--ports {text!r}: expected numbers from 0 to 65535 (0: any free one)")
    return int(text)


class _Reporter:
    """Reports on stderr where clients depart from the protocol: every time, or the first of each
    kind."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.seen: set[tuple[str, str]] = set()

    def __call__(self, deviation: Deviation) -> None:
        kind = (deviation.name, deviation.kind)
        if self.strict or kind not in self.seen:
            self.seen.add(kind)
            typer.echo(f"warning: {deviation}", err=True)


def _warn(dealt: DealtMatch, *, strict: bool) -> None:
    kept = len(dealt.deviations.kept)
    if strict and dealt.deviations.total > kept:
        more = dealt.deviations.total - kept
        typer.echo(f"warning: {more} more deviations were counted and not kept", err=True)
    for (name, kind), count in sorted(dealt.deviations.counts.items()):
        if count > 1 and not strict:
            typer.echo(f"warning: {name}: {kind}: {count} times in all", err=True)
    for forfeit in () if dealt.result is None else dealt.result.forfeits:
        name = dealt.names[forfeit.player]
        typer.echo(
            f"warning: {name} forfeits from hand {forfeit.hand} on: {forfeit.reason}", err=True
        )
    if dealt.failure is not None:
        failure = dealt.failure
        name = dealt.names[failure.player]
        typer.echo(
            f"doyle: the match ended in hand {failure.hand} without a score: {name} {failure.reason}",
            err=True,
        )


def _show_dealt(dealt: DealtMatch) -> Text:
    if dealt.result is not None and dealt.result.chance.mode == "sealed":
        yield f"# secret {dealt.result.chance.secret.hex()}"
    if dealt.score is not None:
        yield format_score_line(dealt.score)


def _show_played(match: PlayedMatch) -> Text:
    document = match.document()
    mean = document["mbb_per_hand"]
    rate = "" if mean is None else f", a mean of {mean:.1f} mbb/h"
    yield (
        f"{match.name}: {match.hands:,} hands of {match.game.name}, "
        f"{format_chips(match.chips)} chips{rate}"
    )
