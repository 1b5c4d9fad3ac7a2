"""Means with their 95% intervals: one `Estimate` for matches, instruments, reviews and papers.

Observations are independent of each other. In a match the observation is the *duplicate unit*: a
player's winnings on one deal, averaged over all seatings in which the deal was played.
Whole-numbered observations are summed exactly, so a mean never depends on the order in which
results arrive. The interval of a mean is Student's: 1.96 standard errors to each side if there are
many observations, more if there are few; a single one has none. Strata have variances of their own,
and degrees of freedom by Satterthwaite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Method = Literal["student", "normal", "wilson", "exact"]

NORMAL_95 = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""

_EXACT = {1: 12.706204736174694, 2: 4.302652729749462}


@dataclass(frozen=True)
class Estimate:
    """A mean, the half width of its 95% interval, and how both were obtained.

    The width is None if there are too few observations, and 0 for exact values.

    >>> Estimate.of([1, 1, 1, 1])
    Estimate(mean=Fraction(1, 1), ci95=0.0, count=4, method='student')
    """

    mean: Fraction | float
    ci95: float | None
    count: int = 0
    """Observations; 0 where they were not counted."""
    method: Method = "student"

    @classmethod
    def of(cls, values: Sequence[int] | Integers, *, unit: Fraction | int = 1) -> Estimate:
        """From whole-numbered observations, divided by `unit`; the mean is exact."""
        count, total, squares = moments(values)
        size = Fraction(unit)
        return cls.of_moments(count, total / size, squares / size**2)

    @classmethod
    def of_moments(cls, count: int, total: Fraction | float, squares: Fraction | float) -> Estimate:
        """From the number, the sum and the sum of the squares of observations."""
        if count == 0:
            raise ValueError("an estimate needs at least one observation")
        if count == 1:
            return cls(total, None, 1)
        variance = max(squares - total * total / count, 0) / (count - 1)
        return cls(total / count, student_95(count - 1) * math.sqrt(variance / count), count)

    @classmethod
    def of_strata(cls, *strata: Floats) -> Estimate:
        """The mean of the means of strata; no interval if one has fewer than two observations.

        Paired results are one stratum of differences.

        >>> one = Estimate.of_strata(np.array([1.0, 3.0]))
        >>> one.mean, round(one.ci95, 1), Estimate.of_strata(np.ones(1), np.ones(5)).ci95
        (2.0, 12.7, None)
        """
        mean = sum(float(part.mean()) for part in strata) / len(strata)
        count = sum(map(len, strata))
        if min(map(len, strata)) < 2:
            return cls(mean, None, count)
        parts = [(float(part.var(ddof=1)) / len(part), len(part) - 1) for part in strata]
        return cls(mean, student_width(parts) / len(strata), count)

    @classmethod
    def of_error(cls, mean: float, error: float | None, count: int = 0) -> Estimate:
        """From a standard error, by the normal distribution."""
        return cls(mean, None if error is None else NORMAL_95 * error, count, "normal")

    @classmethod
    def of_share(cls, values: Sequence[bool]) -> Estimate:
        """How often something was true, by Wilson's interval: its longer half, not 0 where it never was.

        >>> never = Estimate.of_share([False] * 100)
        >>> never.mean, round(never.ci95, 3)
        (0.0, 0.037)
        """
        share, n, z = sum(values) / len(values), len(values), NORMAL_95
        centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
        return cls(share, max(centre + half - share, share - centre + half), n, "wilson")

    @classmethod
    def exact(cls, mean: float, count: int = 0) -> Estimate:
        """An exact value, of width 0."""
        return cls(mean, 0.0, count, "exact")

    @classmethod
    def sum_of(cls, parts: Iterable[Estimate]) -> Estimate:
        """The sum of independent normal estimates; no interval if one lacks it."""
        every = list(parts)
        widths = [part.ci95 for part in every if part.ci95 is not None]
        width = math.hypot(*widths) if len(widths) == len(every) else None
        return cls(
            sum(float(part.mean) for part in every),
            width,
            sum(part.count for part in every),
            "normal",
        )

    def __sub__(self, other: Estimate | float) -> Estimate:
        """The difference of independent estimates, or from a number."""
        if isinstance(other, Estimate):
            return Estimate.sum_of([self, -other])
        return replace(self, mean=self.mean - other)

    def __rsub__(self, number: float) -> Estimate:
        return -self - -number

    def __mul__(self, factor: float) -> Estimate:
        return self.scaled(factor)

    def __neg__(self) -> Estimate:
        return self.scaled(-1)

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends of the interval; the mean if there is no interval."""
        mean, width = float(self.mean), self.ci95 or 0.0
        return mean - width, mean + width

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero."""
        return self.ci95 is not None and abs(float(self.mean)) > self.ci95

    @property
    def count_needed(self) -> int | None:
        """Approximate number of observations that distinguish a mean of this size from zero; None
        if it is zero.

        >>> Estimate(Fraction(10), 40.0, 1000).count_needed
        16000
        """
        if self.ci95 is None or not self.mean:
            return None
        return math.ceil(self.count * (self.ci95 / abs(float(self.mean))) ** 2)

    def scaled(self, factor: Fraction | float) -> Estimate:
        """The same estimate in another unit."""
        width = None if self.ci95 is None else self.ci95 * abs(float(factor))
        return Estimate(self.mean * factor, width, self.count, self.method)

    def in_mbb(self, big_blind: int) -> Estimate:
        """Chips as thousandths of a big blind."""
        return self.scaled(Fraction(1000, big_blind))

    def document(self) -> dict[str, Any]:
        """For JSON, of results in thousandths of a big blind per hand."""
        return {"mbb_per_hand": float(self.mean), "ci95": self.ci95}

    def text(self) -> str:
        """A result in thousandths of a big blind per hand, as text.

        >>> Estimate(5.0, 1.25).text(), Estimate.exact(5.0).text()
        ('5.0 ± 1.2 mbb/h', '5.0 mbb/h')
        >>> Estimate(5.0, None).text()
        '5.0 mbb/h (too few for an interval)'
        """
        if self.ci95 is None:
            return f"{float(self.mean):.1f} mbb/h (too few for an interval)"
        return f"{float(self.mean):.1f}" + (f" ± {self.ci95:.1f}" if self.ci95 else "") + " mbb/h"

    def __format__(self, specification: str) -> str:
        """The mean and its interval, as in `f"{estimate:.1f}"`; exact results have no interval."""
        mean = format(float(self.mean), specification)
        if self.ci95 is None or self.method == "exact":
            return mean
        return f"{mean} ± {format(self.ci95, specification.removeprefix('+'))}"


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


def student_95(degrees: float) -> float:
    """The 97.5% quantile of Student's distribution; degrees of freedom are rounded down.

    Beyond two degrees by the expansion of Fisher and Cornish, at most 0.13% too small (at three).

    >>> [round(student_95(degrees), 2) for degrees in (1, 2, 4, 19, 999)]
    [12.71, 4.3, 2.78, 2.09, 1.96]
    """
    n = max(1, int(degrees + 1e-9))  # Satterthwaite's may be 1 up to rounding
    if n in _EXACT:
        return _EXACT[n]
    z = NORMAL_95
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / n**power for power, term in enumerate(terms)))


def student_width(parts: Sequence[tuple[float, int]]) -> float:
    """The half width for a sum of estimated variances, given with the degrees of freedom of each."""
    return student_95(satterthwaite(parts)) * math.sqrt(sum(variance for variance, _ in parts))


def satterthwaite(parts: Sequence[tuple[float, int]]) -> float:
    """Degrees of freedom of a sum of estimated variances, from (variance, degrees of freedom) of
    each.

    >>> satterthwaite([(1.0, 9), (1.0, 9)]), satterthwaite([(1.0, 9), (0.0, 1)])
    (18.0, 9.0)
    """
    squares = sum(variance**2 / degrees for variance, degrees in parts)
    if not squares:
        return float(sum(degrees for _, degrees in parts))
    return sum(variance for variance, _ in parts) ** 2 / squares
