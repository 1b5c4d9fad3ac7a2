"""Compiled loops of the best response on one last-round board, all hands at once.

Some entry nodes of the last round are taken together, with all nodes below them: a forward loop
pushes the opponent's reach down, leaves are valued, a backward loop pulls values up. Leaves are
valued four at a time, because the sums of one wait for each other, hand after hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.packed_tree import (
    ACTOR,
    AMOUNT,
    CHILDREN,
    FIRST_CHILD,
    KIND,
    OFFSET,
)
from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF
from doyle.base._numba import kernel
from doyle.cards._showdown_kernels import fold_values, four_showdown_values, four_sums_by_card

Floats = npt.NDArray[np.float64]

NODES_TOGETHER = 64
"""Entries are taken together up to so many nodes: their values should stay in the cache."""


class ResponseFrames(NamedTuple):
    """Scratch for n nodes that are taken together, numbered from 0, and h hands.

    node int32[n]: what they are in the tree; row int32[n]: the row of `reach` with the opponent's
    reach (only the opponent's decisions make a new one), -1 for zero reach. `card_sum` f64[n, 52]
    and `total` belong to the rows of `reach`. `value` f64[n, h] is of the best response, `own` of
    the strategy playing against itself (of a leaf its `value`). There is one more node, a dummy.
    `start` int32[entries]: the number of each entry.
    """

    node: npt.NDArray[np.int32]
    row: npt.NDArray[np.int32]
    reach: Floats
    card_sum: Floats
    total: Floats
    value: Floats
    own: Floats
    start: npt.NDArray[np.int32]
    running: Floats
    four: npt.NDArray[np.int32]

    @classmethod
    def of(cls, hands: int, *, nodes: int, entries: int) -> ResponseFrames:
        """Buffers for at most so many nodes below one entry, and so many entries on a board."""
        nodes = max(nodes, NODES_TOGETHER)
        return cls(
            node=np.zeros(nodes + 1, np.int32),
            row=np.zeros(nodes + 1, np.int32),
            reach=np.zeros((nodes, hands)),
            card_sum=np.zeros((nodes, 52)),
            total=np.zeros(nodes),
            value=np.zeros((nodes + 1, hands)),
            own=np.zeros((nodes, hands)),
            start=np.zeros(entries, np.int32),
            running=np.zeros((52, 4)),
            four=np.zeros(4, np.int32),
        )


@kernel
def take_entry(reach: Floats, order: npt.NDArray[np.int32], row: Floats) -> bool:
    """Write reach[holes] of the hands in order[h] into row[h]; is any of it positive?"""
    largest = 0.0
    for hand in range(order.size):
        here = np.uint64(hand)
        weight = reach[np.uint64(order[here])]
        row[here] = weight
        largest = max(largest, weight)
    return largest > 0.0


@kernel
def push_reach(
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    column: int,
    above: int,
    below: int,
    reach: Floats,
) -> bool:
    """Write row `above` of reach[n, h] times the share of an action into row `below`; is any left?"""
    source, target, place = np.uint64(above), np.uint64(below), np.uint64(column)
    largest = 0.0
    for hand in range(buckets.size):
        here = np.uint64(hand)
        weight = reach[source, here] * np.float64(table[place, np.uint64(buckets[here])])
        reach[target, here] = weight
        largest = max(largest, weight)
    return largest > 0.0


@kernel
def push_down(
    nodes: npt.NDArray[np.int32],
    children: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    responder: int,
    start: int,
    size: int,
    rows: int,
    frames: ResponseFrames,
) -> int:
    """Give `size` nodes from number `start` on their rows of reach; returns how many are in use."""
    first = frames.node[np.uint64(start)]
    for number in range(start, start + size):
        here = np.uint64(number)
        node = np.uint64(first + number - start)
        frames.node[here] = first + number - start
        if nodes[node, KIND] != DECISION:
            continue
        above = frames.row[here]
        for action in range(nodes[node, CHILDREN]):
            child = children[np.uint64(nodes[node, FIRST_CHILD] + action)]
            below = above
            if above >= 0 and nodes[node, ACTOR] != responder:
                column = nodes[node, OFFSET] + action
                below = -1
                if push_reach(table, buckets, column, above, rows, frames.reach):
                    below = rows
                    rows += 1
            frames.row[np.uint64(start + child - first)] = below
    return rows


@kernel
def value_leaves(
    nodes: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    responder: int,
    filled: int,
    rows: int,
    frames: ResponseFrames,
) -> None:
    """The value of each leaf among the first `filled` nodes to each hand, into frames.value."""
    four = frames.four
    for begin in range(0, rows, 4):
        for lane in range(4):
            four[lane] = min(begin + lane, rows - 1)
        four_sums_by_card(frames.reach, four, cards, frames.running, frames.card_sum, frames.total)
    waiting = 0
    for number in range(filled):
        here = np.uint64(number)
        node, row = np.uint64(frames.node[here]), np.uint64(frames.row[here])
        if frames.row[here] < 0 or nodes[node, KIND] == DECISION:
            continue
        if nodes[node, KIND] == FOLD_LEAF:
            amount = float(nodes[node, AMOUNT] if responder == 0 else -nodes[node, AMOUNT])
            sums, total = frames.card_sum[row], frames.total[row]
            fold_values(amount, frames.reach[row], cards, sums, total, frames.value[here])
            continue
        four[waiting] = number
        waiting += 1
        if waiting == 4:
            value_showdowns(nodes, cards, group_end, frames)
            waiting = 0
    if waiting > 0:
        for lane in range(waiting, 4):
            four[lane] = frames.reach.shape[0]  # values of no seat
        value_showdowns(nodes, cards, group_end, frames)


@kernel
def value_showdowns(
    nodes: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    frames: ResponseFrames,
) -> None:
    """The values of the four showdowns in frames.four to each hand, into frames.value."""
    a, b, c, d = frames.four[0], frames.four[1], frames.four[2], frames.four[3]
    four_showdown_values(
        (
            float(nodes[frames.node[a], AMOUNT]),
            float(nodes[frames.node[b], AMOUNT]),
            float(nodes[frames.node[c], AMOUNT]),
            float(nodes[frames.node[d], AMOUNT]),
        ),
        frames.reach,
        (frames.row[a], frames.row[b], frames.row[c], frames.row[d]),
        cards,
        group_end,
        frames.card_sum,
        frames.total,
        frames.running,
        frames.value,
        (a, b, c, d),
    )


@kernel
def add_value(
    above: int, below: int, hands: int, first: bool, opponent_acts: bool, value: Floats
) -> None:
    """Add row `below` of value[n, h], a child, to row `above`, its parent; or keep the larger.

    The first child overwrites the row.
    """
    parent, child = np.uint64(above), np.uint64(below)
    if first:
        for hand in range(hands):
            value[parent, np.uint64(hand)] = value[child, np.uint64(hand)]
    elif opponent_acts:
        for hand in range(hands):
            value[parent, np.uint64(hand)] += value[child, np.uint64(hand)]
    else:
        for hand in range(hands):
            here = np.uint64(hand)
            value[parent, here] = max(value[parent, here], value[child, here])


@kernel
def add_own_value(
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    column: int,
    opponent_acts: bool,
    child: Floats,
    own: Floats,
) -> None:
    """Add child[h], by the strategy's share at its own decisions, to own[h] of the parent."""
    place = np.uint64(column)
    if opponent_acts:
        for hand in range(buckets.size):
            own[np.uint64(hand)] += child[np.uint64(hand)]
    else:
        for hand in range(buckets.size):
            here = np.uint64(hand)
            own[here] += np.float64(table[place, np.uint64(buckets[here])]) * child[here]


@kernel
def pull_up(
    nodes: npt.NDArray[np.int32],
    children: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    responder: int,
    filled: int,
    with_own: bool,
    frames: ResponseFrames,
) -> None:
    """Values of the decisions among the first `filled` nodes, from those of their children."""
    for done in range(filled):
        number = filled - 1 - done
        here = np.uint64(number)
        node = np.uint64(frames.node[here])
        if frames.row[here] < 0 or nodes[node, KIND] != DECISION:
            continue
        opponent_acts = nodes[node, ACTOR] != responder
        first = True
        if with_own:
            frames.own[here, :] = 0.0
        for action in range(nodes[node, CHILDREN]):
            below = children[np.uint64(nodes[node, FIRST_CHILD] + action)]
            place: int = number + below - frames.node[here]
            child = np.uint64(place)
            if frames.row[child] < 0:
                continue
            add_value(number, place, buckets.size, first, opponent_acts, frames.value)
            first = False
            if with_own:
                is_leaf = nodes[np.uint64(below), KIND] != DECISION
                values = frames.value[child] if is_leaf else frames.own[child]
                column = nodes[node, OFFSET] + action
                add_own_value(table, buckets, column, opponent_acts, values, frames.own[here])
        if first:  # shares so small that the opponent's reach is lost
            frames.value[here, :] = 0.0


@kernel
def scatter(values: Floats, images: npt.NDArray[np.int32], out: Floats) -> None:
    """Add values[h] to out[holes], once for each row of images int32[n, h] (hole numbers)."""
    for image in range(images.shape[0]):
        copy = np.uint64(image)
        for hand in range(images.shape[1]):
            here = np.uint64(hand)
            out[np.uint64(images[copy, here])] += values[here]


@kernel
def respond(
    nodes: npt.NDArray[np.int32],
    children: npt.NDArray[np.int32],
    subtree_end: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    entries: npt.NDArray[np.int32],
    reach: Floats,
    order: npt.NDArray[np.int32],
    images: npt.NDArray[np.int32],
    responder: int,
    frames: ResponseFrames,
    best: Floats,
    own: Floats,
) -> None:
    """Values at each entry node of the last round (or all-in leaf) on one board, to `responder`.

    nodes int32[n, 8] packed rows, of which subtree_end int32[n] ends the subtree; table
    float32[columns, buckets]: the strategy's probabilities, whose columns sum to 1 at every decision;
    buckets int32[h], cards uint8[h, 2], group_end and order int32[h] (hole numbers) of the hands in
    ascending order of rank; reach, best, own float64[entries, holes]. The values of the best response
    are added to `best` and those of the strategy itself to `own` (unless that is empty), once for
    each row of images int32[n, h] (hole numbers). Nodes with zero opponent reach have value 0 and
    are skipped: a purified strategy leaves out much of the tree.
    """
    with_own = own.size > 0
    entry = 0
    while entry < entries.size:
        # Step 1: take entries together, with the opponent's reach at all nodes below them.
        begin, filled, rows = entry, 0, 0
        while entry < entries.size:
            first = entries[entry]
            size = subtree_end[first] - first
            if filled > 0 and filled + size > frames.reach.shape[0]:
                break
            frames.start[entry] = filled
            frames.node[filled] = first
            frames.row[filled] = -1
            if take_entry(reach[entry], order, frames.reach[rows]):
                frames.row[filled] = rows
                rows = push_down(
                    nodes, children, table, buckets, responder, filled, size, rows + 1, frames
                )
                filled += size
            else:
                filled += 1
            entry += 1
        # Step 2: leaves, then their ancestors.
        value_leaves(nodes, cards, group_end, responder, filled, rows, frames)
        pull_up(nodes, children, table, buckets, responder, filled, with_own, frames)
        # Step 3: give the entries their values.
        for number in range(begin, entry):
            place = frames.start[number]
            if frames.row[place] < 0:
                continue
            scatter(frames.value[place], images, best[number])
            if with_own:
                is_leaf = nodes[entries[number], KIND] != DECISION
                values = frames.value[place] if is_leaf else frames.own[place]
                scatter(values, images, own[number])
