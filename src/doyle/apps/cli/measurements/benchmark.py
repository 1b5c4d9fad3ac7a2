"""`doyle benchmark`: the versioned score card of any agent, bots on the network included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, WorkersText, progress_bar, say, say_written, show
from doyle.apps.cli.matches.match import CLIENT, client_port, connected_agents
from doyle.apps.cli.missing import BuildMissing
from doyle.apps.cli.options import (
    DEFAULT_GAME,
    GameOfAgent,
    Page,
    TimeLimit,
    check_file,
    game_of_agent,
)
from doyle.base.workers import parse_workers
from doyle.games import Agent, Game
from doyle.matches.match import check_time_limit
from doyle.measuring.reports.benchmark import version_1
from doyle.measuring.reports.benchmark.score_card import Seating, score_card
from doyle.measuring.reports.report_card_page import write_report_card


def register(app: typer.Typer) -> None:
    app.command()(benchmark)


def benchmark(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="Any agent, or acpc:PORT for a bot that connects for each match."
        ),
    ],
    game: GameOfAgent = None,
    page: Page = None,
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
        write_report_card(page, card)
        say_written(page)
    show(card, as_json=as_json)


def _client(agent: str, time_limit: float) -> Seating:
    """A connection for each match: the bot is started again, as in a competition."""

    @contextmanager
    def seated(match: str) -> Iterator[str | Agent]:
        say(f"next match: against {match}")
        with ExitStack() as stack:
            (player,) = connected_agents([agent], time_limit=time_limit, stack=stack)
            yield player

    return seated
