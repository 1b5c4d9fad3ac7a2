"""`doyle report`: the report card of an agent, as text, JSON and an HTML page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    keep_result,
    progress_bar,
    say_written,
    show,
)
from doyle.apps.cli.missing import BuildMissing
from doyle.apps.cli.options import AgentText, GameOfAgent, Page, check_file, game_of_agent
from doyle.base.workers import parse_workers
from doyle.building import named_build
from doyle.measuring.reports.build_section import BuildSection, Hints
from doyle.measuring.reports.report_card import (
    Budget,
    preflop_grids,
    report_card,
    strategy_of_agent,
)
from doyle.measuring.reports.report_card_page import write_report_card


def register(app: typer.Typer) -> None:
    app.command()(report)


def report(
    agent: AgentText,
    game: GameOfAgent = None,
    page: Page = None,
    hands: Annotated[int, typer.Option(min=4, help="Hands of each local best response.")] = 2000,
    deals: Annotated[int, typer.Option(min=2, help="Deals of each duplicate match.")] = 10_000,
    boards: Annotated[
        int, typer.Option(min=2, help="Boards of each exact-hands evaluation.")
    ] = 400,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure an agent with every instrument that takes seconds, and write one HTML page.

    Winnings of local best responses against it, its own against at least five opponents, and
    exploitability if known. The page is AGENT-report.html in this folder, if no other is named;
    --json writes none by itself.
    """
    check_file("--output", page, suffixes=(".html", ".htm"))
    chosen = parse_workers(workers)
    played = game_of_agent(agent, game, build=build)
    with progress_bar() as progress:
        card = report_card(
            agent,
            played,
            budget=Budget(hands=hands, deals=deals, boards=boards, seed=seed),
            workers=chosen,
            progress=progress,
        )
    if page is None and not as_json:
        page = Path(page_name(agent))
    if page is not None:
        write_report_card(page, card, preflop_grids(agent), build=_section(agent))
        say_written(page)
    keep_result(f"report-{agent}", card.document())
    show(card, as_json=as_json)


def page_name(agent: str) -> str:
    """The file of an agent's report; different agents have different files.

    >>> page_name("size-tell:default"), page_name("default")
    ('size-tell-default-report.html', 'default-report.html')
    >>> page_name("./möwe.py:Bot")
    'möwe.py-Bot-report.html'
    """
    return re.sub(r"[^\w@.+-]+", "-", agent).lstrip(".").removeprefix("-") + "-report.html"


def _section(agent: str) -> BuildSection | None:
    named = strategy_of_agent(agent)
    if named is None:
        return None
    is_build = named_build(named.name) is not None
    return BuildSection.of(named, build_hints(named.name) if is_build else None)


def build_hints(agent: str, options: str = "") -> Hints:
    """The commands that resume a build and that measure it further."""
    name = shlex.quote(agent)
    command = f"`doyle build {name}{options} --minutes 60`"
    if name + options == "default":
        command += " or `make agent MINUTES=60`"
    return Hints(
        resume=f"{command} resumes it.",
        measure=f"over all cards: doyle exploitability {name} --cards full",
    )
