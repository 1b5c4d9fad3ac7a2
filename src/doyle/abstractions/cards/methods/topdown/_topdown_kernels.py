"""Compiled walks over every (flop, turn card) sequence and hole, for top-down abstractions.

A hole's flop bucket is its parent; its features or value are those of the turn hand, which does not
know which three cards came first. flop is int32[flops, 1326] with -1 on collisions; turn_code is 32 *
turn row + the permutation of suits that leads there. For GS3 turn hands are histograms of their rivers
over clusters of their own group: bins[groups, 1981] is the cluster of each river strength, and work
goes turn board by turn board, so that the strengths of all rivers of a board are gathered once.
"""

from __future__ import annotations

import numpy as np

from doyle.abstractions.cards.strength._atlas_kernels import count_rivers_of, river_matrix
from doyle.base._numba import Array, kernel
from doyle.cards.suits._board_kernels import NextBoards


@kernel
def sample_turns(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    weights: Array,
    hole_maps: Array,
    flop: Array,
    turn_index: Array,
    targets: Array,
    passed: Array,
    filled: Array,
    out: Array,
) -> None:
    """Fill out[parents, samples] with the turn hands at which the running mass of each parent passes
    its ascending targets[parents, samples]; passed and filled [parents] start at 0."""
    samples = targets.shape[1]
    for place in range(len(rows)):
        row = rows[place]
        above = flop_row[row]
        source = turn_code[row] >> 5
        permutation = turn_code[row] & 31
        for hole in range(1326):
            parent = flop[above, hole]
            if parent < 0:
                continue
            hand = turn_index[source, hole_maps[permutation, hole]]
            if hand < 0:
                continue
            passed[parent] += weights[row]
            while filled[parent] < samples and targets[parent, filled[parent]] < passed[parent]:
                out[parent, filled[parent]] = hand
                filled[parent] += 1


@kernel
def assign_turns(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    hole_maps: Array,
    flop: Array,
    turn_index: Array,
    features: Array,
    centroids: Array,
    starts: Array,
    out: Array,
) -> None:
    """Write out[rows, 1326]: the nearest of the parent's children, centroids[starts[parent] :
    starts[parent + 1]] (float32), to features[turn hand]; -1 on collisions."""
    width = np.uint64(centroids.shape[1])
    values = np.empty(centroids.shape[1], np.float32)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        above = np.uint64(flop_row[row])
        source = np.uint64(turn_code[row] >> 5)
        permutation = np.uint64(turn_code[row] & 31)
        for column in range(1326):
            hole = np.uint64(column)
            parent = flop[above, hole]
            out[row, hole] = -1
            if parent < 0:
                continue
            hand = turn_index[source, np.uint64(hole_maps[permutation, hole])]
            if hand < 0:
                continue
            for j in range(width):
                values[j] = np.float32(features[np.uint64(hand), j])
            best = starts[np.uint64(parent)]
            least = np.float32(np.inf)
            for child in range(best, starts[np.uint64(parent) + np.uint64(1)]):
                total = np.float32(0.0)
                for j in range(width):
                    gap = values[j] - centroids[np.uint64(child), j]
                    total += gap * gap
                if total < least:
                    least = total
                    best = child
            out[row, hole] = best


@kernel
def count_turn_values(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    weights: Array,
    hole_maps: Array,
    flop: Array,
    values: Array,
    turn_index: Array,
    counts: Array,
) -> None:
    """Add to counts[parents, values] the deals of each parent by values[turn row, hole]."""
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        above = np.uint64(flop_row[row])
        source = np.uint64(turn_code[row] >> 5)
        permutation = np.uint64(turn_code[row] & 31)
        for column in range(1326):
            parent = flop[above, np.uint64(column)]
            hole = np.uint64(hole_maps[permutation, np.uint64(column)])
            if parent >= 0 and turn_index[source, hole] >= 0:
                counts[np.uint64(parent), np.uint64(values[source, hole])] += weights[row]


@kernel
def assign_turn_values(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    hole_maps: Array,
    flop: Array,
    values: Array,
    turn_index: Array,
    rule: Array,
    out: Array,
) -> None:
    """Write out[rows, 1326] = rule[parent, value]; -1 on collisions."""
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        above = np.uint64(flop_row[row])
        source = np.uint64(turn_code[row] >> 5)
        permutation = np.uint64(turn_code[row] & 31)
        for column in range(1326):
            parent = flop[above, np.uint64(column)]
            hole = np.uint64(hole_maps[permutation, np.uint64(column)])
            out[row, np.uint64(column)] = -1
            if parent >= 0 and turn_index[source, hole] >= 0:
                out[row, np.uint64(column)] = rule[
                    np.uint64(parent), np.uint64(values[source, hole])
                ]


@kernel
def assign_classes(
    rows: Array,
    holes: Array,
    sequences: Array,
    turn_code: Array,
    hole_maps: Array,
    kinds: Array,
    siblings: Array,
    classes: Array,
    out: Array,
) -> None:
    """Write out[sequences, 1326] for the flop hands (rows[i], holes[i]): the class of each turn hand.

    The sequences of a flop row are sequences[row] : sequences[row + 1]; kinds[turn row, hole] is -1 on
    collisions; classes[i] is the class of the kind siblings[i], which ascend.
    """
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        hole = np.uint64(holes[place])
        for number in range(sequences[row], sequences[row + np.uint64(1)]):
            code = turn_code[np.uint64(number)]
            column = np.uint64(hole_maps[np.uint64(code & 31), hole])
            kind = kinds[np.uint64(code >> 5), column]
            if kind < 0:
                continue
            low, high = np.int64(0), np.int64(len(siblings)) - 1
            while low < high:
                middle = (low + high) >> 1
                if siblings[np.uint64(middle)] < kind:
                    low = middle + 1
                else:
                    high = middle
            out[np.uint64(number), hole] = classes[np.uint64(low)]


@kernel
def greedy_intervals(counts: Array, longest: int, rule: Array, starts: Array) -> None:
    """Divide each row's values that occur (counts[rows, values] > 0), from the least on, into intervals.

    An interval begins at a value that occurs and holds those at most `longest` above it. rule[rows,
    values] is its number, counted over all rows; values that do not occur go with the one before. A
    row's numbers are starts[row] : starts[row + 1]; a row without values has one.
    """
    following = np.int64(0)
    for row in range(counts.shape[0]):
        starts[row] = following
        first = np.int64(-1)
        number = following
        for value in range(counts.shape[1]):
            if counts[row, value] > 0:
                if first >= 0 and value - first > longest:
                    number += 1
                    first = np.int64(value)
                elif first < 0:
                    first = np.int64(value)
            rule[row, value] = number
        following = number + 1
    starts[counts.shape[0]] = following


@kernel
def river_histograms(
    boards: Array,
    rows: Array,
    holes: Array,
    groups: Array,
    bins: Array,
    strength: Array,
    following: NextBoards,
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
            river_matrix(boards[last], strength, following, matrix)
        count_rivers_of(matrix, holes[place], bins[groups[place]], out[place])


@kernel
def assign_turn_boards(
    rows: Array,
    flop_row: Array,
    turn_code: Array,
    flop: Array,
    bins: Array,
    centroids: Array,
    starts: Array,
    boards: Array,
    strength: Array,
    following: NextBoards,
    matrix: Array,
    out: Array,
) -> None:
    """Write out[rows, 1326]: the nearest of the children centroids[starts[f] : starts[f + 1]]
    (float32) of a hole's flop bucket f to its rivers by bins[f]; -1 on collisions.

    rows are sequences of flop and turn card, those of one turn board in a run.
    """
    width = np.uint64(centroids.shape[1])
    values = np.empty(centroids.shape[1], np.float32)
    last = -1
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        permutation = np.uint64(turn_code[row] & 31)
        if turn_code[row] >> 5 != last:
            last = turn_code[row] >> 5
            river_matrix(boards[last], strength, following, matrix)
        for column in range(1326):
            hole = np.uint64(column)
            parent = flop[np.uint64(flop_row[row]), hole]
            out[row, hole] = -1
            if parent < 0:
                continue
            mapped = np.uint64(following.hole_maps[permutation, hole])
            if not count_rivers_of(matrix, mapped, bins[np.uint64(parent)], values):
                continue
            best = starts[np.uint64(parent)]
            least = np.float32(np.inf)
            for child in range(best, starts[np.uint64(parent) + np.uint64(1)]):
                total = np.float32(0.0)
                for j in range(width):
                    gap = values[j] - centroids[np.uint64(child), j]
                    total += gap * gap
                if total < least:
                    least = total
                    best = child
            out[row, hole] = best
