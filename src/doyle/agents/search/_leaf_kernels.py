"""Compiled sums over pairs of hands and run-outs.

`first` [n] and `second` [m] are the ranks of two seats' hands on a last board, 0 where a hand cannot be
there. Twin: `tests/agents/search/test_depth_limit.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel

Ranks = npt.NDArray[np.int16]


@kernel
def add_showdowns(
    product: npt.NDArray[Any], first: Ranks, second: Ranks, total: npt.NDArray[Any]
) -> None:
    """Add `product` where the first seat's hand is the stronger, take it away where it is weaker.

    What is in `product` for hands that cannot be there must be 0.
    """
    for i in range(first.size):
        row = np.uint64(i)
        own = first[row]
        for j in range(second.size):
            other = np.uint64(j)
            sign = np.int32(own > second[other]) - np.int32(own < second[other])
            total[row, other] += product[row, other] * sign


@kernel
def add_signs(
    first: npt.NDArray[np.int16],
    second: npt.NDArray[np.int16],
    row: npt.NDArray[np.int16],
    met: npt.NDArray[np.int16],
    signs: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
) -> None:
    """Add to `signs` [n, m] wins less losses over the boards of first [boards, n] and second [boards, m].

    `counts` [n, m] are the boards that both hands miss; `row` and `met` [m] are scratch, at most
    32,767 boards.
    """
    zero, one = np.int16(0), np.int16(1)
    for i in range(first.shape[1]):
        hand = np.uint64(i)
        for j in range(second.shape[1]):
            row[np.uint64(j)] = zero
            met[np.uint64(j)] = zero
        for k in range(first.shape[0]):
            board = np.uint64(k)
            own = first[board, hand]
            if own > zero:
                for j in range(second.shape[1]):
                    place = np.uint64(j)
                    other = second[board, place]
                    sign = one if own > other > zero else zero
                    sign = np.int16(-1) if own < other else sign
                    row[place] = np.int16(row[place] + sign)
                    met[place] = np.int16(met[place] + (one if other > zero else zero))
        for j in range(second.shape[1]):
            place = np.uint64(j)
            signs[hand, place] += np.int32(row[place])
            counts[hand, place] += np.int32(met[place])
