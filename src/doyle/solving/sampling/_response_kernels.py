"""Compiled loops of responses by sampling: one deal at a time, against given tables.

Tables are laid out as those of `_sampling_kernels`. The other seat's table is read by regret matching,
so it may hold regrets or probabilities: matching probabilities gives the probabilities.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.packed_tree import (
    ACTOR,
    AMOUNT,
    CHILDREN,
    FIRST_CHILD,
    KIND,
    OFFSET,
    ROUND,
    PackedTree,
)
from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF
from doyle.base._numba import kernel
from doyle.solving.sampling._sampling_kernels import next_uniform


@kernel
def traverse(
    tree: PackedTree,
    regret: npt.NDArray[np.float32],
    other: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    averages: bool,
    buckets: npt.NDArray[np.int32],
    result: int,
    seat: int,
    opened: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    state: npt.NDArray[np.uint64],
) -> int:
    """Add the regrets of `seat` over one deal in place; returns nodes visited.

    buckets int32[2, rounds]; result +1, 0, -1 as seat 0 wins, ties or loses a showdown. The other seat
    draws its actions from `other`; with `averages` its sampling distribution is added to `average`.
    Buffers: opened int64[depth, 3], values float64[depth, widest].
    """
    nodes, children = tree.nodes, tree.children
    node, depth, visited = 0, 0, 0
    while True:
        # Step 1: go down to a leaf.
        while nodes[node, KIND] == DECISION:
            visited += 1
            level, count = nodes[node, ROUND], nodes[node, CHILDREN]
            actor = nodes[node, ACTOR]
            row = tree.base[level] + buckets[actor, level] * tree.width[level] + nodes[node, OFFSET]
            action = 0
            if actor == seat:
                opened[depth, 0] = node
                opened[depth, 1] = row
                opened[depth, 2] = 0
                depth += 1
            else:
                total, cumulative = 0.0, 0.0
                for column in range(count):
                    total += max(other[row + column], np.float32(0.0))
                threshold = next_uniform(state)
                for column in range(count):
                    share = 1.0 / count
                    if total > 0.0:
                        share = max(other[row + column], np.float32(0.0)) / total
                    cumulative += share
                    action += threshold >= cumulative
                    if averages:
                        average[row + column] += np.float32(share)
                action = min(action, count - 1)
            node = children[nodes[node, FIRST_CHILD] + action]
        visited += 1
        # Step 2: pass the leaf's value to the decisions above; close complete ones.
        value = float(nodes[node, AMOUNT] if seat == 0 else -nodes[node, AMOUNT])
        if nodes[node, KIND] != FOLD_LEAF:
            value *= result
        node = -1
        while depth > 0 and node < 0:
            frame = depth - 1
            parent, row, action = opened[frame, 0], opened[frame, 1], opened[frame, 2]
            count = nodes[parent, CHILDREN]
            values[frame, action] = value
            if action + 1 < count:
                opened[frame, 2] = action + 1
                node = children[nodes[parent, FIRST_CHILD] + action + 1]
                break
            total, weighted, plain = 0.0, 0.0, 0.0
            for column in range(count):
                positive = max(regret[row + column], np.float32(0.0))
                total += positive
                weighted += positive * values[frame, column]
                plain += values[frame, column]
            value = weighted / total if total > 0.0 else plain / count
            for column in range(count):
                regret[row + column] += np.float32(values[frame, column] - value)
            depth -= 1
        if node < 0:
            return visited


@kernel
def respond_deals(
    tree: PackedTree,
    regret: npt.NDArray[np.float32],
    free: npt.NDArray[np.float32],
    fixed: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    share: float,
    buckets: npt.NDArray[np.int32],
    results: npt.NDArray[np.int8],
    opened: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    state: npt.NDArray[np.uint64],
) -> int:
    """Both seats respond on every deal: regret, free and average are changed; returns nodes visited.

    buckets int32[n, 2, rounds], results int8[n]. In seat s the responder meets `fixed` with probability
    `share`, otherwise the opponent of `free`, which then responds to it; the responder's strategy
    is averaged. At a share of 1 there is no free opponent and no averaging.
    """
    visited = 0
    for deal in range(buckets.shape[0]):
        for seat in range(2):
            result = int(results[deal])
            if next_uniform(state) < share:
                visited += traverse(
                    tree, regret, fixed, average, False, buckets[deal], result, seat,
                    opened, values, state,
                )  # fmt: skip
            else:
                visited += traverse(
                    tree, regret, free, average, False, buckets[deal], result, seat,
                    opened, values, state,
                )  # fmt: skip
            if share < 1.0:
                visited += traverse(
                    tree, free, regret, average, True, buckets[deal], result, 1 - seat,
                    opened, values, state,
                )  # fmt: skip
    return visited
