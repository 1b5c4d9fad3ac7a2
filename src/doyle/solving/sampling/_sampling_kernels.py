"""Compiled loops of the sampling solvers: one deal at a time through the betting tree.

A table holds one float32 per (bucket, action) of a round, all actions of the round side by side:
entry `base[round] + bucket * width[round] + offset[node] + action`, so that a visit touches one
short contiguous run. There is no recursion: frames of the traversing seat's open decisions are kept
in caller-owned arrays.

A visit waits for its run, from the processor's last cache, from memory, or from the cache of another
core that has just changed it: the longest wait, where threads share the tables. So a thread keeps
several traversals under way, a lane each: a lane prefetches the run of its next decision, and the
other lanes take a step meanwhile.
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
    FOLDED,
    KIND,
    OFFSET,
    ROUND,
    PackedTree,
)
from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF
from doyle.base._numba import kernel, will_read, will_write

LANES = 12
"""Traversals that a thread keeps under way."""


# Columns of a lane, and of an open decision.
LANE_TURN, LANE_NODE, LANE_ROW, LANE_DEPTH, LANE_PRUNES = range(5)
OPEN_NODE, OPEN_ACTION, OPEN_ROW, OPEN_SKIPPED, OPEN_CHOSEN = range(5)
LANE_WIDTH = 8


class Frames(NamedTuple):
    """Scratch of one thread: where each lane is, and the open decisions of its traversing seat.

    lanes int64[lanes, 8]: turn (deal * 16 + traversing seat), the decision to visit next (-1 if
    absent), its entries, how many decisions are open, whether the traversal prunes.

    opened int64[depth * lanes, 8], row depth * lanes + lane: the decision, the action under way, the
    decision's entries, the skipped actions (bit a for action a), the action drawn by pure CFR;
    values float64[depth * lanes, widest]: the earnings of each action.
    """

    lanes: npt.NDArray[np.int64]
    opened: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


@kernel
def next_random(state: npt.NDArray[np.uint64]) -> np.uint64:
    """One step of splitmix64 on state uint64[1], changed in place."""
    state[0] = state[0] + np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(z ^ (z >> np.uint64(31)))


@kernel
def next_uniform(state: npt.NDArray[np.uint64]) -> float:
    """A float64 in [0, 1) from state uint64[1], changed in place."""
    return float(next_random(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def deal_cards(cards: npt.NDArray[np.uint8], deck_size: int, state: npt.NDArray[np.uint64]) -> None:
    """Fill cards uint8[n, k] with k distinct cards of 0..deck_size-1 per row, uniformly."""
    rows, columns = cards.shape
    for row in range(rows):
        used = np.uint64(0)
        column = 0
        while column < columns:
            card = (next_random(state) >> np.uint64(32)) * np.uint64(deck_size) >> np.uint64(32)
            bit = np.uint64(1) << card
            if used & bit == np.uint64(0):
                used |= bit
                cards[row, column] = np.uint8(card)
                column += 1


@kernel
def unpromising(
    tree: PackedTree,
    regret: npt.NDArray[np.float32],
    node: int,
    row: int,
    prune_below: float,
) -> int:
    """The actions whose regret is below `prune_below`, as bits; never leaves.

    Empty unless some regret is positive: then those actions have probability 0.
    """
    first = tree.nodes[np.uint64(node), FIRST_CHILD]
    count = tree.nodes[np.uint64(node), CHILDREN]
    found = 0
    largest = np.float32(0.0)
    for action in range(count):
        largest = max(largest, regret[np.uint64(row + action)])
        child = np.uint64(tree.children[np.uint64(first + action)])
        if tree.nodes[child, KIND] == DECISION and regret[np.uint64(row + action)] < prune_below:
            found |= 1 << action
    return found if largest > 0.0 else 0


@kernel
def payoff(
    spent: npt.NDArray[np.int32], folded: int, standings: npt.NDArray[np.int8], seat: int
) -> float:
    """The winnings of a seat at a leaf, side pots included; spent int32[seats], folded bit mask of
    seats.

    The pot is cut into layers, one for each distinct amount put in, as in `doyle.games.payoffs`.
    """
    won = -float(spent[seat])
    below = 0
    while True:
        level = 0
        for other in range(spent.size):
            if spent[other] > below and (level == 0 or spent[other] < level):
                level = spent[other]
        if level == 0 or level > spent[seat]:
            return won
        inside, best, winners = 0, -2, 0
        for other in range(spent.size):
            if spent[other] >= level:
                inside += 1
                standing = -1 if folded >> other & 1 else int(standings[other])
                if standing > best:
                    best, winners = standing, 0
                winners += standing == best
        if (-1 if folded >> seat & 1 else int(standings[seat])) == best:
            won += (level - below) * inside / winners
        below = level


@kernel
def average_deals(
    tree: PackedTree,
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    pure: bool,
    state: npt.NDArray[np.uint64],
) -> int:
    """Add each seat's strategy to its averages along one path of every deal; returns nodes visited.

    The seat's actions are drawn from its strategy, so that a decision is weighted by the seat's own
    reach; actions of the others are drawn uniformly: drawn from their strategies they would weigh
    this iteration by the others' reach too, which no average over iterations may.
    """
    nodes = tree.nodes
    visited = 0
    for turn in range(buckets.shape[0] * buckets.shape[1]):
        deal, seat = divmod(turn, buckets.shape[1])
        node = 0
        while nodes[node, KIND] == DECISION:
            visited += 1
            level, count = nodes[node, ROUND], nodes[node, CHILDREN]
            action = min(int(next_uniform(state) * count), count - 1)
            if nodes[node, ACTOR] == seat:
                bucket = buckets[deal, seat, level]
                row = tree.base[level] + bucket * tree.width[level] + nodes[node, OFFSET]
                action = average_decision(regret, average, row, count, pure, state)
            node = tree.children[nodes[node, FIRST_CHILD] + action]
        visited += 1
    return visited


@kernel
def average_decision(
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    row: int,
    count: int,
    pure: bool,
    state: npt.NDArray[np.uint64],
) -> int:
    """Add a decision's strategy (with `pure` the drawn action) to its averages; the action drawn."""
    total, cumulative = 0.0, 0.0
    for other in range(count):
        total += max(regret[row + other], np.float32(0.0))
    scale = 1.0 / total if total > 0.0 else 0.0
    threshold = next_uniform(state)
    action = 0
    for other in range(count):
        positive = max(regret[row + other], np.float32(0.0))
        probability = positive * scale if total > 0.0 else 1.0 / count
        cumulative += probability
        action += threshold >= cumulative
        if not pure:
            average[row + other] += np.float32(probability)
    action = min(action, count - 1)
    if pure:
        average[row + action] += np.float32(1.0)
    return action


@kernel
def run_deals(
    tree: PackedTree,
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    results: npt.NDArray[np.int8],
    pure: bool,
    prune_below: float,
    prune_probability: float,
    tremble: float,
    frames: Frames,
    state: npt.NDArray[np.uint64],
) -> int:
    """Traverse every deal once for each seat; returns nodes visited.

    buckets int32[n, seats, rounds]; results int8[n], +1, 0 or -1 as seat 0 wins, ties or loses a
    showdown of two seats, or int8[n, seats], how many hands each beats: the loop is compiled for each
    of the two, so that two seats do not pay for more.
    Regrets of the traversing seat are changed in place and, between two seats, averages of the
    other; with more seats averages are left to `average_deals`. With `pure` the
    traversing seat too values a decision by one drawn action. In a share `prune_probability` of the
    traversals actions whose regret is below `prune_below` are skipped. In a share `tremble` of the
    decisions whose action is drawn for the other seats, it is drawn uniformly. All in one kernel: a
    call per visit with so many arrays would cost as much as the visit.
    """
    nodes, children = tree.nodes, tree.children
    lanes, opened, values = frames.lanes, frames.opened, frames.values
    seats = buckets.shape[1]
    turns: int = seats * buckets.shape[0]
    next_turn = 0
    begun, ended, visited = 0, 0, 0
    if nodes[0, KIND] != DECISION:
        return turns
    lanes[:, LANE_NODE] = -1
    while ended < turns:
        for number in range(LANES):
            lane = np.uint64(number)
            turn, node = lanes[lane, LANE_TURN], lanes[lane, LANE_NODE]
            depth = lanes[lane, LANE_DEPTH]
            deal, traverser = np.uint64(turn >> 4), turn & 15
            if node >= 0:
                visited += 1
                index = np.uint64(node)
                row, count = lanes[lane, LANE_ROW], nodes[index, CHILDREN]
                opponent_acts = nodes[index, ACTOR] != traverser
                action = 0
                if opponent_acts or pure:
                    # Step 1: draw an action by regret matching; average the opponent's strategy.
                    share = np.float32(1.0 if results.ndim == 1 and not pure else 0.0)
                    total, cumulative = 0.0, 0.0
                    for other in range(count):
                        regretted = regret[np.uint64(row + other)]
                        total += regretted if regretted > 0.0 else 0.0
                    scale = 1.0 / total if total > 0.0 else 0.0
                    even = 0.0 if total > 0.0 else 1.0 / count
                    threshold = next_uniform(state)
                    for other in range(count):
                        column = np.uint64(row + other)
                        regretted = regret[column]
                        probability = (regretted if regretted > 0.0 else 0.0) * scale + even
                        cumulative += probability
                        action += threshold >= cumulative
                        average[column] += share * np.float32(probability)
                    action = min(action, count - 1)
                if opponent_acts:
                    if pure and results.ndim == 1:
                        average[np.uint64(row + action)] += np.float32(1.0)
                    if tremble > 0.0 and next_uniform(state) < tremble:
                        action = min(int(next_uniform(state) * count), count - 1)
                else:
                    # Step 2: open a decision of the traversing seat.
                    frame = np.uint64(depth * LANES + number)
                    opened[frame, OPEN_NODE] = node
                    opened[frame, OPEN_ROW] = row
                    opened[frame, OPEN_CHOSEN] = action
                    skipped = 0
                    if lanes[lane, LANE_PRUNES]:
                        skipped = unpromising(tree, regret, node, row, prune_below)
                    opened[frame, OPEN_SKIPPED] = skipped
                    action = 0
                    while skipped >> action & 1:
                        action += 1
                    opened[frame, OPEN_ACTION] = action
                    depth += 1
                node = children[np.uint64(nodes[index, FIRST_CHILD] + action)]
                # Step 3: pass leaves' values to the decisions above; close complete ones.
                while nodes[np.uint64(node), KIND] != DECISION:
                    visited += 1
                    index = np.uint64(node)
                    if results.ndim == 1:
                        amount = nodes[index, AMOUNT]
                        value = float(amount if traverser == 0 else -amount)
                        if nodes[index, KIND] != FOLD_LEAF:
                            value *= results[deal]
                    else:
                        value = payoff(
                            tree.spent[index], nodes[index, FOLDED], results[deal], traverser
                        )
                    node = -1
                    while depth > 0 and node < 0:
                        frame = np.uint64((depth - 1) * LANES + number)
                        parent = np.uint64(opened[frame, OPEN_NODE])
                        count = nodes[parent, CHILDREN]
                        action = opened[frame, OPEN_ACTION]
                        values[frame, np.uint64(action)] = value
                        skipped = opened[frame, OPEN_SKIPPED]
                        action += 1
                        while skipped >> action & 1:
                            action += 1
                        if action < count:
                            opened[frame, OPEN_ACTION] = action
                            node = children[np.uint64(nodes[parent, FIRST_CHILD] + action)]
                            break
                        row = opened[frame, OPEN_ROW]
                        total, weighted, plain = 0.0, 0.0, 0.0
                        for other in range(count):
                            regretted = regret[np.uint64(row + other)]
                            positive = regretted if regretted > 0.0 else 0.0
                            earned = values[frame, np.uint64(other)]
                            total += positive
                            weighted += positive * earned
                            plain += earned
                        value = weighted * (1.0 / total) if total > 0.0 else plain * (1.0 / count)
                        if pure:
                            value = values[frame, np.uint64(opened[frame, OPEN_CHOSEN])]
                        for other in range(count):
                            if skipped >> other & 1 == 0:
                                regret[np.uint64(row + other)] += np.float32(
                                    values[frame, np.uint64(other)] - value
                                )
                        depth -= 1
                    if node < 0:
                        ended += 1
                        break
            if node < 0:
                # Step 4: this lane starts the next turn, if any.
                if begun == turns:
                    lanes[lane, LANE_NODE] = -1
                    continue
                lanes[lane, LANE_TURN] = next_turn
                deal, traverser = np.uint64(next_turn >> 4), next_turn & 15
                next_turn += 1 if traverser + 1 < seats else 17 - seats
                lanes[lane, LANE_PRUNES] = (
                    prune_probability > 0.0 and next_uniform(state) < prune_probability
                )
                begun += 1
                node, depth = 0, 0
            # Step 5: prefetch the data of the next visit; a run may cross into a second line.
            index = np.uint64(node)
            level, seat = np.uint64(nodes[index, ROUND]), nodes[index, ACTOR]
            bucket = buckets[deal, np.uint64(seat), level]
            row = tree.base[level] + bucket * tree.width[level] + nodes[index, OFFSET]
            first, last = np.uint64(row), np.uint64(row + nodes[index, CHILDREN] - 1)
            if seat == traverser:
                will_write(regret, first)
                will_write(regret, last)
            else:
                will_read(regret, first)
                will_read(regret, last)
                will_write(average, first)
                will_write(average, last)
            lanes[lane, LANE_NODE] = node
            lanes[lane, LANE_ROW] = row
            lanes[lane, LANE_DEPTH] = depth
    return visited


@kernel
def discount(table: npt.NDArray[np.float32], factor: float, floor: float) -> None:
    """Multiply table float32[n] by factor in place, and raise entries below floor to it."""
    scale = np.float32(factor)
    lowest = np.float32(floor)
    for index in range(table.size):
        value = table[index] * scale
        table[index] = value if value > lowest else lowest


@kernel
def normalise_average(
    average: npt.NDArray[np.float32],
    nodes: npt.NDArray[np.int32],
    level: int,
    base: int,
    width: int,
    bucket_count: int,
    probabilities: npt.NDArray[np.float32],
) -> None:
    """Write each decision's share of the average of one round into probabilities[buckets, width].

    An information set never visited gets equal probabilities.
    """
    for node in range(nodes.shape[0]):
        if nodes[node, KIND] != DECISION or nodes[node, ROUND] != level:
            continue
        offset = nodes[node, OFFSET]
        count = nodes[node, CHILDREN]
        for bucket in range(bucket_count):
            row = base + bucket * width + offset
            total = 0.0
            for action in range(count):
                total += average[row + action]
            for action in range(count):
                if total > 0.0:
                    probabilities[bucket, offset + action] = average[row + action] / total
                else:
                    probabilities[bucket, offset + action] = 1.0 / count


@kernel
def add_largest_regrets(
    regret: npt.NDArray[np.float32],
    nodes: npt.NDArray[np.int32],
    base: npt.NDArray[np.int64],
    width: npt.NDArray[np.int64],
    bucket_counts: npt.NDArray[np.int64],
    totals: npt.NDArray[np.float64],
) -> None:
    """Add each information set's largest positive regret to totals float64[seats] of its seat."""
    for node in range(nodes.shape[0]):
        if nodes[node, KIND] != DECISION:
            continue
        level = nodes[node, ROUND]
        for bucket in range(bucket_counts[level]):
            row = base[level] + bucket * width[level] + nodes[node, OFFSET]
            largest = np.float32(0.0)
            for action in range(nodes[node, CHILDREN]):
                largest = max(largest, regret[row + action])
            totals[nodes[node, ACTOR]] += largest
