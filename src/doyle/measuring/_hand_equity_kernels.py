"""Compiled loops that compare one hand with every other: over run-outs, and all pairs before the flop.

Points are 2 for a run-out that the hand wins and 1 for a tie.
Twins: tests/reference/hand_equity.py.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel
from doyle.cards._ranking_kernels import card_bit, rank_board, rank_of
from doyle.cards.ranking import RankTables

HOLES = 1326
BOARDS_TOGETHER = 128
"""Boards compared together: their ranks stay in the cache, and 24 times as many fit int16."""

_ONE = np.uint64(1)


@kernel
def add_points(
    tables: RankTables,
    board: npt.NDArray[np.uint8],
    first: int,
    second: int,
    points: npt.NDArray[np.int32],
) -> None:
    """Add the points of the hand {first, second} against each hand to points[1326].

    `board` has three, four or five cards; every run-out that two hands can meet counts once. Hands
    that share a card with the board or with this hand get nothing.
    """
    live, left = np.empty(52, np.uint64), np.empty(52, np.uint64)
    dead = (_ONE << np.uint64(first)) | (_ONE << np.uint64(second))
    key, bits = tables.keys[52], np.uint64(0)
    for place in range(board.size):
        card = np.uint64(board[np.uint64(place)])
        key += tables.keys[card]
        bits |= card_bit(card)
        dead |= _ONE << card
    count = 0
    for card_number in range(52):
        if not (dead >> np.uint64(card_number)) & _ONE:
            live[count] = np.uint64(card_number)
            count += 1
    own_key = tables.keys[np.uint64(first)] + tables.keys[np.uint64(second)]
    own_bits = card_bit(np.uint64(first)) | card_bit(np.uint64(second))
    missing = 5 - board.size
    # A card that is on the board already is drawn once, at place -1.
    for turn in range(0 if missing == 2 else -1, count if missing == 2 else 0):
        for river in range(0 if missing > 0 else -1, turn if missing == 2 else missing * count):
            whole, whole_bits = key, bits
            if turn >= 0:
                whole += tables.keys[live[turn]]
                whole_bits |= card_bit(live[turn])
            if river >= 0:
                whole += tables.keys[live[river]]
                whole_bits |= card_bit(live[river])
            kept = 0
            for place in range(count):
                if place not in (turn, river):
                    left[kept] = live[place]
                    kept += 1
            own = rank_of(tables, whole + own_key, whole_bits | own_bits)
            compare_hands(tables, whole, whole_bits, left, kept, own, points)


@kernel
def compare_hands(
    tables: RankTables,
    key: np.uint64,
    bits: np.uint64,
    live: npt.NDArray[np.uint64],
    count: int,
    own: np.uint16,
    points: npt.NDArray[np.int32],
) -> None:
    """Add the points of rank `own` against all pairs of `count` live cards on one complete board."""
    keys = tables.keys
    for i in range(1, count):
        high = live[np.uint64(i)]
        row = high * (high - _ONE) >> _ONE
        key_high, bits_high = key + keys[high], bits | card_bit(high)
        for j in range(i):
            low = live[np.uint64(j)]
            rank = rank_of(tables, key_high + keys[low], bits_high | card_bit(low))
            points[row + low] += np.int32(own >= rank) + np.int32(own > rank)


@kernel
def compare_all_pairs(
    tables: RankTables,
    boards: npt.NDArray[np.uint8],
    weights: npt.NDArray[np.int16],
    ranks: npt.NDArray[np.int16],
    row: npt.NDArray[np.int16],
    balance: npt.NDArray[np.int32],
) -> None:
    """Add weights[b] times (wins less losses) of hole h against hole o < h to balance[1326, 1326].

    boards uint8[n, 5] with n at most `BOARDS_TOGETHER`; ranks int16[n, 1326] and row int16[1326] are
    scratch. Boards that share a card with a hole, which then has rank 0, are left out.
    """
    unsigned = ranks.view(np.uint16)
    for board in range(boards.shape[0]):
        rank_board(tables, boards[board], unsigned[board])
    for h in range(1, HOLES):
        for o in range(h):
            row[np.uint64(o)] = 0
        for board in range(boards.shape[0]):
            place = np.uint64(board)
            own = ranks[place, np.uint64(h)]
            if own > 0:
                add_signs(own, weights[place], ranks, board, h, row)
        for o in range(h):
            balance[np.uint64(h), np.uint64(o)] += np.int32(row[np.uint64(o)])


@kernel
def add_signs(
    own: np.int16,
    weight: np.int16,
    ranks: npt.NDArray[np.int16],
    board: int,
    count: int,
    row: npt.NDArray[np.int16],
) -> None:
    """Add `weight` to row[o] where `own` beats ranks[board, o], and take it away where it loses."""
    place, zero = np.uint64(board), np.int16(0)
    minus = np.int16(-weight)
    for o in range(count):
        other = ranks[place, np.uint64(o)]
        change = weight if own > other > zero else zero
        change = minus if own < other else change
        row[np.uint64(o)] = np.int16(row[np.uint64(o)] + change)
