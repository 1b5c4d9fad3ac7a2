"""Compiled loop of public chance sampling: one board, all hands of both seats at once.

Hands of the board stand in ascending order of their showdown rank; `local` numbers the buckets that
occur on this board, so that strategies and regret sums are formed once per bucket and not per hand.
Values are chips of the traversing seat, summed over the opponent's reach.
"""

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
    ROUND,
    SamplingTree,
)


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
    """Scratch of one thread, by depth: opponent reach, values, strategies, regret sums."""

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    reach: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    sigma: npt.NDArray[np.float32]
    gain: npt.NDArray[np.float32]
    leaf: npt.NDArray[np.float32]
    card_sum: npt.NDArray[np.float32]
    running: npt.NDArray[np.float32]


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
def local_strategies(
    tree: SamplingTree,
    regret: npt.NDArray[np.float32],
    node: int,
    depth: int,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """Regret matching at `node` for each bucket of the board, into frames.sigma[depth]."""
    nodes = tree.nodes
    index = np.uint64(node)
    frame = np.uint64(depth)
    level = np.uint64(nodes[index, ROUND])
    count = nodes[index, CHILDREN]
    start = tree.base[level] + nodes[index, OFFSET]
    for place in range(hands.counts[level]):
        where = np.uint64(place)
        row = start + hands.present[level, where] * tree.width[level]
        total = np.float32(0.0)
        for action in range(count):
            value = regret[np.uint64(row + action)]
            positive = value if value > np.float32(0.0) else np.float32(0.0)
            frames.sigma[frame, where, np.uint64(action)] = positive
            total += positive
        for action in range(count):
            if total > np.float32(0.0):
                frames.sigma[frame, where, np.uint64(action)] /= total
            else:
                frames.sigma[frame, where, np.uint64(action)] = np.float32(1.0) / np.float32(count)


@kernel
def open_opponent(
    tree: SamplingTree,
    average: npt.NDArray[np.float32],
    node: int,
    depth: int,
    hands: BoardHands,
    frames: PublicFrames,
    weight: float,
) -> None:
    """Add the opponent's reach times strategy at `node` to the average."""
    nodes = tree.nodes
    index = np.uint64(node)
    frame = np.uint64(depth)
    level = np.uint64(nodes[index, ROUND])
    count = nodes[index, CHILDREN]
    mass = frames.gain[frame]
    for place in range(hands.counts[level]):
        mass[np.uint64(place), np.uint64(0)] = 0.0
    for hand in range(hands.cards.shape[0]):
        place = hands.local[level, np.uint64(hand)]
        mass[np.uint64(place), np.uint64(0)] += frames.reach[frame, np.uint64(hand)]
    start = tree.base[level] + nodes[index, OFFSET]
    for place in range(hands.counts[level]):
        where = np.uint64(place)
        row = start + hands.present[level, where] * tree.width[level]
        share = np.float32(weight) * mass[where, np.uint64(0)]
        for action in range(count):
            average[np.uint64(row + action)] += (
                share * frames.sigma[frame, where, np.uint64(action)]
            )


@kernel
def push_reach(
    tree: SamplingTree,
    node: int,
    action: int,
    depth: int,
    opponent_acts: bool,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """Write the opponent's reach after `action` at `node` into frames.reach[depth + 1]."""
    frame, below = np.uint64(depth), np.uint64(depth + 1)
    size = hands.cards.shape[0]
    if not opponent_acts:
        for hand in range(size):
            frames.reach[below, np.uint64(hand)] = frames.reach[frame, np.uint64(hand)]
        return
    level = np.uint64(tree.nodes[np.uint64(node), ROUND])
    choice = np.uint64(action)
    for hand in range(size):
        index = np.uint64(hand)
        place = np.uint64(hands.local[level, index])
        frames.reach[below, index] = frames.reach[frame, index] * frames.sigma[frame, place, choice]


@kernel
def take_value(
    tree: SamplingTree,
    node: int,
    action: int,
    depth: int,
    opponent_acts: bool,
    hands: BoardHands,
    frames: PublicFrames,
) -> None:
    """Add frames.leaf, the value after `action`, to the open decision at `depth`."""
    frame = np.uint64(depth)
    size = hands.cards.shape[0]
    if opponent_acts:
        for hand in range(size):
            frames.value[frame, np.uint64(hand)] += frames.leaf[np.uint64(hand)]
        return
    level = np.uint64(tree.nodes[np.uint64(node), ROUND])
    choice = np.uint64(action)
    for hand in range(size):
        index = np.uint64(hand)
        place = np.uint64(hands.local[level, index])
        value = frames.leaf[index]
        frames.value[frame, index] += frames.sigma[frame, place, choice] * value
        frames.gain[frame, place, choice] += value


@kernel
def close_own(
    tree: SamplingTree,
    regret: npt.NDArray[np.float32],
    node: int,
    depth: int,
    hands: BoardHands,
    frames: PublicFrames,
    weight: float,
) -> None:
    """Add what each action gained over the strategy to the regrets of `node`."""
    nodes = tree.nodes
    index = np.uint64(node)
    frame = np.uint64(depth)
    level = np.uint64(nodes[index, ROUND])
    count = nodes[index, CHILDREN]
    start = tree.base[level] + nodes[index, OFFSET]
    scale = np.float32(weight)
    for place in range(hands.counts[level]):
        where = np.uint64(place)
        mean = np.float32(0.0)
        for action in range(count):
            choice = np.uint64(action)
            mean += frames.sigma[frame, where, choice] * frames.gain[frame, where, choice]
        row = start + hands.present[level, where] * tree.width[level]
        for action in range(count):
            regret[np.uint64(row + action)] += scale * (
                frames.gain[frame, where, np.uint64(action)] - mean
            )


@kernel
def run_board(
    tree: SamplingTree,
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    hands: BoardHands,
    traverser: int,
    weight: float,
    frames: PublicFrames,
) -> None:
    """One iteration on one board for one seat; regrets and averages are changed in place."""
    nodes, children = tree.nodes, tree.children
    size = hands.cards.shape[0]
    for hand in range(size):
        frames.reach[0, hand] = 1.0
    outcome = 1.0 if traverser == 0 else -1.0
    depth = 0
    node = 0
    while True:
        index = np.uint64(node)
        kind = nodes[index, KIND]
        if kind == DECISION:
            frame = np.uint64(depth)
            frames.node[frame] = node
            frames.child[frame] = 0
            opponent_acts = nodes[index, ACTOR] != traverser
            local_strategies(tree, regret, node, depth, hands, frames)
            if opponent_acts:
                open_opponent(tree, average, node, depth, hands, frames, weight)
            else:
                level = np.uint64(nodes[index, ROUND])
                for place in range(hands.counts[level]):
                    for action in range(nodes[index, CHILDREN]):
                        frames.gain[frame, np.uint64(place), np.uint64(action)] = 0.0
            for hand in range(size):
                frames.value[frame, np.uint64(hand)] = 0.0
            push_reach(tree, node, 0, depth, opponent_acts, hands, frames)
            node = children[np.uint64(nodes[index, FIRST_CHILD])]
            depth += 1
            continue
        amount = float(nodes[index, AMOUNT])
        reach = frames.reach[np.uint64(depth)]
        if kind == FOLD_LEAF:
            scale = np.float32(outcome * amount)
            fold_values(scale, reach, hands.cards, frames.card_sum, frames.leaf)
        else:
            showdown_values(
                np.float32(amount),
                reach,
                hands.cards,
                hands.group_end,
                frames.card_sum,
                frames.running,
                frames.leaf,
            )
        descend = False
        while depth > 0 and not descend:
            above = depth - 1
            frame = np.uint64(above)
            parent = frames.node[frame]
            where = np.uint64(parent)
            action = frames.child[frame]
            opponent_acts = nodes[where, ACTOR] != traverser
            take_value(tree, parent, action, above, opponent_acts, hands, frames)
            if action + 1 < nodes[where, CHILDREN]:
                frames.child[frame] = action + 1
                push_reach(tree, parent, action + 1, above, opponent_acts, hands, frames)
                node = children[np.uint64(nodes[where, FIRST_CHILD] + action + 1)]
                descend = True
            else:
                if not opponent_acts:
                    close_own(tree, regret, parent, above, hands, frames, weight)
                for hand in range(size):
                    frames.leaf[np.uint64(hand)] = frames.value[frame, np.uint64(hand)]
                depth -= 1
        if not descend:
            return
