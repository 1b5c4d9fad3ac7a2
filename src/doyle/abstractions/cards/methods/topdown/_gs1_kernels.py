"""Compiled loops of `gs1`: classes of turn hands spread over all cards; intervals of river strength."""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import kernel

Array = Any


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
