"""Kernels that compare all hands of a board of any deck with each other, cards removed.

As `doyle.cards._strength_kernels` for 52 cards: hands are sorted by rank, and what a hand {a, b} meets
among the weaker ones is the sum over all of them less the sums over those that hold a or b. Here the
sums are also of hashes modulo 2**64, so that a sum stands for a multiset. Cards are positions in the
deck. Twins: tests/reference/shrink_twin.py.

The lossless relation hashes every signal under one flop by whom it meets with which result. A signal's
parent is a number below 2**40; hashes of last signals start from (parent, wins, losses), which is
injective, and take in the opponents' hashes pass by pass (`meet`). Earlier signals hash the multiset of
their children.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import Array, kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards._strength_kernels import entry_cards, hole_of, sort_by_rank
from doyle.cards.ranking import RankTables

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
    codes: NDArray[np.uint32]
    values: NDArray[np.uint64]


def sort_scratch(holes: int) -> SortScratch:
    """Buffers for boards of a deck with this many holes."""
    return SortScratch(
        np.zeros(holes, np.uint32),
        np.zeros(holes, np.uint32),
        np.zeros(256, np.uint32),
        np.zeros(52, np.uint64),
        np.zeros(52, np.uint64),
        np.zeros(holes, np.uint64),
        np.zeros(holes, np.uint32),
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


SLOTS = 256
_SLOT_MASK = np.uint64(SLOTS - 1)


@kernel
def hash_last(
    tables: RankTables,
    cards: Array,
    board: Array,
    opponents: int,
    parents: Array,
    passes: int,
    scratch: SortScratch,
    out: Array,
) -> None:
    """Hash all holes on a last board into out (uint64[holes]).

    parents is uint64[holes]. Holes that share a card with the board get 0.
    """
    codes, values = scratch.codes, scratch.values
    live = sort_hands(tables, cards, board, scratch)
    count_codes(live, opponents, scratch, codes)
    for i in range(live):
        high, low = entry_cards(scratch.entries[np.uint64(i)])
        hole = hole_of(high, low)
        values[np.uint64(i)] = mix((parents[hole] << np.uint64(21)) | np.uint64(codes[hole]))
    for _ in range(passes):
        meet(live, scratch, values)
    out[:] = np.uint64(0)
    for i in range(live):
        high, low = entry_cards(scratch.entries[np.uint64(i)])
        out[hole_of(high, low)] = values[np.uint64(i)]


@kernel
def hash_children(
    tables: RankTables,
    cards: Array,
    board: Array,
    opponents: int,
    parents: Array,
    passes: int,
    scratch: SortScratch,
    out: Array,
) -> None:
    """`hash_last` for every next card of `board` into out (uint64[cards, holes]).

    The rows of cards on the board become 0.
    """
    count = len(board)
    whole = np.empty(count + 1, np.int64)
    for card in range(len(cards)):
        taken = False
        for place in range(count):
            whole[place] = board[place]
            taken = taken or board[place] == card
        whole[count] = card
        if taken:
            out[card] = np.uint64(0)
        else:
            hash_last(tables, cards, whole, opponents, parents, passes, scratch, out[card])


@kernel
def count_different(values: Array, marks: Array, stamps: Array, out: Array) -> None:
    """Write how many different values each hole has in values[cards, holes] into out[holes].

    Zeros do not count. marks (uint64) and stamps (int64), [256], are a hash table.
    """
    cards = np.uint64(values.shape[0])
    for slot in range(SLOTS):
        stamps[slot] = -1
    for hole in range(np.uint64(len(out))):
        found = np.int64(0)
        stamp = np.int64(hole)
        for card in range(cards):
            value = values[card, hole]
            if value == np.uint64(0):
                continue
            place = value & _SLOT_MASK
            while stamps[place] == stamp and marks[place] != value:
                place = (place + _ONE) & _SLOT_MASK
            if stamps[place] != stamp:
                stamps[place] = stamp
                marks[place] = value
                found += 1
        out[hole] = found


@kernel
def add_children(values: Array, out: Array) -> None:
    """Hash the multiset of each hole's values[cards, holes] that are not 0 into out[holes]."""
    out[:] = np.uint64(0)
    for card in range(np.uint64(values.shape[0])):
        for hole in range(np.uint64(len(out))):
            value = values[card, hole]
            if value != np.uint64(0):
                out[hole] += mix(value)


@kernel
def hash_turns(
    tables: RankTables,
    cards: Array,
    flop: Array,
    turn_cards: Array,
    opponents: int,
    flop_classes: Array,
    children: Array,
    passes: int,
    scratch: SortScratch,
    marks: Array,
    stamps: Array,
    hashes: Array,
    kinds: Array,
    rivers: Array,
) -> None:
    """Hash the holes on each (flop, turn card) of one flop, where rivers are the last signals.

    flop_classes (int32[holes]) and children (uint8[turn cards, holes]) number the parents. hashes is
    scratch uint64[cards, holes]; kinds (uint64) and rivers (uint8), how many different ones there
    are, are [turn cards, holes].
    """
    board = np.empty(4, np.int64)
    parents = np.empty(len(flop_classes), np.uint64)
    for number in range(len(turn_cards)):
        for place in range(3):
            board[place] = flop[place]
        board[3] = turn_cards[number]
        for hole in range(np.uint64(len(parents))):
            parents[hole] = (np.uint64(flop_classes[hole]) << np.uint64(6)) | np.uint64(
                children[number, hole]
            )
        hash_children(tables, cards, board, opponents, parents, passes, scratch, hashes)
        add_children(hashes, kinds[number])
        count_different(hashes, marks, stamps, rivers[number])


@kernel
def gather_turns(
    table: Array,
    start: int,
    hole_maps: Array,
    kinds: Array,
    rivers: Array,
    flop_kinds: Array,
    children: Array,
    counts: Array,
) -> None:
    """Hash the holes on one flop by the multiset of their turns, and count what is below.

    table[cards] is 32 * sequence + permutation, -1 for none, sequences counted from `start`. kinds
    and rivers are [sequences, holes], with kind 0 for none. Written: flop_kinds[holes];
    children[sequences, holes], the number of each turn among the flop's different kinds, ascending;
    counts[holes, 2], the different kinds of turns and the sum of their rivers.
    """
    size = np.uint64(len(table))
    found = np.empty(len(table), np.uint64)
    for hole in range(np.uint64(len(flop_kinds))):
        count = np.uint64(0)
        total = np.uint64(0)
        below = np.int64(0)
        for card in range(size):
            if table[card] < 0:
                continue
            row = np.uint64((table[card] >> 5) - start)
            other = np.uint64(hole_maps[np.uint64(table[card] & 31), hole])
            kind = kinds[row, other]
            if kind == np.uint64(0):
                continue
            total += mix(kind)
            fresh = True
            for i in range(count):
                fresh = fresh and found[np.uint64(i)] != kind
            found[count] = kind
            count += _ONE
            if fresh:
                below += np.int64(rivers[row, other])
        flop_kinds[hole] = total
        counts[hole, 0] = keep_different(found, count)
        counts[hole, 1] = below
        for sequence in range(np.uint64(len(kinds))):
            place = np.uint64(0)
            while place < np.uint64(counts[hole, 0]) and found[place] < kinds[sequence, hole]:
                place += _ONE
            children[sequence, hole] = place


@kernel
def keep_different(values: Array, count: Any) -> Any:
    """Sort the first `count` values, drop repeats; return how many different ones lead `values`."""
    kept = np.uint64(0)
    for i in range(count):
        value = values[np.uint64(i)]
        place = kept
        while place > np.uint64(0) and values[place - _ONE] > value:
            place -= _ONE
        if place > np.uint64(0) and values[place - _ONE] == value:
            continue
        shift = kept
        while shift > place:
            values[shift] = values[shift - _ONE]
            shift -= _ONE
        values[place] = value
        kept += _ONE
    return kept
