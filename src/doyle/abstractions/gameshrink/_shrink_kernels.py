"""Kernels that compare all hands of a board of any deck with each other, cards removed.

As `doyle.cards._strength_kernels` for 52 cards: hands are sorted by rank, and what a hand {a, b} meets
among the weaker ones is the sum over all of them less the sums over those that hold a or b. Here the
sums are also of hashes modulo 2**64, so that a sum stands for a multiset. Cards are positions in the
deck. Twins: tests/reference/shrink_twin.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards._strength_kernels import entry_cards, hole_of, sort_by_rank
from doyle.cards.ranking import RankTables

Array: TypeAlias = NDArray[Any]

NO_CODE = np.uint32(0xFFFFFFFF)
"""The code of a hole that shares a card with the board."""

OWN = np.uint64(0xD6E8FEB86659FD93)
BEATEN = np.uint64(0xA0761D6478BD642F)
NOT_LOSING = np.uint64(0xE7037ED1A0B428DB)
EVERY = np.uint64(0x8EBC6AF09C88C6E3)
"""Odd factors that keep apart who was met with which result."""

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_RANK_SHIFT = np.uint64(12)
_DIGIT_MASK = np.uint64(127)


class SortScratch(NamedTuple):
    """Buffers of one thread; after `sort_hands`, `entries` has the live hands from weakest up.

    An entry is rank << 12 | high position << 6 | low position.
    """

    entries: NDArray[np.uint32]
    spare: NDArray[np.uint32]
    histogram: NDArray[np.uint32]
    held: NDArray[np.uint64]
    all_held: NDArray[np.uint64]
    mixed: NDArray[np.uint64]


def sort_scratch(holes: int) -> SortScratch:
    """Buffers for boards of a deck with this many holes."""
    return SortScratch(
        np.zeros(holes, np.uint32),
        np.zeros(holes, np.uint32),
        np.zeros(256, np.uint32),
        np.zeros(52, np.uint64),
        np.zeros(52, np.uint64),
        np.zeros(holes, np.uint64),
    )


@kernel
def mix(value: Any) -> Any:
    """A bijection of 64 bits whose outputs look random (the finaliser of splitmix64)."""
    word = np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def sort_hands(tables: RankTables, cards: Array, board: Array, scratch: SortScratch) -> Any:
    """Rank the live hands of `board` (positions) and sort them into entries; return how many."""
    keys = tables.keys
    entries = scratch.entries
    histogram = scratch.histogram
    base = keys[52]
    base_mask = np.uint64(0)
    dead = np.uint64(0)
    for i in range(len(board)):
        position = np.uint64(board[np.uint64(i)])
        card = np.uint64(cards[position])
        base += keys[card]
        base_mask |= card_bit(card)
        dead |= _ONE << position
    for i in range(256):
        histogram[np.uint64(i)] = 0
    live = np.uint64(0)
    for i in range(np.uint64(len(cards))):
        high = np.uint64(i)
        if (dead >> high) & _ONE:
            continue
        card = np.uint64(cards[high])
        key_high = base + keys[card]
        mask_high = base_mask | card_bit(card)
        for j in range(high):
            low = np.uint64(j)
            if (dead >> low) & _ONE:
                continue
            other = np.uint64(cards[low])
            rank = np.uint64(rank_of(tables, key_high + keys[other], mask_high | card_bit(other)))
            entries[live] = (rank << _RANK_SHIFT) | (high << _SIX) | low
            histogram[rank & _DIGIT_MASK] += np.uint32(1)
            histogram[np.uint64(128) + (rank >> np.uint64(7))] += np.uint32(1)
            live += _ONE
    sort_by_rank(live, entries, scratch.spare, histogram)
    return live


@kernel
def count_codes(live: Any, opponents: int, scratch: SortScratch, codes: Array) -> None:
    """Write the code of each live hand's results into uint32[holes].

    A code is (wins - losses + 1024) << 10 | wins, so that codes are ordered by wins - losses, then
    wins. Entries of other hands are untouched.
    """
    entries = scratch.entries
    held = scratch.held
    for i in range(52):
        held[np.uint64(i)] = 0
    start = np.uint64(0)
    while start < live:
        rank = entries[start] >> np.uint32(12)
        stop = start
        while stop < live and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            codes[hole_of(high, low)] = np.uint32(start - held[high] - held[low])
            stop += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            held[high] += _ONE
            held[low] += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            hole = hole_of(high, low)
            wins = np.uint64(codes[hole])
            losses = np.uint64(opponents) - (stop + _ONE - held[high] - held[low])
            codes[hole] = np.uint32(((wins + np.uint64(1024) - losses) << np.uint64(10)) | wins)
        start = stop


@kernel
def board_codes(
    tables: RankTables,
    cards: Array,
    boards: Array,
    rows: Array,
    opponents: int,
    scratch: SortScratch,
    codes: Array,
) -> None:
    """Write the codes of all holes on boards[rows] into uint32[boards, holes]."""
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        codes[row, :] = NO_CODE
        live = sort_hands(tables, cards, boards[row], scratch)
        count_codes(live, opponents, scratch, codes[row])


@kernel
def meet(live: Any, scratch: SortScratch, values: Array) -> None:
    """Replace the value of each entry by a hash of it and of the opponents' values by result.

    values is uint64[entries]. Two hands get equal hashes when their values are equal and they beat,
    tie and lose to the same multisets of values: what is hashed is a sum of mixed values, times a
    factor for the hand itself, one for those beaten, one for those tied and one for the others.
    """
    entries = scratch.entries
    held = scratch.held
    all_held = scratch.all_held
    mixed = scratch.mixed
    for i in range(52):
        held[np.uint64(i)] = 0
        all_held[np.uint64(i)] = 0
    total = np.uint64(0)
    for i in range(live):
        high, low = entry_cards(entries[np.uint64(i)])
        word = mix(values[np.uint64(i)])
        mixed[np.uint64(i)] = word
        total += word
        all_held[high] += word
        all_held[low] += word
    below = np.uint64(0)
    start = np.uint64(0)
    while start < live:
        rank = entries[start] >> np.uint32(12)
        stop = start
        while stop < live and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            beaten = below - held[high] - held[low]
            values[stop] = OWN * mixed[stop] + BEATEN * beaten
            stop += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            word = mixed[np.uint64(i)]
            held[high] += word
            held[low] += word
            below += word
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            word = mixed[np.uint64(i)]
            not_losing = below - held[high] - held[low] + word
            every = total - all_held[high] - all_held[low] + word
            values[np.uint64(i)] = mix(
                values[np.uint64(i)] + NOT_LOSING * not_losing + EVERY * every
            )
        start = stop
