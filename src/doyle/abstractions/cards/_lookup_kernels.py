"""Compiled lookups: the buckets of a deal and of all holes of a board."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel
from doyle.cards.suits._board_kernels import find_board

_BATCH = 256


class Lookup(NamedTuple):
    """All that lookups read: the tables of an abstraction and of the numbering of boards.

    `by_sequence` and `by_strength` (0 or 1) say what the turn's rows are and whether the river goes
    by `river_by_strength[turn_memory[turn bucket], strength]` or by the table `river`.
    """

    preflop: Array
    flop: Array
    turn: Array
    turn_memory: Array
    river_by_strength: Array
    river: Array
    strength: Array
    flop_table: Array
    turn_table: Array
    river_table: Array
    sequence_table: Array
    card_maps: Array
    hole_maps: Array
    compositions: Array
    binomials: Array
    by_sequence: int
    by_strength: int


@kernel
def turn_code(lookup: Lookup, board: Array, flop_code: Any, scratch: Array) -> Any:
    """32 * row + permutation in the turn table of board[:4], whose flop has flop_code."""
    if lookup.by_sequence == 0:
        return find_board(board, 4, lookup.turn_table, lookup.binomials, scratch)
    permutation = np.uint64(flop_code & 31)
    card = np.uint64(lookup.card_maps[permutation, np.uint64(board[3])])
    code = np.int64(lookup.sequence_table[np.uint64(flop_code >> 5), card])
    return (code & ~31) | np.int64(lookup.compositions[np.uint64(code & 31), permutation])


@kernel
def read(table: Array, code: Any, hole: Any, hole_maps: Array) -> Any:
    """The entry of a hole in the row, and through the permutation, that `code` packs."""
    column = np.uint64(hole_maps[np.uint64(code & 31), np.uint64(hole)])
    return table[np.uint64(code >> 5), column]


@kernel
def river_bucket(lookup: Lookup, turn: Any, river: Any, hole: Any) -> Any:
    """The river bucket of a hole from its turn bucket and the code of the river board."""
    if lookup.by_strength == 0:
        return np.int64(read(lookup.river, river, hole, lookup.hole_maps))
    memory = np.int64(0)
    if len(lookup.river_by_strength) > 1:
        memory = np.int64(lookup.turn_memory[np.uint64(turn)])
    strength = read(lookup.strength, river, hole, lookup.hole_maps)
    return np.int64(lookup.river_by_strength[np.uint64(memory), np.uint64(strength)])


@kernel
def deal_buckets(lookup: Lookup, holes: Array, boards: Array, out: Array) -> None:
    """Write the buckets of holes[n, seats, 2] on boards[n, 5] into out[n, seats, 4].

    Deals go through one table at a time in batches, so that the processor can overlap the waits
    for memory of many deals.
    """
    seats = holes.shape[1]
    codes = np.empty((4, _BATCH), np.int64)
    hole_of = np.empty((_BATCH, seats), np.int64)
    scratch = np.empty(5, np.int64)
    for start in range(0, len(boards), _BATCH):
        count = min(_BATCH, len(boards) - start)
        for place in range(count):
            board = boards[start + place]
            flop = find_board(board, 3, lookup.flop_table, lookup.binomials, scratch)
            codes[1, place] = flop
            codes[2, place] = turn_code(lookup, board, flop, scratch)
        for place in range(count):
            board = boards[start + place]
            codes[3, place] = find_board(board, 5, lookup.river_table, lookup.binomials, scratch)
        for place in range(count):
            for seat in range(seats):
                low = np.int64(min(holes[start + place, seat, 0], holes[start + place, seat, 1]))
                high = np.int64(max(holes[start + place, seat, 0], holes[start + place, seat, 1]))
                hole = ((high * (high - 1)) >> 1) + low
                hole_of[place, seat] = hole
                out[start + place, seat, 0] = lookup.preflop[np.uint64(hole)]
        for place in range(count):
            for seat in range(seats):
                out[start + place, seat, 1] = read(
                    lookup.flop, codes[1, place], hole_of[place, seat], lookup.hole_maps
                )
        for place in range(count):
            for seat in range(seats):
                out[start + place, seat, 2] = read(
                    lookup.turn, codes[2, place], hole_of[place, seat], lookup.hole_maps
                )
        for place in range(count):
            for seat in range(seats):
                out[start + place, seat, 3] = river_bucket(
                    lookup, out[start + place, seat, 2], codes[3, place], hole_of[place, seat]
                )


@kernel
def board_buckets(lookup: Lookup, board: Array, count: int, holes: Array, out: Array) -> None:
    """Write the bucket of every hole on board[:count] into out[1326]; -1 where they collide."""
    scratch = np.empty(5, np.int64)
    taken = np.int64(0)
    for place in range(count):
        taken |= np.int64(1) << np.int64(board[place])
    needs_turn = lookup.by_strength == 1 and len(lookup.river_by_strength) > 1
    flop, turn, river = np.int64(0), np.int64(0), np.int64(0)
    if count >= 3:
        flop = find_board(board, 3, lookup.flop_table, lookup.binomials, scratch)
    if count >= 4:
        turn = turn_code(lookup, board, flop, scratch)
    if count == 5:
        river = find_board(board, 5, lookup.river_table, lookup.binomials, scratch)
    for hole in range(1326):
        first = np.int64(1) << np.int64(holes[hole, 0])
        second = np.int64(1) << np.int64(holes[hole, 1])
        if taken & (first | second):
            out[hole] = -1
        elif count == 0:
            out[hole] = lookup.preflop[hole]
        elif count == 3:
            out[hole] = read(lookup.flop, flop, hole, lookup.hole_maps)
        elif count == 4:
            out[hole] = read(lookup.turn, turn, hole, lookup.hole_maps)
        else:
            bucket = read(lookup.turn, turn, hole, lookup.hole_maps) if needs_turn else 0
            out[hole] = river_bucket(lookup, bucket, river, hole)
