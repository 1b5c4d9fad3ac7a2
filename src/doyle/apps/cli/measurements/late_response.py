"""`doyle late-response`: an exact best response from the river or the turn on, a lower bound."""

from __future__ import annotations

from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, Seed, WorkersText, progress_bar, show
from doyle.apps.cli.missing import BuildMissing
from doyle.apps.cli.options import GameOfAgent, PolicyText, game_of_agent
from doyle.base.workers import parse_workers
from doyle.measuring.late_response import run_late_response


def register(app: typer.Typer) -> None:
    app.command(name="late-response")(late_response)


def late_response(
    agent: PolicyText,
    game: GameOfAgent = None,
    street: Annotated[
        str, typer.Option("--from", metavar="river|turn", help="Where the responder begins.")
    ] = "river",
    actions: Annotated[
        str,
        typer.Option(
            metavar="fc|fcpa|18", help="The responder's bets: none; pot and all-in; 18 sizes."
        ),
    ] = "fcpa",
    hands: Annotated[int, typer.Option(min=2, help="Hands of self-play.")] = 1000,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure how much an exact best response from the river or turn on wins against an agent.

    Both seats play the agent until then. The result is a lower bound on a best response's winnings.
    """
    played = game_of_agent(agent, game, build=build)
    with progress_bar() as progress:
        result = run_late_response(
            played,
            agent,
            street=street,
            actions=actions,
            hands=hands,
            seed=seed,
            workers=parse_workers(workers),
            progress=progress,
        )
    show(result, as_json=as_json)
