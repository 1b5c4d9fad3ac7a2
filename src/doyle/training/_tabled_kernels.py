"""Compiled retrieval for all hand features and textures of one betting sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle._numba import kernel
from doyle.cases._retrieval_kernels import Cases, is_nearer, total_similarity

Array = NDArray[Any]


@kernel
def nearest_without_betting(cases: Cases, hands: int, textures: int, nearest: Array) -> None:
    """Write nearest[hands * textures]: the best case of each (hand, texture) if no betting is alike."""
    query = np.zeros(3, np.int64)
    for row in range(hands * textures):
        query[0], query[1] = row // textures, row % textures
        best, best_value = np.int64(-1), -1.0
        for case in range(len(cases.hand)):
            value = total_similarity(cases, np.uint64(case), 0.0, query)
            if value < best_value:
                continue
            if best < 0 or is_nearer(
                value, cases.support[case], case, best_value, cases.support[best], best
            ):
                best, best_value = np.int64(case), value
        nearest[row] = best


@kernel
def nearest_of_all(
    cases: Cases,
    first: Array,
    last: Array,
    betting: Array,
    hands: int,
    textures: int,
    without: Array,
    nearest: Array,
) -> None:
    """Write nearest[hands * textures]: the nearest case of each (hand, texture) after one betting.

    Groups [first, last) have the similarities `betting`, descending; without[hands * textures] are the best if no
    betting is alike. One of those that lies in a group is worth more there, so it is only compared
    with the best of the groups.
    """
    query = np.zeros(3, np.int64)
    for row in range(hands * textures):
        query[0], query[1] = row // textures, row % textures
        best = np.int64(without[row])
        best_value = total_similarity(cases, np.uint64(best), 0.0, query)
        for group in range(len(first)):
            if (betting[group] + (cases.parts - 1)) / cases.parts < best_value:
                break
            for case in range(first[group], last[group]):
                value = total_similarity(cases, np.uint64(case), betting[group], query)
                if value >= best_value and is_nearer(
                    value, cases.support[case], case, best_value, cases.support[best], best
                ):
                    best, best_value = np.int64(case), value
        nearest[row] = best
