"""`doyle evaluate`: a logged player's winnings, or another's expected winnings, with less noise."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, WorkersText, progress_bar, show, warn
from doyle.apps.cli.missing import BuildMissing, build_missing
from doyle.apps.cli.options import GameOfHands
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import parse_workers
from doyle.games import Game
from doyle.games.histories import read_hands
from doyle.games.histories.logs import game_of_log
from doyle.matches.log import log_name
from doyle.matches.match import agent_name, distinct_names
from doyle.measuring.variance_reduction.divat import Divat
from doyle.measuring.variance_reduction.log_run import run_hands
from doyle.measuring.variance_reduction.records import ReducedResult
from doyle.measuring.variance_reduction.sampling_run import run_divat, run_importance_sampling

METHODS = ("aivat", "divat", "importance")


def register(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An ACPC log of two players.")],
    method: Annotated[
        str,
        typer.Option(
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
            help="A player's agent, a policy; once, or twice for aivat. NAME is "
            "the player's in the log (default: the agent's). The first one's result is shown.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="divat: the player to measure (default: the first)."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="importance: the agent to be evaluated (default: the one that played).",
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
    game_name: GameOfHands = None,
    hands: Annotated[
        int | None, typer.Option(min=1, help="Only so many hands from the first.")
    ] = None,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure a match from its log with less noise. The mean is the same as that of the chips won.

    AIVAT removes the luck of the cards and of known choices, DIVAT that of the cards by a baseline,
    importance sampling weighs all hands and actions of a known player.
    """
    chosen = parse_workers(workers)
    if workers is not None and method != "aivat":
        raise FieldError("workers", f"only for --method aivat; {method} runs in one process")
    _check(method, agents or [], player, target, kind, baseline)
    game = Game.named(game_name) if game_name is not None else game_of_log(log)
    known = _by_name(agents or [], log, game, build=build)
    most = None if hands is None else min(hands, sys.maxsize)
    if target is not None:
        build_missing([target], build=build, game=game)
    every = list(islice(read_hands(log, game), most))
    what = str(log)
    result: ReducedResult
    with progress_bar() as progress:
        if method == "aivat":
            result = run_hands(
                game, every, dict(known), what=what, workers=chosen, progress=progress
            )
        elif not every:
            raise DoyleError(f"{log}: has no hands")
        elif method == "divat":
            name = player or every[0].players[0]
            divat = Divat.of(game, baseline or "always-call")
            result = run_divat(game, every, name, divat, what=what, progress=progress)
        else:
            ((name, played),) = known.items()
            result = run_importance_sampling(
                game,
                every,
                name,
                played,
                target,
                kind=kind or "gea-oc",
                divat=None if baseline is None else Divat.of(game, baseline),
                what=what,
                progress=progress,
            )
    if result.warning:
        warn(result.warning)
    show(result, as_json=as_json)


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
