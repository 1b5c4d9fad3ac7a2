"""Action translation mappings: the chance that a bet x between two known bets A and B is read as A.

A mapping is a function f(A, B, x, pot) with A <= x <= B, all in the same unit; f is the probability
of reading x as A, and 1 - f that of reading it as B. With pot = 1 the sizes are pot fractions, as in
the papers. The formulas are plain arithmetic, so they work on floats, on NumPy arrays of x, and on
`fractions.Fraction`, where ties are decided exactly.

Sources: Ganzfried and Sandholm, "Action Translation in Extensive-Form Games with Large Action
Spaces" (IJCAI 2013), sections 5 and 6; Gilpin, Sandholm and Sorensen (Tartanian, 2008), section 4.2;
Schnizlein, "State Translation in No-Limit Poker" (2009), equations 4.6 to 4.8.

Intervals: reading a bet among a whole list of known bets.

The known sizes A0 < ... < Ak cut the line into intervals; a bet inside one is given to its two ends
by the mapping, a bet equal to a known size is that size with certainty, and a bet outside all of
them is the nearest end (IJCAI 2013, section 2). Weights are non-negative and sum to one.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError

ENTRY_POINT_GROUP = "doyle.mappings"

Number = Any
"""A float, an int, a Fraction, or a NumPy array of floats: the type of the arithmetic."""

_POTS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")

_ROUNDING = 1e-9
"""By how much a probability that was computed in floating point may leave [0, 1]."""

Formula = Callable[[Number, Number, Number, Number], Number]


@dataclass(frozen=True)
class Mapping:
    """One mapping by name: its formula, its median, and whether it tosses a coin.

    >>> mapping("rand-pshar").probability(0, 1, Fraction(1, 4))
    Fraction(3, 5)
    >>> mapping("rand-pshar").median(0.01, 1.0)
    0.34219269102990035
    """

    name: str
    title: str
    randomised: bool
    formula: Formula
    median_formula: Callable[[Number, Number, Number], Number]

    def probability(self, lower: Number, upper: Number, size: Number, pot: Number = 1) -> Number:
        """The probability that `size` is read as `lower`; the sizes must be in order."""
        self._check(lower, upper, size, pot)
        if lower == upper:
            return size * 0 + 1
        return self._read(lower, upper, size, pot)

    def median(self, lower: Number, upper: Number, pot: Number = 1) -> Number:
        """The size that is read as either neighbour with probability one half.

        For a deterministic mapping it is the threshold.
        """
        if not 0 <= lower <= upper or not pot > 0:
            raise DoyleError(
                f"mapping {self.name}: need 0 <= A <= B and a pot above 0, "
                f"not A={lower}, B={upper}, pot={pot}"
            )
        value = self.median_formula(lower, upper, pot)
        if not _fits(value, lower - _ROUNDING * upper, upper + _ROUNDING * upper):
            raise DoyleError(
                f"mapping {self.name}: gives the median {value!r} for A={lower}, B={upper}, "
                f"pot={pot}, which is not between them"
            )
        return value

    def chips(self, lower: int, upper: int, size: int, *, pot: int) -> Fraction:
        """The same in whole chips, exactly: ties follow the papers' inequalities.

        >>> mapping("det-geo").chips(4, 9, 6, pot=10)  # 4/6 > 6/9 is false: the larger bet
        Fraction(0, 1)
        """
        if lower == upper:
            return Fraction(1)
        self._check(lower, upper, size, pot)  # whole numbers compare faster than fractions
        value = self._read(Fraction(lower), Fraction(upper), Fraction(size), Fraction(pot))
        return min(max(Fraction(value), Fraction(0)), Fraction(1))

    def _read(self, lower: Number, upper: Number, size: Number, pot: Number) -> Number:
        """The formula's value, refused if it is no probability."""
        value = self.formula(lower, upper, size, pot)
        if not _fits(value, -_ROUNDING, 1 + _ROUNDING):
            raise DoyleError(
                f"mapping {self.name}: gives {value!r} for A={lower}, x={size}, B={upper}, "
                f"pot={pot}, which is no probability"
            )
        return value

    def _check(self, lower: Number, upper: Number, size: Number, pot: Number) -> None:
        if not 0 <= lower <= upper or not _between(lower, size, upper) or not pot > 0:
            raise DoyleError(
                f"mapping {self.name}: need 0 <= A <= x <= B and a pot above 0, "
                f"not A={lower}, x={size}, B={upper}, pot={pot}"
            )


def _fits(value: Any, lower: Number, upper: Number) -> bool:
    """Whether a formula's result is a number, or an array of numbers, from lower to upper."""
    try:
        return _between(lower, value, upper)
    except TypeError:
        return False


def _between(lower: Number, size: Number, upper: Number) -> bool:
    inside = (lower <= size) & (size <= upper)
    return bool(inside.all()) if hasattr(inside, "all") else bool(inside)


def _certain(decision: Number) -> Number:
    """0 or 1 from a truth value or an array of them."""
    return decision.astype(int) if hasattr(decision, "astype") else int(decision)


def deterministic_arithmetic(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """The nearer bet by distance; a tie goes to the smaller, as in the tables."""
    return _certain(size - lower <= upper - size)


def deterministic_arithmetic_strict(
    lower: Number, upper: Number, size: Number, pot: Number
) -> Number:
    """As the text of section 5.1 has it: the smaller bet only if x < (A + B) / 2."""
    return _certain(size < (lower + upper) / 2)


def randomised_arithmetic(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """Linear in the distance: (B - x) / (B - A)."""
    return (upper - size) / (upper - lower)


def deterministic_geometric(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """The nearer bet by ratio: A if A/x > x/B."""
    if lower == 0:
        return size * 0
    return _certain(lower / size > size / upper)


def randomised_geometric_1(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """Sartre's and Hyperborean's soft translation, normalised: A(B-x) / (A(B-x) + x(x-A))."""
    if lower == 0:
        return size * 0
    down = lower * (upper - size)
    return down / (down + size * (size - lower))


def randomised_geometric_2(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """Tartanian4's: A(B+x)(B-x) / ((B-A)(x^2 + AB))."""
    if lower == 0:
        return size * 0
    above = lower * (upper + size) * (upper - size)
    return above / ((upper - lower) * (size * size + lower * upper))


def normalised_similarity(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """The thesis's first form of soft translation, A/x against x/B (equations 4.5 and 4.6).

    Known bets are themselves, so it jumps at A and B; section 4.4.2 replaces it for that.
    """
    if lower == 0:
        return size * 0
    between = _certain((lower < size) & (size < upper))
    square = lower * upper
    return _certain(size == lower) + between * square / (square + size * size)


def deterministic_pseudo_harmonic(
    lower: Number, upper: Number, size: Number, pot: Number
) -> Number:
    """The smaller bet if x <= x*, the median of the randomised mapping."""
    return _certain(size <= _pseudo_harmonic_median(lower, upper, pot))


def randomised_pseudo_harmonic(lower: Number, upper: Number, size: Number, pot: Number) -> Number:
    """The one mapping that calls x with 1/(1+x) if A and B are called so: section 6."""
    return (upper - size) * (pot + lower) / ((upper - lower) * (pot + size))


def _arithmetic_median(lower: Number, upper: Number, pot: Number) -> Number:
    return (lower + upper) / 2


def _geometric_median(lower: Number, upper: Number, pot: Number) -> Number:
    return math.sqrt(lower * upper)


def _pseudo_harmonic_median(lower: Number, upper: Number, pot: Number) -> Number:
    return (pot * (lower + upper) + 2 * lower * upper) / (lower + upper + 2 * pot)


DET_ARITH = Mapping("det-arith", "Det-Arith", False, deterministic_arithmetic, _arithmetic_median)
DET_ARITH_STRICT = Mapping(
    "det-arith-strict", "Det-Arith (<)", False, deterministic_arithmetic_strict, _arithmetic_median
)
RAND_ARITH = Mapping("rand-arith", "Rand-Arith", True, randomised_arithmetic, _arithmetic_median)
DET_GEO = Mapping("det-geo", "Det-Geo", False, deterministic_geometric, _geometric_median)
RAND_GEO_1 = Mapping("rand-geo-1", "Rand-Geo-1", True, randomised_geometric_1, _geometric_median)
RAND_GEO_2 = Mapping("rand-geo-2", "Rand-Geo-2", True, randomised_geometric_2, _geometric_median)
RAND_SIMILARITY = Mapping(
    "rand-similarity", "Rand-Similarity", True, normalised_similarity, _geometric_median
)
DET_PSHAR = Mapping(
    "det-pshar", "Det-psHar", False, deterministic_pseudo_harmonic, _pseudo_harmonic_median
)
RAND_PSHAR = Mapping(
    "rand-pshar", "Rand-psHar", True, randomised_pseudo_harmonic, _pseudo_harmonic_median
)

MAPPINGS: tuple[Mapping, ...] = (
    DET_ARITH,
    RAND_ARITH,
    DET_GEO,
    RAND_GEO_1,
    RAND_GEO_2,
    DET_PSHAR,
    RAND_PSHAR,
)
"""The seven mappings of the IJCAI paper, in the order of its tables."""

_BUNDLED = {entry.name: entry for entry in (*MAPPINGS, DET_ARITH_STRICT, RAND_SIMILARITY)}


@cache
def mapping(name: str) -> Mapping:
    """The mapping of that name: a bundled one, or one from the entry point group `doyle.mappings`."""
    if name in _BUNDLED:
        return _BUNDLED[name]
    if "~" in name:
        return _parse_piecewise(name)
    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        return _loaded(entry)
    raise DoyleError(f"mapping {name!r} is not known; choose one of {', '.join(mapping_names())}")


def _loaded(entry: EntryPoint) -> Mapping:
    """The mapping of another package, tested at a few bets; DoyleError names its defect."""
    where = f"mapping {entry.name} ({entry.value})"
    try:
        found = entry.load()
        if isinstance(found, Mapping):
            for lower, upper in ((0, 1), (1, 4)):
                for size in (lower, Fraction(lower + upper, 2), upper):
                    found.probability(Fraction(lower), Fraction(upper), Fraction(size), Fraction(1))
                found.median(lower, upper)
    except DoyleError as error:
        raise DoyleError(f"{where}: {str(error).removeprefix(f'mapping {entry.name}: ')}") from None
    except Exception as error:  # another package's code: any exception is the user's to correct
        raise DoyleError(f"{where}: {type(error).__name__}: {error}") from error
    if not isinstance(found, Mapping):
        raise DoyleError(f"{where}: is not a doyle.strategy.translation.Mapping")
    return found


def mapping_names() -> tuple[str, ...]:
    """All names that `mapping` understands, the bundled ones first."""
    others = {entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)} - set(_BUNDLED)
    return (*_BUNDLED, *sorted(others))


def piecewise(below: Mapping, limit: Fraction, above: Mapping) -> Mapping:
    """One mapping for intervals that end at `limit` pots or less, another for all larger ones.

    >>> both = piecewise(RAND_ARITH, Fraction(1), RAND_PSHAR)
    >>> both.probability(0, 1, Fraction(1, 4)), both.probability(1, 4, 2)
    (Fraction(3, 4), 0.4444444444444444)
    """
    return Mapping(
        f"{below.name}~{limit}~{above.name}",
        f"{below.title} to {limit}, {above.title}",
        below.randomised or above.randomised,
        _PiecewiseFormula(below, limit, above),
        _PiecewiseMedian(below, limit, above),
    )


@dataclass(frozen=True)
class _Pieces:
    """Two mappings and where the first ends; values, so that agents travel to other processes."""

    below: Mapping
    limit: Fraction
    above: Mapping

    def chosen(self, upper: Number, pot: Number) -> Mapping:
        within = upper * self.limit.denominator <= self.limit.numerator * pot
        return self.below if within else self.above


class _PiecewiseFormula(_Pieces):
    def __call__(self, lower: Number, upper: Number, size: Number, pot: Number) -> Number:
        return self.chosen(upper, pot).formula(lower, upper, size, pot)


class _PiecewiseMedian(_Pieces):
    def __call__(self, lower: Number, upper: Number, pot: Number) -> Number:
        return self.chosen(upper, pot).median_formula(lower, upper, pot)


def _parse_piecewise(name: str) -> Mapping:
    """Read BELOW~POTS~ABOVE, such as rand-arith~1~rand-pshar or det-geo~3/2~det-arith."""
    parts = name.split("~")
    # A few digits are enough for a limit, and a number such as 1e99999999 is never computed.
    if len(parts) != 3 or not _POTS.fullmatch(parts[1]) or Fraction(parts[1]) <= 0:
        raise DoyleError(
            f"mapping {name!r}: expected BELOW~POTS~ABOVE with a number of pots above 0, "
            "such as rand-arith~1~rand-pshar"
        )
    return piecewise(mapping(parts[0]), Fraction(parts[1]), mapping(parts[2]))


Weights = tuple[tuple[int, Fraction], ...]
"""(index of a known size, its weight above zero), ascending."""


def read_chips(mapping: Mapping, sizes: Sequence[int], size: int, *, pot: int) -> Weights:
    """Which of the ascending known `sizes` a bet of `size` chips is read as, exactly.

    >>> from doyle.strategy.translation.mappings import mapping
    >>> read_chips(mapping("rand-pshar"), [0, 10, 90], 20, pot=10)
    ((1, Fraction(7, 12)), (2, Fraction(5, 12)))
    >>> read_chips(mapping("det-arith"), [0, 10, 90], 200, pot=10)
    ((2, Fraction(1, 1)),)
    """
    if not sizes:
        raise DoyleError(f"mapping {mapping.name}: no known size to read a bet of {size} as")
    place = bisect_left(sizes, size)
    if place == len(sizes):
        return ((place - 1, Fraction(1)),)
    if sizes[place] == size or place == 0:
        return ((place, Fraction(1)),)
    down = mapping.chips(sizes[place - 1], sizes[place], size, pot=pot)
    pair = ((place - 1, down), (place, 1 - down))
    return tuple(entry for entry in pair if entry[1] > 0)


def read_many(
    mapping: Mapping, sizes: Sequence[Number], bets: NDArray[Any], *, pot: Number = 1
) -> NDArray[Any]:
    """The weights [bets, sizes] of an array of bets, in the arithmetic of `bets`.

    An array of doubles is compared without rounding; an array of Fractions
    (dtype object) gives exact weights.
    """
    weights = np.zeros((len(bets), len(sizes)), dtype=bets.dtype)
    weights[bets < sizes[0], 0] = 1
    weights[bets > sizes[-1], -1] = 1
    for place, (lower, upper) in enumerate(itertools.pairwise(sizes)):
        inside = (bets > lower) & (bets < upper)
        down = mapping.formula(lower, upper, bets[inside], pot).astype(bets.dtype)
        weights[inside, place] = down
        weights[inside, place + 1] = 1 - down
    for place, known in enumerate(sizes):
        weights[bets == known, place] = 1
    return weights
