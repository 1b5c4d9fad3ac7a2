"""The page of results, and one's hands of a game as files."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import PlainTextResponse
from nicegui import ui

from doyle.apps.web.api.access import CurrentPlayer
from doyle.apps.web.config import GAMES
from doyle.apps.web.results import curves, queries
from doyle.apps.web.results.aivat import Correction, correct
from doyle.apps.web.service import TableService, downloads
from doyle.apps.web.service.offers import title
from doyle.apps.web.site import Site, current_player, html
from doyle.apps.web.store import PlayerRecord
from doyle.games import Game
from doyle.games.histories import Hand

STATIC = Path(__file__).parent / "static"
MEASURES = {"won": "as won", "baseline": "less the baseline", "corrected": "after AIVAT"}
LONGEST_DOWNLOAD = 20_000
MOST_LINES = 50

GameName = Annotated[str, Query(max_length=100)]
"""A game in the address of a request."""


def add_pages(site: Site) -> None:
    """Add the page and the downloads."""
    assets = site.static("results", STATIC)
    site.app.include_router(_router(site.service))

    @site.page("/results", title="Results", navigation="Results")
    async def results(
        game: str = GAMES[0], whose: str = "all", agent: str = "", measure: str = "won"
    ) -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{assets}/results.css">')
        player = await current_player(site)
        await ui.context.client.connected()  # what follows may take longer than an answer may
        chosen = _Chosen.read(game, whose=whose, agent=agent, measure=measure, player=player)
        await _fill(site, chosen)


@dataclass(frozen=True)
class _Chosen:
    """A page's parameters from its address, validated."""

    name: str
    mine: bool
    version: int | None
    measure: str
    player: PlayerRecord | None

    @property
    def game(self) -> Game:
        return Game.named(self.name)

    @classmethod
    def read(
        cls, game: str, *, whose: str, agent: str, measure: str, player: PlayerRecord | None
    ) -> _Chosen:
        known = game if game in GAMES else GAMES[0]
        version = int(agent) if agent.isascii() and agent.isdigit() and len(agent) < 10 else None
        mine = whose == "me" and player is not None
        return cls(known, mine, version, measure if measure in MEASURES else "won", player)

    def address(self, **changes: str | None) -> str:
        """The address of the page with some values changed."""
        values: dict[str, str | None] = {
            "game": self.name,
            "whose": "me" if self.mine else "all",
            "agent": None if self.version is None else str(self.version),
            "measure": self.measure,
            **changes,
        }
        return "/results?" + urlencode({k: v for k, v in values.items() if v})


async def _fill(site: Site, chosen: _Chosen) -> None:
    def read() -> tuple[
        list[queries.HandResult], list[queries.Standing], list[queries.Standing], dict[str, int]
    ]:
        with site.store.database.session() as session:
            return (
                queries.results(
                    session,
                    chosen.name,
                    player_id=chosen.player.id if chosen.mine and chosen.player else None,
                    agent_version=chosen.version,
                ),
                queries.players(session, chosen.name),
                queries.agents(session, chosen.name),
                queries.games_played(session),
            )

    found, players, agents, played = await site.store.database.run(read)
    _choices(chosen, agents, played)
    won = curves.chosen_values(found, chosen.measure)
    curve = curves.Curve.of(won if chosen.mine else -won, chosen.game)
    unit = curves.unit_of(chosen.game)
    who = "You" if chosen.mine else "The agents"
    with ui.element("section").classes("panel"):
        html(f"<h2>{who}, {escape(MEASURES[chosen.measure])}</h2>")
        if len(curve.hands):
            html(_facts(curve, unit))
            with ui.element("div").classes("results-charts"):
                ui.echart(curves.total_options(curve, chosen.game)).classes("results-chart")
                ui.echart(
                    curves.mean_options(curve, chosen.game, reference=not chosen.mine)
                ).classes("results-chart")
        else:
            html(
                '<p class="quiet">No hands yet. <a href="/">Play some</a>, and they are counted here.</p>'
            )
        if chosen.measure == "corrected" and chosen.player is not None:
            html(_correct_button(chosen))
    with ui.element("div").classes("results-columns"):
        _leaderboard("Players", players, chosen, unit, mine=chosen.player)
        _leaderboard("Agents", agents, chosen, unit, mine=None)
    if chosen.player is not None:
        _downloads(chosen)


def _choices(chosen: _Chosen, agents: list[queries.Standing], played: dict[str, int]) -> None:
    def link(text: str, address: str, *, here: bool) -> str:
        mark = ' class="here" aria-current="true"' if here else ""
        return f'<a href="{escape(address)}"{mark}>{escape(text)}</a>'

    games = "".join(
        link(
            f"{title(name)} ({played.get(name, 0):,})",
            chosen.address(game=name, agent=None),
            here=name == chosen.name,
        )
        for name in GAMES
    )
    whose = link("All players", chosen.address(whose="all"), here=not chosen.mine)
    if chosen.player is not None:
        whose += link("Me", chosen.address(whose="me"), here=chosen.mine)
    measures = "".join(
        link(text, chosen.address(measure=name), here=name == chosen.measure)
        for name, text in MEASURES.items()
    )
    versions = link("every agent", chosen.address(agent=None), here=chosen.version is None)
    versions += "".join(
        link(one.name, chosen.address(agent=one.key), here=str(chosen.version) == one.key)
        for one in agents[:8]
    )
    html(
        '<div class="results-choices">'
        + "".join(f"<nav>{part}</nav>" for part in (games, whose, versions, measures))
        + "</div>"
    )


def _correct_button(chosen: _Chosen) -> str:
    """A button that has some more of one's hands corrected, then shows the page again."""
    script = (
        "this.disabled=true;this.textContent='working…';"
        f"fetch('/api/results/correct?game={chosen.name}',{{method:'POST'}})"
        ".then(a=>a.json()).then(r=>{if(r.corrected)location.reload();"
        "else this.textContent=r.detail||'no more hands that can be corrected'})"
        ".catch(()=>{this.textContent='the server does not answer'})"
    )
    return f'<button class="results-download" onclick="{escape(script)}">Correct my hands</button>'


def _facts(curve: curves.Curve, unit: str) -> str:
    facts = [
        (f"{int(curve.hands[-1]):,}", "hands"),
        (f"{curve.total[-1]:+,.1f}", f"{unit} in total"),
        (f"{curve.means[-1]:+.3f}", f"{unit}/h"),
    ]
    inner = "".join(f"<div><b>{value}</b><span>{text}</span></div>" for value, text in facts)
    return f'<div class="results-facts">{inner}</div>'


def _leaderboard(
    heading: str,
    standings: list[queries.Standing],
    chosen: _Chosen,
    unit: str,
    *,
    mine: PlayerRecord | None,
) -> None:
    rows = []
    for place, one in enumerate(curves.ranked(standings)[:MOST_LINES], start=1):
        number = str(place) if one.hands >= curves.LEAST_HANDS else "–"
        kind = ' class="mine"' if mine is not None and mine.id == one.key else ""
        rows.append(
            f"<tr{kind}><td>{number}</td><td>{escape(one.name)}</td><td>{one.hands:,}</td>"
            f"<td>{curves.per_hand(one, chosen.game):+.3f}</td></tr>"
        )
    body = "".join(rows) or "<tr><td colspan=4>nobody yet</td></tr>"
    with ui.element("section").classes("panel"):
        html(
            f"<h2>{heading}</h2><div class=results-scroll><table class=results-table><tr><th></th>"
            f"<th>name</th><th>hands</th><th>{unit}/h (95%)</th></tr>{body}</table></div>"
            f'<p class="quiet">A place is given from {curves.LEAST_HANDS} hands on.</p>'
        )


def _downloads(chosen: _Chosen) -> None:
    base = "/api/results/hands"
    links = "".join(
        f'<a class="results-download" href="{base}.{kind}?game={chosen.name}" download>{text}</a>'
        for kind, text in (("phhs", "My hands as PHH"), ("log", "My hands as ACPC log"))
    )
    with ui.element("section").classes("panel"):
        html(f"<h2>Download</h2><div class=results-downloads>{links}</div>")


def _router(service: TableService) -> APIRouter:
    router = APIRouter(
        prefix="/api/results",
        responses={status: {"description": "refused"} for status in (401, 404, 422)},
    )

    async def hands(player: PlayerRecord, game: str, kind: str) -> PlainTextResponse:
        if game not in GAMES:
            raise HTTPException(404, "no such game")
        found: list[Hand] = []
        records = await service.store.database.run(
            lambda: service.store.tables_of(player.id, most=service.config.limits.tables_per_player)
        )
        for record in reversed(records):
            if record.game != game:
                continue
            table = await service.tables.find(player, record.id)
            left = LONGEST_DOWNLOAD - len(found)
            if left <= 0:
                break
            played = await service.tables.finished_hands(table, most=left, oldest_first=True)
            found += [downloads.history(table, hand) for hand in played]
        return downloads.attachment(found, f"doyle-{game}", kind)

    @router.post("/correct")
    async def correct_hands(player: CurrentPlayer, game: GameName = GAMES[0]) -> Correction:
        """Correct some more of one's hands by AIVAT, where the agent's strategy is known."""
        if game not in GAMES:
            raise HTTPException(404, "no such game")
        return await correct(service, player, game)

    @router.get("/hands.log", response_class=PlainTextResponse)
    async def acpc_log(player: CurrentPlayer, game: GameName = GAMES[0]) -> PlainTextResponse:
        """One's hands of a game, from all tables, as an ACPC log."""
        return await hands(player, game, "log")

    @router.get("/hands.phhs", response_class=PlainTextResponse)
    async def phh(player: CurrentPlayer, game: GameName = GAMES[0]) -> PlainTextResponse:
        """One's hands of a game, from all tables, in the Poker Hand History format."""
        return await hands(player, game, "phhs")

    return router
