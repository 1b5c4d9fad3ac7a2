"""Compiled loop of public chance sampling: one board, all hands of both seats at once.

The tree is walked depth first with one vector over the hands per open decision. Hands of the board
are in ascending order of their showdown rank; `local` numbers the buckets that occur on this board,
so that strategies and regret sums are formed once per bucket and not per hand. Values are chips of
the traversing seat, summed over the opponent's reach. Nodes with zero opponent reach are skipped,
because they have no effect.
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
    ROUND,
    PackedTree,
)
from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF
from doyle.base._numba import kernel, will_read, will_write
from doyle.cards._showdown_kernels import fold_values, showdown_values, sum_by_card

Floats = npt.NDArray[np.float32]

AHEAD = 16
"""Number of buckets of a board whose entries are prefetched: other threads may hold them."""


class BoardHands(NamedTuple):
    """All hands of one board in ascending order of rank.

    cards uint8[h, 2]; group_end int32[groups]: end of each run of equal ranks; present
    int32[rounds, h]: the buckets that occur, `counts` int32[rounds] of them; local int32[rounds, h]:
    for each hand the place of its bucket in `present`.
    """

    cards: npt.NDArray[np.uint8]
    group_end: npt.NDArray[np.int32]
    present: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    local: npt.NDArray[np.int32]


class PublicFrames(NamedTuple):
    """Scratch of one thread, by depth.

    node, child int32[d]: open decisions and the action under way; source int32[d]: the row of
    `reach` that holds the opponent's reach (only the opponent's decisions make a new row); reach,
    value float32[d, h]; sigma, gain float32[d, h, actions]: by bucket of the board, `gain` the
    increments of the tables; card_sum float32[d, cards], total float32[d] and summed bool[d] belong
    to the rows of `reach`; running float32[cards]; result float32[h]: the values of the last node.
    """

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    source: npt.NDArray[np.int32]
    reach: Floats
    value: Floats
    sigma: Floats
    gain: Floats
    card_sum: Floats
    total: Floats
    summed: npt.NDArray[np.bool_]
    running: Floats
    result: Floats


@kernel
def number_buckets(
    buckets: npt.NDArray[np.int32],
    order: npt.NDArray[np.int32],
    level: int,
    place: npt.NDArray[np.int32],
    hands: BoardHands,
) -> None:
    """Number the buckets of one round that occur on the board.

    buckets int32[1326] of this round; order int32[h]: hole indices in rank order; place
    int32[buckets] is scratch that must be -1 and is left so; fills hands.present/local/counts.
    """
    count = 0
    for hand in range(order.size):
        bucket = buckets[order[hand]]
        if place[bucket] < 0:
            place[bucket] = count
            hands.present[level, count] = bucket
            count += 1
        hands.local[level, hand] = place[bucket]
    hands.counts[level] = count
    for index in range(count):
        place[hands.present[level, index]] = -1


@kernel
def open_decision(
    tree: PackedTree,
    regret: Floats,
    node: int,
    depth: int,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """Regret matching at `node` for each bucket of the board into frames.sigma; clears the rest."""
    nodes = tree.nodes
    index, frame = np.uint64(node), np.uint64(depth)
    level = np.uint64(nodes[index, ROUND])
    count = nodes[index, CHILDREN]
    start = tree.base[level] + nodes[index, OFFSET]
    zero, one = np.float32(0.0), np.float32(1.0)
    frames.node[frame] = node
    frames.child[frame] = -1
    present = hands.counts[level]
    for place in range(present):
        where = np.uint64(place)
        ahead = np.uint64(min(place + AHEAD, present - 1))
        will_read(regret, np.uint64(start + hands.present[level, ahead] * tree.width[level]))
        row = start + hands.present[level, where] * tree.width[level]
        total = zero
        for action in range(count):
            value = regret[np.uint64(row + action)]
            value = value if value > zero else zero
            frames.sigma[frame, where, np.uint64(action)] = value
            frames.gain[frame, where, np.uint64(action)] = zero
            total += value
        scale = one / (total if total > zero else one)
        even = zero if total > zero else one / np.float32(count)
        for action in range(count):
            choice = np.uint64(action)
            frames.sigma[frame, where, choice] = frames.sigma[frame, where, choice] * scale + even
    for hand in range(hands.cards.shape[0]):
        frames.value[frame, np.uint64(hand)] = zero


@kernel
def push_reach(
    tree: PackedTree,
    node: int,
    action: int,
    depth: int,
    hands: BoardHands,
    frames: PublicFrames,
) -> bool:
    """Write the opponent's reach after its `action` into frames.reach[depth + 1]; return whether
    any is non-zero.

    Adds it to frames.gain of the opponent's bucket.
    """
    frame, below = np.uint64(depth), np.uint64(depth + 1)
    above = np.uint64(frames.source[frame])
    frames.source[below] = depth + 1
    frames.summed[below] = False
    level = np.uint64(tree.nodes[np.uint64(node), ROUND])
    choice = np.uint64(action)
    largest = np.float32(0.0)
    for hand in range(hands.cards.shape[0]):
        index = np.uint64(hand)
        place = np.uint64(hands.local[level, index])
        weight = frames.reach[above, index] * frames.sigma[frame, place, choice]
        frames.reach[below, index] = weight
        frames.gain[frame, place, choice] += weight
        largest = weight if weight > largest else largest
    return bool(largest > np.float32(0.0))


@kernel
def take_value(
    tree: PackedTree,
    node: int,
    action: int,
    depth: int,
    opponent_acts: bool,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """Add frames.result, the value after `action`, to the open decision at `depth`."""
    frame = np.uint64(depth)
    size = hands.cards.shape[0]
    if opponent_acts:
        for hand in range(size):
            frames.value[frame, np.uint64(hand)] += frames.result[np.uint64(hand)]
        return
    level = np.uint64(tree.nodes[np.uint64(node), ROUND])
    choice = np.uint64(action)
    for hand in range(size):
        index = np.uint64(hand)
        place = np.uint64(hands.local[level, index])
        value = frames.result[index]
        frames.value[frame, index] += frames.sigma[frame, place, choice] * value
        frames.gain[frame, place, choice] += value


@kernel
def close_decision(
    tree: PackedTree,
    regret: Floats,
    average: Floats,
    node: int,
    depth: int,
    opponent_acts: bool,
    hands: BoardHands,
    frames: PublicFrames,
    weight: float,
) -> None:
    """Add to the opponent's averages, or add each action's gain over the strategy to regrets.

    Leaves the value of the node in frames.result.
    """
    nodes = tree.nodes
    index, frame = np.uint64(node), np.uint64(depth)
    level = np.uint64(nodes[index, ROUND])
    count = nodes[index, CHILDREN]
    start = tree.base[level] + nodes[index, OFFSET]
    scale = np.float32(weight)
    present = hands.counts[level]
    for place in range(present):
        where = np.uint64(place)
        ahead = np.uint64(min(place + AHEAD, present - 1))
        coming = np.uint64(start + hands.present[level, ahead] * tree.width[level])
        row = start + hands.present[level, where] * tree.width[level]
        if opponent_acts:
            will_write(average, coming)
            for action in range(count):
                average[np.uint64(row + action)] += (
                    scale * frames.gain[frame, where, np.uint64(action)]
                )
            continue
        will_write(regret, coming)
        mean = np.float32(0.0)
        for action in range(count):
            choice = np.uint64(action)
            mean += frames.sigma[frame, where, choice] * frames.gain[frame, where, choice]
        for action in range(count):
            regret[np.uint64(row + action)] += scale * (
                frames.gain[frame, where, np.uint64(action)] - mean
            )
    for hand in range(hands.cards.shape[0]):
        frames.result[np.uint64(hand)] = frames.value[frame, np.uint64(hand)]


@kernel
def leaf_values(
    tree: PackedTree,
    node: int,
    depth: int,
    traverser: int,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """The value of a leaf to each hand, into frames.result.

    Card sums belong to a row of reach: consecutive leaves with the same reach share them.
    """
    index = np.uint64(node)
    source = np.uint64(frames.source[np.uint64(depth)])
    reach, sums = frames.reach[source], frames.card_sum[source]
    if not frames.summed[source]:
        frames.total[source] = sum_by_card(reach, hands.cards, sums)
        frames.summed[source] = True
    total = frames.total[source]
    amount = np.float32(tree.nodes[index, AMOUNT])
    if tree.nodes[index, KIND] == FOLD_LEAF:
        scale = amount if traverser == 0 else -amount
        fold_values(scale, reach, hands.cards, sums, total, frames.result)
    else:
        showdown_values(
            amount, reach, hands.cards, hands.group_end, sums, total, frames.running, frames.result
        )


@kernel
def run_board(
    tree: PackedTree,
    regret: Floats,
    average: Floats,
    hands: BoardHands,
    traverser: int,
    weight: float,
    frames: PublicFrames,
) -> int:
    """One iteration on one board for one seat; regrets and averages are changed in place.

    Returns the number of nodes visited.
    """
    nodes, children = tree.nodes, tree.children
    size = hands.cards.shape[0]
    for hand in range(size):
        frames.reach[0, np.uint64(hand)] = 1.0
    frames.source[0] = 0
    frames.summed[0] = False
    depth = 0  # open decisions
    node = 0
    visited = 0
    reached = True
    while True:
        # Step 1: open the node, or find its values at once.
        visited += 1
        if not reached:
            for hand in range(size):
                frames.result[np.uint64(hand)] = 0.0
        elif nodes[np.uint64(node), KIND] == DECISION:
            open_decision(tree, regret, node, depth, hands, frames)
            depth += 1
        else:
            leaf_values(tree, node, depth, traverser, hands, frames)
        # Step 2: close decisions up to one that has an action left, and take it.
        descends = False
        while depth > 0 and not descends:
            frame = np.uint64(depth - 1)
            parent = frames.node[frame]
            where = np.uint64(parent)
            opponent_acts = nodes[where, ACTOR] != traverser
            action = frames.child[frame]
            if action >= 0:
                take_value(tree, parent, action, depth - 1, opponent_acts, hands, frames)
            action += 1
            frames.child[frame] = action
            if action < nodes[where, CHILDREN]:
                node = children[np.uint64(nodes[where, FIRST_CHILD] + action)]
                reached = True
                frames.source[np.uint64(depth)] = frames.source[frame]
                if opponent_acts:
                    reached = push_reach(tree, parent, action, depth - 1, hands, frames)
                descends = True
            else:
                close_decision(
                    tree, regret, average, parent, depth - 1, opponent_acts, hands, frames, weight
                )
                depth -= 1
        if not descends:
            return visited
