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
    amount: Any,
    reach: Floats,
    cards: npt.NDArray[np.uint8],
    card_sum: Floats,
    out: Floats,
) -> None:
    """out[h] = amount times the reach of all hands that share no card with hand h.

    reach, out float[h]; cards uint8[h, 2]; card_sum float[cards] is scratch.
    """
    total = sum_by_card(reach, cards, card_sum)
    for hand in range(cards.shape[0]):
        index = np.uint64(hand)
        out[index] = amount * (
            total
            - card_sum[np.uint64(cards[index, 0])]
            - card_sum[np.uint64(cards[index, 1])]
            + reach[index]
        )


@kernel
def showdown_values(
    amount: Any,
    reach: Floats,
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    card_sum: Floats,
    running: Floats,
    out: Floats,
) -> None:
    """out[h] = amount times (reach of weaker hands minus reach of stronger hands), no shared cards.

    group_end int32[groups] ends each run of equal ranks; card_sum and running are scratch.
    """
    total = sum_by_card(reach, cards, card_sum)
    for card in range(running.size):
        running[card] = 0.0
    below = running[0]
    start = 0
    for group in range(group_end.size):
        end = group_end[group]
        for hand in range(start, end):
            index = np.uint64(hand)
            out[index] = (
                below - running[np.uint64(cards[index, 0])] - running[np.uint64(cards[index, 1])]
            )
        for hand in range(start, end):
            index = np.uint64(hand)
            weight = reach[index]
            below += weight
            running[np.uint64(cards[index, 0])] += weight
            running[np.uint64(cards[index, 1])] += weight
        for hand in range(start, end):
            index = np.uint64(hand)
            first, second = np.uint64(cards[index, 0]), np.uint64(cards[index, 1])
            stronger = (
                total
                - card_sum[first]
                - card_sum[second]
                - (below - running[first] - running[second])
            )
            out[index] = amount * (out[index] - stronger)
        start = end
