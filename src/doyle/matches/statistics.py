"""Means with their uncertainty, from independent observations.

In a match the observation is the *duplicate unit*: what a player won on one deal, averaged over all
seatings in which the deal was played. Deals are independent of each other; the hands of one deal
are not, so they may not be counted as separate observations. Sums are kept in whole numbers, so a
mean never depends on the order in which results arrive. The interval is Student's: 1.96 standard errors
to each side if there are many observations, more if there are few; a single one has none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from doyle.measuring.intervals import student_95

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A mean and the half width of its 95% interval (`None` with fewer than two observations).

    >>> Estimate.of([1, 1, 1, 1])
    Estimate(mean=Fraction(1, 1), ci95=0.0, observations=4)
    """

    mean: Fraction
    ci95: float | None
    observations: int

    @classmethod
    def of(cls, values: Sequence[int] | Integers, *, unit: Fraction | int = 1) -> Estimate:
        """The estimate from whole-numbered observations, divided by `unit` of them."""
        count, total, squares = moments(values)
        if count == 0:
            raise ValueError("an estimate needs at least one observation")
        size = Fraction(unit)
        mean = Fraction(total, count) / size
        if count == 1:
            return cls(mean=mean, ci95=None, observations=1)
        variance = (squares - Fraction(total * total, count)) / (count - 1) / size**2
        width = student_95(count - 1) * math.sqrt(variance / count)
        return cls(mean=mean, ci95=width, observations=count)

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero."""
        return self.ci95 is not None and abs(self.mean) > self.ci95

    @property
    def observations_needed(self) -> int | None:
        """About how many observations would tell a mean of this size from zero; None if it is zero.

        >>> Estimate(Fraction(10), 40.0, 1000).observations_needed
        16000
        """
        if self.ci95 is None or not self.mean:
            return None
        return math.ceil(self.observations * (self.ci95 / abs(float(self.mean))) ** 2)

    def scaled(self, factor: Fraction | int) -> Estimate:
        """The same estimate in another unit."""
        width = None if self.ci95 is None else self.ci95 * abs(float(factor))
        return Estimate(mean=self.mean * factor, ci95=width, observations=self.observations)

    def __format__(self, specification: str) -> str:
        """The mean and its interval, as in `f"{estimate:.1f}"`."""
        mean = format(float(self.mean), specification)
        return mean if self.ci95 is None else f"{mean} ± {format(self.ci95, specification)}"


def moments(values: Sequence[int] | Integers) -> tuple[int, int, int]:
    """Count, sum and sum of squares, exactly."""
    array = np.asarray(values)
    if len(array) == 0:
        return 0, 0, 0
    if array.dtype.kind not in "iu":
        raise TypeError("observations must be whole numbers; scale fractions to a common unit")
    largest = max(abs(int(array.max())), abs(int(array.min())))
    if largest * largest * len(array) < 2**62:
        exact = array.astype(np.int64)
        return len(array), int(exact.sum()), int(np.dot(exact, exact))
    numbers = [int(value) for value in array]
    return len(numbers), sum(numbers), sum(number * number for number in numbers)
