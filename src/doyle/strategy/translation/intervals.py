"""Intervals: reading a bet among a whole list of known bets.

The known sizes A0 < ... < Ak cut the line into intervals; a bet inside one is given to its two ends
by the mapping, a bet equal to a known size is that size with certainty, and a bet outside all of
them is the nearest end (IJCAI 2013, section 2). Weights are non-negative and sum to one.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.strategy.translation.mappings import Mapping, Number

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

    An array of doubles is compared as it is, nothing is rounded first; an array of Fractions
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
