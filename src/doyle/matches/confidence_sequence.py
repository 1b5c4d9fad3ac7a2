"""A confidence sequence: an interval for a mean that holds at all times at once, for bounded results.

A plain 95% interval that is looked at again and again excludes the truth sooner or later. Here somebody
bets against every mean m. With y in [-1, 1] the results so far, z = (y - m) / (1 + |m|) and a stake b,
the capital prod(1 + b z) is a nonnegative martingale if m is the mean, and so is a mixture over stakes
that were chosen beforehand. By Ville's inequality it ever reaches 2/alpha with probability at most
alpha/2, whatever the distribution. The m against which neither the bet upwards nor the bet downwards has
reached it form an interval, which contains the mean at all times with probability 1 - alpha.

This is exact, not asymptotic: it needs only that results are independent, have one mean and cannot
exceed the bound. Source: Waudby-Smith and Ramdas 2023 ("Estimating means of bounded random variables by
betting"), here with a mixture of constant stakes in place of predictable ones, so that the order of the
results does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError

Floats = npt.NDArray[np.float64]

STAKES: Floats = np.asarray(0.9 * 2.0 ** (-0.5 * np.arange(21)), np.float64)
"""Shares of the capital, equally weighted: from nearly all of it down by a factor of 1,024."""

_BISECTIONS = 40


class ConfidenceSequence:
    """Results from -bound to bound, added as they come.

    >>> sequence = ConfidenceSequence(bound=1.0)
    >>> sequence.add(np.ones(3)); sequence.decided
    0
    >>> sequence.add(np.ones(10)); sequence.decided
    1
    """

    def __init__(self, *, bound: float, alpha: float = 0.05) -> None:
        if not bound > 0 or not 0 < alpha < 1:
            raise DoyleError(f"bound {bound:g}, alpha {alpha:g}: expected above 0, and from 0 to 1")
        self.bound, self.alpha = bound, alpha
        self._counts: dict[float, int] = {}
        self._capital = np.zeros((2, len(STAKES)))

    @property
    def observations(self) -> int:
        return sum(self._counts.values())

    def add(self, results: Floats) -> None:
        """Add some results; DoyleError if one exceeds the bound."""
        values, counts = np.unique(np.asarray(results, np.float64), return_counts=True)
        if len(values) and max(-values[0], values[-1]) > self.bound:
            raise DoyleError(f"a result exceeds the bound of {self.bound:g}")
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            self._counts[value] = self._counts.get(value, 0) + count
        self._capital += log_capitals(values / self.bound, counts, mean=0.0)

    @property
    def decided(self) -> int:
        """1 or -1 as soon as the mean is known to be above or below zero, else 0."""
        up, down = (_mixed(logs) >= self._limit for logs in self._capital)
        return int(up) - int(down)

    def interval(self) -> tuple[float, float]:
        """The means that are not excluded now."""
        values = np.array(list(self._counts)) / self.bound
        counts = np.array(list(self._counts.values()))

        def excluded(mean: float, side: int) -> bool:
            return _mixed(log_capitals(values, counts, mean=mean)[side]) >= self._limit

        return self.bound * _edge(excluded, side=0), self.bound * _edge(excluded, side=1)

    @property
    def _limit(self) -> float:
        return log(2.0 / self.alpha)


def log_capitals(values: Floats, counts: npt.NDArray[np.int64], *, mean: float) -> Floats:
    """Logarithms [up or down, stake] of the capitals that bets against `mean` have come to."""
    gains = (values - mean) / (1.0 + abs(mean))
    return np.stack([counts @ np.log1p(sign * gains[:, None] * STAKES) for sign in (1.0, -1.0)])


def _mixed(logs: Floats) -> float:
    """The logarithm of the mean capital."""
    top = float(logs.max())
    return top + log(float(np.exp(logs - top).mean()))


def _edge(excluded: Callable[[float, int], bool], *, side: int) -> float:
    """The least mean (side 0) or the largest (side 1) that is not excluded, from -1 to 1.

    A bet upwards has the more, the lower the mean that it bets against, so bisection finds it. Of the
    two ends of the last step the outer one is taken.
    """
    outer, inner = (-1.0, 1.0) if side == 0 else (1.0, -1.0)
    if not excluded(outer, side):
        return outer
    for _ in range(_BISECTIONS):
        middle = (outer + inner) / 2.0
        if excluded(middle, side):
            outer = middle
        else:
            inner = middle
    return outer
