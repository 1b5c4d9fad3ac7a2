"""Kernels that count a betting tree without walking it: states with the same future are one.

A layer holds the decisions after a given number of actions, each state once, with the number of
sequences that lead to it. States are rows as in `_tree_kernels`, reduced to what the further betting
depends on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from doyle.abstractions.betting._tree_kernels import (
    ACTION,
    BET,
    FOLDED,
    KIND_LIMIT,
    LEAST,
    MADE,
    NODE_DECISION,
    SPENT,
    Rules,
    allowed_raises,
    can_fold,
    choose,
    largest,
    take,
)
from doyle.base._numba import Array, kernel

FULL, DONE = -1, -2
"""What `next_layer` returns without room for another state, and `count_ahead` if it knows enough."""


class Reduction(NamedTuple):
    """What a game's betting never depends on.

    The pot if no seat bets a share of it, chips that cannot run out, actions that always fit.
    """

    pot: int
    chips: int
    actions: int


@kernel
def reduce_state(rules: Rules, reduction: Reduction, row: Array) -> None:
    """Give states that only differ in what no longer matters the same row, in place."""
    row[ACTION] = 0
    row[BET] = 0
    if reduction.actions:
        row[MADE] = 0
    if not reduction.pot:
        return
    # Fixed and free raises depend on the largest total, not on the pot: of each seat it matters
    # whether it has folded, is all-in or owes something.
    most = largest(row, rules.players)
    for seat in range(rules.players):
        if (row[FOLDED] >> seat) & 1:
            row[SPENT + seat] = 0
        elif reduction.chips:
            row[SPENT + seat] = 1 if row[SPENT + seat] == most else 0
        elif row[SPENT + seat] < min(most, rules.stacks[seat]):
            row[SPENT + seat] = min(most, rules.stacks[seat]) - 1
    if rules.kind[0] == KIND_LIMIT:
        row[LEAST] = 0


@kernel
def width_of(rules: Rules, row: Array, totals: Array, bets: Array) -> int:
    """How many actions a decision has."""
    return can_fold(rules, row) + 1 + allowed_raises(rules, row, totals, bets)


@kernel
def count_ahead(
    rules: Rules, layer: Array, counts: Array, buffers: Array, nodes: Array, most_nodes: int
) -> int:
    """Add to `nodes[0]` the children of the decisions that follow this layer; DONE once it is clear
    that there are more than `most_nodes`, and `nodes[0]` is then above that.

    `nodes[1]` counts the actions looked at. `buffers` int64[4, raises of a decision].
    """
    totals, bets, totals_ahead, bets_ahead = buffers[0], buffers[1], buffers[2], buffers[3]
    row = np.empty(layer.shape[1], np.int64)
    further = 0
    for i in range(counts.size):
        state = layer[i]
        width = width_of(rules, state, totals, bets)
        for slot in range(width):
            row[:] = state
            choose(rules, row, slot, totals, bets)
            nodes[1] += 1
            if take(rules, row) != NODE_DECISION:
                continue
            raises = allowed_raises(rules, row, totals_ahead, bets_ahead)
            nodes[0] += counts[i] * (can_fold(rules, row) + 1 + raises)
            # Every raise is answered by a fold or a call at least.
            further += 2 * counts[i] * raises
            if nodes[0] + further > most_nodes:
                nodes[0] += further
                return DONE
    return 0


@kernel
def place_of(rows: Array, slots: Array, row: Array) -> int:
    """Where `row` is, or belongs, in the hash table `slots` of row numbers (-1: free)."""
    mixed = np.uint64(1469598103934665603)
    for column in range(row.size):
        mixed = (mixed ^ np.uint64(row[column])) * np.uint64(1099511628211)
        mixed ^= mixed >> np.uint64(29)
    mask = np.uint64(slots.size - 1)
    place = mixed & mask
    while slots[place] >= 0:
        known = rows[slots[place]]
        column = 0
        while column < row.size and known[column] == row[column]:
            column += 1
        if column == row.size:
            break
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def next_layer(
    rules: Rules,
    reduction: Reduction,
    layer: Array,
    counts: Array,
    buffers: Array,
    following: Array,
    following_counts: Array,
    slots: Array,
) -> int:
    """Fill `following` and its counts (zeros) with the decisions one action on; return how many.

    FULL if there are more than it can hold. `slots` int32[a power of two, more than twice as many],
    all -1.
    """
    totals, bets = buffers[0], buffers[1]
    row = np.empty(layer.shape[1], np.int64)
    size = 0
    for i in range(counts.size):
        state = layer[i]
        width = width_of(rules, state, totals, bets)
        for slot in range(width):
            row[:] = state
            choose(rules, row, slot, totals, bets)
            if take(rules, row) != NODE_DECISION:
                continue
            reduce_state(rules, reduction, row)
            place = place_of(following, slots, row)
            if slots[place] < 0:
                if size == following_counts.size:
                    return FULL
                following[size] = row
                slots[place] = size
                size += 1
            following_counts[slots[place]] += counts[i]
    return size
