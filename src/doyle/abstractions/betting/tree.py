"""`BettingTree`: the public tree of every betting sequence that a model spans in a game.

Node 0 is the root: the moment after the blinds, or any later one. The arrays and what follows from
them are those of `PublicTree`; here are the game, the model, and betting as text.

A real bet that is added at one place becomes one more action of a decision, and the tree below it is
spanned from the real state by the same models as the rest. A subtree is a range of numbers, so the new
one is put in between.

The tree of three-player limit Hold'em has 24 million nodes: seconds to span and 0.9 GiB to hold. Agents
that play in several processes map the arrays of one artifact instead (`stored_tree`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from doyle.abstractions.betting import _tree_kernels as kernels
from doyle.abstractions.betting.enumeration import LARGEST_TREE, span
from doyle.abstractions.betting.model import AddedBet, BettingModel
from doyle.abstractions.betting.notation import history_actions
from doyle.abstractions.betting.public_tree import IntArray, PublicTree, edges
from doyle.base.artifacts import Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.games import Game, State, action_name


@dataclass(frozen=True, eq=False)
class BettingTree(PublicTree):
    """A tree whose actions are those of a `State`: children are fold, call, raises ascending.

    >>> tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    >>> tree.decision_count, tree.counts().decisions
    (2576, (24, 144, 584, 1824))
    >>> tree.betting_text(tree.find([1, 1, 6]))
    'cc/r6'
    """

    model: BettingModel
    game: Game

    @classmethod
    def build(
        cls,
        model: BettingModel | str,
        game: Game | str,
        *,
        root: State | None = None,
        added: Iterable[tuple[str | Iterable[int], int]] = (),
        most_nodes: int | None = None,
    ) -> BettingTree:
        """Enumerate the tree of `model` in `game`, from the blinds or from the moment `root`.

        Both may be given by what they are called, such as `fcpa` and `leduc-nl12`.
        `added` are single bets that the model lacks: a history from the root, as betting string or
        actions, and what is raised to there. Refused if the tree has more than `most_nodes` (by
        default LARGEST_TREE) nodes, before it takes time and memory to make it.
        """
        model = BettingModel.parse(model) if isinstance(model, str) else model
        game = Game.of(game)
        model.check(game)
        most = LARGEST_TREE if most_nodes is None else min(most_nodes, LARGEST_TREE)
        start = State.start(game) if root is None else root
        if model.document is not None:
            return cls._of_document(model, start, added=added, most_nodes=most)
        spanned = span(model, start, most_nodes=most)
        tree = cls(*spanned, replace(model, added=()), game)
        bets = [(bet.history, bet.raise_to) for bet in model.added]
        for history, raise_to in (*bets, *added):
            tree = with_bet(tree, start, history, raise_to, most_nodes=most)
        return tree

    @classmethod
    def _of_document(
        cls, model: BettingModel, start: State, *, added: Iterable[object], most_nodes: int
    ) -> BettingTree:
        from doyle.abstractions.betting.bml.models import span_document

        if any(True for _ in added):
            raise DoyleError(f"betting model {model}: add the bet to the BML file itself")
        return cls(*span_document(model, start, most_nodes=most_nodes), model, start.game)

    @property
    def rounds(self) -> int:
        return self.game.rounds

    def actions_of(self, node: int) -> IntArray:
        """The actions of a decision: fold, call, raises ascending."""
        return self.action[self.children_of(node)]

    def action_names(self, node: int) -> tuple[str, ...]:
        """The actions of a decision in words: fold, check, call, raise 300, all-in."""
        seat, spent = int(self.actor[node]), self.spent[node]
        to_call, stack = int(spent.max() - spent[seat]), self.game.stacks[seat]
        actions = self.actions_of(node).tolist()
        return tuple(action_name(action, to_call=to_call, stack=stack) for action in actions)

    def child(self, node: int, action: int) -> int:
        """The node an action leads to; DoyleError if the tree has no such action there."""
        below = self.children_of(node)
        found = np.flatnonzero(self.action[below] == action)
        if not found.size:
            known = (
                " ".join(str(number) for number in self.action[below]) or "none: betting is over"
            )
            raise DoyleError(
                f"betting tree {self.model}: no action {action} after "
                f"{self.betting_text(node)!r}; actions there: {known}"
            )
        return int(below[found[0]])

    def find(self, actions: Iterable[int] | Iterable[Iterable[int]]) -> int:
        """The node after these actions, flat or grouped by round as in `State.betting`."""
        node = 0
        for item in actions:
            for action in (item,) if isinstance(item, int | np.integer) else item:
                node = self.child(node, int(action))
        return node

    def betting_text(self, node: int) -> str:
        """The betting string of a node, such as 'cr6c/r18f'; rounds that began are after a slash."""
        parts: list[str] = []
        while node > 0:
            parent = int(self.parent[node])
            action = int(self.action[node])
            text = "fc"[action] if action < 2 else ("r" if self.game.is_limit else f"r{action}")
            parts.append(text + "/" * int(self.round[node] - self.round[parent]))
            node = parent
        return "".join(reversed(parts))


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
        for name in ("kind", "round", "actor", "action", "spent", "folded")
        for column in (getattr(tree, name),)
    }
    above = tree.parent + np.where(tree.parent >= place, size, 0)
    inside = below.parent + place
    inside[0] = node
    parent = np.concatenate((above[:place], inside, above[place:])).astype(np.int32)
    starts, counts, children = edges(parent)
    return kernels.Arrays(
        parent=parent, child_start=starts, child_count=counts, children=children, **moved
    )


KIND, VERSION = "betting-tree", 1


def stored_tree(model: BettingModel, game: Game, *, store: Store | None = None) -> BettingTree:
    """The tree that `model` spans in `game`, mapped from the store; spanned if it is not there."""
    names = [field.name for field in fields(PublicTree)]

    def build(builder: Builder) -> None:
        tree = BettingTree.build(model, game)
        for name in names:
            builder.put(name, getattr(tree, name))

    parameters = {"game": game.to_text(), "betting": str(model)}
    artifact = (store or Store()).get(Description(KIND, VERSION, parameters), build)
    # Plain views: every index into a memory-mapped array costs more.
    arrays: dict[str, Any] = {name: np.asarray(artifact.array(name)) for name in names}
    return BettingTree(model=model, game=game, **arrays)
