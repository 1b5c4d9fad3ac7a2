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
    `value` is of the best response, `own` of the strategy playing against itself: of a decision in the
    row of its depth, of the child just left in the row below (`own` of a leaf is its `value`).
    """

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    begun: npt.NDArray[np.bool_]
    source: npt.NDArray[np.int32]
    reach: Floats
    value: Floats
    own: Floats
    card_sum: Floats
    total: Floats
    summed: npt.NDArray[np.bool_]
    running: Floats

    @classmethod
    def of(cls, hands: int, depth: int = 256) -> ResponseFrames:
        """Buffers for so many hands and open decisions."""
        return cls(
            node=np.zeros(depth, np.int32),
            child=np.zeros(depth, np.int32),
            begun=np.zeros(depth, np.bool_),
            source=np.zeros(depth, np.int32),
            reach=np.zeros((depth, hands)),
            value=np.zeros((depth, hands)),
            own=np.zeros((depth, hands)),
            card_sum=np.zeros((depth, 52)),
            total=np.zeros(depth),
            summed=np.zeros(depth, np.bool_),
            running=np.zeros(52),
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
def add_value(depth: int, opponent_acts: bool, hands: int, value: Floats, first: bool) -> None:
    """Add the child in row depth + 1 of value[d, h] to the decision in row depth; or take the better.

    The first child of a decision takes the place of what an earlier decision left there.
    """
    above, below = np.uint64(depth), np.uint64(depth + 1)
    if first:
        for hand in range(hands):
            value[above, np.uint64(hand)] = value[below, np.uint64(hand)]
    elif opponent_acts:
        for hand in range(hands):
            value[above, np.uint64(hand)] += value[below, np.uint64(hand)]
    else:
        for hand in range(hands):
            here = np.uint64(hand)
            value[above, here] = max(value[above, here], value[below, here])


@kernel
def add_own_value(
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    column: int,
    depth: int,
    opponent_acts: bool,
    child: Floats,
    own: Floats,
    first: bool,
) -> None:
    """Add child[h], by the strategy's own share at its own decisions, to row depth of own[d, h]."""
    above, place = np.uint64(depth), np.uint64(column)
    hands = buckets.size
    if first:
        for hand in range(hands):
            own[above, np.uint64(hand)] = 0.0
    if opponent_acts:
        for hand in range(hands):
            own[above, np.uint64(hand)] += child[np.uint64(hand)]
    else:
        for hand in range(hands):
            here = np.uint64(hand)
            own[above, here] += np.float64(table[place, np.uint64(buckets[here])]) * child[here]


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
    """What a leaf is worth to each hand, into row depth of frames.value."""
    index = np.uint64(node)
    source = np.uint64(frames.source[np.uint64(depth)])
    reach, sums = frames.reach[source], frames.card_sum[source]
    if not frames.summed[source]:
        frames.total[source] = sum_by_card(reach, cards, sums)
        frames.summed[source] = True
    total = frames.total[source]
    amount = float(nodes[index, AMOUNT])
    out = frames.value[np.uint64(depth)]
    if nodes[index, KIND] == FOLD_LEAF:
        fold_values(amount if responder == 0 else -amount, reach, cards, sums, total, out)
    else:
        showdown_values(amount, reach, cards, group_end, sums, total, frames.running, out)


@kernel
def scatter(
    values: Floats, order: npt.NDArray[np.int64], images: npt.NDArray[np.int64], out: Floats
) -> None:
    """Add values[h] to out[holes], once for each row of images int64[n, holes]."""
    for image in range(images.shape[0]):
        for hand in range(order.size):
            here = np.uint64(hand)
            out[np.uint64(images[image, np.uint64(order[here])])] += values[here]


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
    strategy itself to `own` (unless that is empty), once for each row of images int64[n, holes]. What
    the opponent never reaches is worth nothing and is passed over: a purified strategy leaves out
    much of the tree.
    """
    hands = cards.shape[0]
    with_own = own.size > 0
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
            is_leaf = nodes[np.uint64(node), KIND] != DECISION
            if is_leaf:
                leaf_values(nodes, node, depth, responder, cards, group_end, frames)
            else:
                frames.node[np.uint64(depth)] = node
                frames.child[np.uint64(depth)] = -1
                frames.begun[np.uint64(depth)] = False
                depth += 1
            descends = False
            while depth > 0 and not descends:
                frame = np.uint64(depth - 1)
                where = np.uint64(frames.node[frame])
                opponent_acts = nodes[where, ACTOR] != responder
                column = nodes[where, OFFSET]
                action = frames.child[frame]
                if action >= 0:
                    first = not frames.begun[frame]
                    frames.begun[frame] = True
                    add_value(depth - 1, opponent_acts, hands, frames.value, first)
                    if with_own:
                        child = frames.value if is_leaf else frames.own
                        add_own_value(
                            table,
                            buckets,
                            column + action,
                            depth - 1,
                            opponent_acts,
                            child[np.uint64(depth)],
                            frames.own,
                            first,
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
                    if not frames.begun[frame]:  # shares so small that their product is 0
                        for hand in range(hands):
                            frames.value[frame, np.uint64(hand)] = 0.0
                            frames.own[frame, np.uint64(hand)] = 0.0
                    depth -= 1
                    is_leaf = False
        scatter(frames.value[0], order, images, best[entry])
        if with_own:
            scatter(frames.value[0] if is_leaf else frames.own[0], order, images, own[entry])
