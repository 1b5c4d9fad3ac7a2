"""Compiled sums over run-outs. Every row of an output is written by the call that owns it."""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import Array, inlined_kernel, kernel
from doyle.cards._strength_kernels import BoardScratch, count_board, sort_board
from doyle.cards.ranking import RankTables
from doyle.cards.suits._board_kernels import NextBoards, next_codes

NO_STRENGTH = np.uint16(65535)


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
    boards: Array, rows: Array, strength: Array, following: NextBoards, sums: Array
) -> None:
    """Sum powers of strength over the 46 rivers of each hand of the turn boards[rows].

    sums is uint32[2, boards, 1326] for the first two powers or uint64[1, boards, 1326] for the third,
    with 0 where hole and board share a card.
    """
    codes, values = np.empty(52, np.int64), np.empty(1326, sums.dtype)
    total = np.empty((len(sums), 1326), sums.dtype)
    first, last = total[0], total[len(sums) - 1]
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        next_codes(boards[row], following, codes)
        for river in range(52):
            if codes[river] < 0:
                continue
            _gather(strength, codes[river], following.hole_maps, values)
            if len(sums) == 1:
                for hole in range(1326):  # apart from the gathering: these loops are vectorised
                    last[hole] += values[hole] * values[hole] * values[hole]
            else:
                for hole in range(1326):
                    first[hole] += values[hole]
                    last[hole] += values[hole] * values[hole]
        sums[:, row] = total


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
    flops: Array, rows: Array, turn: Array, following: NextBoards, total: Array, sums: Array
) -> None:
    """Sum turn[turn boards, 1326] over the turns of each hand of flops[rows], halved: each pair of
    turn and river comes in two orders. total is scratch uint64[1326]; sums is [flops, 1326]."""
    codes = np.empty(52, np.int64)
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        next_codes(flops[row], following, codes)
        for card in range(52):
            if codes[card] < 0:
                continue
            source = np.uint64(codes[card] >> 5)
            permutation = np.uint64(codes[card] & 31)
            for column in range(1326):
                hole = np.uint64(column)
                mapped = np.uint64(following.hole_maps[permutation, hole])
                total[hole] += np.uint64(turn[source, mapped])
        for column in range(1326):
            sums[row, column] = total[column] >> np.uint64(1)


@kernel
def river_matrix(board: Array, strength: Array, following: NextBoards, matrix: Array) -> None:
    """Fill matrix[1326, 48] with the strengths of each hole on the rivers of board[4]."""
    codes = np.empty(52, np.int64)
    next_codes(board, following, codes)
    place = np.uint64(0)
    for river in range(52):
        if codes[river] < 0:
            continue
        source = np.uint64(codes[river] >> 5)
        permutation = np.uint64(codes[river] & 31)
        for column in range(np.uint64(1326)):
            hole = np.uint64(column)
            mapped = np.uint64(following.hole_maps[permutation, hole])
            matrix[hole, place] = strength[source, mapped]
        place += np.uint64(1)


@inlined_kernel
def count_rivers_of(matrix: Array, hole: Any, bins: Array, counts: Array) -> Any:
    """Count the rivers of a hole by bins[strength] (int64[1981]) into counts; how many there are."""
    for bin in range(counts.shape[0]):
        counts[bin] = 0
    rivers = 0
    for river in range(48):
        value = matrix[np.uint64(hole), np.uint64(river)]
        if value != NO_STRENGTH:
            counts[bins[np.uint64(value)]] += 1
            rivers += 1
    return rivers


@kernel
def turn_histograms(
    boards: Array,
    rows: Array,
    starts: Array,
    holes: Array,
    strength: Array,
    bins: Array,
    following: NextBoards,
    matrix: Array,
    out: Array,
) -> None:
    """Count the 46 rivers of each hand of the turn boards[rows] by bins[strength] (int64[1981]).

    The hands of a row are starts[row] to starts[row + 1], each on holes[hand]; matrix is scratch
    uint16[1326, 48]; out is [hands, number of bins].
    """
    for place in range(len(rows)):
        row = rows[place]
        river_matrix(boards[row], strength, following, matrix)
        for hand in range(starts[row], starts[row + 1]):
            count_rivers_of(matrix, holes[hand], bins, out[hand])


@kernel
def flop_transitions(
    flops: Array,
    rows: Array,
    starts: Array,
    holes: Array,
    turn_index: Array,
    clusters: Array,
    following: NextBoards,
    out: Array,
) -> None:
    """Count the 47 turns of each hand of flops[rows] by clusters[turn hand] into out[hands, :]."""
    codes = np.empty(52, np.int64)
    for place in range(len(rows)):
        row = rows[place]
        out[starts[row] : starts[row + 1]] = 0
        next_codes(flops[row], following, codes)
        for card in range(52):
            if codes[card] < 0:
                continue
            source = np.uint64(codes[card] >> 5)
            permutation = np.uint64(codes[card] & 31)
            for hand in range(starts[row], starts[row + 1]):
                turn = turn_index[source, np.uint64(following.hole_maps[permutation, holes[hand]])]
                if turn >= 0:
                    out[hand, clusters[turn]] += 1


@kernel
def flop_histograms(
    flops: Array,
    rows: Array,
    starts: Array,
    holes: Array,
    turn_index: Array,
    turn: Array,
    following: NextBoards,
    out: Array,
) -> None:
    """Add turn[turn hands, bins] over the turns of each hand of flops[rows], halved, into
    out[flop hands, bins]."""
    codes = np.empty(52, np.int64)
    bins = out.shape[1]
    total = np.empty((1326, bins), np.int64)
    for place in range(len(rows)):
        row = rows[place]
        start, count = np.uint64(starts[row]), starts[row + 1] - starts[row]
        total[:count] = 0
        next_codes(flops[row], following, codes)
        for card in range(52):
            if codes[card] < 0:
                continue
            source = np.uint64(codes[card] >> 5)
            permutation = np.uint64(codes[card] & 31)
            for number in range(np.uint64(count)):
                hole = np.uint64(holes[start + number])
                other = turn_index[source, np.uint64(following.hole_maps[permutation, hole])]
                if other >= 0:
                    for bin in range(bins):
                        total[number, bin] += turn[other, bin]
        for number in range(np.uint64(count)):
            for bin in range(bins):
                out[start + number, bin] = total[number, bin] >> 1
