"""`doyle report`: the report card of an agent, as text, JSON and an HTML page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from doyle.building import named_build
from doyle.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    keep_result,
    output,
    progress_bar,
    say_written,
)
from doyle.cli.measurements.lbr import game_of_agent
from doyle.cli.missing import BuildMissing
from doyle.cli.paths import check_file, given_path
from doyle.reports.build_section import BuildSection, Hints
from doyle.reports.report_card import (
    Budget,
    ReportCard,
    preflop_grids,
    report_card,
    strategy_of_agent,
)
from doyle.reports.report_card_page import amount, late_label, lbr_label, noted, write_report_card
from doyle.workers import parse_workers


def register(app: typer.Typer) -> None:
    app.command()(report)


def report(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Any agent.")],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="A bundled game or a definition file (default: the agent's, or holdem-nl-200bb).",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.html",
            parser=given_path,
            help="Where to write the page (default: AGENT-report.html here; none with --json).",
        ),
    ] = None,
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

    What local best responses win against it, what it wins against at least five opponents, and
    exploitability where it is known.
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
    output(card.document(), as_json=as_json, text=lambda: show_card(card))


def page_name(agent: str) -> str:
    """The file of an agent's report; other agents have other files.

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


def show_card(card: ReportCard) -> None:
    """Print a card for people."""
    typer.echo(f"{card.agent} in {card.game.name}, all numbers in mbb/h with 95% intervals")
    if card.is_measured:
        typer.echo(card.advice.sentence)
    for name, value in (
        ("abstract game", card.abstract),
        ("betting tree, all cards", card.betting_tree),
    ):
        known = "not known" if value is None else f"{value:,.2f} mbb/h"
        typer.echo(f"  exploitability in the {name:<24} {known}")
    for row in card.lbr:
        wins = amount(row.won)
        typer.echo(f"  local best response, {lbr_label(row):<22} wins {wins}")
    for late in card.late:
        wins = amount(late.won)
        typer.echo(f"  exact response, {late_label(late):<27} wins {wins}")
    for match in card.matches:
        wins = amount(match.won)
        typer.echo(f"  against {match.opponent:<36} {wins:>20}  {match.method}{noted(match)}")
