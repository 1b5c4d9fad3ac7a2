"""Compiled values of a betting round: one seat's range against one hand, along a `RoundPlan`.

Twins: `RoundValues`, which queries the policies at every history.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

RANGE_ACTS, HAND_ACTS, FOLDED, COMPARED = range(4)
"""Kinds of nodes: a decision of the range's or of the hand's seat, or a leaf."""

KIND, AMOUNT, PARENT, END, FIRST_ROW, LAST_ROW, FIRST_SLOT, LAST_SLOT = range(8)
FIRST_RANGE_STEP, LAST_RANGE_STEP, FIRST_HAND_STEP, LAST_HAND_STEP = range(8, 12)
NODE_WIDTH = 12
"""Columns of nodes, in depth-first order: chips at a leaf, the node after the subtree, where the rows of
the range and the slots of the hand begin and end among those listed, and the steps into the node."""

SOURCE, TARGET, ADDS, START = range(4)
"""Columns of steps: from which row or slot to which, whether it is added, and where the strategy's column
begins (below 0: none)."""


@kernel
def range_step(
    source: Floats,
    target: Floats,
    share: float,
    column: Floats,
    buckets: npt.NDArray[np.int32],
    count: int,
    adds: bool,
) -> None:
    """Write (or add) source[h] times share times column[bucket of h]."""
    for hand in range(count):
        here = np.uint64(hand)
        weight = source[here] * share * column[np.uint64(buckets[here])]
        target[here] = target[here] + weight if adds else weight


@kernel
def plain_step(source: Floats, target: Floats, share: float, count: int, adds: bool) -> None:
    """Write (or add) source[h] times share."""
    for hand in range(count):
        here = np.uint64(hand)
        target[here] = target[here] + share * source[here] if adds else share * source[here]


@kernel
def step_range(
    begin: int,
    end: int,
    steps: Ints,
    shares: Floats,
    table: Floats,
    buckets: npt.NDArray[np.int32],
    rows: Floats,
) -> None:
    """Compute the rows of a node from those of its parent."""
    count = buckets.size
    for step in range(begin, end):
        source, target = rows[steps[step, SOURCE]], rows[steps[step, TARGET]]
        adds, start = steps[step, ADDS] > 0, steps[step, START]
        if start < 0:
            plain_step(source, target, shares[step], count, adds)
        else:
            range_step(source, target, shares[step], table[start:], buckets, count, adds)


@kernel
def step_hand(
    begin: int, end: int, steps: Ints, shares: Floats, table: Floats, bucket: int, slots: Floats
) -> None:
    """Compute the weights of the hand at a node from those at its parent."""
    for step in range(begin, end):
        weight = slots[steps[step, SOURCE]] * shares[step]
        if steps[step, START] >= 0:
            weight *= table[steps[step, START] + bucket]
        if steps[step, ADDS] > 0:
            weight += slots[steps[step, TARGET]]
        slots[steps[step, TARGET]] = weight


@kernel
def run_round(
    nodes: Ints,
    listed: Ints,
    calls: npt.NDArray[np.bool_],
    steps: Ints,
    shares: Floats,
    tables: tuple[Floats, Floats],
    buckets: npt.NDArray[np.int32],
    bucket: int,
    rows: Floats,
    slots: Floats,
    values: Floats,
    masses: Floats,
    chances: Floats,
) -> None:
    """Write values, masses and chances [nodes]: with the reach of the range, and the hand there for sure.

    tables: of the range's seat, of the hand's; bucket: of the hand. buckets int32[2b]: those of the range, twice.
    rows float64[rows, 2b at least] hold at the first node the weight of the range's hands by
    bucket, followed by the same with each hand multiplied by its showdown winnings; slots
    float64[slots] the weights of the hand. A node is not visited, and has chance 0, if no hand of
    the range gets there or the hand never does.
    """
    half, node = buckets.size // 2, 0
    while node < len(nodes):
        begin, end = nodes[node, FIRST_ROW], nodes[node, LAST_ROW]
        parent = nodes[node, PARENT]
        steps_begin, steps_end = nodes[node, FIRST_RANGE_STEP], nodes[node, LAST_RANGE_STEP]
        values[node] = 0.0
        if parent < 0:
            chances[node] = 1.0
        elif nodes[parent, KIND] == RANGE_ACTS:
            chances[node] = 1.0
            first, last = nodes[node, FIRST_HAND_STEP], nodes[node, LAST_HAND_STEP]
            step_hand(first, last, steps, shares, tables[1], bucket, slots)
        if chances[node] > 0.0:
            step_range(steps_begin, steps_end, steps, shares, tables[0], buckets, rows)
            if parent >= 0 and nodes[parent, KIND] == HAND_ACTS:
                masses[node] = masses[parent]
            else:
                mass = 0.0
                for place in range(begin, end):
                    row = rows[listed[place]]
                    for place_of_bucket in range(half):
                        mass += row[np.uint64(place_of_bucket)]
                masses[node] = mass
        if not (chances[node] > 0.0 and masses[node] > 0.0):
            after = nodes[node, END]
            for skipped in range(node, after):
                chances[skipped] = values[skipped] = masses[skipped] = 0.0
            node = after
            continue
        kind = nodes[node, KIND]
        if kind == FOLDED:
            values[node] = nodes[node, AMOUNT] * masses[node]
        elif kind == COMPARED:
            total = 0.0
            for place in range(begin, end):
                row = rows[listed[place]]
                for place_of_bucket in range(half, 2 * half):
                    total += row[np.uint64(place_of_bucket)]
            values[node] = nodes[node, AMOUNT] * total
        elif kind == HAND_ACTS:
            give_chances(
                node, nodes, listed, calls, steps, shares, tables[1], bucket, slots, chances
            )
        node += 1
    for later in range(len(nodes) - 1, 0, -1):
        if chances[later] > 0.0:
            values[nodes[later, PARENT]] += chances[later] * values[later]


@kernel
def give_chances(
    node: int,
    nodes: Ints,
    listed: Ints,
    calls: npt.NDArray[np.bool_],
    steps: Ints,
    shares: Floats,
    table: Floats,
    bucket: int,
    slots: Floats,
    chances: Floats,
) -> None:
    """Write the chance of every child of a decision of the hand; with zero reach it calls."""
    total, child = 0.0, node + 1
    while child < nodes[node, END]:
        first, last = nodes[child, FIRST_HAND_STEP], nodes[child, LAST_HAND_STEP]
        step_hand(first, last, steps, shares, table, bucket, slots)
        chances[child] = 0.0
        for place in range(nodes[child, FIRST_SLOT], nodes[child, LAST_SLOT]):
            chances[child] += slots[listed[place]]
        total += chances[child]
        child = nodes[child, END]
    child = node + 1
    while child < nodes[node, END]:
        if total > 0.0:
            chances[child] /= total
        else:
            chances[child] = 1.0 if calls[child] else 0.0
        child = nodes[child, END]
