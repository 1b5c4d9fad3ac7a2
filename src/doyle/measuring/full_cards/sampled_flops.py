"""Exploitability over all cards from a sample of flops: an upper estimate and a lower bound.

Every flop that was drawn is solved completely: the responder knows its cards, the board and the
strategy. Only decisions before the flop are shared by all flops. They are *fitted* to some flops
(the best for these) and *scored* on some. On the same flops this is the largest of several means that
are unbiased each, so in expectation no less than the exact number: an upper estimate. On flops that
were drawn independently it is an unbiased value of one response, which wins at most as much as the
best response: a lower bound.

Sampling is stratified: flops that differ by suits only are one item, items that represent equally
many flops are a stratum, and each stratum is drawn from without replacement, about in proportion to
the flops in it. So a sample of all flops yields the exact number. Two samples are drawn, each
independent of the other. The lower bound fits on one and scores on the other, then vice versa, and
averages both; the upper estimate fits and scores on both together.

Intervals are of the normal kind, from the variance between the flops of a stratum and with the correction
for a finite population. For the lower bound the response is fixed, so that is the textbook interval; the mean
of two dependent ones gets the mean of their widths, which is never too narrow. For the upper estimate it is
the infinitesimal jackknife: a response that is the best one does not change to first order when the weight
of a flop does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import numpy.typing as npt

from doyle.base.errors import FieldError
from doyle.base.statistics import Estimate, student_width
from doyle.base.workers import Progress, Workers, map_items
from doyle.measuring.full_cards.response import BEST_0, BEST_1, FullCardResponse
from doyle.measuring.full_cards.run import ResponseSource, flop_values, response_of
from doyle.solving.board_walk import BoardWalk, Floats, Rows, ValueQuery, push_reach
from doyle.solving.games import Board

Ints = npt.NDArray[np.int64]

SEATS = (BEST_0, BEST_1)
LEAST_OF_STRATUM = 2
"""A variance needs two flops of a stratum."""


@dataclass(frozen=True)
class SampledFlops:
    """How exploitable a strategy is, the mean of both seats, from a sample of flops."""

    flops: int
    """How many there are up to suits."""
    drawn: int
    """How many each of the two samples has."""
    solved: int
    """How many different ones were solved."""
    seed: int
    upper: Estimate
    """Chips per hand, as `lower`."""
    lower: Estimate

    @property
    def exact(self) -> bool:
        """Whether every flop was drawn."""
        return self.drawn == self.flops


@dataclass(frozen=True, eq=False)
class FlopSample:
    """By stratum the number of flops and the indices of the drawn ones."""

    sizes: tuple[int, ...]
    drawn: tuple[Ints, ...]

    def numbers(self) -> list[int]:
        return [int(number) for part in self.drawn for number in part]

    def total(self, values: Mapping[int, Floats]) -> Floats:
        """The sum over all flops, as the drawn ones estimate it."""
        parts = [
            size / len(part) * _sum(values[int(number)] for number in part)
            for size, part in zip(self.sizes, self.drawn, strict=True)
        ]
        return _sum(parts)

    def half_width(self, scores: Mapping[int, float]) -> float:
        """Half the 95% interval of the estimated sum of `scores` over all flops."""
        parts = []
        for size, part in zip(self.sizes, self.drawn, strict=True):
            if len(part) < size:
                spread = float(np.var([scores[int(number)] for number in part], ddof=1))
                parts.append((size * (size - len(part)) * spread / len(part), len(part) - 1))
        return student_width(parts) if parts else 0.0


def strata_of(flops: Sequence[Board]) -> list[Ints]:
    """Indices of canonical flops grouped by their number of images, the smallest first."""
    copies = np.array([len(flop.copies) for flop in flops])
    return [np.flatnonzero(copies == count) for count in np.unique(copies)]


def draw_flops(flops: Sequence[Board], count: int, rng: np.random.Generator) -> FlopSample:
    """A stratified sample of `count` flops without replacement."""
    strata = strata_of(flops)
    sizes = [len(part) for part in strata]
    weights = [len(part) * len(flops[int(part[0])].copies) for part in strata]
    drawn = [
        np.sort(rng.choice(part, size=share, replace=False))
        for part, share in zip(strata, _shares(sizes, weights, count), strict=True)
    ]
    return FlopSample(tuple(sizes), tuple(drawn))


def _shares(sizes: Sequence[int], weights: Sequence[int], count: int) -> list[int]:
    """How many flops each stratum gets, about in proportion to its weight.

    >>> _shares([299, 1170, 286], [1196, 14040, 6864], 20)
    [2, 12, 6]
    """
    shares = [min(size, LEAST_OF_STRATUM) for size in sizes]
    if not sum(shares) <= count <= sum(sizes):
        problem = f"expected {sum(shares)} to {sum(sizes)} flops, two at least of every kind"
        raise FieldError("sample_flops", problem, value=count)
    while sum(shares) < count:
        # The stratum that is the furthest behind its proportion; the first of equal ones.
        behind = [
            weight / share if share < size else -1.0
            for weight, share, size in zip(weights, shares, sizes, strict=True)
        ]
        shares[behind.index(max(behind))] += 1
    return shares


@dataclass(frozen=True, eq=False)
class PreflopResponse:
    """Decisions before the flop, in both seats, as a function of the values after it."""

    reach: Floats
    """The responder's own reach [seat, nodes that wait for the flop, hands]; 0 or 1."""
    sure: float
    """Chips per hand, the mean of both seats, from hands that end before the flop."""
    scale: float
    """Chips per hand for one in the sum over all flops."""

    def after_flop(self, values: Floats) -> float:
        """The value of summed flop values [BEST_0 or BEST_1, ...], the mean of both seats."""
        return float(np.vdot(self.reach, values[list(SEATS)])) * self.scale

    def value(self, total: Floats) -> float:
        """Chips per hand that the response wins, if `total` is summed over all flops."""
        return self.sure + self.after_flop(total)

    @classmethod
    def fit(cls, response: FullCardResponse, total: Floats) -> PreflopResponse:
        """The best decisions if `total` is summed over all flops."""
        game, plays = response.game, response.walk.plays
        choices: dict[int, Ints] = {}

        def best_noted(node: int, rows: Rows, below: Floats) -> Floats:
            choices[node] = below.argmax(axis=0)
            return np.asarray(below.max(axis=0))

        def rows(node: int) -> Floats:
            return np.eye(int(game.tree.child_count[node]))[choices[node]]

        walk = BoardWalk(game, plays, [ValueQuery(seat, best_noted) for seat in SEATS])
        ways = game.ways(game.root)
        found = walk.finish([total[seat] / ways for seat in SEATS])
        best = sum(float(values.sum()) for values in found) / game.mass / 2.0
        waiting, decisions = walk.rounds[0].waiting.tolist(), walk.rounds[0].decisions
        reach = []
        for seat in SEATS:
            here = push_reach(game.tree, decisions, seat, {0: game.weights(seat)}, rows)
            reach.append(np.stack([here[node] for node in waiting]))
        fitted = cls(np.stack(reach), 0.0, 1.0 / ways / game.mass / 2.0)
        return cls(fitted.reach, best - fitted.after_flop(total), fitted.scale)


def estimate(
    response: FullCardResponse,
    samples: tuple[FlopSample, FlopSample],
    values: Mapping[int, Floats],
) -> tuple[Estimate, Estimate]:
    """The upper estimate and the lower bound; `values` by canonical flop, summed over its
    images."""
    totals = [sample.total(values) for sample in samples]
    both = PreflopResponse.fit(response, (totals[0] + totals[1]) / 2.0)
    widths = [_width(both, sample, values) for sample in samples]
    # The samples are independent, so the variances of their means add.
    drawn = sum(len(sample.numbers()) for sample in samples)
    upper = Estimate(both.value((totals[0] + totals[1]) / 2.0), hypot(*widths) / 2.0, drawn)
    scores, widths = [], []
    for fit, score in ((0, 1), (1, 0)):
        fixed = PreflopResponse.fit(response, totals[fit])
        scores.append(fixed.value(totals[score]))
        widths.append(_width(fixed, samples[score], values))
    return upper, Estimate(sum(scores) / 2.0, sum(widths) / 2.0, drawn)


def _width(fixed: PreflopResponse, sample: FlopSample, values: Mapping[int, Floats]) -> float:
    scores = {number: fixed.after_flop(values[number]) for number in sample.numbers()}
    return sample.half_width(scores)


def run_sampled_flops(
    source: ResponseSource,
    count: int,
    *,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SampledFlops:
    """Solve two samples of `count` flops; the result depends on the seed, not on the workers."""
    response = response_of(source)
    flops = response.flops()
    first, second = (
        draw_flops(flops, count, np.random.default_rng((seed, number))) for number in (0, 1)
    )
    numbers = sorted({*first.numbers(), *second.numbers()})
    work = [(source, flops[number]) for number in numbers]
    found = map_items(flop_values, work, workers=workers, progress=progress, label="flops")
    values = {
        number: added(response, flops[number], one)
        for number, one in zip(numbers, found, strict=True)
    }
    upper, lower = estimate(response, (first, second), values)
    return SampledFlops(len(flops), count, len(numbers), seed, upper, lower)


def added(response: FullCardResponse, flop: Board, values: Floats) -> Floats:
    """The values of a canonical flop, summed over its images."""
    total = response.total()
    response.add_flop(flop, values, total)
    return total


def _sum(parts: Iterable[Floats]) -> Floats:
    found = [np.asarray(part) for part in parts]
    total = np.zeros_like(found[0])
    for part in found:
        total += part
    return total
