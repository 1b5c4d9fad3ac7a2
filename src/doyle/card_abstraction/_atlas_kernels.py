"""Compiled sums over run-outs. Every row of an output is written by the call that owns it."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle._numba import kernel
from doyle.card_abstraction._board_kernels import find_board
from doyle.cards._strength_kernels import BoardScratch, count_board, sort_board
from doyle.cards.ranking import RankTables

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
    powers: Array,
    river_table: Array,
    binomials: Array,
    hole_maps: Array,
    total: Array,
    sums: Array,
) -> None:
    """Sum powers[river strength] over the 46 rivers of each hand of the turn boards[rows].

    powers is uint64[65536] with 0 for collisions; total is scratch uint64[1326]; sums is
    [boards, 1326], with 0 where hole and board share a card.
    """
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    for place in range(len(rows)):
        row = rows[place]
        total[:] = 0
        for river in range(52):
            taken = False
            for card in range(4):
                cards[card] = boards[row, card]
                taken = taken or boards[row, card] == river
            if taken:
                continue
            cards[4] = river
            code = find_board(cards, 5, river_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for column in range(1326):
                hole = np.uint64(column)
                value = strength[source, np.uint64(hole_maps[permutation, hole])]
                total[hole] += powers[np.uint64(value)]
        for column in range(1326):
            sums[row, column] = total[column]


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
            if flops[row, 0] == card or flops[row, 1] == card or flops[row, 2] == card:
                continue
            for other in range(3):
                cards[other] = flops[row, other]
            cards[3] = card
            code = find_board(cards, 4, turn_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for column in range(1326):
                hole = np.uint64(column)
                total[hole] += np.uint64(turn[source, np.uint64(hole_maps[permutation, hole])])
        for column in range(1326):
            sums[row, column] = total[column] >> np.uint64(1)


@kernel
def turn_histograms(
    boards: Array,
    rows: Array,
    index: Array,
    first: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    maps: Array,
    width: int,
    out: Array,
) -> None:
    """Count river strengths in even bins of `width` for each hand of the turn boards[rows].

    index[boards, 1326] numbers the hands; first[hand] is the hole that counts for it; out is
    [hands, bins].
    """
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    last = out.shape[1] - 1
    for place in range(len(rows)):
        row = rows[place]
        for hole in range(1326):
            hand = index[row, hole]
            if hand >= 0 and first[hand] == hole:
                out[hand, :] = 0
        for river in range(52):
            taken = False
            for card in range(4):
                cards[card] = boards[row, card]
                taken = taken or boards[row, card] == river
            if taken:
                continue
            cards[4] = river
            code = find_board(cards, 5, river_table, binomials, scratch)
            source = np.uint64(code >> 5)
            permutation = np.uint64(code & 31)
            for hole in range(1326):
                hand = index[row, hole]
                if hand >= 0 and first[hand] == hole:
                    value = strength[source, np.uint64(maps[permutation, hole])]
                    if value != NO_STRENGTH:
                        out[hand, min(np.int64(value) // width, last)] += 1


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
            if flops[row, 0] == card or flops[row, 1] == card or flops[row, 2] == card:
                continue
            for other in range(3):
                cards[other] = flops[row, other]
            cards[3] = card
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
