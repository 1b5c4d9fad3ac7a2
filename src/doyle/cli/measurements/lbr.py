"""`doyle lbr`: what the local best response wins against an agent, a lower bound on a best response."""

from __future__ import annotations

from typing import Annotated

import typer

from doyle.agents.registry import OWN_NAMES
from doyle.agents.resolve import is_foreign, own_game
from doyle.cli.common import AsJson, Seed, WorkersText, output, progress_bar, with_interval
from doyle.cli.missing import BuildMissing, build_missing
from doyle.games import Game
from doyle.measuring.local_best_response.response import default_actions
from doyle.measuring.local_best_response.run import LbrResult, run_lbr
from doyle.workers import parse_workers

DEFAULT_GAME = "holdem-nl-200bb"
_ORIGINS_SHOWN = 6


PolicyText = Annotated[
    str, typer.Argument(metavar="AGENT", help="An agent that gives its probabilities.")
]
GameOfPolicy = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help=f"A bundled game or a definition file (default: the agent's, or {DEFAULT_GAME}).",
    ),
]


def register(app: typer.Typer) -> None:
    app.command()(lbr)


def lbr(
    agent: PolicyText,
    game: GameOfPolicy = None,
    actions: Annotated[
        str | None,
        typer.Option(
            "--actions",
            metavar="fc|fcpa|56|all",
            help="Calls only; and pot and all-in; and 56 sizes; every legal action "
            "(default: fcpa, in limit and small games all).",
        ),
    ] = None,
    rounds: Annotated[
        str,
        typer.Option(
            "--rounds",
            metavar="all|late|river",
            help="late: check and call in the first two rounds; river: in the first three.",
        ),
    ] = "all",
    hands: Annotated[
        int, typer.Option("--hands", min=2, help="Hands; every deal of a small game is counted.")
    ] = 2000,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure how much a simple opponent who knows the agent's strategy wins against it.

    The result is a lower bound on what the best opponent wins; a negative result proves nothing.
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
    output(result.document(), as_json=as_json, text=lambda: _show(result))


def game_of_agent(agent: str, game: str | None, *, build: bool) -> Game:
    """The game given, or that of the agent's strategy, or the default; the agent is built if need be."""
    if game is not None:
        chosen = Game.named(game)
        build_missing([agent], build=build, game=chosen)
        return chosen
    if agent not in OWN_NAMES and not is_foreign(agent):
        build_missing([agent], build=build)
        own = own_game(agent)
        if own is not None:
            return own
    chosen = Game.named(DEFAULT_GAME)
    build_missing([agent], build=build, game=chosen)  # says what is wrong with the text
    return chosen


def _show(result: LbrResult) -> None:
    how = "every deal" if result.seed is None else f"{result.hands:,} hands, seed {result.seed}"
    typer.echo(f"{'agent':<12}{result.name} in {result.game.name}")
    typer.echo(f"{'responder':<12}actions {result.actions}, rounds {result.rounds}, {how}")
    typer.echo(f"{'wins':<12}{with_interval(result.mbb_per_hand, result.ci95)}")
    seats = ", ".join(f"{value:.1f}" for value in result.seats)
    typer.echo(f"{'by seat':<12}{seats} mbb/h")
    largest = sorted(result.origins.items(), key=lambda entry: -abs(entry[1]))[:_ORIGINS_SHOWN]
    typer.echo(
        f"{'first raise':<12}mbb/h of the result, by the responder's first raise of the hand"
    )
    for kind, value in largest:
        what = "no raise" if kind is None else str(kind)
        typer.echo(f"{'':<12}{value:8.1f}  {what}")
    typer.echo(f"{'meaning':<12}{result.reading}")
