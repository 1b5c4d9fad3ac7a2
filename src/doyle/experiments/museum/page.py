"""The museum as one HTML page: cross-tables with intervals as heat maps, both winner rules, and LBR."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path

from doyle.base.statistics import Estimate
from doyle.building import named_build
from doyle.experiments.museum.leagues import MuseumLeague, MuseumResult
from doyle.matches.league import LeagueResult
from doyle.matches.winners import Ranking
from doyle.measuring.reports.pages import html_table, write_page

_GAIN, _LOSS = (74, 143, 99), (190, 75, 75)
_FULL = 5_000.0
"""Thousandths of a big blind per hand at which a colour is at its strongest."""


def write_museum_page(path: Path, result: MuseumResult) -> None:
    """Write the page of a run."""
    parts = [
        "<h1>The museum</h1>",
        f"<p class=quiet>{result.hands:,} duplicate deals a match, seed {result.seed}; local best "
        f"response over {result.lbr_hands:,} hands. Thousandths of a big blind per hand for the "
        "row's agent, with the half width of the 95% interval.</p>",
    ]
    for league in result.leagues:
        parts += league_parts(league)
    write_page(path, "The museum", parts)


def league_parts(league: MuseumLeague) -> list[str]:
    """One league as parts of a page."""
    heading = f"<h2>{escape(league.game)}</h2>"
    if league.result is None:
        return [
            heading,
            f"<p>{league.played} of {league.pairs} matches have been played; run again to resume.</p>",
            _lbr_table(league),
        ]
    result = league.result
    return [
        heading,
        heat_map(result),
        _same_play(result),
        _ranking(result, "Total bankroll", result.total_bankroll),
        _ranking(result, "Instant run-off", result.instant_runoff),
        _lbr_table(league),
        _who(league),
    ]


def colour(mbb_per_hand: float) -> str:
    """The background of a cell: green for a gain and red for a loss, on a logarithmic scale.

    >>> colour(0.0), colour(9_000.0)
    ('rgb(255,255,255)', 'rgb(74,143,99)')
    """
    strength = min(1.0, math.log1p(abs(mbb_per_hand) / 20.0) / math.log1p(_FULL / 20.0))
    target = _GAIN if mbb_per_hand > 0 else _LOSS
    mixed = (round(255 + (part - 255) * strength) for part in target)
    return f"rgb({','.join(map(str, mixed))})"


def heat_map(result: LeagueResult) -> str:
    """The cross-table, rows and columns by total bankroll."""
    order = result.total_bankroll.names
    heads = "".join(f"<th class=number>({n + 1})</th>" for n in range(len(order)))
    lines = [f"<tr><th></th>{heads}<th class=number>average</th></tr>"]
    for number, row in enumerate(order):
        cells = [
            "<td></td>" if row == column else _cell(result.against(row, column)) for column in order
        ]
        name = f"<td>({number + 1}) {escape(row)}</td>"
        lines.append(f"<tr>{name}{''.join(cells)}{_cell(result.bankroll(row))}</tr>")
    return f"<table>{''.join(lines)}</table>"


def _cell(won: Estimate) -> str:
    mean = float(won.mean)
    width = "" if won.ci95 is None else f"<br><small>± {won.ci95:,.0f}</small>"
    return f'<td class=number style="background:{colour(mean)}">{mean:,.0f}{width}</td>'


def _ranking(result: LeagueResult, title: str, ranking: Ranking) -> str:
    places = " &gt; ".join(escape(" = ".join(place)) for place in ranking.places)
    rows = [
        [
            f"{comparison.better} over {comparison.worse}",
            f"{comparison.difference:.0f}",
            "yes" if comparison.difference.is_significant else "no",
        ]
        for comparison in result.comparisons(ranking)
    ]
    table = html_table(["neighbours", "mbb/h", "beyond the interval"], rows)
    return f"<h3>{title}</h3><p>{places}</p><details><summary>differences of neighbours</summary>{table}</details>"


def _same_play(result: LeagueResult) -> str:
    """Which agents never won or lost a chip to each other, and why that can be."""
    names = result.names
    pairs = [
        f"{names[first]} and {names[second]}"
        for (first, second), match in result.matches.items()
        if not match.units.any() and _same_cards(names[first], names[second])
    ]
    if not pairs:
        return ""
    return (
        f"<p class=quiet>{escape('; '.join(pairs))} play the same strategy at this scale: the same bets "
        "and cards, solved alike. They differ in how they read bets that are not theirs.</p>"
    )


def _same_cards(*names: str) -> bool:
    """Whether all are builds with the same cards; other agents may tie for other reasons."""
    builds = {name: named_build(name) for name in names}
    return len({build.cards.value if build else name for name, build in builds.items()}) == 1


def _lbr_table(league: MuseumLeague) -> str:
    order = league.names if league.result is None else league.result.total_bankroll.names
    rows = []
    for name in order:
        found = league.lbr.get(name)
        if isinstance(found, str):
            rows.append([name, f"not measured: {found}"])
        elif found is not None:
            width = "" if found.ci95 is None else f" ± {found.ci95:,.0f}"
            rows.append([name, f"{found.mbb_per_hand:,.0f}{width}"])
    if not rows:
        return ""
    table = html_table(["agent", "wins, mbb/h"], rows)
    actions = {found.actions for found in league.lbr.values() if not isinstance(found, str)}
    note = (
        f"What the local best response with the bets {escape(', '.join(sorted(actions)))} wins from each: "
        "a best response wins at least as much."
    )
    return f"<h3>Local best response</h3><p class=quiet>{note}</p>{table}"


def _who(league: MuseumLeague) -> str:
    """The description of each preset of the league."""
    builds = {name: named_build(name) for name in league.names}
    rows = [
        [name, build.summary, build.betting.value, build.cards.value, build.translation.value]
        for name, build in builds.items()
        if build is not None
    ]
    heads = ["agent", "", "bets", "cards", "reads other bets by"]
    if not rows:
        return ""
    return f"<details><summary>who they are</summary>{html_table(heads, rows)}</details>"
