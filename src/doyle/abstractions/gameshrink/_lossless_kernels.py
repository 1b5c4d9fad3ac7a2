"""Kernels that hash every signal under one flop by whom it meets with which result.

A signal's parent is a number below 2**40; hashes of last signals start from (parent, wins, losses),
which is injective, and take in the opponents' hashes pass by pass (`_shrink_kernels.meet`). Earlier
signals hash the multiset of their children. Twins: tests/reference/shrink_twin.py.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink._shrink_kernels import (
    SortScratch,
    count_codes,
    meet,
    mix,
    sort_hands,
)
from doyle.base._numba import kernel
from doyle.cards._strength_kernels import entry_cards, hole_of
from doyle.cards.ranking import RankTables

Array: TypeAlias = NDArray[Any]

_ONE = np.uint64(1)
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
    codes: Array,
    values: Array,
    out: Array,
) -> None:
    """Hash all holes on a last board into out (uint64[holes]).

    parents is uint64[holes]; codes (uint32) and values (uint64), [holes], are scratch. Holes that
    share a card with the board get 0.
    """
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
    codes: Array,
    values: Array,
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
            hash_last(
                tables, cards, whole, opponents, parents, passes, scratch, codes, values, out[card]
            )


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
    codes: Array,
    values: Array,
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
        hash_children(
            tables, cards, board, opponents, parents, passes, scratch, codes, values, hashes
        )
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
