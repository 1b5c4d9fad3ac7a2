"""Kernels that compare all 1,081 hands of a river board with each other, cards removed.

Hands are sorted by rank. A hand {a, b} beats every weaker hand except those that hold a or b, so
it wins (weaker hands) - (weaker with a) - (weaker with b); counting "weaker or equal" in the same
way counts the hand itself once in the first term and twice in the others, hence + 1.
Twins: tests/reference/cards_ranking.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards.ranking import RankTables

LIVE_HANDS = 1081
OPPONENTS = 990

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_RANK_SHIFT = np.uint64(12)
_HIGH_SHIFT = np.uint64(19)
_CARD_MASK = np.uint64(63)
_DIGIT_MASK = np.uint64(127)
_LIVE = np.uint64(LIVE_HANDS)


class BoardScratch(NamedTuple):
    """Buffers of one thread; after `sort_board`, `entries` has the live hands from weakest up.

    An entry is rank << 12 | high card << 6 | low card. `held[card]` counts (or weighs) the hands
    passed so far that hold the card.
    """

    entries: NDArray[np.uint32]
    spare: NDArray[np.uint32]
    histogram: NDArray[np.uint32]
    held: NDArray[np.int32]


def board_scratch() -> BoardScratch:
    """Buffers for `sort_board` and `count_board`."""
    return BoardScratch(
        np.zeros(LIVE_HANDS, np.uint32),
        np.zeros(LIVE_HANDS, np.uint32),
        np.zeros(256, np.uint32),
        np.zeros(52, np.int32),
    )


@kernel
def sort_board(tables: RankTables, board: NDArray[np.uint8], scratch: BoardScratch) -> None:
    """Rank the 1,081 live hands of `board` (uint8[5]) and sort them into `scratch.entries`."""
    keys = tables.keys
    entries = scratch.entries
    histogram = scratch.histogram
    base = keys[52]
    base_mask = np.uint64(0)
    dead = np.uint64(0)
    for i in range(5):
        card = np.uint64(board[np.uint64(i)])
        base += keys[card]
        base_mask |= card_bit(card)
        dead |= _ONE << card
    for i in range(256):
        histogram[np.uint64(i)] = 0
    count = np.uint64(0)
    for i in range(np.uint64(52)):
        high = np.uint64(i)
        if (dead >> high) & _ONE:
            continue
        key_high = base + keys[high]
        mask_high = base_mask | card_bit(high)
        for j in range(high):
            low = np.uint64(j)
            if (dead >> low) & _ONE:
                continue
            rank = np.uint64(rank_of(tables, key_high + keys[low], mask_high | card_bit(low)))
            entries[count] = (rank << _RANK_SHIFT) | (high << _SIX) | low
            histogram[rank & _DIGIT_MASK] += np.uint32(1)
            histogram[np.uint64(128) + (rank >> np.uint64(7))] += np.uint32(1)
            count += _ONE
    sort_by_rank(_LIVE, entries, scratch.spare, histogram)


@kernel
def sort_by_rank(
    count: np.uint64,
    entries: NDArray[np.uint32],
    spare: NDArray[np.uint32],
    histogram: NDArray[np.uint32],
) -> None:
    """Radix sort the first `count` entries in place: two stable passes of seven bits of the rank.

    An entry is rank << 12 | high card << 6 | low card; histogram[256] counts the low and the high
    seven bits of the ranks, and is used up.
    """
    low_total = np.uint32(0)
    high_total = np.uint32(0)
    for i in range(128):
        low = np.uint64(i)
        high = np.uint64(i + 128)
        low_count = histogram[low]
        high_count = histogram[high]
        histogram[low] = low_total
        histogram[high] = high_total
        low_total += low_count
        high_total += high_count
    for i in range(count):
        entry = entries[np.uint64(i)]
        digit = (np.uint64(entry) >> _RANK_SHIFT) & _DIGIT_MASK
        place = histogram[digit]
        spare[np.uint64(place)] = entry
        histogram[digit] = place + np.uint32(1)
    for i in range(count):
        entry = spare[np.uint64(i)]
        digit = np.uint64(128) + (np.uint64(entry) >> _HIGH_SHIFT)
        place = histogram[digit]
        entries[np.uint64(place)] = entry
        histogram[digit] = place + np.uint32(1)


@kernel
def count_board(
    scratch: BoardScratch,
    win: NDArray[np.int32],
    tie: NDArray[np.int32],
    loss: NDArray[np.int32],
) -> None:
    """Write exact counts of the sorted board into int32[1326] each; hands not live are untouched."""
    entries = scratch.entries
    held = scratch.held
    for i in range(52):
        held[np.uint64(i)] = 0
    start = np.uint64(0)
    while start < _LIVE:
        rank = entries[start] >> np.uint32(12)
        below = np.int32(start)
        stop = start
        while stop < _LIVE and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            win[hole_of(high, low)] = below - held[high] - held[low]
            stop += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            held[high] += np.int32(1)
            held[low] += np.int32(1)
        upto = np.int32(stop) + np.int32(1)
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            hole = hole_of(high, low)
            not_losing = upto - held[high] - held[low]
            tie[hole] = not_losing - win[hole]
            loss[hole] = np.int32(OPPONENTS) - not_losing
        start = stop


@kernel
def entry_cards(entry: np.uint32) -> tuple[np.uint64, np.uint64]:
    """The high and the low card of an entry."""
    wide = np.uint64(entry)
    return (wide >> _SIX) & _CARD_MASK, wide & _CARD_MASK


@kernel
def hole_of(high: np.uint64, low: np.uint64) -> np.uint64:
    """The index of two hole cards, high > low."""
    return ((high * (high - _ONE)) >> _ONE) + low


@kernel
def strength_of_boards(
    tables: RankTables,
    boards: NDArray[np.uint8],
    scratch: BoardScratch,
    win: NDArray[np.int32],
    tie: NDArray[np.int32],
    loss: NDArray[np.int32],
) -> None:
    """`sort_board` and `count_board` for each row of `boards` (uint8[n, 5]) into int32[n, 1326]."""
    for i in range(len(boards)):
        row = np.uint64(i)
        sort_board(tables, boards[row], scratch)
        count_board(scratch, win[row], tie[row], loss[row])
