"""The page of the cache's contents: convergence of builds, report cards and leagues.

Report cards and leagues are the JSON documents of `doyle report` and of leagues of `doyle match`, as files
in the folder `results` of the cache.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from nicegui import ui

from doyle.apps.web.explorer.routes import explorable
from doyle.apps.web.site import Site, html
from doyle.base.errors import DoyleError

COLOURS = ["#d98e32", "#5aa469", "#4a6fa5", "#b83b3b", "#9b6fc0", "#3fa7a7"]


async def builds_page(site: Site) -> None:
    """Fill the page."""
    agents = list(dict.fromkeys(offer.agent for offer in await explorable(site.service)))
    try:
        cards, leagues = await site.service.pool.work("cached_results.saved_results")
        known = await site.service.pool.work("cached_results.builds", agents, seconds=120)
    except DoyleError as error:
        html(
            f'<p class="muted">What is built cannot be shown now ({escape(str(error))}); load the '
            "page again.</p>"
        )
        return
    if not ui.context.client.has_socket_connection:
        return  # gone meanwhile
    with ui.element("section").classes("panel"):
        html("<h2>Convergence</h2>")
        shown = [one for one in known if len(one["points"]) > 1]
        if shown:
            ui.echart(convergence_options(shown)).classes("chart").mark("convergence")
        html(_builds_table(known))
    with ui.element("section").classes("panel"):
        html("<h2>Report cards</h2>")
        html("".join(map(card_html, cards)) or _empty("doyle report AGENT"))
    with ui.element("section").classes("panel"):
        html("<h2>Leagues</h2>")
        html("".join(map(league_html, leagues)) or _empty("doyle league GAME AGENTS"))


def convergence_options(known: list[dict[str, Any]]) -> dict[str, Any]:
    """The chart of each build's measurements over time."""
    series = [
        {
            "name": f"{one['agent']} ({one['points'][0][2].replace('_', ' ')})",
            "type": "line",
            "showSymbol": len(one["points"]) < 40,
            "data": [[seconds, value] for _, seconds, _, value in one["points"] if value > 0],
        }
        for one in known
    ]
    return {
        "color": COLOURS,
        "backgroundColor": "transparent",
        "textStyle": {"color": "#93a1b1"},
        "grid": {"left": 62, "right": 18, "top": 40, "bottom": 48},
        "legend": {"textStyle": {"color": "#e8edf2"}, "top": 4, "left": 110, "type": "scroll"},
        "tooltip": {"trigger": "axis"},
        "xAxis": {
            "type": "value",
            "name": "seconds",
            "nameLocation": "middle",
            "nameGap": 28,
            "splitLine": {"lineStyle": {"color": "#26323f"}},
        },
        "yAxis": {
            "type": "log",
            "name": "chips per hand",
            "splitLine": {"lineStyle": {"color": "#26323f"}},
        },
        "series": series,
    }


def card_html(card: dict[str, Any]) -> str:
    """A report card as tables."""
    lbr = [
        [f"actions {row.get('actions')}, {row.get('rounds')} rounds", _figure(row, sign=-1)]
        for row in card["lbr"]
        if isinstance(row, dict)
    ]
    matches = [
        [str(row.get("opponent")), _figure(row)] for row in card["matches"] if isinstance(row, dict)
    ]
    return (
        f"<h3>{escape(str(card.get('agent', card['file'])))}</h3>"
        + _table(["local best response", "wins, mbb/h"], lbr)
        + _table(["opponent", "won, mbb/h"], matches)
    )


def league_html(league: dict[str, Any]) -> str:
    """A league's cross table, the best bankroll first."""
    table = {k: v for k, v in league["cross_table"].items() if isinstance(v, dict)}
    ranking = [name for name in league.get("total_bankroll", []) if name in table]
    names = ranking or list(table)
    rows: list[list[str | Figure]] = [
        [row, *(_figure(table[row].get(column)) if column != row else "" for column in names)]
        for row in names
    ]
    hands = league.get("hands")
    played = f"{hands:,} deals a match" if isinstance(hands, int) else ""
    title = " · ".join(filter(None, (str(league.get("game", "")), ", ".join(names), played)))
    return f"<h3>{escape(title)}</h3>" + _table(["mbb/h", *names], rows)


def _builds_table(known: list[dict[str, Any]]) -> str:
    rows = [
        [
            one["agent"],
            one["solver"],
            one["cards"],
            f"{one['iterations']:,}" if one["iterations"] else "",
            f"{one['seconds']:.0f}" if one["seconds"] else "",
        ]
        for one in known
    ]
    if not rows:
        return _empty("doyle build default-small")
    return _table(["build", "solver", "cards", "iterations", "seconds"], rows)


class Figure(NamedTuple):
    """A number of a table; `good` is positive where the agent gains, and decides the colour."""

    text: str
    good: float


def _figure(row: Any, *, sign: int = 1) -> str | Figure:
    if not isinstance(row, dict) or not isinstance(row.get("mbb_per_hand"), int | float):
        return ""
    width = row.get("ci95")
    interval = f" ± {width:,.0f}" if isinstance(width, int | float) and width else ""
    value = float(row["mbb_per_hand"])
    return Figure(f"{value:+,.0f}{interval}", sign * value)


def _table(heads: list[str], rows: Sequence[Sequence[str | Figure]]) -> str:
    if not rows:
        return ""
    sizes = [abs(one.good) for row in rows for one in row if isinstance(one, Figure)]
    largest = max(sizes, default=0.0)
    head = "".join(f"<th>{escape(str(name))}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(_cell(value, largest) for value in row) + "</tr>" for row in rows
    )
    return f'<div class="scroll"><table class="figures"><tr>{head}</tr>{body}</table></div>'


def _cell(value: str | Figure, largest: float) -> str:
    """A cell, the stronger coloured the more is won or lost."""
    if not isinstance(value, Figure):
        return f"<td>{escape(str(value))}</td>"
    share = (abs(value.good) / largest) ** 0.5 if largest and math.isfinite(largest) else 0.0
    colour = "90, 164, 105" if value.good > 0 else "184, 59, 59"
    style = f"background: rgba({colour}, {0.55 * share:.2f})"
    return f'<td style="{style}">{escape(value.text)}</td>'


def _empty(command: str) -> str:
    return (
        f'<p class="muted">Nothing here yet. What <code>{escape(command)}</code> finds is shown here.</p>'
        if command != "doyle build default-small"
        else f'<p class="muted">Nothing is built yet: <code>{escape(command)}</code> builds one.</p>'
    )
