"""`doyle evaluate`: what a player of a log won, or another would have won, with less noise."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from doyle.cli.common import AsJson, WorkersText, output, progress_bar, warn, with_interval
from doyle.cli.missing import BuildMissing, build_missing
from doyle.errors import DoyleError, FieldError
from doyle.games import Game
from doyle.histories import Hand, read_hands
from doyle.histories.log_game import game_of_log
from doyle.matches.log import log_name
from doyle.matches.match import agent_name, distinct_names
from doyle.measuring.variance_reduction.divat import Divat
from doyle.measuring.variance_reduction.log_run import run_hands
from doyle.measuring.variance_reduction.sampling_run import run_divat, run_importance_sampling
from doyle.workers import Workers, parse_workers

METHODS = ("aivat", "divat", "importance")


def register(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An ACPC log of two players.")],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="aivat|divat|importance",
            help="aivat: one or two agents are known; divat: none; importance: the one that played, "
            "and --target for another in its place.",
        ),
    ] = "aivat",
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT|NAME=AGENT",
            help="A player's agent, which gives its probabilities; once, or twice for aivat. NAME is "
            "the player's in the log (default: the agent's). The first one's result is shown.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="divat: whose result (default: the first player's)."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT", help="importance: the agent to be evaluated (default: who played)."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="basic|gea|oc|gea-oc",
            help="importance: with game-ending actions, other cards, or both (default: gea-oc).",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="always-call|bet-for-value",
            help="divat: the baseline (default: always-call). importance: value hands by DIVAT with "
            "this baseline instead of by the chips won.",
        ),
    ] = None,
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="The game (default: the one the log's head names)."
        ),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Only so many hands from the first.")
    ] = None,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure a match from its log with less noise. The mean is the same as that of the chips won.

    AIVAT takes out the luck of the cards and of known choices, DIVAT that of the cards by a baseline,
    importance sampling counts what else a known player could have done.
    """
    chosen = parse_workers(workers)
    if workers is not None and method != "aivat":
        raise FieldError("workers", f"only for --method aivat; {method} runs in one process")
    _check(method, agents or [], player, target, kind, baseline)
    game = Game.named(game_name) if game_name is not None else game_of_log(log)
    known = _by_name(agents or [], log, game, build=build)
    most = None if hands is None else min(hands, sys.maxsize)
    every = list(islice(read_hands(log, game), most))
    if method == "aivat":
        document = _aivat(game, every, known, str(log), chosen)
    elif method == "divat":
        document = _divat(game, every, player, baseline or "always-call", str(log))
    else:
        if target is not None:
            build_missing([target], build=build, game=game)
        divat = None if baseline is None else _named_divat(game, baseline)
        document = _importance(game, every, known, target, kind or "gea-oc", divat, str(log))
    if document.get("warning"):
        warn(str(document["warning"]))
    output(document, as_json=as_json, text=lambda: _show(document))


def _check(
    method: str,
    agents: list[str],
    player: str | None,
    target: str | None,
    kind: str | None,
    baseline: str | None,
) -> None:
    """Refuse options that the method has no use for."""
    if method not in METHODS:
        raise DoyleError(f"--method {method!r}: expected {', '.join(METHODS)}")
    given = {
        "--agent": bool(agents),
        "--player": player is not None,
        "--target": target is not None,
        "--kind": kind is not None,
        "--baseline": baseline is not None,
    }
    takes = {
        "aivat": ("--agent",),
        "divat": ("--player", "--baseline"),
        "importance": ("--agent", "--target", "--kind", "--baseline"),
    }[method]
    for option, is_given in given.items():
        if is_given and option not in takes:
            raise DoyleError(f"{option}: not for --method {method}, which takes {', '.join(takes)}")
    if method != "divat" and not agents:
        raise DoyleError(f"--method {method}: needs --agent, whose probabilities it reads")
    if method == "importance" and len(agents) > 1:
        raise DoyleError("--method importance: evaluates one player; give --agent once")


def _named_divat(game: Game, baseline: str) -> Divat:
    return Divat.of(game, baseline)


def _aivat(
    game: Game, hands: list[Hand], known: dict[str, str], what: str, workers: Workers
) -> dict[str, Any]:
    with progress_bar() as progress:
        result = run_hands(game, hands, dict(known), what=what, workers=workers, progress=progress)
    return result.document()


def _divat(
    game: Game, hands: list[Hand], player: str | None, baseline: str, what: str
) -> dict[str, Any]:
    if not hands:
        raise DoyleError(f"{what}: has no hands")
    with progress_bar() as progress:
        result = run_divat(
            game,
            hands,
            player or hands[0].players[0],
            _named_divat(game, baseline),
            what=what,
            progress=progress,
        )
    return {**result.document(), "baseline": baseline}


def _importance(
    game: Game,
    hands: list[Hand],
    known: dict[str, str],
    target: str | None,
    kind: str,
    divat: Divat | None,
    what: str,
) -> dict[str, Any]:
    ((player, played),) = known.items()
    with progress_bar() as progress:
        result = run_importance_sampling(
            game,
            hands,
            player,
            played,
            target,
            kind=kind,
            divat=divat,
            what=what,
            progress=progress,
        )
    return {**result.document(), "target": target or played}


def _by_name(texts: list[str], log: Path, game: Game, *, build: bool) -> dict[str, str]:
    """Agents by the names of their players in the log."""
    players = next((hand.players for hand in read_hands(log, game)), ())
    split = [_named_agent(text, players, log) for text in texts]
    given = [parts[-1] for parts in split]
    build_missing(given, build=build, game=game)
    names = [
        parts[0] if len(parts) == 2 else log_name(agent_name(parts[0], game)) for parts in split
    ]
    return dict(zip(distinct_names(names), given, strict=True))


def _named_agent(text: str, players: Sequence[str], log: Path) -> list[str]:
    """NAME and AGENT, or AGENT alone; options after a colon have equals signs too."""
    name, equals, agent = text.partition("=")
    if equals and name in players:
        return [name, agent]
    if equals and ":" not in name:
        has = " and ".join(players)
        raise DoyleError(f"--agent {text}: {log}: no player is called {name!r}; it has {has}")
    return [text]


def _show(document: dict[str, Any]) -> None:
    what = {"aivat": "AIVAT", "divat": "DIVAT", "importance": "sampled"}[document["method"]]
    typer.echo(
        f"{'match':<10}{document['player']} against {document['opponent']} in {document['game']}"
    )
    details = [f"{document['hands']:,}"]
    if "known" in document:
        details.append(f"known: {', '.join(document['known'])}")
    if "baseline" in document:
        details.append(f"baseline {document['baseline']}")
    if "kind" in document:
        details.append(f"{document['kind']}, evaluated: {document['target']}")
        details.append(f"worth {document['effective_hands']:,.0f} hands of equal weight")
    typer.echo(f"{'hands':<10}{'; '.join(details)}")
    typer.echo(f"{'plain':<10}{_said(document['plain'])}")
    typer.echo(f"{what:<10}{_said(document['estimate'])}")
    less = document["sd_reduction"]
    if less is not None:
        side = "less" if less >= 0 else "more"
        typer.echo(f"{'':<10}standard deviation {100 * abs(less):.1f}% {side}")


def _said(estimate: dict[str, Any]) -> str:
    mean, ci95, sd = estimate["mbb_per_hand"], estimate["ci95"], estimate["sd_mbb"]
    said = with_interval(mean, None) if ci95 is None else f"{mean:.1f} ± {ci95:.1f} mbb/h"
    return f"mean {said}" + ("" if sd is None else f", sd {sd:.0f} a hand")
