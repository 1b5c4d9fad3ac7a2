"""`doyle lbr`: winnings of the local best response against an agent, a lower bound on a best
response."""

from __future__ import annotations

from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, Seed, WorkersText, progress_bar, show
from doyle.apps.cli.missing import BuildMissing
from doyle.apps.cli.options import GameOfAgent, PolicyText, game_of_agent
from doyle.base.workers import parse_workers
from doyle.measuring.local_best_response.response import default_actions
from doyle.measuring.local_best_response.run import run_lbr


def register(app: typer.Typer) -> None:
    app.command()(lbr)


def lbr(
    agent: PolicyText,
    game: GameOfAgent = None,
    actions: Annotated[
        str | None,
        typer.Option(
            metavar="fc|fcpa|56|all",
            help="Calls only; and pot and all-in; and 56 sizes; every legal action "
            "(default: fcpa, in limit and small games all).",
        ),
    ] = None,
    rounds: Annotated[
        str,
        typer.Option(
            metavar="all|late|river",
            help="late: check and call in the first two rounds; river: in the first three.",
        ),
    ] = "all",
    hands: Annotated[
        int, typer.Option(min=2, help="Hands; every deal of a small game is counted.")
    ] = 2000,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure how much a simple opponent that knows the agent's strategy wins against it.

    The result is a lower bound on a best response's winnings; a negative result proves nothing.
    """
    played = game_of_agent(agent, game, build=build)
    with progress_bar() as progress:
        result = run_lbr(
            played,
            agent,
            actions=default_actions(played) if actions is None else actions,
            rounds=rounds,
            hands=hands,
            seed=seed,
            workers=parse_workers(workers),
            progress=progress,
        )
    show(result, as_json=as_json)
