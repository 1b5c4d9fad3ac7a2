"""Ranks and strengths of many hands at once: batches, whole boards, whole decks.

The strength of a hand on a complete board is how many of the 990 hands an opponent may hold it
beats, ties with and loses to; HS = (win + tie / 2) / 990.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import map_threads
from doyle.cards._ranking_kernels import (
    count_ranks,
    evaluate_hands,
    evaluate_sevens,
    rank_board,
)
from doyle.cards._strength_kernels import board_scratch, strength_of_boards
from doyle.cards.cards import DECK_SIZE, HOLE_COUNT, Card, check_cards
from doyle.cards.ranking import CATEGORIES, CATEGORY_STARTS, RANK_COUNT, rank_tables


def evaluate(cards: ArrayLike) -> NDArray[np.uint16]:
    """The rank of each row of `cards`, int[n, k] with k = 5, 6 or 7 different cards a row.

    >>> evaluate([[51, 47, 43, 39, 35], [0, 5, 10, 15, 20]]).tolist()
    [7462, 1]
    """
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7):
        raise DoyleError(f"evaluate: expected rows of 5, 6 or 7 cards, not an array {hands.shape}")
    if hands.dtype.kind not in "iu":
        raise DoyleError(f"evaluate: expected whole numbers, not {hands.dtype}")
    if hands.size and (hands.min() < 0 or hands.max() >= DECK_SIZE):
        raise DoyleError("evaluate: cards must be numbers from 0 to 51")
    hands = np.ascontiguousarray(hands, dtype=np.uint8)
    ranks = np.empty(len(hands), dtype=np.uint16)
    rank = evaluate_sevens if hands.shape[1] == 7 else evaluate_hands
    rank(rank_tables(hands.shape[1]), hands, ranks)
    return ranks


def board_ranks(board: Sequence[Card]) -> NDArray[np.uint16]:
    """The rank of each hole pair with a board of 3, 4 or 5 cards; 0 where they share a card.

    >>> ranks = board_ranks((0, 5, 10, 15, 20))
    >>> int((ranks > 0).sum())
    1081
    """
    checked = _check_board(board, sizes=(3, 4, 5))
    ranks = np.empty(HOLE_COUNT, dtype=np.uint16)
    rank_board(rank_tables(2 + len(checked)), checked, ranks)
    return ranks


def board_strength(
    board: Sequence[Card],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """How many of its 990 opponents each hole pair beats, ties and loses to on five board cards.

    All three counts are 0 where the pair shares a card with the board.

    >>> win, tie, loss = board_strength((0, 5, 10, 15, 20))
    >>> sorted(set((win + tie + loss).tolist()))
    [0, 990]
    """
    checked = _check_board(board, sizes=(5,))
    win, tie, loss = boards_strength(checked[np.newaxis])
    return win[0], tie[0], loss[0]


def boards_strength(
    boards: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """`board_strength` for each row of `boards` (uint8[n, 5]): int32[n, 1326] each."""
    boards = np.ascontiguousarray(boards, dtype=np.uint8)
    win, tie, loss = (np.zeros((len(boards), HOLE_COUNT), dtype=np.int32) for _ in range(3))
    strength_of_boards(rank_tables(7), boards, board_scratch(), win, tie, loss)
    return win, tie, loss


def category_counts(
    size: int, *, workers: Workers | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """How many of all hands of `size` cards (5, 6 or 7) fall into each category.

    >>> category_counts(5)["straight flush"]
    40
    """
    tables = rank_tables(size)

    def count(top: int) -> NDArray[np.int64]:
        counts = np.zeros(RANK_COUNT + 1, dtype=np.int64)
        count_ranks(tables, top, size, counts)
        return counts

    total = np.zeros(RANK_COUNT + 1, dtype=np.int64)
    tops = range(DECK_SIZE - 1, size - 2, -1)
    for counts in map_threads(count, tops, workers=workers, progress=progress, label="hands"):
        total += counts
    per_category = np.add.reduceat(total, CATEGORY_STARTS)
    return dict(zip(CATEGORIES, per_category.tolist(), strict=True))


def _check_board(board: Sequence[Card], *, sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    checked = check_cards(board, what="board")
    if len(checked) not in sizes:
        expected = " or ".join(str(size) for size in sizes)
        raise DoyleError(f"board: expected {expected} cards, found {len(checked)}")
    return np.array(checked, dtype=np.uint8)
