"""Compiled loops over all hands of one board: what an opponent's range is worth at a leaf.

Arrays may be float32 or float64; sums are kept in the type of `reach`. Hands share no card with the
board, and stand in ascending order of rank where ranks matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel

Floats = npt.NDArray[Any]


@kernel
def sum_by_card(reach: Floats, cards: npt.NDArray[np.uint8], card_sum: Floats) -> Any:
    """Write the sums of reach[h] by card into card_sum[cards]; returns the sum of all."""
    for card in range(card_sum.size):
        card_sum[card] = 0.0
    total = card_sum[0]
    for hand in range(cards.shape[0]):
        index = np.uint64(hand)
        weight = reach[index]
        total += weight
        card_sum[np.uint64(cards[index, 0])] += weight
        card_sum[np.uint64(cards[index, 1])] += weight
    return total


@kernel
def fold_values(
    scale: Any,
    reach: Floats,
    cards: npt.NDArray[np.uint8],
    sums: Floats,
    total: Any,
    out: Floats,
) -> None:
    """out[h] = scale times the reach of all hands that share no card with hand h."""
    for hand in range(cards.shape[0]):
        index = np.uint64(hand)
        shared = sums[np.uint64(cards[index, 0])] + sums[np.uint64(cards[index, 1])]
        out[index] = scale * (total - shared + reach[index])


@kernel
def showdown_values(
    scale: Any,
    reach: Floats,
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    sums: Floats,
    total: Any,
    running: Floats,
    out: Floats,
) -> None:
    """out[h] = scale times (reach of weaker less reach of stronger hands), of those that can meet.

    With S the reach of hands passed so far less half of all, and S[card] the same among the hands
    that hold a card, that is S - S[first] - S[second] before h's group plus the same after it.
    """
    half = np.float32(0.5)
    for card in range(running.size):
        running[np.uint64(card)] = half * sums[np.uint64(card)]
    passed = -half * total
    begin = 0
    for group in range(group_end.size):
        end = group_end[np.uint64(group)]
        for hand in range(begin, end):
            index = np.uint64(hand)
            apart = running[np.uint64(cards[index, 0])] + running[np.uint64(cards[index, 1])]
            out[index] = passed + apart
        for hand in range(begin, end):
            index = np.uint64(hand)
            weight = reach[index]
            passed += weight
            running[np.uint64(cards[index, 0])] -= weight
            running[np.uint64(cards[index, 1])] -= weight
        for hand in range(begin, end):
            index = np.uint64(hand)
            apart = running[np.uint64(cards[index, 0])] + running[np.uint64(cards[index, 1])]
            out[index] = scale * (out[index] + (passed + apart))
        begin = end
