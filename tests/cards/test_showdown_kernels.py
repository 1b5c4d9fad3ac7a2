"""What ranges are worth on a board: against all pairs of hands, and four ranges against one."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.cards import HOLES, board_ranks
from doyle.cards._showdown_kernels import (
    fold_values,
    four_showdown_values,
    four_sums_by_card,
    showdown_values,
    sum_by_card,
)

BOARDS = [(0, 5, 18, 27, 43), (0, 1, 2, 3, 51), (48, 44, 40, 36, 32)]


class Hands:
    """The hands of a board in ascending order of rank."""

    def __init__(self, board: tuple[int, ...]) -> None:
        ranks = board_ranks(board).astype(np.int64)
        order = np.argsort(ranks, kind="stable")
        order = order[ranks[order] > 0]
        self.ranks = ranks[order]
        self.cards = np.ascontiguousarray(HOLES[order]).astype(np.uint8)
        ends = np.flatnonzero(np.diff(self.ranks)) + 1
        self.group_end = np.append(ends, order.size).astype(np.int32)
        shared = self.cards[:, None, :, None] == self.cards[None, :, None, :]
        self.apart = ~shared.any(axis=(2, 3))


def reach_of(hands: Hands, rows: int) -> np.ndarray:
    return np.random.default_rng(7).random((rows, len(hands.ranks))) ** 3


@pytest.mark.parametrize("board", BOARDS)
def test_values_are_sums_over_all_pairs_of_hands(board: tuple[int, ...]) -> None:
    hands = Hands(board)
    (reach,) = reach_of(hands, 1)
    sums, running, out = np.zeros(52), np.zeros(52), np.zeros(reach.size)
    total = sum_by_card(reach, hands.cards, sums)
    fold_values(3.0, reach, hands.cards, sums, total, out)
    np.testing.assert_allclose(out, 3.0 * hands.apart @ reach, rtol=1e-12)
    showdown_values(3.0, reach, hands.cards, hands.group_end, sums, total, running, out)
    wins = np.sign(hands.ranks[:, None] - hands.ranks[None, :]) * hands.apart
    np.testing.assert_allclose(out, 3.0 * wins @ reach, atol=1e-9)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("rows", [(4, 0, 2, 1), (3, 3, 3, 3)])
def test_four_ranges_at_once_are_worth_what_each_is_worth(
    board: tuple[int, ...], rows: tuple[int, int, int, int]
) -> None:
    hands = Hands(board)
    reach = reach_of(hands, 5)
    card_sum, total, running = np.zeros((5, 52)), np.zeros(5), np.zeros((52, 4))
    values = np.zeros((6, reach.shape[1]))
    chosen = np.array(rows, dtype=np.int32)
    four_sums_by_card(reach, chosen, hands.cards, running, card_sum, total)
    scales, targets = (1.0, 2.5, 40.0, 7.0), (1, 5, 0, 3)
    four_showdown_values(
        scales,
        reach,
        rows,
        hands.cards,
        hands.group_end,
        card_sum,
        total,
        running,
        values,
        targets,
    )
    for row, scale, target in zip(rows, scales, targets, strict=True):
        sums, alone = np.zeros(52), np.zeros(reach.shape[1])
        whole = sum_by_card(reach[row], hands.cards, sums)
        assert whole == total[row]
        np.testing.assert_array_equal(sums, card_sum[row])
        showdown_values(
            scale, reach[row], hands.cards, hands.group_end, sums, whole, np.zeros(52), alone
        )
        np.testing.assert_array_equal(values[target], alone)
