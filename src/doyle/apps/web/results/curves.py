"""Curves of winnings, as in the figures of Rubin and Watson (2012), and descriptions of a standing.

Figures 11 and 12 of that paper show Sartre's winnings against people over time, in total and per
hand: in limit in small bets, in no-limit in big blinds. Their end points are the reference lines.
Values are the agent's unless they are of one player.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.apps.web.results.queries import HandResult, Standing
from doyle.base.statistics import Estimate
from doyle.games import Game

Floats = npt.NDArray[np.float64]

MOST_POINTS = 400
LEAST_HANDS = 30
"""From so many hands on a standing has a place."""


@dataclass(frozen=True)
class Reference:
    """The end of a published curve: the agent's winnings per hand, and the number of hands."""

    hands: int
    per_hand: float


REFERENCES = {True: Reference(30_003, 0.30734), False: Reference(8_356, 0.9023)}
"""By whether the betting is limit."""


def unit_of(game: Game) -> str:
    """Small bets in limit games, big blinds in no-limit; both are the larger blind."""
    return "sb" if game.is_limit else "bb"


def chosen_values(results: Sequence[HandResult], measure: str) -> Floats:
    """Chips won by hand: as they were won, less the baseline, or after AIVAT; others are left out."""
    if measure == "baseline":
        return np.array([r.won - r.baseline for r in results if r.baseline is not None])
    if measure == "corrected":
        return np.array([r.corrected for r in results if r.corrected is not None])
    return np.array([r.won for r in results], np.float64)


@dataclass(frozen=True)
class Curve:
    """After some numbers of hands: the total, and the mean with its interval, in units."""

    hands: npt.NDArray[np.int64]
    total: Floats
    means: tuple[Estimate, ...]

    @property
    def mean(self) -> Floats:
        return np.array([one.mean for one in self.means], np.float64)

    @property
    def width(self) -> Floats:
        return np.array([np.nan if one.ci95 is None else one.ci95 for one in self.means])

    @classmethod
    def of(cls, won: Floats, game: Game) -> Curve:
        values = np.asarray(won, np.float64) / game.big_blind
        count = np.arange(1, len(values) + 1)
        total, squares = np.cumsum(values), np.cumsum(values**2)
        kept = np.unique(np.linspace(0, len(values) - 1, MOST_POINTS).round().astype(np.int64))
        kept = kept[kept >= 0] if len(values) else kept[:0]
        found = zip(*(part[kept].tolist() for part in (count, total, squares)), strict=True)
        means = tuple(Estimate.of_moments(*moments) for moments in found)
        return cls(count[kept], total[kept], means)


def total_options(curve: Curve, game: Game) -> dict[str, Any]:
    """The chart of the total won."""
    unit = unit_of(game)
    options = _options(f"total, {unit}")
    options["series"] = [
        _line("won", curve.hands, curve.total, "#5aa469", areaStyle={"opacity": 0.12})
    ]
    return options


def mean_options(curve: Curve, game: Game, *, reference: bool) -> dict[str, Any]:
    """The chart of winnings per hand, with its interval and the published end point."""
    unit = unit_of(game)
    options = _options(f"{unit}/h")
    low, high = curve.mean - curve.width, curve.mean + curve.width
    shown = curve.hands >= min(LEAST_HANDS, int(curve.hands[-1]) if len(curve.hands) else 0)
    band = {
        "lineStyle": {"opacity": 0},
        "stack": "interval",
        "stackStrategy": "all",
        "silent": True,
        "tooltip": {"show": False},
    }
    options["series"] = [
        _line("low", curve.hands[shown], low[shown], "#d98e32", **band),
        _line(
            "interval",
            curve.hands[shown],
            (high - low)[shown],
            "#d98e32",
            areaStyle={"opacity": 0.18},
            **band,
        ),
        _line("won per hand", curve.hands[shown], curve.mean[shown], "#d98e32"),
    ]
    if reference:
        published = REFERENCES[game.is_limit]
        options["series"][2]["markLine"] = {
            "symbol": "none",
            "silent": True,
            "lineStyle": {"color": "#93a1b1", "type": "dashed"},
            "label": {
                "color": "#93a1b1",
                "position": "insideEndTop",
                "formatter": f"Sartre 2012: {published.per_hand} {unit}/h after {published.hands:,} hands",
            },
            "data": [{"yAxis": published.per_hand}],
        }
        options["yAxis"]["max"] = _bound(max, [*high[shown], published.per_hand])
        options["yAxis"]["min"] = _bound(min, [*low[shown], 0.0])
    return options


def per_hand(standing: Standing, game: Game) -> Estimate:
    """The mean of a standing in units."""
    found = Estimate.of_moments(standing.hands, standing.total, standing.squares)
    return found.scaled(1.0 / game.big_blind)


def ranked(standings: Sequence[Standing]) -> list[Standing]:
    """Players with enough hands by winnings per hand, then the others by hands."""
    enough = [one for one in standings if one.hands >= LEAST_HANDS]
    fewer = [one for one in standings if 0 < one.hands < LEAST_HANDS]
    return sorted(enough, key=lambda one: (-one.total / one.hands, one.name)) + sorted(
        fewer, key=lambda one: (-one.hands, one.name)
    )


def _bound(choose: Callable[[list[float]], float], values: list[float]) -> float | None:
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return None
    edge = choose(known)
    step = 10.0 ** math.floor(math.log10(max(abs(edge), 1e-3))) / 2
    return round((math.ceil if choose is max else math.floor)(edge / step) * step, 4)


def _options(name: str) -> dict[str, Any]:
    return {
        "backgroundColor": "transparent",
        "textStyle": {"color": "#93a1b1"},
        "grid": {"left": 58, "right": 20, "top": 34, "bottom": 44},
        "tooltip": {"trigger": "axis"},
        "animation": False,
        "xAxis": {
            "type": "value",
            "name": "hands",
            "nameLocation": "middle",
            "nameGap": 26,
            "min": "dataMin",
            "max": "dataMax",
            "splitLine": {"show": False},
        },
        "yAxis": {
            "type": "value",
            "name": name,
            "scale": True,
            "splitLine": {"lineStyle": {"color": "#26323f"}},
        },
    }


def _line(name: str, hands: Any, values: Floats, colour: str, **more: Any) -> dict[str, Any]:
    data = [
        [int(hand), round(float(value), 4)]
        for hand, value in zip(hands, values, strict=True)
        if math.isfinite(value)
    ]
    return {
        "name": name,
        "type": "line",
        "showSymbol": len(data) < 3,
        "data": data,
        "color": colour,
        "lineStyle": {"width": 2},
        **more,
    }
