"""Compiled loops of the sampling solvers: one deal at a time through the betting tree.

A table holds one float32 per (bucket, action) of a round, all actions of the round side by side:
entry `base[round] + bucket * width[round] + offset[node] + action`, so that a visit touches one
short contiguous run. There is no recursion: frames of the traversing seat's open decisions are kept
in caller-owned arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel

DECISION, FOLD_LEAF, SHOWDOWN_LEAF = 0, 1, 2

# Columns of a packed node row.
KIND, ACTOR, ROUND, FIRST_CHILD, CHILDREN, OFFSET, AMOUNT = range(7)
ROW_WIDTH = 8


class SamplingTree(NamedTuple):
    """The betting tree as the sampling loops read it.

    nodes int32[n, 8]: kind, actor, round, first entry in `children`, number of children, offset of
    the node's actions in its round; at leaves AMOUNT is what seat 0 wins (fold) or the chips at
    stake for each seat (showdown). children int32[edges]; base int64[rounds]; width int64[rounds].
    """

    nodes: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    base: npt.NDArray[np.int64]
    width: npt.NDArray[np.int64]


class Frames(NamedTuple):
    """Scratch of one thread: open decisions of the traversing seat, by depth."""

    node: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    row: npt.NDArray[np.int64]
    sigma: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    skipped: npt.NDArray[np.bool_]


@kernel
def next_random(state: npt.NDArray[np.uint64]) -> np.uint64:
    """One step of xoshiro-like splitmix64 on state uint64[1], changed in place."""
    state[0] = state[0] + np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


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
def match_regrets(
    regret: npt.NDArray[np.float32],
    row: int,
    count: int,
    sigma: npt.NDArray[np.float64],
    depth: int,
) -> None:
    """Write the regret-matching strategy of regret[row:row+count] into sigma[depth, :count]."""
    total = 0.0
    for action in range(count):
        value = regret[np.uint64(row + action)]
        positive = float(value) if value > 0.0 else 0.0
        sigma[np.uint64(depth), np.uint64(action)] = positive
        total += positive
    if total > 0.0:
        scale = 1.0 / total
        for action in range(count):
            sigma[np.uint64(depth), np.uint64(action)] *= scale
    else:
        for action in range(count):
            sigma[np.uint64(depth), np.uint64(action)] = 1.0 / count


@kernel
def draw_action(
    sigma: npt.NDArray[np.float64], depth: int, count: int, state: npt.NDArray[np.uint64]
) -> int:
    """An action drawn from sigma[depth, :count]."""
    threshold = next_uniform(state)
    cumulative = 0.0
    for action in range(count - 1):
        cumulative += sigma[np.uint64(depth), np.uint64(action)]
        if threshold < cumulative:
            return action
    return count - 1


@kernel
def traverse(
    tree: SamplingTree,
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    sign: int,
    traverser: int,
    pure: bool,
    prune_below: float,
    frames: Frames,
    state: npt.NDArray[np.uint64],
) -> int:
    """One traversal for one deal; returns the number of nodes visited.

    buckets int32[2, rounds]; sign is +1, 0 or -1 as seat 0 wins, ties or loses a showdown. Regrets
    of `traverser` and averages of the other seat are changed in place. With `pure`, every seat
    plays one sampled action (Gibson's pure CFR); otherwise external sampling. Actions whose regret
    is below `prune_below` are passed over (never leaves).
    """
    nodes, children = tree.nodes, tree.children
    opponent_depth = frames.sigma.shape[0] - 1
    depth = 0
    node = 0
    visited = 0
    outcome = 1.0 if traverser == 0 else -1.0
    while True:
        visited += 1
        index = np.uint64(node)
        kind = nodes[index, KIND]
        if kind == DECISION:
            count = nodes[index, CHILDREN]
            seat = nodes[index, ACTOR]
            level = np.uint64(nodes[index, ROUND])
            bucket = buckets[np.uint64(seat), level]
            row = tree.base[level] + bucket * tree.width[level] + nodes[index, OFFSET]
            if seat != traverser:
                match_regrets(regret, row, count, frames.sigma, opponent_depth)
                action = draw_action(frames.sigma, opponent_depth, count, state)
                if pure:
                    average[np.uint64(row + action)] += np.float32(1.0)
                else:
                    for other in range(count):
                        average[np.uint64(row + other)] += np.float32(
                            frames.sigma[np.uint64(opponent_depth), np.uint64(other)]
                        )
                node = children[np.uint64(nodes[index, FIRST_CHILD] + action)]
                continue
            frame = np.uint64(depth)
            frames.node[frame] = node
            frames.row[frame] = row
            match_regrets(regret, row, count, frames.sigma, depth)
            if pure:
                chosen = draw_action(frames.sigma, depth, count, state)
                for other in range(count):
                    frames.sigma[frame, np.uint64(other)] = 1.0 if other == chosen else 0.0
            first = -1
            for other in range(count):
                child = children[np.uint64(nodes[index, FIRST_CHILD] + other)]
                skip = (
                    regret[np.uint64(row + other)] < prune_below
                    and nodes[np.uint64(child), KIND] == DECISION
                )
                frames.skipped[frame, np.uint64(other)] = skip
                if not skip and first < 0:
                    first = other
            if first < 0:
                # Everything is below the threshold: then nothing is passed over.
                first = 0
                for other in range(count):
                    frames.skipped[frame, np.uint64(other)] = False
            frames.child[frame] = first
            node = children[np.uint64(nodes[index, FIRST_CHILD] + first)]
            depth += 1
            continue
        if kind == FOLD_LEAF:
            value = outcome * nodes[index, AMOUNT]
        else:
            value = outcome * sign * nodes[index, AMOUNT]
        # Hand the value to the open decision above; close decisions that are complete.
        descend = False
        while depth > 0 and not descend:
            frame = np.uint64(depth - 1)
            parent = np.uint64(frames.node[frame])
            count = nodes[parent, CHILDREN]
            current = frames.child[frame]
            frames.values[frame, np.uint64(current)] = value
            following = current + 1
            while following < count and frames.skipped[frame, np.uint64(following)]:
                following += 1
            if following < count:
                frames.child[frame] = following
                node = children[np.uint64(nodes[parent, FIRST_CHILD] + following)]
                descend = True
            else:
                mean = 0.0
                for other in range(count):
                    if not frames.skipped[frame, np.uint64(other)]:
                        mean += (
                            frames.sigma[frame, np.uint64(other)]
                            * frames.values[frame, np.uint64(other)]
                        )
                row = frames.row[frame]
                for other in range(count):
                    if not frames.skipped[frame, np.uint64(other)]:
                        regret[np.uint64(row + other)] += np.float32(
                            frames.values[frame, np.uint64(other)] - mean
                        )
                value = mean
                depth -= 1
        if not descend:
            return visited


@kernel
def run_deals(
    tree: SamplingTree,
    regret: npt.NDArray[np.float32],
    average: npt.NDArray[np.float32],
    buckets: npt.NDArray[np.int32],
    signs: npt.NDArray[np.int8],
    pure: bool,
    prune_below: float,
    prune_probability: float,
    frames: Frames,
    state: npt.NDArray[np.uint64],
) -> int:
    """Traverse every deal once for each seat; returns nodes visited.

    buckets int32[n, 2, rounds], signs int8[n]; tables and frames are changed in place.
    """
    visited = 0
    for deal in range(buckets.shape[0]):
        threshold = -np.inf
        if prune_probability > 0.0 and next_uniform(state) < prune_probability:
            threshold = prune_below
        for traverser in range(2):
            visited += traverse(
                tree,
                regret,
                average,
                buckets[np.uint64(deal)],
                int(signs[np.uint64(deal)]),
                traverser,
                pure,
                threshold,
                frames,
                state,
            )
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
    """Add each information set's largest positive regret to totals float64[2] of its seat."""
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
