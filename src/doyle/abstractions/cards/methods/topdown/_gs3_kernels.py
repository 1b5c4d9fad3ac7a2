"""Compiled walks for GS3: turn hands as histograms of their rivers over clusters of their own group.

bins[groups, 1981] is the cluster of each river strength in each group. Work goes turn board by turn
board, so that the strengths of all rivers of a board are gathered once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.abstractions.cards.strength._atlas_kernels import NO_STRENGTH, river_matrix
from doyle.base._numba import kernel

Array = Any


@kernel
def river_histograms(
    boards: Array,
    rows: Array,
    holes: Array,
    groups: Array,
    bins: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    maps: Array,
    matrix: Array,
    out: Array,
) -> None:
    """Write out[i, :], the rivers of holes[i] on the turn boards[rows[i]] by bins[groups[i]].

    Rows must come in runs of the same board; matrix is scratch uint16[1326, 48].
    """
    last = -1
    for place in range(len(rows)):
        if rows[place] != last:
            last = rows[place]
            river_matrix(boards[last], strength, river_table, binomials, maps, matrix)
        out[place, :] = 0
        group = np.uint64(groups[place])
        hole = np.uint64(holes[place])
        for river in range(48):
            value = matrix[hole, river]
            if value != NO_STRENGTH:
                out[place, bins[group, np.uint64(value)]] += 1


@kernel
def assign_turns(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    flop: Array,
    bins: Array,
    centroids: Array,
    starts: Array,
    boards: Array,
    strength: Array,
    river_table: Array,
    binomials: Array,
    maps: Array,
    matrix: Array,
    out: Array,
) -> None:
    """Write out[rows, 1326]: the nearest of the children centroids[starts[f] : starts[f + 1]]
    (float32) of a hole's flop bucket f to its rivers by bins[f]; -1 on collisions.

    rows are sequences of flop and turn card, those of one turn board in a run.
    """
    width = centroids.shape[1]
    counts = np.empty(width, np.float32)
    last = -1
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        source = turn_code[row] >> 5
        permutation = np.uint64(turn_code[row] & 31)
        if source != last:
            last = source
            river_matrix(boards[last], strength, river_table, binomials, maps, matrix)
        for column in range(1326):
            hole = np.uint64(column)
            parent = flop[np.uint64(flop_row[row]), hole]
            out[row, hole] = -1
            if parent < 0:
                continue
            mapped = np.uint64(maps[permutation, hole])
            counts[:] = 0.0
            rivers = 0
            for river in range(48):
                value = matrix[mapped, river]
                if value != NO_STRENGTH:
                    counts[bins[np.uint64(parent), np.uint64(value)]] += np.float32(1.0)
                    rivers += 1
            if rivers == 0:
                continue
            best = starts[np.uint64(parent)]
            least = np.float32(np.inf)
            for child in range(best, starts[np.uint64(parent) + np.uint64(1)]):
                total = np.float32(0.0)
                for j in range(width):
                    gap = counts[j] - centroids[np.uint64(child), j]
                    total += gap * gap
                if total < least:
                    least = total
                    best = child
            out[row, hole] = best
