"""Compiled self-play: strategies of one betting tree draw their actions, hand after hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel
from doyle.betting.packed_tree import (
    ACTOR,
    CHILDREN,
    FIRST_CHILD,
    FOLDED,
    KIND,
    OFFSET,
    ROUND,
    PackedTree,
)
from doyle.betting.public_tree import DECISION
from doyle.solving.sampling._sampling_kernels import next_uniform, payoff


@kernel
def drawn_action(row: Any, threshold: float, draw: float) -> int:
    """The action that `draw` in [0, 1) stands for, with the probabilities of row float32[actions].

    Probabilities below `threshold` are not played; if that leaves none, and with a threshold above
    1, the largest are, evenly. A row without any probability is played evenly.
    """
    count = len(row)
    largest, total, kept = np.float32(0.0), 0.0, 0.0
    for action in range(count):
        total += row[action]
        largest = max(largest, row[action])
    if total <= 0.0:
        return min(int(draw * count), count - 1)
    for action in range(count):
        if row[action] / total >= threshold:
            kept += row[action] / total
    only_largest = kept <= 0.0
    if only_largest:
        for action in range(count):
            kept += row[action] == largest
    left = draw * kept
    chosen = 0
    for action in range(count):
        share = row[action] / total
        if only_largest:
            weight = 1.0 if row[action] == largest else 0.0
        else:
            weight = share if share >= threshold else 0.0
        if weight > 0.0:
            chosen = action
            left -= weight
            if left < 0.0:
                break
    return chosen


@kernel
def play_deals(
    tree: PackedTree,
    tables: Any,
    thresholds: npt.NDArray[np.float64],
    strategy_of: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    buckets: npt.NDArray[np.int32],
    state: npt.NDArray[np.uint64],
    leaves: npt.NDArray[np.int32],
) -> None:
    """Play every deal in every seating; write leaves[deals, seatings], the leaf each hand ends in.

    tables: a tuple of float32[buckets, actions], round by round, strategy after strategy; thresholds by
    strategy; strategy_of[players]; seatings[n, seats] of players; buckets[strategies, deals, seats,
    rounds]. The generator state uint64[1] changes.
    """
    rounds = buckets.shape[3]
    nodes = tree.nodes
    for deal in range(leaves.shape[0]):
        for seating in range(seatings.shape[0]):
            node = np.uint64(0)
            while nodes[node, KIND] == DECISION:
                seat = nodes[node, ACTOR]
                level = nodes[node, ROUND]
                strategy = strategy_of[seatings[seating, seat]]
                bucket = buckets[strategy, deal, seat, level]
                first = nodes[node, OFFSET]
                row = tables[strategy * rounds + level][
                    bucket, first : first + nodes[node, CHILDREN]
                ]
                action = drawn_action(row, thresholds[strategy], next_uniform(state))
                node = np.uint64(tree.children[np.uint64(nodes[node, FIRST_CHILD] + action)])
            leaves[deal, seating] = np.int32(node)


@kernel
def add_winnings(
    tree: PackedTree,
    seatings: npt.NDArray[np.int64],
    leaves: npt.NDArray[np.int32],
    standings: npt.NDArray[np.int8],
    unit: int,
    won: npt.NDArray[np.int64],
) -> None:
    """Add to won[deals, players] what each wins over all seatings, in 1 / unit of a chip."""
    for deal in range(leaves.shape[0]):
        for seating in range(seatings.shape[0]):
            leaf = leaves[deal, seating]
            for seat in range(seatings.shape[1]):
                chips = payoff(tree.spent[leaf], tree.nodes[leaf, FOLDED], standings[deal], seat)
                won[deal, seatings[seating, seat]] += np.int64(round(chips * unit))
