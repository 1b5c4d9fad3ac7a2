"""Compiled sums over run-outs. Every row of an output is written by the call that owns it."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards._strength_kernels import BoardScratch, count_board, sort_board
from doyle.cards.ranking import RankTables
from doyle.cards.suits._board_kernels import find_board

NO_STRENGTH = np.uint16(65535)

Array: TypeAlias = NDArray[Any]


@kernel
def river_strength(
    tables: RankTables,
    boards: Array,
    rows: Array,
    holes: Array,
    scratch: BoardScratch,
    counts: Array,
    strength: Array,
) -> None:
    """Write 2 * wins + ties of each hand on boards[rows] into uint16[boards, 1326].

    counts is int32[3, 1326] of scratch; holes that share a card with the board get 65535.
    """
    board = np.empty(5, np.uint8)
    for place in range(len(rows)):
        row = rows[place]
        taken = np.int64(0)
        for card in range(5):
            board[card] = boards[row, card]
            taken |= np.int64(1) << np.int64(boards[row, card])
        sort_board(tables, board, scratch)
        count_board(scratch, counts[0], counts[1], counts[2])
        for hole in range(1326):
            low = (taken >> np.int64(holes[hole, 0])) & 1
            high = (taken >> np.int64(holes[hole, 1])) & 1
            if low | high:
                strength[row, hole] = NO_STRENGTH
            else:
                strength[row, hole] = np.uint16(2 * counts[0, hole] + counts[1, hole])


@kernel
def turn_sums(
    boards: Array,
    rows: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    hole_maps: Array,
    sums: Array,
) -> None:
    """Sum strengths and their squares over the 46 rivers of each hand of the turn boards[rows].

    sums is uint32[2, boards, 1326], with 0 where hole and board share a card.
    """
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    first, second = np.empty(1326, np.uint32), np.empty(1326, np.uint32)
    values = np.empty(1326, np.uint32)
    for place in range(len(rows)):
        row = rows[place]
        first[:] = 0
        second[:] = 0
        for river in range(52):
            if not _add_card(boards[row], 4, river, cards):
                continue
            code = find_board(cards, 5, river_table, binomials, scratch)
            _gather(strength, code, hole_maps, values)
            for hole in range(1326):  # apart from the gathering: this loop is vectorised
                first[hole] += values[hole]
                second[hole] += values[hole] * values[hole]
        sums[0, row] = first
        sums[1, row] = second


@kernel
def turn_cubes(
    boards: Array,
    rows: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    hole_maps: Array,
    sums: Array,
) -> None:
    """As `turn_sums` for third powers: sums is uint64[1, boards, 1326]."""
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    total = np.empty(1326, np.uint64)
    values = np.empty(1326, np.uint32)
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        for river in range(52):
            if not _add_card(boards[row], 4, river, cards):
                continue
            code = find_board(cards, 5, river_table, binomials, scratch)
            _gather(strength, code, hole_maps, values)
            for hole in range(1326):
                value = np.uint64(values[hole])
                total[hole] += value * value * value
        sums[0, row] = total


@kernel
def _add_card(board: Array, count: int, card: int, cards: Array) -> Any:
    """Write board[:count] and then the card into `cards`; False if the board has it."""
    for place in range(count):
        cards[place] = board[place]
        if board[place] == card:
            return False
    cards[count] = card
    return True


@kernel
def _gather(strength: Array, code: Any, hole_maps: Array, values: Array) -> None:
    """Write the strengths of all holes on the board of `code` into values; 0 on collisions."""
    source = np.uint64(code >> 5)
    permutation = np.uint64(code & 31)
    for column in range(np.uint64(1326)):
        hole = np.uint64(column)
        value = strength[source, np.uint64(hole_maps[permutation, hole])]
        values[hole] = np.uint32(0) if value == NO_STRENGTH else np.uint32(value)


@kernel
def flop_sums(
    flops: Array,
    rows: Array,
    turn: Array,
    turn_table: Array,
    binomials: Array,
    hole_maps: Array,
    total: Array,
    sums: Array,
) -> None:
    """Sum turn[turn boards, 1326] over the turns of each hand of flops[rows], halved: each pair of
    turn and river comes in two orders. total is scratch uint64[1326]; sums is [flops, 1326]."""
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        for card in range(52):
            if not _add_card(flops[row], 3, card, cards):
                continue
            code = find_board(cards, 4, turn_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for column in range(1326):
                hole = np.uint64(column)
                total[hole] += np.uint64(turn[source, np.uint64(hole_maps[permutation, hole])])
        for column in range(1326):
            sums[row, column] = total[column] >> np.uint64(1)


@kernel
def river_matrix(
    board: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    maps: Array,
    matrix: Array,
) -> None:
    """Fill matrix[1326, 48] with the strengths of each hole on the rivers of board[4]."""
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    place = np.uint64(0)
    for river in range(52):
        if not _add_card(board, 4, river, cards):
            continue
        code = find_board(cards, 5, river_table, binomials, scratch)
        source = np.uint64(code >> 5)
        permutation = np.uint64(code & 31)
        for column in range(np.uint64(1326)):
            hole = np.uint64(column)
            matrix[hole, place] = strength[source, np.uint64(maps[permutation, hole])]
        place += np.uint64(1)


@kernel
def turn_histograms(
    boards: Array,
    rows: Array,
    index: Array,
    first: Array,
    strength: Array,
    bins: Array,
    river_table: Array,
    binomials: Array,
    maps: Array,
    matrix: Array,
    out: Array,
) -> None:
    """Count the 46 rivers of each hand of the turn boards[rows] by bins[strength] (int64[1981]).

    index[boards, 1326] numbers the hands; first[hand] is the hole that counts for it; matrix is
    scratch uint16[1326, 48]; out is [hands, number of bins].
    """
    for place in range(len(rows)):
        row = rows[place]
        river_matrix(boards[row], strength, river_table, binomials, maps, matrix)
        for hole in range(1326):
            hand = index[row, hole]
            if hand < 0 or first[hand] != hole:
                continue
            for bin in range(out.shape[1]):
                out[hand, bin] = 0
            for river in range(48):
                value = matrix[hole, river]
                if value != NO_STRENGTH:
                    out[hand, bins[np.uint64(value)]] += 1


@kernel
def flop_transitions(
    flops: Array,
    rows: Array,
    index: Array,
    first: Array,
    turn_index: Array,
    clusters: Array,
    turn_table: Array,
    binomials: Array,
    maps: Array,
    out: Array,
) -> None:
    """Count the 47 turns of each hand of flops[rows] by clusters[turn hand] into out[hands, :]."""
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    for place in range(len(rows)):
        row = rows[place]
        for hole in range(1326):
            hand = index[row, hole]
            if hand >= 0 and first[hand] == hole:
                out[hand, :] = 0
        for card in range(52):
            if not _add_card(flops[row], 3, card, cards):
                continue
            code = find_board(cards, 4, turn_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for hole in range(1326):
                hand = index[row, hole]
                if hand >= 0 and first[hand] == hole:
                    turn = turn_index[source, np.uint64(maps[permutation, hole])]
                    if turn >= 0:
                        out[hand, clusters[turn]] += 1


@kernel
def flop_histograms(
    flops: Array,
    rows: Array,
    index: Array,
    first: Array,
    turn_index: Array,
    turn: Array,
    turn_table: Array,
    binomials: Array,
    maps: Array,
    out: Array,
) -> None:
    """Add turn[turn hands, bins] over the turns of each hand of flops[rows], halved, into
    out[flop hands, bins]."""
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    bins = out.shape[1]
    total = np.empty((1326, bins), np.int64)
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        for card in range(52):
            if not _add_card(flops[row], 3, card, cards):
                continue
            code = find_board(cards, 4, turn_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for hole in range(1326):
                hand = index[row, hole]
                if hand >= 0 and first[hand] == hole:
                    other = turn_index[source, np.uint64(maps[permutation, hole])]
                    if other >= 0:
                        for bin in range(bins):
                            total[hole, bin] += turn[other, bin]
        for hole in range(1326):
            hand = index[row, hole]
            if hand >= 0 and first[hand] == hole:
                for bin in range(bins):
                    out[hand, bin] = total[hole, bin] >> 1
