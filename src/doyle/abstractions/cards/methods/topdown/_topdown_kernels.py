"""Compiled walks over every (flop, turn card) sequence and hole, for top-down abstractions.

A hole's flop bucket is its parent; its features or value are those of the turn hand, which does not
know which three cards came first. flop is int32[flops, 1326] with -1 on collisions; turn_code is
32 * turn row + the permutation of suits that leads there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import kernel

Array = Any


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
