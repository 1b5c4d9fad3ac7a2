"""`doyle match` and `doyle league`: agents against each other over dealt hands."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, cast

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    keep_result,
    progress_bar,
    say,
    show,
    warn_all,
)
from doyle.apps.cli.missing import BuildMissing, build_missing
from doyle.apps.cli.options import (
    DealsFrom,
    GameName,
    Log,
    Sealed,
    Secret,
    TimeLimit,
    check_file,
    check_folder,
    chosen_chance,
)
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Workers, parse_workers
from doyle.games import Agent, Game
from doyle.matches import play_league, play_match
from doyle.matches.match import Method as MatchMethod
from doyle.matches.results.files import is_begun
from doyle.matches.sequential import play_until_decided

Hands = Annotated[int, typer.Option("--hands", min=1, help="Deals, each played in every seating.")]
Duplicate = Annotated[
    bool,
    typer.Option(
        "--duplicate/--no-duplicate",
        help="Play each deal in every seating, or once, rotating seats.",
    ),
]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="FOLDER",
        help="Keep every hand there, for `doyle results`; an interrupted match resumes.",
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="auto|fast|plain",
        help="Kernels for policies, or one `act` per decision; never changes results.",
    ),
]


CLIENT = "acpc:"
"""How the text of an agent begins that is a client of the ACPC protocol."""


def register(app: typer.Typer) -> None:
    app.command()(match)
    app.command()(league)


def match(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [C]",
            help="One per player: see `doyle agents list`; FILE.py:CLASS; acpc:PORT, a client.",
        ),
    ],
    given_hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            min=1,
            help="Deals, each played in every seating (default: 20,000, which take about 10 s; 3,000 "
            "with more than two players or over the network; 400 boards with --exact-hands or --exact-from; at most "
            "200,000 with --until-decided).",
        ),
    ] = None,
    seed: Seed = 0,
    sealed: Sealed = False,
    secret: Secret = None,
    deals: DealsFrom = "secret",
    duplicate: Duplicate = True,
    log: Log = None,
    results: Results = None,
    time_limit: TimeLimit = 10.0,
    method: Method = "auto",
    exact_hands: Annotated[
        bool,
        typer.Option(
            "--exact-hands",
            help="Evaluate all pairs of hands on --hands boards; two policies.",
        ),
    ] = False,
    exact_from: Annotated[
        str | None,
        typer.Option(
            metavar="turn|river",
            help="Draw hands up to a street and evaluate all pairs of hands from there on: little "
            "noise between agents that differ only there; two policies.",
        ),
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="End as soon as one of two players is better, with at most 5% false decisions; "
            "--hands is the most that is played.",
        ),
    ] = False,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Play a match and show each player's winnings, with a 95% interval."""
    rules = Game.named(game)
    crew = parse_workers(workers)
    exact = exact_hands or exact_from is not None
    hands = given_hands or _enough(rules, agents, exact_hands=exact, until_decided=until_decided)
    if exact:
        option = "--exact-hands" if exact_hands else "--exact-from"
        dealt = sealed or secret is not None or deals != "secret" or not duplicate
        if log is not None or results is not None or dealt or until_decided:
            raise DoyleError(
                f"{option}: no hands are dealt; leave out --log, --results, --sealed, "
                "--secret, --deals, --no-duplicate and --until-decided"
            )
        if exact_hands and exact_from is not None:
            raise DoyleError("--exact-from: leave out --exact-hands")
        build_missing(agents, build=build, game=rules)
        _exact_hands(rules, agents, hands, seed, exact_from, crew, as_json)
        return
    check_file("--log", log)
    check_folder("--results", results)
    chance = chosen_chance(seed, sealed=sealed, secret=secret, deals=deals)
    build_missing(_texts(agents), build=build, game=rules)
    if until_decided:
        if log is not None or results is not None or len(_texts(agents)) < len(agents):
            raise DoyleError(
                "--until-decided: leave out --log, --results, and agents over the network"
            )
        with progress_bar() as progress:
            sequential = play_until_decided(
                rules,
                agents,
                hands=hands,
                chance=chance,
                duplicate=duplicate,
                workers=crew,
                time_limit=time_limit,
                method=chosen_method(method),
                progress=progress,
            )
        warn_all(sequential.match.conduct())
        show(sequential, as_json=as_json)
        return
    with ExitStack() as stack, resumable(lambda: _hint(results, log)), progress_bar() as progress:
        players = connected_agents(agents, time_limit=time_limit, stack=stack)
        result = play_match(
            rules,
            players,
            hands=hands,
            chance=chance,
            duplicate=duplicate,
            workers=Workers(1) if players != agents else crew,
            log=log,
            results=results,
            time_limit=time_limit,
            method=chosen_method(method),
            progress=progress,
            say=say,
        )
    warn_all(result.conduct())
    show(result, as_json=as_json)


def _hint(results: Path | None, log: Path | None = None) -> str:
    """How an interrupted match resumes; a log begins with its first hand, so it does not."""
    if results is None or log is not None or not is_begun(results):
        return ""
    return f"the same command resumes from the deals in {results}"


def _enough(game: Game, agents: list[str], *, exact_hands: bool, until_decided: bool) -> int:
    """Deals that are informative within seconds."""
    if exact_hands:
        return 400
    if until_decided:
        return 200_000
    return 3000 if game.players > 2 or len(_texts(agents)) < len(agents) else 20_000


def league(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="A B C ...", help="The agents.")],
    hands: Hands = 1000,
    seed: Seed = 0,
    sealed: Sealed = False,
    secret: Secret = None,
    deals: DealsFrom = "secret",
    duplicate: Duplicate = True,
    results: Results = None,
    time_limit: TimeLimit = 10.0,
    method: Method = "auto",
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Play a match at every table the agents can form; rank them by both ACPC winner rules."""
    rules = Game.named(game)
    crew = parse_workers(workers)
    check_folder("--results", results)
    chance = chosen_chance(seed, sealed=sealed, secret=secret, deals=deals)
    build_missing(agents, build=build, game=rules)
    with resumable(lambda: _hint(results)), progress_bar() as progress:
        result = play_league(
            rules,
            agents,
            hands=hands,
            chance=chance,
            duplicate=duplicate,
            workers=crew,
            results=results,
            time_limit=time_limit,
            method=chosen_method(method),
            progress=progress,
            say=say,
        )
    warn_all(result.conduct())
    keep_result(f"league-{rules.name}-{'-'.join(result.names)}", result.document())
    show(result, as_json=as_json)


def _exact_hands(
    game: Game,
    agents: list[str],
    boards: int,
    seed: int,
    street: str | None,
    workers: Workers,
    as_json: bool,
) -> None:
    from doyle.measuring.exact_hands.run import run_exact_hands

    with progress_bar() as progress:
        result = run_exact_hands(
            game,
            agents,
            boards=boards,
            seed=seed,
            street=street,
            workers=workers,
            progress=progress,
        )
    show(result, as_json=as_json)


def _texts(agents: Iterable[str]) -> list[str]:
    """The agents that are no clients."""
    return [text for text in agents if not text.startswith(CLIENT)]


def client_port(text: str) -> int:
    """The port of `acpc:PORT`."""
    port = text.removeprefix(CLIENT)
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise DoyleError(f"agent {text!r}: expected acpc:PORT with a port from 1 to 65535")
    return int(port)


def connected_agents(
    agents: Iterable[str], *, time_limit: float, stack: ExitStack
) -> list[str | Agent]:
    """The agents, with a client in place of each `acpc:PORT`: the first that connects there."""
    found: list[str | Agent] = []
    for text in agents:
        if not text.startswith(CLIENT):
            found.append(text)
            continue
        from doyle.matches.network import seat_client

        port = client_port(text)
        say(f"waiting for a client on 127.0.0.1 port {port}")
        client = seat_client(port, time_limit=time_limit)
        stack.callback(client.connection.close)
        found.append(client)
    return found


def chosen_method(text: str) -> MatchMethod:
    """How hands are played, by the option of a command."""
    if text not in ("auto", "fast", "plain"):
        raise FieldError("method", "expected auto, fast or plain", value=text)
    return cast("MatchMethod", text)
