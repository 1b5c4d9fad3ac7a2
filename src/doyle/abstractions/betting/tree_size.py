"""How many nodes a betting tree has, counted before it is built.

Sequences after which the same betting can follow are counted together, one action after the other
(the idea of `doyle.games.sequences`, here for any betting model). The count ends as soon as it is above
the most that is asked for, and nothing of the size of the tree is allocated on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import _count_kernels as counting
from doyle.abstractions.betting import _tree_kernels as kernels

# Rows of a layer; 2**20 of them take about 130 MB.
_FIRST_ROWS, _MOST_ROWS = 1 << 10, 1 << 20
_MOST_VISITS = 30_000_000


@dataclass(frozen=True)
class NodeCount:
    """`nodes` is exact if `exact`, else there are at least that many. `visits`: actions looked at."""

    nodes: int
    exact: bool
    visits: int


def count_nodes(
    rules: kernels.Rules, *, most_nodes: int, root: npt.NDArray[np.int64] | None = None
) -> NodeCount:
    """Count the nodes of the tree that `rules` span, as far as `most_nodes`.

    `root` is the state of the first node, by default that in which the blinds are posted.
    """
    width = kernels.SPENT + rules.players
    buffers = np.zeros((4, rules.once.shape[1] + 3), np.int64)
    reduction = _reduction(rules)
    layer = np.zeros((1, width), np.int64)
    if root is None:
        kernels.begin(rules, layer[0])
    else:
        layer[0] = root
    counts = np.ones(1, np.int64)
    if layer[0, kernels.ACTOR] < 0:
        return NodeCount(1, exact=True, visits=0)
    first = int(counting.width_of(rules, layer[0], buffers[0], buffers[1]))
    nodes = np.array([1 + first, 0], np.int64)
    rows = _FIRST_ROWS
    while counts.size and nodes[0] <= most_nodes:
        if counting.count_ahead(rules, layer, counts, buffers, nodes, most_nodes):
            break
        size = counting.FULL
        while size == counting.FULL:
            following = np.empty((rows, width), np.int64)
            numbers = np.zeros(rows, np.int64)
            slots = np.full(4 * rows, -1, np.int32)
            size = counting.next_layer(
                rules, reduction, layer, counts, buffers, following, numbers, slots
            )
            if size == counting.FULL:
                rows *= 4
            if rows > _MOST_ROWS or nodes[1] > _MOST_VISITS:
                return NodeCount(int(nodes[0]), exact=False, visits=int(nodes[1]))
        layer, counts = following[:size], numbers[:size]
    return NodeCount(int(nodes[0]), exact=bool(nodes[0] <= most_nodes), visits=int(nodes[1]))


def most_actions(rules: kernels.Rules) -> int:
    """More actions than any betting sequence of these rules has."""
    return kernels.MAX_ACTIONS_PER_ROUND * rules.rounds + 1


def _reduction(rules: kernels.Rules) -> counting.Reduction:
    """What never matters in this game."""
    chips = 0
    if rules.kind[0] == kernels.KIND_LIMIT:
        raises = np.minimum(rules.max_raises, kernels.MAX_ACTIONS_PER_ROUND)
        deepest = int(rules.blinds.max()) + int((raises * rules.raise_sizes).sum())
        chips = int(deepest < int(rules.stacks.min()))
    longest = max(_most_raises(rules, int(raises)) for raises in rules.max_raises)
    actions = int(rules.players * (longest + 2) <= kernels.MAX_ACTIONS_PER_ROUND)
    pot = int(not (rules.kind == kernels.KIND_POT).any())
    return counting.Reduction(pot=pot, chips=chips, actions=actions)


def _most_raises(rules: kernels.Rules, allowed: int) -> int:
    """At least as many raises as a round can have room for."""
    most = min(allowed, kernels.MAX_ACTIONS_PER_ROUND)
    if rules.kind[0] == kernels.KIND_LIMIT:
        return most
    by_pot = bool((rules.kind == kernels.KIND_POT).all())
    if by_pot and not rules.sizes.any():
        return min(most, rules.players)
    there = np.arange(rules.once.shape[1]) < rules.sizes[:, None]
    # A raise adds the big blind at least, but for each seat's all-in; one of a model also its
    # smallest share of the pot, which is twice what has been put in by the larger seat.
    stack, step = int(rules.stacks.max()), max(1, int(rules.blinds.max()))
    spent, raises = step, rules.players
    while spent < stack and raises < most:
        share = 0
        if by_pot:
            share = int((2 * spent * rules.numerators // rules.denominators)[there].min())
        spent += max(step, share)
        raises += 1
    return min(most, raises)
