"""The page of a report card: one HTML file with its plots inside, the same bytes for the same numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from doyle.base.statistics import Estimate
from doyle.measuring.reports.advice import KNOWN_200BB, folding, largest_bound, sign
from doyle.measuring.reports.benchmark.probes import HEADS
from doyle.measuring.reports.build_section import BuildSection
from doyle.measuring.reports.pages import html_table, tiles, write_page
from doyle.measuring.reports.report_card import OpponentRow, ReportCard, amount
from doyle.strategy import PlaceView

GOOD, BAD, FAINT, OPEN = "#3f8f57", "#b83b3b", "#e3bcbc", "#8a8f98"
_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 860.0, 190.0, 150.0, 34.0, 30.0

_NOTE = (
    "A local best response knows the agent's probabilities and looks one action ahead. The best "
    "opponent wins at least as much, up to the interval; a result that is not above zero proves nothing."
)


class Bar(NamedTuple):
    """One row of a plot."""

    name: str
    won: Estimate
    colour: str


def write_report_card(
    path: Path,
    card: ReportCard,
    grids: Sequence[PlaceView] = (),
    *,
    build: BuildSection | None = None,
) -> None:
    """Write the page of a card; `grids` show the play before the flop, `build` describes the
    build."""
    shown = "".join(grid.html() for grid in grids)
    parts = [
        f"<h1>{escape(card.agent)}</h1>",
        f"<p class=quiet>{escape(card.game.name)} · {card.title} · all numbers in thousandths of a big "
        "blind per hand (mbb/h) with 95% intervals</p>",
        *(_measured(card) if card.is_measured else []),
        *_probed(card),
        *_exploitability(card),
        f"<h2>Before the flop</h2>{shown}" if grids else "",
        *(build.parts() if build else []),
    ]
    write_page(path, f"{card.agent}: {card.title}", parts)


def _measured(card: ReportCard) -> list[str]:
    budget = card.budget
    reference = "" if card.reference is None else f" Reference strategy {card.reference[:16]}."
    compare = "" if card.version is None else " Cards of the same version and game compare."
    return [
        f"<p class=verdict>{escape(card.sentence)}</p>",
        _tiles(card),
        _responses(card),
        _matches(card.matches),
        f"<p class=quiet>Seed {budget.seed}; {budget.hands:,} hands of each local best response, "
        f"{budget.deals:,} deals of each duplicate match, {budget.boards:,} boards of each "
        f"exact-hands evaluation; small games are counted whole.{reference}{compare}</p>",
    ]


def _probed(card: ReportCard) -> list[str]:
    if card.probes is None:
        return []
    return [
        html_table(HEADS, card.probes.cells(), "Answers to bets after the first round"),
        f"<p>{escape(card.probes.sentence)}</p>",
    ]


def _exploitability(card: ReportCard) -> list[str]:
    if card.version is not None:
        return []
    rows = [list(row) for row in card.exploitability()]
    return [html_table(["", ""], rows, "Exploitability")]


def _tiles(card: ReportCard) -> str:
    """The headline numbers."""
    found = []
    if card.lbr:
        own = [row for row in card.late if not row.searches]
        bounds = [row.won for row in card.lbr] + [row.won for row in own]
        largest = largest_bound(bounds)
        what = "an opponent that knows it wins, at least"
        if largest is None:
            largest, what = bounds[-1], "responses to it: they prove nothing"
        found.append((amount(largest), what))
    if card.betting_tree is not None:
        found.append((f"{card.betting_tree:,.1f}", "exploitability in its betting tree"))
    wins = sum(1 for row in card.matches if sign(row.won) > 0)
    found.append((f"{wins} of {len(card.matches)}", "opponents beaten beyond doubt"))
    # Little is won from a player who folds, but that one is not hard to beat.
    plays = [row for row in card.matches if row.opponent != "always-fold"]
    hardest = min(plays or card.matches, key=lambda row: row.won.mean)
    found.append((amount(hardest.won), f"against the hardest, {short_name(hardest.opponent)}"))
    return tiles(found)


def short_name(opponent: str) -> str:
    """An opponent without the game it is played in."""
    return opponent.partition("@")[0]


def _responses(card: ReportCard) -> str:
    """Winnings of local best responses and exact late responses, with yardsticks."""
    head = "<h2>What an opponent wins who knows it</h2>"
    if not card.lbr:
        return f"{head}<p class=quiet>Not measured: the agent does not give its probabilities.</p>"
    bars = [Bar(row.label, row.won, BAD if sign(row.won) > 0 else FAINT) for row in card.lbr]
    bars += [
        Bar(f"exact: {row.label}", row.won, FAINT if row.searches else BAD) for row in card.late
    ]
    measured = len(bars)
    if card.game.is_holdem:
        bars.append(Bar("always-fold gives away", Estimate.exact(folding(card.game)), OPEN))
    if card.game.name == "holdem-nl-200bb":
        known = KNOWN_200BB.items()
        bars += [Bar(f"{name} (56)", Estimate(won, None), OPEN) for name, won in known]
    quiet = (
        ""
        if len(bars) == measured
        else " Pale: proves nothing. Grey: yardsticks, measured earlier."
    )
    plot = bars_svg(bars, "the local best response wins, mbb/h")
    return f"{head}{plot}<p class=quiet>{_NOTE}{quiet}</p>"


def _matches(matches: Sequence[OpponentRow]) -> str:
    """The agent's winnings against its opponents, with the numbers below."""
    bars = [
        Bar(short_name(row.opponent), row.won, (OPEN, GOOD, BAD)[sign(row.won)]) for row in matches
    ]
    rows = [[row.opponent, amount(row.won), row.method_and_note] for row in matches]
    return (
        "<h2>Matches</h2>"
        + bars_svg(bars, "the agent wins, mbb/h")
        + "<p class=quiet>Green: wins beyond doubt; red: loses beyond doubt; grey: open.</p>"
        + "<details><summary>The matches in numbers</summary>"
        + html_table(["opponent", "mbb/h (95%)", "method"], rows)
        + "</details>"
    )


def bars_svg(bars: Sequence[Bar], label: str) -> str:
    """Horizontal bars with intervals on an axis that is linear up to 100 and logarithmic beyond.

    >>> bars_svg([Bar("a", Estimate(5.0, 1.0), "red")], "chips").count("<rect")
    1
    """
    ends = [end for bar in bars for end in bar.won.ends]
    low, high = min(0.0, *map(_squeezed, ends)), max(0.0, *map(_squeezed, ends))
    span = max(high - low, 1e-9)
    bottom = _TOP + _ROW * len(bars)

    def across(value: float) -> float:
        return _LEFT + (_squeezed(value) - low) / span * (_WIDTH - _LEFT - _RIGHT)

    parts = []
    for tick in _ticks(low, high):
        x, strong = across(tick), tick == 0
        parts.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 6:.0f}" x2="{x:.1f}" y2="{bottom:.0f}" '
            f'stroke="{"#555" if strong else "#ddd"}"/>'
        )
        parts.append(_text(x, bottom + 15, f"{tick:+,.0f}" if tick else "0", "middle"))
    for number, bar in enumerate(bars):
        parts += _bar(bar, _TOP + _ROW * (number + 0.5), across)
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, bottom + 34, label, "middle"))
    height = bottom + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" '
        f'width="{_WIDTH:.0f}" height="{height:.0f}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def _bar(bar: Bar, middle: float, across: Callable[[float], float]) -> list[str]:
    start, end = sorted((across(0.0), across(float(bar.won.mean))))
    left, right = map(across, bar.won.ends)
    parts = [
        f'<rect x="{start:.1f}" y="{middle - 10:.1f}" width="{max(end - start, 1.0):.1f}" height="20" '
        f'rx="2" fill="{bar.colour}" fill-opacity=".78"/>',
        _text(_LEFT - 12, middle + 4, bar.name, "end"),
        _text(max(right, end, across(0.0)) + 9, middle + 4, amount(bar.won), "start"),
    ]
    if bar.won.ci95:
        parts.append(
            f'<path d="M{left:.1f} {middle:.1f} H{right:.1f} M{left:.1f} {middle - 5:.1f} v10 '
            f'M{right:.1f} {middle - 5:.1f} v10" stroke="#222" stroke-width="1.4" fill="none"/>'
        )
    return parts


def _squeezed(value: float) -> float:
    """Linear to 100, logarithmic beyond, without a kink."""
    return math.asinh(value / 50.0)


def _ticks(low: float, high: float) -> list[float]:
    powers = [100.0, 1000.0, 10_000.0, 100_000.0]
    candidates = [-power for power in reversed(powers)] + [0.0, *powers]
    shown = [tick for tick in candidates if low <= _squeezed(tick) <= high]
    return shown if len(shown) > 1 else [0.0, 50.0 * math.sinh(high if high > 0 else low)]


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="system-ui, sans-serif" '
        f'font-size="13" fill="#333">{escape(words)}</text>'
    )
