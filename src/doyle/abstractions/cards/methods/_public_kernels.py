"""Compiled transition tables of boards."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel

Array: TypeAlias = NDArray[Any]


@kernel
def count_transitions(
    before: Array, before_rows: Array, after: Array, after_codes: Array, maps: Array, counts: Array
) -> None:
    """Count hands of each board by (bucket before, bucket after) into counts[boards, A, B].

    before[before_rows[i], hole] and after[row, permuted hole] with after_codes[i] = 32 * row +
    permutation; negative buckets are collisions.
    """
    for board in range(len(counts)):
        first = before_rows[board]
        second = np.uint64(after_codes[board] >> 5)
        permutation = np.uint64(after_codes[board] & 31)
        for hole in range(1326):
            start = before[first, hole]
            end = after[second, np.uint64(maps[permutation, hole])]
            if start >= 0 and end >= 0:
                counts[board, start, end] += 1
