"""Compiled counting of hands by bucket and value, the assignment of buckets, transition tables of boards.

A population's row `i` holds the 1,326 holes of one board: codes[i] (the bucket so far, -1 where hole
and board share a card), sources[i] (32 * row in the table of values + the permutation to apply to
holes), weights[i] (deals per hand).
"""

from __future__ import annotations

import numpy as np

from doyle.abstractions.cards.strength._atlas_kernels import NO_STRENGTH, river_matrix
from doyle.base._numba import Array, kernel
from doyle.cards.suits._board_kernels import NextBoards


@kernel
def count_level(
    codes: Array,
    sources: Array,
    weights: Array,
    values: Array,
    maps: Array,
    chain: Array,
    offsets: Array,
    shifts: Array,
    bits: Array,
    histogram: Array,
) -> None:
    """Add the weights of hands into histogram[slots, bins] by one group of bits of their values.

    A hand's slot is its code at first; at each earlier level, slot and bits lead through
    chain[offsets[level] + (slot << bits[level]) + bin] to the next slot, or to -1: not wanted.
    """
    last = len(shifts) - 1
    for row in range(len(codes)):
        source = np.uint64(sources[row] >> 5)
        permutation = np.uint64(sources[row] & 31)
        weight = weights[row]
        for hole in range(1326):
            slot = np.int64(codes[row, hole])
            if slot < 0:
                continue
            value = np.int64(values[source, np.uint64(maps[permutation, hole])])
            for level in range(last):
                bin = (value >> shifts[level]) & ((np.int64(1) << bits[level]) - 1)
                slot = np.int64(chain[offsets[level] + (slot << bits[level]) + bin])
                if slot < 0:
                    break
            if slot >= 0:
                bin = (value >> shifts[last]) & ((np.int64(1) << bits[last]) - 1)
                histogram[slot, bin] += weight


@kernel
def locate(cumulative: Array, slots: Array, needs: Array, bins: Array, below: Array) -> None:
    """For each target find the first bin of cumulative[slot] above needs, and the mass below it."""
    for target in range(len(slots)):
        row = slots[target]
        low, high = 0, cumulative.shape[1] - 1
        while low < high:
            middle = (low + high) >> 1
            if cumulative[row, middle] > needs[target]:
                high = middle
            else:
                low = middle + 1
        bins[target] = low
        below[target] = cumulative[row, low - 1] if low > 0 else 0


@kernel
def divide(
    codes: Array, sources: Array, values: Array, maps: Array, thresholds: Array, buckets: int
) -> None:
    """Replace each code by code * buckets + the number of thresholds[code] at or below the value.

    thresholds[1, buckets - 1] serves all codes alike.
    """
    shared = len(thresholds) == 1
    for row in range(len(codes)):
        source = np.uint64(sources[row] >> 5)
        permutation = np.uint64(sources[row] & 31)
        for hole in range(1326):
            code = np.int64(codes[row, hole])
            if code < 0:
                continue
            value = np.int64(values[source, np.uint64(maps[permutation, hole])])
            key = 0 if shared else code
            low, high = 0, buckets - 1
            while low < high:
                middle = (low + high) >> 1
                if thresholds[key, middle] <= value:
                    low = middle + 1
                else:
                    high = middle
            codes[row, hole] = code * buckets + low


@kernel
def add_masses(codes: Array, weights: Array, masses: Array) -> None:
    """Add the weights of hands into masses[codes]."""
    for row in range(len(codes)):
        for hole in range(1326):
            if codes[row, hole] >= 0:
                masses[codes[row, hole]] += weights[row]


@kernel
def count_rivers(
    boards: Array,
    codes: Array,
    groups: Array,
    weights: Array,
    strength: Array,
    following: NextBoards,
    matrix: Array,
    counts: Array,
) -> None:
    """Add into counts[groups * 1981 + strength] over all rivers of all hands on some turn boards.

    Entry i is the turn board boards[codes[i] >> 5], with groups[i, hole] (1981 times the hand's
    group, negative on collisions) for holes that the permutation codes[i] & 31 takes to it. Entries
    of one board should follow each other: they share the scratch matrix uint16[1326, 48].
    """
    present = np.int64(-1)
    for entry in range(len(codes)):
        row = np.int64(codes[entry] >> 5)
        permutation = np.uint64(codes[entry] & 31)
        weight = weights[entry]
        if row != present:
            river_matrix(boards[row], strength, following, matrix)
            present = row
        for column in range(1326):
            group = groups[np.uint64(entry), np.uint64(column)]
            if group < 0:
                continue
            start = np.uint64(group)
            hole = np.uint64(following.hole_maps[permutation, np.uint64(column)])
            for river in range(np.uint64(48)):
                value = matrix[hole, np.uint64(river)]
                if value != NO_STRENGTH:
                    counts[start + np.uint64(value)] += weight


@kernel
def count_strengths(strength: Array, rows: Array, weights: Array, counts: Array) -> None:
    """Add the weights of all hands on strength[rows, 1326] into counts[1981]."""
    for place in range(len(rows)):
        row = rows[place]
        weight = weights[row]
        for hole in range(1326):
            value = strength[row, hole]
            if value != NO_STRENGTH:
                counts[np.uint64(value)] += weight


@kernel
def count_transitions(
    before: Array, before_rows: Array, after: Array, after_codes: Array, maps: Array, counts: Array
) -> None:
    """Count hands of each board by (bucket before, bucket after) into counts[boards, A, B].

    before[before_rows[i], hole] and after[row, permuted hole] with after_codes[i] = 32 * row +
    permutation; negative buckets are collisions.
    """
    for board in range(len(counts)):
        first = before_rows[board]
        second = np.uint64(after_codes[board] >> 5)
        permutation = np.uint64(after_codes[board] & 31)
        for hole in range(1326):
            start = before[first, hole]
            end = after[second, np.uint64(maps[permutation, hole])]
            if start >= 0 and end >= 0:
                counts[board, start, end] += 1
