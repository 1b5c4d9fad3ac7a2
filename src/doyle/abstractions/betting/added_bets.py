"""One real bet added to a betting tree at one place; below it the model continues from the real state.

The bet becomes one more action of a decision, and the tree below it is spanned by the same models as
the rest. In the arrays of a tree a subtree is a range of numbers, so the new one is put in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from doyle.abstractions.betting import _tree_kernels as kernels
from doyle.abstractions.betting.enumeration import span
from doyle.abstractions.betting.model import AddedBet
from doyle.abstractions.betting.notation import history_actions
from doyle.base.errors import DoyleError
from doyle.games import State

if TYPE_CHECKING:
    from doyle.abstractions.betting.tree import BettingTree


def with_bet(
    tree: BettingTree,
    start: State,
    history: str | Iterable[int],
    raise_to: int,
    *,
    most_nodes: int,
) -> BettingTree:
    """The tree with one more action after `history`, which counts from the tree's root `start`."""
    node = _find(tree, history)
    bet = AddedBet(tree.betting_text(node), raise_to)
    what = f"betting model {tree.model}: added bet {bet}"
    state = start
    for action in tree.path(node):
        state = state.apply(action)
    if state.is_over:
        raise DoyleError(f"{what}: the betting is over after {bet.history!r}")
    if not state.max_raise_to:
        raise DoyleError(f"{what}: nobody can raise after {bet.history!r}")
    if not state.min_raise_to <= raise_to <= state.max_raise_to:
        raise DoyleError(
            f"{what}: not legal after {bet.history!r}; a raise there is to "
            f"{state.min_raise_to} at least and {state.max_raise_to} at most"
        )
    if raise_to in tree.actions_of(node):
        raise DoyleError(f"{what}: the model has this bet after {bet.history!r} already")
    model = replace(tree.model, added=(*tree.model.added, bet))
    below = span(model, state.apply(raise_to), most_nodes=most_nodes - tree.node_count)
    below.action[0] = raise_to
    return type(tree)(*_put_in(tree, node, below), model, tree.game)


def _find(tree: BettingTree, history: str | Iterable[int]) -> int:
    """The node after a history; DoyleError names the history if the tree has no such node."""
    try:
        node = tree.find(history_actions(history) if isinstance(history, str) else history)
    except DoyleError as error:
        raise DoyleError(f"bet added after {history!r}: {error}") from None
    exact = tree.betting_text(node)
    if isinstance(history, str) and history != exact:
        raise DoyleError(
            f"bet added after {history!r}: rounds are divided otherwise; write {exact!r}"
        )
    return node


def _put_in(tree: BettingTree, node: int, below: kernels.Arrays) -> kernels.Arrays:
    """The arrays of `tree` with the subtree `below` as one more child of `node`."""
    larger = [int(c) for c in tree.children_of(node) if tree.action[c] > below.action[0]]
    place = larger[0] if larger else tree.subtree_end(node)
    size = below.kind.size
    moved = {
        name: np.concatenate((column[:place], getattr(below, name), column[place:]))
        for name in ("kind", "round", "actor", "action", "child_count", "spent", "folded")
        for column in (getattr(tree, name),)
    }
    moved["child_count"][node] += 1
    above = tree.parent + np.where(tree.parent >= place, size, 0)
    inside = below.parent + place
    inside[0] = node
    parent = np.concatenate((above[:place], inside, above[place:])).astype(np.int32)
    counts = moved["child_count"]
    return kernels.Arrays(
        parent=parent,
        # Edges stand in the order of their parents, and children of one parent ascend.
        child_start=(np.cumsum(counts) - counts).astype(np.int32),
        children=(1 + np.argsort(parent[1:], kind="stable")).astype(np.int32),
        **moved,
    )
