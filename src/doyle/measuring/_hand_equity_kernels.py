"""Compiled loops that compare one hand with every other: over run-outs, and all pairs before the flop.

Points are 2 for a run-out that the hand wins and 1 for a tie.
Twins: tests/reference/hand_equity.py.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel
from doyle.cards._ranking_kernels import card_bit, rank_board, rank_of
from doyle.cards.ranking import RankTables

HOLES = 1326
BOARDS_TOGETHER = 128
"""Boards compared together: their ranks stay in the cache, and 24 times as many fit int16."""

_ONE = np.uint64(1)


@kernel
def _left_cards(
    tables: RankTables,
    board: npt.NDArray[np.uint8],
    first: int,
    second: int,
    left: npt.NDArray[np.uint64],
) -> tuple[np.uint64, np.uint64, int]:
    """The key and the mask of the board; `left` gets the cards beside it and the hand, so many."""
    dead = (_ONE << np.uint64(first)) | (_ONE << np.uint64(second))
    key, bits = tables.keys[52], np.uint64(0)
    for place in range(board.size):
        card = np.uint64(board[np.uint64(place)])
        key += tables.keys[card]
        bits |= card_bit(card)
        dead |= _ONE << card
    count = 0
    for number in range(52):
        if not (dead >> np.uint64(number)) & _ONE:
            left[count] = np.uint64(number)
            count += 1
    return key, bits, count


@kernel
def add_flop_points(
    tables: RankTables,
    flop: npt.NDArray[np.uint8],
    first: int,
    second: int,
    points: npt.NDArray[np.int32],
) -> None:
    """As `add_points` for the three cards of a flop.

    Four remaining cards a > b > c > d form one hand with the flop, whichever two the other player
    holds: it is ranked once and compared six times, with this hand's rank on the other two.
    """
    cards = np.empty(52, np.uint64)
    key, bits, count = _left_cards(tables, flop, first, second, cards)
    held = tables.keys[np.uint64(first)] + tables.keys[np.uint64(second)] + key
    held_bits = card_bit(np.uint64(first)) | card_bit(np.uint64(second)) | bits
    # Both by the places of two cards among the remaining ones.
    own = np.zeros((count, count), np.int16)
    found = np.zeros((count, count), np.int32)
    for a in range(1, count):
        key_a, bits_a = held + tables.keys[cards[a]], held_bits | card_bit(cards[a])
        for b in range(a):
            own[a, b] = rank_of(tables, key_a + tables.keys[cards[b]], bits_a | card_bit(cards[b]))
    ranks = np.empty(count, np.int16)
    for a in range(3, count):
        key_a, bits_a = key + tables.keys[cards[a]], bits | card_bit(cards[a])
        for b in range(2, a):
            key_b, bits_b = key_a + tables.keys[cards[b]], bits_a | card_bit(cards[b])
            for c in range(1, b):
                key_c, bits_c = key_b + tables.keys[cards[c]], bits_b | card_bit(cards[c])
                for number in range(c):
                    d = np.uint64(number)
                    ranks[d] = rank_of(
                        tables, key_c + tables.keys[cards[d]], bits_c | card_bit(cards[d])
                    )
                _compare_fours(ranks, own, found, a, b, c)
    for a in range(1, count):
        row = cards[a] * (cards[a] - _ONE) >> _ONE
        for b in range(a):
            points[row + cards[b]] += found[a, b]


@kernel
def _compare_fours(
    ranks: npt.NDArray[np.int16],
    own: npt.NDArray[np.int16],
    found: npt.NDArray[np.int32],
    a: int,
    b: int,
    c: int,
) -> None:
    """Add the points of the six pairs of a, b, c and each d < c, where ranks[d] is the hand of all four."""
    own_a, own_b, own_c = own[a], own[b], own[c]
    found_a, found_b, found_c = found[a], found[b], found[c]
    first, second, third = own_a[b], own_a[c], own_b[c]
    with_a, with_b, with_c = np.int32(0), np.int32(0), np.int32(0)
    for number in range(c):
        d = np.uint64(number)
        rank = ranks[d]
        found_c[d] += np.int32(first >= rank) + np.int32(first > rank)
        found_b[d] += np.int32(second >= rank) + np.int32(second > rank)
        found_a[d] += np.int32(third >= rank) + np.int32(third > rank)
        with_a += np.int32(np.int32(own_a[d] >= rank) + np.int32(own_a[d] > rank))
        with_b += np.int32(np.int32(own_b[d] >= rank) + np.int32(own_b[d] > rank))
        with_c += np.int32(np.int32(own_c[d] >= rank) + np.int32(own_c[d] > rank))
    found_b[c] += with_a
    found_a[c] += with_b
    found_a[b] += with_c


@kernel
def add_points(
    tables: RankTables,
    board: npt.NDArray[np.uint8],
    first: int,
    second: int,
    points: npt.NDArray[np.int32],
) -> None:
    """Add the points of the hand {first, second} against each hand to points[1326].

    `board` has four or five cards; every river that two hands can meet counts once. Hands that
    share a card with the board or with this hand receive no points.
    """
    live, left = np.empty(52, np.uint64), np.empty(52, np.uint64)
    key, bits, count = _left_cards(tables, board, first, second, live)
    own_key = tables.keys[np.uint64(first)] + tables.keys[np.uint64(second)]
    own_bits = card_bit(np.uint64(first)) | card_bit(np.uint64(second))
    # A river that is on the board already is drawn once, at place -1.
    for river in range(-1 if board.size == 5 else 0, 0 if board.size == 5 else count):
        whole, whole_bits = key, bits
        if river >= 0:
            whole += tables.keys[live[river]]
            whole_bits |= card_bit(live[river])
        kept = 0
        for place in range(count):
            if place != river:
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
