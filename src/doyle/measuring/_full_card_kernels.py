"""Compiled loop of the best response on one last-round board, all hands at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel
from doyle.cards._showdown_kernels import fold_values, showdown_values
from doyle.solving._sampling_kernels import (
    ACTOR,
    AMOUNT,
    CHILDREN,
    DECISION,
    FIRST_CHILD,
    FOLD_LEAF,
    KIND,
    OFFSET,
)


class ResponseFrames(NamedTuple):
    """Scratch by depth: node and child under way, opponent reach and values of h hands.

    `value` is of the best response, `own` of the strategy playing against itself.
    """

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    reach: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    own: npt.NDArray[np.float64]
    leaf: npt.NDArray[np.float64]
    leaf_own: npt.NDArray[np.float64]
    card_sum: npt.NDArray[np.float64]
    running: npt.NDArray[np.float64]


@kernel
def push_reach(
    nodes: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    node: int,
    action: int,
    depth: int,
    responder: int,
    hands: int,
    frames: ResponseFrames,
) -> None:
    """Write the opponent's reach after `action` at `node` into frames.reach[depth + 1, :hands]."""
    above, below = np.uint64(depth), np.uint64(depth + 1)
    index = np.uint64(node)
    if nodes[index, ACTOR] == responder:
        for hand in range(hands):
            frames.reach[below, np.uint64(hand)] = frames.reach[above, np.uint64(hand)]
        return
    column = np.uint64(nodes[index, OFFSET] + action)
    for hand in range(hands):
        where = np.uint64(hand)
        share = np.float64(table[np.uint64(buckets[where]), column])
        frames.reach[below, where] = frames.reach[above, where] * share


@kernel
def add_child(
    nodes: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    node: int,
    action: int,
    depth: int,
    responder: int,
    hands: int,
    frames: ResponseFrames,
) -> None:
    """Add the values of the child under `action`, in frames.leaf and leaf_own, to those of `node`."""
    frame, index = np.uint64(depth), np.uint64(node)
    if nodes[index, ACTOR] != responder:
        for hand in range(hands):
            here = np.uint64(hand)
            frames.value[frame, here] += frames.leaf[here]
            frames.own[frame, here] += frames.leaf_own[here]
        return
    column = np.uint64(nodes[index, OFFSET] + action)
    for hand in range(hands):
        here = np.uint64(hand)
        if frames.leaf[here] > frames.value[frame, here]:
            frames.value[frame, here] = frames.leaf[here]
        share = np.float64(table[np.uint64(buckets[here]), column])
        frames.own[frame, here] += share * frames.leaf_own[here]


@kernel
def respond(
    nodes: npt.NDArray[np.int32],
    children: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    entries: npt.NDArray[np.int32],
    reach: npt.NDArray[np.float64],
    responder: int,
    frames: ResponseFrames,
    values: npt.NDArray[np.float64],
    own: npt.NDArray[np.float64],
) -> None:
    """Values at each entry node of the last round (or all-in leaf) on one board, to `responder`.

    nodes int32[n, 8] packed rows; table float32[buckets, columns]: the strategy's probabilities,
    whose rows sum to 1 at every decision; buckets int32[h], cards uint8[h, 2] and group_end of the
    hands in ascending order of rank; reach, values, own float64[entries, h]. Fills values (of the
    best response) and own (of the strategy itself).
    """
    hands = cards.shape[0]
    outcome = 1.0 if responder == 0 else -1.0
    for entry in range(entries.size):
        for hand in range(hands):
            frames.reach[0, hand] = reach[entry, hand]
        node = entries[entry]
        depth = 0
        running = True
        while running:
            index = np.uint64(node)
            kind = nodes[index, KIND]
            if kind == DECISION:
                frame = np.uint64(depth)
                frames.node[frame] = node
                frames.child[frame] = 0
                start = -np.inf if nodes[index, ACTOR] == responder else 0.0
                for hand in range(hands):
                    frames.value[frame, np.uint64(hand)] = start
                    frames.own[frame, np.uint64(hand)] = 0.0
                push_reach(nodes, table, buckets, node, 0, depth, responder, hands, frames)
                node = children[np.uint64(nodes[index, FIRST_CHILD])]
                depth += 1
                continue
            amount = float(nodes[index, AMOUNT])
            at_leaf = frames.reach[np.uint64(depth)]
            if kind == FOLD_LEAF:
                fold_values(outcome * amount, at_leaf, cards, frames.card_sum, frames.leaf)
            else:
                showdown_values(
                    amount, at_leaf, cards, group_end, frames.card_sum, frames.running, frames.leaf
                )
            for hand in range(hands):
                frames.leaf_own[np.uint64(hand)] = frames.leaf[np.uint64(hand)]
            descend = False
            while depth > 0 and not descend:
                above = depth - 1
                frame = np.uint64(above)
                parent = frames.node[frame]
                where = np.uint64(parent)
                done = frames.child[frame]
                add_child(nodes, table, buckets, parent, done, above, responder, hands, frames)
                action = done + 1
                if action < nodes[where, CHILDREN]:
                    frames.child[frame] = action
                    push_reach(
                        nodes, table, buckets, parent, action, above, responder, hands, frames
                    )
                    node = children[np.uint64(nodes[where, FIRST_CHILD] + action)]
                    descend = True
                else:
                    for hand in range(hands):
                        here = np.uint64(hand)
                        frames.leaf[here] = frames.value[frame, here]
                        frames.leaf_own[here] = frames.own[frame, here]
                    depth -= 1
            running = descend
        for hand in range(hands):
            values[entry, hand] = frames.leaf[hand]
            own[entry, hand] = frames.leaf_own[hand]
