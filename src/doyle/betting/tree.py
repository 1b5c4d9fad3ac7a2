"""`BettingTree`: every betting sequence a model spans in a game, as flat depth-first arrays.

Node 0 is the root: the moment after the blinds, or any later one. A child has a larger number than
its parent, and a subtree is a range of numbers, so one forward loop pushes reach down and one
backward loop pulls values up. A decision is a point where a seat acts. A leaf belongs to the round
in which the betting ended: a call of an all-in before the flop is a showdown leaf of round 0,
whatever cards are still to come.

A *sequence* of a seat is a decision of that seat with one of its actions. Sequences are numbered per
seat, by round and within a round depth-first, so that those of one round are one range
(`sequence_starts`). -1 stands for the empty sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.betting import _tree_kernels as kernels
from doyle.betting.added_bets import with_bet
from doyle.betting.enumeration import LARGEST_TREE, span
from doyle.betting.model import BettingModel
from doyle.errors import DoyleError
from doyle.games import Game, State

DECISION, FOLD_LEAF, SHOWDOWN_LEAF = range(3)

IntArray = npt.NDArray[np.int32]
ByteArray = npt.NDArray[np.int8]


@dataclass(frozen=True)
class TreeCounts:
    """How many nodes of each kind a tree has, by round."""

    decisions: tuple[int, ...]
    fold_leaves: tuple[int, ...]
    showdown_leaves: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """Flat arrays over nodes; children of node n are `children[child_start[n]:][:child_count[n]]`.

    `action` is the Action that led to a node (-1 at the root), `spent[n, seat]` the chips put in,
    `folded` a bit mask of seats, `actor` the seat to act (-1 at leaves). Children are in the order
    fold, call, raises ascending.

    >>> tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    >>> tree.decision_count, tree.counts().decisions
    (2576, (24, 144, 584, 1824))
    >>> tree.betting_text(tree.find([1, 1, 6]))
    'cc/r6'
    """

    model: BettingModel
    game: Game
    kind: ByteArray
    round: ByteArray
    actor: ByteArray
    parent: IntArray
    action: IntArray
    child_start: IntArray
    child_count: IntArray
    children: IntArray
    spent: IntArray
    folded: npt.NDArray[np.int16]

    @classmethod
    def build(
        cls,
        model: BettingModel,
        game: Game,
        *,
        root: State | None = None,
        added: Iterable[tuple[str | Iterable[int], int]] = (),
        most_nodes: int | None = None,
    ) -> BettingTree:
        """Enumerate the tree of `model` in `game`, from the blinds or from the moment `root`.

        `added` are single bets that the model lacks: a history from the root, as betting string or
        actions, and what is raised to there. Refused if the tree has more than `most_nodes` (by
        default LARGEST_TREE) nodes, before it takes time and memory to make it.
        """
        model.check(game)
        most = LARGEST_TREE if most_nodes is None else min(most_nodes, LARGEST_TREE)
        start = State.start(game) if root is None else root
        if model.document is not None:
            return cls._of_document(model, start, added=added, most_nodes=most)
        spanned = span(model, start, most_nodes=most)
        tree = cls(replace(model, added=()), game, *spanned)
        bets = [(bet.history, bet.raise_to) for bet in model.added]
        for history, raise_to in (*bets, *added):
            tree = with_bet(tree, start, history, raise_to, most_nodes=most)
        return tree

    @classmethod
    def _of_document(
        cls, model: BettingModel, start: State, *, added: Iterable[object], most_nodes: int
    ) -> BettingTree:
        from doyle.betting.bml_model import span_document

        if any(True for _ in added):
            raise DoyleError(f"betting model {model}: add the bet to the BML file itself")
        return cls(model, start.game, *span_document(model, start, most_nodes=most_nodes))

    @property
    def node_count(self) -> int:
        return self.kind.size

    @cached_property
    def decisions(self) -> IntArray:
        """The nodes where a seat acts, ascending."""
        return np.flatnonzero(self.kind == DECISION).astype(np.int32)

    @cached_property
    def leaves(self) -> IntArray:
        """The nodes where the betting has ended, ascending."""
        return np.flatnonzero(self.kind != DECISION).astype(np.int32)

    @property
    def decision_count(self) -> int:
        return self.decisions.size

    def counts(self) -> TreeCounts:
        """Nodes of each kind by round."""

        def by_round(kind: int) -> tuple[int, ...]:
            found = np.bincount(self.round[self.kind == kind], minlength=self.game.rounds)
            return tuple(int(number) for number in found)

        return TreeCounts(by_round(DECISION), by_round(FOLD_LEAF), by_round(SHOWDOWN_LEAF))

    @cached_property
    def decision_index(self) -> IntArray:
        """For each decision its number among the decisions of its round; -1 at leaves."""
        index = np.full(self.node_count, -1, dtype=np.int32)
        for number in range(self.game.rounds):
            here = np.flatnonzero((self.kind == DECISION) & (self.round == number))
            index[here] = np.arange(here.size)
        return index

    @cached_property
    def sequence_starts(self) -> IntArray:
        """[seat, round + 1]: where the sequences of each round begin; the last column is the total."""
        starts = np.zeros((self.game.players, self.game.rounds + 1), dtype=np.int32)
        np.add.at(
            starts,
            (self.actor[self.decisions], self.round[self.decisions] + 1),
            self.child_count[self.decisions],
        )
        return np.cumsum(starts, axis=1, dtype=np.int32)

    @cached_property
    def first_sequence(self) -> IntArray:
        """For each decision, the acting seat's number of its first action; -1 at leaves.

        Action k of the decision is sequence `first_sequence + k`.
        """
        first = np.full(self.node_count, -1, dtype=np.int32)
        for seat in range(self.game.players):
            for number in range(self.game.rounds):
                mine = (self.kind == DECISION) & (self.round == number) & (self.actor == seat)
                here = np.flatnonzero(mine)
                widths = self.child_count[here]
                first[here] = self.sequence_starts[seat, number] + np.cumsum(widths) - widths
        return first

    @cached_property
    def last_sequence(self) -> IntArray:
        """[node, seat]: the seat's last sequence on the way to the node; -1 if it has not acted."""
        last = np.empty((self.node_count, self.game.players), dtype=np.int32)
        taken = np.zeros(self.node_count, dtype=np.int32)
        kernels.trace_sequences(self.parent, self.actor, self.first_sequence, taken, last)
        return last

    def children_of(self, node: int) -> IntArray:
        """The children of a node, in the order of its actions."""
        start = self.child_start[node]
        return self.children[start : start + self.child_count[node]]

    def actions_of(self, node: int) -> IntArray:
        """The actions of a decision: fold, call, raises ascending."""
        return self.action[self.children_of(node)]

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

    def path(self, node: int) -> tuple[int, ...]:
        """The actions from the root to a node."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return tuple(reversed(actions))

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

    def walk(self, root: int = 0) -> Iterator[int]:
        """The nodes of a subtree, depth-first."""
        return iter(range(root, self.subtree_end(root)))

    def subtree_end(self, node: int) -> int:
        """One past the last node below `node`."""
        while self.child_count[node]:
            node = int(self.children[self.child_start[node] + self.child_count[node] - 1])
        return node + 1
