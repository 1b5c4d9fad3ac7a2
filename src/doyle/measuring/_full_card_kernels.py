"""Compiled loop of the best response on one last-round board, all hands at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel
from doyle.cards._showdown_kernels import fold_values, showdown_values, sum_by_card
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

Floats = npt.NDArray[np.float64]


class ResponseFrames(NamedTuple):
    """Scratch by depth: node and child under way, opponent reach and values of h hands.

    `source` is the row of `reach` that holds the opponent's reach: only his decisions make a new one,
    and the leaves that see the same row share its sums by card (`card_sum`, `total`, once `summed`).
    `value` is of the best response, `own` of the strategy playing against itself; `result` and
    `result_own` are those of the node just left.
    """

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    source: npt.NDArray[np.int32]
    reach: Floats
    value: Floats
    own: Floats
    card_sum: Floats
    total: Floats
    summed: npt.NDArray[np.bool_]
    running: Floats
    result: Floats
    result_own: Floats

    @classmethod
    def of(cls, hands: int, depth: int = 256) -> ResponseFrames:
        """Buffers for so many hands and open decisions."""
        return cls(
            node=np.zeros(depth, np.int32),
            child=np.zeros(depth, np.int32),
            source=np.zeros(depth, np.int32),
            reach=np.zeros((depth, hands)),
            value=np.zeros((depth, hands)),
            own=np.zeros((depth, hands)),
            card_sum=np.zeros((depth, 52)),
            total=np.zeros(depth),
            summed=np.zeros(depth, np.bool_),
            running=np.zeros(52),
            result=np.zeros(hands),
            result_own=np.zeros(hands),
        )


@kernel
def push_reach(
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    column: int,
    depth: int,
    hands: int,
    frames: ResponseFrames,
) -> bool:
    """Write the opponent's reach after his action into row depth + 1 of frames.reach; is any left?"""
    above, below = np.uint64(frames.source[np.uint64(depth)]), np.uint64(depth + 1)
    place = np.uint64(column)
    frames.source[below] = depth + 1
    frames.summed[below] = False
    largest = 0.0
    for hand in range(hands):
        here = np.uint64(hand)
        share = np.float64(table[place, np.uint64(buckets[here])])
        weight = frames.reach[above, here] * share
        frames.reach[below, here] = weight
        largest = max(largest, weight)
    return largest > 0.0


@kernel
def add_child(
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    column: int,
    depth: int,
    opponent_acts: bool,
    hands: int,
    frames: ResponseFrames,
) -> None:
    """Add frames.result and result_own, of one child, to the values of the open decision."""
    frame, place = np.uint64(depth), np.uint64(column)
    if opponent_acts:
        for hand in range(hands):
            here = np.uint64(hand)
            frames.value[frame, here] += frames.result[here]
            frames.own[frame, here] += frames.result_own[here]
        return
    for hand in range(hands):
        here = np.uint64(hand)
        frames.value[frame, here] = max(frames.value[frame, here], frames.result[here])
        share = np.float64(table[place, np.uint64(buckets[here])])
        frames.own[frame, here] += share * frames.result_own[here]


@kernel
def leaf_values(
    nodes: npt.NDArray[np.int32],
    node: int,
    depth: int,
    responder: int,
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    frames: ResponseFrames,
) -> None:
    """What a leaf is worth to each hand, into frames.result and result_own."""
    index = np.uint64(node)
    source = np.uint64(frames.source[np.uint64(depth)])
    reach, sums = frames.reach[source], frames.card_sum[source]
    if not frames.summed[source]:
        frames.total[source] = sum_by_card(reach, cards, sums)
        frames.summed[source] = True
    total = frames.total[source]
    amount = float(nodes[index, AMOUNT])
    if nodes[index, KIND] == FOLD_LEAF:
        scale = amount if responder == 0 else -amount
        fold_values(scale, reach, cards, sums, total, frames.result)
    else:
        showdown_values(amount, reach, cards, group_end, sums, total, frames.running, frames.result)
    for hand in range(cards.shape[0]):
        frames.result_own[np.uint64(hand)] = frames.result[np.uint64(hand)]


@kernel
def respond(
    nodes: npt.NDArray[np.int32],
    children: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    entries: npt.NDArray[np.int32],
    reach: Floats,
    order: npt.NDArray[np.int64],
    images: npt.NDArray[np.int64],
    responder: int,
    frames: ResponseFrames,
    best: Floats,
    own: Floats,
) -> None:
    """Values at each entry node of the last round (or all-in leaf) on one board, to `responder`.

    nodes int32[n, 8] packed rows; table float32[columns, buckets]: the strategy's probabilities,
    whose columns sum to 1 at every decision; buckets int32[h], cards uint8[h, 2], group_end and
    order int64[h] (hole numbers) of the hands in ascending order of rank; reach, best, own
    float64[entries, holes]. The values of the best response are added to `best` and those of the
    strategy itself to `own`, once for each row of images int64[n, holes]. What the opponent never
    reaches is worth nothing and is passed over: a purified strategy leaves out much of the tree.
    """
    hands = cards.shape[0]
    for entry in range(entries.size):
        largest = 0.0
        for hand in range(hands):
            here = np.uint64(hand)
            weight = reach[entry, np.uint64(order[here])]
            frames.reach[0, here] = weight
            largest = max(largest, weight)
        if largest == 0.0:
            continue
        frames.source[0] = 0
        frames.summed[0] = False
        node = entries[entry]
        depth = 0  # open decisions
        descends = True
        while descends:
            index = np.uint64(node)
            if nodes[index, KIND] == DECISION:
                frame = np.uint64(depth)
                frames.node[frame] = node
                frames.child[frame] = -1
                start = 0.0 if nodes[index, ACTOR] != responder else -np.inf
                for hand in range(hands):
                    frames.value[frame, np.uint64(hand)] = start
                    frames.own[frame, np.uint64(hand)] = 0.0
                depth += 1
            else:
                leaf_values(nodes, node, depth, responder, cards, group_end, frames)
            descends = False
            while depth > 0 and not descends:
                frame = np.uint64(depth - 1)
                where = np.uint64(frames.node[frame])
                opponent_acts = nodes[where, ACTOR] != responder
                column = nodes[where, OFFSET]
                action = frames.child[frame]
                if action >= 0:
                    add_child(
                        table, buckets, column + action, depth - 1, opponent_acts, hands, frames
                    )
                while not descends and action + 1 < nodes[where, CHILDREN]:
                    action += 1
                    node = children[np.uint64(nodes[where, FIRST_CHILD] + action)]
                    frames.source[np.uint64(depth)] = frames.source[frame]
                    descends = not opponent_acts or push_reach(
                        table, buckets, column + action, depth - 1, hands, frames
                    )
                frames.child[frame] = action
                if not descends:
                    for hand in range(hands):
                        here = np.uint64(hand)
                        frames.result[here] = frames.value[frame, here]
                        frames.result_own[here] = frames.own[frame, here]
                    depth -= 1
        for image in range(images.shape[0]):
            for hand in range(hands):
                here = np.uint64(hand)
                hole = np.uint64(images[image, np.uint64(order[here])])
                best[entry, hole] += frames.result[here]
                own[entry, hole] += frames.result_own[here]
