"""Compiled loops over all hands of one board: what an opponent's range is worth at a leaf.

Arrays may be float32 or float64; sums are kept in the type of `reach`. Hands share no card with the
board, and stand in ascending order of rank where ranks matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel

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


@kernel
def four_sums_by_card(
    reach: Floats,
    rows: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    running: Floats,
    card_sum: Floats,
    total: Floats,
) -> None:
    """`sum_by_card` of four rows of reach[n, h] into the same rows of card_sum[n, cards], total[n].

    The rows' sums do not wait for each other, so that four take little longer than one.
    """
    a, b, c, d = np.uint64(rows[0]), np.uint64(rows[1]), np.uint64(rows[2]), np.uint64(rows[3])
    i, j, k, m = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
    running[:] = 0.0
    sum_a = sum_b = sum_c = sum_d = running[0, 0]
    for hand in range(cards.shape[0]):
        index = np.uint64(hand)
        first, second = np.uint64(cards[index, 0]), np.uint64(cards[index, 1])
        of_a, of_b, of_c, of_d = reach[a, index], reach[b, index], reach[c, index], reach[d, index]
        sum_a += of_a
        sum_b += of_b
        sum_c += of_c
        sum_d += of_d
        running[first, i] += of_a
        running[first, j] += of_b
        running[first, k] += of_c
        running[first, m] += of_d
        running[second, i] += of_a
        running[second, j] += of_b
        running[second, k] += of_c
        running[second, m] += of_d
    for card in range(running.shape[0]):
        for lane in range(4):
            card_sum[rows[lane], card] = running[card, lane]
    total[a], total[b], total[c], total[d] = sum_a, sum_b, sum_c, sum_d


@kernel
def four_showdown_values(
    scales: tuple[float, float, float, float],
    reach: Floats,
    rows: tuple[int, int, int, int],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    card_sum: Floats,
    total: Floats,
    running: Floats,
    out: Floats,
    targets: tuple[int, int, int, int],
) -> None:
    """`showdown_values` of four rows of reach[n, h], whose sums are known, into rows of out[n, h]."""
    half = np.float32(0.5)
    for card in range(running.shape[0]):
        running[card, 0] = half * card_sum[rows[0], card]
        running[card, 1] = half * card_sum[rows[1], card]
        running[card, 2] = half * card_sum[rows[2], card]
        running[card, 3] = half * card_sum[rows[3], card]
    a, b, c, d = np.uint64(rows[0]), np.uint64(rows[1]), np.uint64(rows[2]), np.uint64(rows[3])
    to_a, to_b = np.uint64(targets[0]), np.uint64(targets[1])
    to_c, to_d = np.uint64(targets[2]), np.uint64(targets[3])
    i, j, k, m = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
    passed_a, passed_b = -half * total[a], -half * total[b]
    passed_c, passed_d = -half * total[c], -half * total[d]
    begin = 0
    for group in range(group_end.size):
        end = group_end[np.uint64(group)]
        for hand in range(begin, end):
            index = np.uint64(hand)
            first, second = np.uint64(cards[index, 0]), np.uint64(cards[index, 1])
            out[to_a, index] = passed_a + (running[first, i] + running[second, i])
            out[to_b, index] = passed_b + (running[first, j] + running[second, j])
            out[to_c, index] = passed_c + (running[first, k] + running[second, k])
            out[to_d, index] = passed_d + (running[first, m] + running[second, m])
        for hand in range(begin, end):
            index = np.uint64(hand)
            first, second = np.uint64(cards[index, 0]), np.uint64(cards[index, 1])
            of_a, of_b = reach[a, index], reach[b, index]
            of_c, of_d = reach[c, index], reach[d, index]
            passed_a += of_a
            passed_b += of_b
            passed_c += of_c
            passed_d += of_d
            running[first, i] -= of_a
            running[first, j] -= of_b
            running[first, k] -= of_c
            running[first, m] -= of_d
            running[second, i] -= of_a
            running[second, j] -= of_b
            running[second, k] -= of_c
            running[second, m] -= of_d
        for hand in range(begin, end):
            index = np.uint64(hand)
            first, second = np.uint64(cards[index, 0]), np.uint64(cards[index, 1])
            after_a = passed_a + (running[first, i] + running[second, i])
            after_b = passed_b + (running[first, j] + running[second, j])
            after_c = passed_c + (running[first, k] + running[second, k])
            after_d = passed_d + (running[first, m] + running[second, m])
            out[to_a, index] = scales[0] * (out[to_a, index] + after_a)
            out[to_b, index] = scales[1] * (out[to_b, index] + after_b)
            out[to_c, index] = scales[2] * (out[to_c, index] + after_c)
            out[to_d, index] = scales[3] * (out[to_d, index] + after_d)
        begin = end
