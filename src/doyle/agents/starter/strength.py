"""E[HS^2] of every hole on a turn or river board, exactly, without compiled code.

HS is win + tie / 2 against a random hand, in points of 1/1980: on a river an opponent has 990 hands, and
a hand that beats all has 1,980 points. E[HS^2] is the mean of the squared points over the rivers to
come. A hand's points are its points against all 1,081 hands minus its points against hands that
hold one of its cards; both are positions in sorted lists, so a board costs two sorts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from doyle.cards import live_hands
from doyle.cards.cards import DECK_SIZE, HOLE_COUNT, HOLES
from doyle.cards.ranking import COLUMN_BITS, RankTables, rank_tables

FULL_POINTS = 1980
_NO_RANK = 8191
"""Above every rank: of hands that share a card with the board."""
_FLUSH_BITS = 0x8888 << 32
_SUM_MASK = (1 << 32) - 1
_RANK_BITS = 13


def _holes_of_cards() -> npt.NDArray[np.int64]:
    """int64[52, 51]: the holes that hold each card."""
    return np.array(
        [np.flatnonzero(~live_hands(HOLES, (card,))) for card in range(DECK_SIZE)], np.int64
    )


_HOLES_OF_CARDS = _holes_of_cards()


def squared_points(board: Sequence[int]) -> npt.NDArray[np.int64]:
    """The sum of the squared points of every hole over the rivers of a board of four or five cards.

    -1 for holes that share a card with the board.
    """
    taken = ~live_hands(HOLES, board)
    if len(board) == 5:
        sums = river_points(board) ** 2
    else:
        sums = np.zeros(HOLE_COUNT, np.int64)
        for card in range(DECK_SIZE):
            if card not in board:
                points = river_points((*board, card))
                sums += np.where(points < 0, 0, points**2)
    return np.where(taken, -1, sums)


def river_points(board: Sequence[int]) -> npt.NDArray[np.int64]:
    """2 * wins + ties of every hole on a river board; -1 where they share a card."""
    ranks = river_ranks(board)
    free = ranks != _NO_RANK
    ordered = np.sort(ranks[free])
    points = np.searchsorted(ordered, ranks, "left") + np.searchsorted(ordered, ranks, "right")
    # The same within the hands of each card: one sorted list, divided by card.
    by_card = ranks[_HOLES_OF_CARDS] + (np.arange(DECK_SIZE) << _RANK_BITS)[:, None]
    lists = np.sort(by_card, axis=1)
    flat, starts = lists.reshape(-1), 51 * np.arange(DECK_SIZE)
    for column in range(2):
        card = HOLES[:, column]
        keys = ranks + (card << _RANK_BITS)
        both = np.searchsorted(flat, keys, "left") + np.searchsorted(flat, keys, "right")
        points -= both - 2 * starts[card]
    # A hand has met itself once in each of the three lists.
    return np.where(free, points + 1, -1)


def river_ranks(board: Sequence[int]) -> npt.NDArray[np.int64]:
    """The rank of every hole with a board of five cards; above all ranks where they share a card."""
    tables: RankTables = rank_tables(7)
    keys = tables.keys.astype(np.int64)
    cards = np.asarray(board, np.int64)
    key = keys[HOLES].sum(axis=1) + keys[cards].sum() + keys[52]
    total = key & _SUM_MASK
    taken = ~live_hands(HOLES, cards)
    # A hole that repeats a card of the board may have a sum that no hand has.
    total[taken] = total[~taken][0]
    places = tables.offsets.astype(np.int64)[total >> COLUMN_BITS]
    ranks = tables.ranks[places + (total & ((1 << COLUMN_BITS) - 1))].astype(np.int64)
    for suit in range(4):
        flush = (key & (8 << (32 + 4 * suit)) != 0) & ~taken
        if flush.any():
            own = np.where(suit == HOLES % 4, 1 << (HOLES // 4), 0).sum(axis=1)
            on_board = sum(1 << int(card // 4) for card in cards if card % 4 == suit)
            ranks[flush] = tables.flush[own[flush] | on_board]
    return np.where(taken, _NO_RANK, ranks)
