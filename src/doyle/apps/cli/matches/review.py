"""`doyle review`: the loss of each decision of a player against an agent's strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, Seed, WorkersText, progress_bar, say, say_written, show
from doyle.apps.cli.missing import BuildMissing
from doyle.apps.cli.options import Page, check_file, game_of_agent
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import parse_workers
from doyle.measuring.reviewing import ReviewOptions, SpotLimits, read_hand_file, review_hands

SPOTS = ("none", "river", "late")


def register(app: typer.Typer) -> None:
    app.command()(review)


def review(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A .phh or .phhs file, an ACPC log (.log), or a folder of them."
        ),
    ],
    agent: Annotated[str, typer.Option(metavar="AGENT", help="The agent that judges.")] = "default",
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The reviewed player (default: the one in every hand)."),
    ] = None,
    game_name: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game (default: the agent's).")
    ] = None,
    hands: Annotated[
        int | None, typer.Option(min=1, help="Only so many hands from the first.")
    ] = None,
    boards: Annotated[
        int, typer.Option(min=8, max=100_000, help="Boards drawn for a decision before the turn.")
    ] = 128,
    spots: Annotated[
        str,
        typer.Option(
            metavar="none|river|late",
            help="Which decisions the spot solver checks in no-limit Hold'em: none, those of the "
            "river, or of turn and river.",
        ),
    ] = "late",
    spot_betting: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Bets of the spot solver (default: fcpa on the turn, fchpa on the river).",
        ),
    ] = None,
    spot_iterations: Annotated[
        int, typer.Option(min=1, help="Most iterations of one solve.")
    ] = 200,
    spot_target: Annotated[
        float, typer.Option(min=0.001, help="Exploitability to solve to, in % of the pot.")
    ] = 0.5,
    page: Page = None,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Review a player's hands: the agent's probabilities and the loss of each decision in mbb.

    The loss is the mean advantage of the agent's own choice, against the agent's range and play for
    the other seat.
    """
    if spots not in SPOTS:
        raise FieldError("spots", f"expected {', '.join(SPOTS)}", value=spots)
    if not source.exists():  # reported before the lookup of the agent, which may not be built
        raise DoyleError(f"{source}: no such file")
    check_file("--output", page)
    shared = parse_workers(workers)
    game = game_of_agent(agent, game_name, build=build)
    found = read_hand_file(source, game, most_hands=hands)
    for reason, count in found.refused.items():
        say(f"{source}: {count:,} hands left out: {reason}")
    limits = SpotLimits(
        river_betting=spot_betting or "fchpa",
        turn_betting=spot_betting or "fcpa",
        target_percent=spot_target,
        iterations=spot_iterations,
        first_round=3 if spots == "river" else 2,
    )
    options = ReviewOptions(boards=boards, seed=seed, spots=None if spots == "none" else limits)
    with progress_bar() as progress:
        result = review_hands(
            game,
            agent,
            found.hands,
            found.player(player),
            options=options,
            refused=found.refused,
            workers=shared,
            progress=progress,
        )
    if page is not None:
        from doyle.measuring.reports.review_page import write_review

        write_review(page, result)
        say_written(page)
    show(result, as_json=as_json)
