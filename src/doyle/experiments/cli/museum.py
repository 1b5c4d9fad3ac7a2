"""`doyle museum`: the papers' agents built and played against each other in two leagues."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    keep_result,
    output,
    plain_console,
    print_text,
    progress_bar,
    say,
    say_written,
    warn_all,
)
from doyle.apps.cli.missing import BuildMissing, build_missing

if TYPE_CHECKING:
    from doyle.experiments.museum import MuseumLeague


def register(app: typer.Typer) -> None:
    app.command()(museum)


def museum(
    scale: Annotated[
        str, typer.Option(metavar="small|full", help="How large the agents are.")
    ] = "small",
    league: Annotated[
        list[str] | None,
        typer.Option(
            "--league", metavar="GAME", help="doyle-500bb or holdem-nl-200bb (default: both)."
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="A further agent that plays in each league."),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(min=2, help="Deals of a match (default: 20,000; at full scale 200,000)."),
    ] = None,
    lbr_hands: Annotated[
        int | None,
        typer.Option(
            "--lbr-hands",
            min=2,
            help="Hands of each local best response (default: 400; at full scale 4,000).",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Begin no match after so many minutes; run again to resume."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.html", help="Write a page.")
    ] = None,
    build: BuildMissing = False,
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Build the papers' agents and play them in two leagues; finished matches are kept."""
    from doyle.agents import check_agent_text
    from doyle.apps.cli.options import check_file
    from doyle.base.errors import DoyleError
    from doyle.base.workers import parse_workers
    from doyle.experiments.laboratory import is_small
    from doyle.experiments.museum import SCALES, plans, run_museum
    from doyle.games import Game

    if minutes is not None and not math.isfinite(minutes):
        raise DoyleError(f"--minutes {minutes}: expected a finite number from 0")
    started = time.monotonic()
    chosen = plans(scale, games=tuple(league) if league else None, extra=tuple(agent or ()))
    check_file("--output", page)
    crew = parse_workers(workers)
    for plan in chosen:
        for text in plan.agents:
            check_agent_text(text, Game.named(plan.game))
        build_missing([text for text in plan.agents if not is_small(text)], build=build)
    with (
        resumable(lambda: "the same command resumes after the matches that are over"),
        progress_bar() as progress,
    ):
        result = run_museum(
            chosen,
            hands=hands or SCALES[scale].hands,
            lbr_hands=lbr_hands or SCALES[scale].lbr_hands,
            seed=seed,
            workers=crew,
            progress=progress,
            is_over=lambda: minutes is not None and time.monotonic() - started > 60 * minutes,
            say=say,
        )
    for one in result.leagues:
        if one.result is not None:
            warn_all(one.result.conduct())
    document = {"scale": scale, **result.document()}
    if result.is_whole:
        keep_result(f"museum-{scale}", document)
    if page is not None:
        from doyle.experiments.museum.page import write_museum_page

        write_museum_page(page, result)
        say_written(page)
    if not result.is_whole:
        say("the time is over before all matches; run again to resume")

    def show() -> None:
        for one in result.leagues:
            if one.result is not None:
                print_text(one.result.text())
            _show_rest(one)

    output(document, as_json=as_json, text=show)


def _show_rest(league: MuseumLeague) -> None:
    console = plain_console()
    if league.result is None:
        console.print(f"{league.game}: {league.played} of {league.pairs} matches played")
    for name, found in league.lbr.items():
        if isinstance(found, str):
            console.print(f"local best response against {name}: not measured ({found})")
        else:
            width = "" if found.ci95 is None else f" ± {found.ci95:.0f}"
            console.print(
                f"local best response against {name}: {found.mbb_per_hand:.0f}{width} mbb/h"
            )
