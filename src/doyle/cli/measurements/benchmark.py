"""`doyle benchmark`: the versioned score card of any agent, bots on the network included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from doyle.cli.common import AsJson, WorkersText, output, progress_bar, say, say_written
from doyle.cli.matches.match import CLIENT, TimeLimit, client_port, connected_agents
from doyle.cli.measurements.lbr import DEFAULT_GAME, game_of_agent
from doyle.cli.missing import BuildMissing
from doyle.cli.paths import check_file, given_path
from doyle.games import Agent, Game
from doyle.matches.match import check_time_limit
from doyle.reports.benchmark import version_1
from doyle.reports.benchmark.page import (
    HEADS,
    answer_cells,
    boundary_text,
    verdict,
    write_score_card,
)
from doyle.reports.benchmark.score_card import ScoreCard, Seating, score_card
from doyle.reports.report_card_page import amount, lbr_label, noted
from doyle.workers import parse_workers


def register(app: typer.Typer) -> None:
    app.command()(benchmark)


def benchmark(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="Any agent, or acpc:PORT for a bot that connects for each match."
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help=f"A bundled game or a definition file (default: the agent's, or {DEFAULT_GAME}).",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.html",
            parser=given_path,
            help="Write the card as an HTML page too.",
        ),
    ] = None,
    hands: Annotated[
        int,
        typer.Option(
            min=10, help="Deals of each duplicate match and of the probe; the rest in proportion."
        ),
    ] = 10_000,
    time_limit: TimeLimit = 10.0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Measure an agent against frozen opponents and probes: cards of one version compare.

    About three minutes on two cores for a strategy, after half a minute of one core for the reference
    opponent, the first time. A policy is also measured by local best responses.
    """
    check_file("--output", page, suffixes=(".html", ".htm"))
    check_time_limit(time_limit)
    chosen = parse_workers(workers)
    seat: Seating | None = None
    if agent.startswith(CLIENT):
        client_port(agent)
        played = Game.named(game or DEFAULT_GAME)
        seat = _client(agent, time_limit)
    else:
        played = game_of_agent(agent, game, build=build)
    if version_1.has_reference(played) and not version_1.reference_is_built():
        say("building the reference opponent first: half a minute of one core after its cards")
        with progress_bar() as progress:
            version_1.build_reference(progress)
    with progress_bar() as progress:
        card = score_card(
            agent,
            played,
            deals=hands,
            seat=seat,
            time_limit=time_limit,
            workers=chosen,
            progress=progress,
        )
    if page is not None:
        write_score_card(page, card)
        say_written(page)
    output(card.document(), as_json=as_json, text=lambda: _show(card))


def _client(agent: str, time_limit: float) -> Seating:
    """A connection for each match: the bot is started again, as in a competition."""

    @contextmanager
    def seated(match: str) -> Iterator[str | Agent]:
        say(f"next match: against {match}")
        with ExitStack() as stack:
            (player,) = connected_agents([agent], time_limit=time_limit, stack=stack)
            yield player

    return seated


def _show(card: ScoreCard) -> None:
    typer.echo(f"benchmark version {card.version}: {card.agent} in {card.game.name}")
    typer.echo(verdict(card))
    typer.echo("results in mbb/h with 95% intervals:")
    for match in card.matches:
        wins = amount(match.won)
        typer.echo(f"  against {match.opponent:<20} {wins:>20}  {match.method}{noted(match)}")
    for row in card.lbr:
        wins = amount(row.won)
        typer.echo(f"  local best response, {lbr_label(row):<22} wins {wins}")
    if card.probes is None:
        return
    typer.echo(
        "answers to bets after the first round (a bluff loses whenever it is not folded to):"
    )
    for cells in (HEADS, *map(answer_cells, card.probes.answers)):
        typer.echo(
            f"  {cells[0]:<10}" + "".join(f"{cell:>9}" for cell in cells[1:5]) + f"  {cells[5]}"
        )
    typer.echo(boundary_text(card))
