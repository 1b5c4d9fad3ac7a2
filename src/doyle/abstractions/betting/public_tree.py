"""`PublicTree`: every public history of a game as flat depth-first arrays; what algorithms read.

Node 0 is the root. A child has a larger number than its parent, and a subtree is a range of numbers,
so one forward loop pushes reach down and one backward loop pulls values up. A decision is a point
where a seat acts. A leaf belongs to the round in which the betting ended: a call of an all-in before
the flop is a showdown leaf of round 0, whatever cards are still to come. At a fold leaf the seat that
folded loses what it has put in; at a showdown the stronger hand wins what both have put in.

A *sequence* of a seat is a decision of that seat with one of its actions. Sequences are numbered per
seat, by round and within a round depth-first, so that those of one round are one range
(`sequence_starts`). -1 stands for the empty sequence.

`BettingTree` is the public tree that a betting model spans in a game. Games without a definition
file are drawn node by node with a `TreeBuilder`; their chips may be fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import _tree_kernels as kernels

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
class PublicTree:
    """Flat arrays over nodes; children of node n are `children[child_start[n]:][:child_count[n]]`.

    `action` is what led to a node (-1 at the root), `spent[n, seat]` the chips put in, `folded` a bit
    mask of seats, `actor` the seat to act (-1 at leaves).
    """

    kind: ByteArray
    round: ByteArray
    actor: ByteArray
    parent: IntArray
    action: IntArray
    child_start: IntArray
    child_count: IntArray
    children: IntArray
    spent: npt.NDArray[Any]
    folded: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return self.kind.size

    @property
    def node_count(self) -> int:
        return self.kind.size

    @property
    def players(self) -> int:
        """How many seats there are."""
        return int(self.spent.shape[1])

    @property
    def rounds(self) -> int:
        """How many rounds there are, those before the root included."""
        return int(self.round.max()) + 1

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
            found = np.bincount(self.round[self.kind == kind], minlength=self.rounds)
            return tuple(int(number) for number in found)

        return TreeCounts(by_round(DECISION), by_round(FOLD_LEAF), by_round(SHOWDOWN_LEAF))

    @cached_property
    def sequence_starts(self) -> IntArray:
        """[seat, round + 1]: where the sequences of each round begin; the last column is the total."""
        starts = np.zeros((self.players, self.rounds + 1), dtype=np.int32)
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
        for seat in range(self.players):
            for number in range(self.rounds):
                mine = (self.kind == DECISION) & (self.round == number) & (self.actor == seat)
                here = np.flatnonzero(mine)
                widths = self.child_count[here]
                first[here] = self.sequence_starts[seat, number] + np.cumsum(widths) - widths
        return first

    @cached_property
    def last_sequence(self) -> IntArray:
        """[node, seat]: the seat's last sequence on the way to the node; -1 if it has not acted."""
        last = np.empty((self.node_count, self.players), dtype=np.int32)
        taken = np.zeros(self.node_count, dtype=np.int32)
        kernels.trace_sequences(self.parent, self.actor, self.first_sequence, taken, last)
        return last

    def children_of(self, node: int) -> IntArray:
        """The children of a node, in the order of its actions."""
        start = self.child_start[node]
        return self.children[start : start + self.child_count[node]]

    def path(self, node: int) -> tuple[int, ...]:
        """The actions from the root to a node."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return tuple(reversed(actions))

    def walk(self, root: int = 0) -> Iterator[int]:
        """The nodes of a subtree, depth-first."""
        return iter(range(root, self.subtree_end(root)))

    def subtree_end(self, node: int) -> int:
        """One past the last node below `node`."""
        while self.child_count[node]:
            node = int(self.children[self.child_start[node] + self.child_count[node] - 1])
        return node + 1

    @cached_property
    def subtree_ends(self) -> IntArray:
        """For each node one past the last node below it."""
        end = np.arange(1, len(self) + 1, dtype=np.int32)
        for node in range(len(end) - 1, 0, -1):
            above = self.parent[node]
            end[above] = max(end[above], end[node])
        return end

    def leaf_chips(self, seat: int) -> npt.NDArray[np.float64]:
        """What one of two seats wins, by node: after a fold from anybody, else from weaker hands."""
        spent = self.spent.astype(np.float64)
        own_fold = (self.folded >> seat) & 1 == 1
        at_fold = np.where(own_fold, -spent[:, seat], spent[:, 1 - seat])
        chips = np.where(self.kind == FOLD_LEAF, at_fold, spent.min(axis=1))
        return np.where(self.kind == DECISION, 0.0, chips)


def edges(parent: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Where the children of each node start, how many there are, and all of them, in the order of their
    parents; children of one parent ascend."""
    counts = np.bincount(parent[1:], minlength=len(parent)).astype(np.int32)
    children = (1 + np.argsort(parent[1:], kind="stable")).astype(np.int32)
    return (np.cumsum(counts) - counts).astype(np.int32), counts, children


@dataclass(frozen=True, eq=False)
class LabelledTree(PublicTree):
    """A tree that was drawn by hand; `labels` has the action that led to each node as text."""

    labels: tuple[str, ...]


class TreeBuilder:
    """Adds the nodes of a tree of two seats in depth-first order.

    >>> tree = TreeBuilder()
    >>> root = tree.decision(-1, round=0, actor=0)
    >>> _ = tree.fold(root, round=0, amount=-1.0, label="fold")
    >>> _ = tree.showdown(root, round=0, amount=2.0, label="call")
    >>> tree.finish().children_of(0).tolist(), tree.finish().leaf_chips(1).tolist()
    ([1, 2], [0.0, 1.0, 2.0])
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, int, float, int]] = []
        self._labels: list[str] = []

    def _add(self, row: tuple[int, int, int, int, float, int], label: str) -> int:
        self._rows.append(row)
        self._labels.append(label)
        return len(self._rows) - 1

    def decision(self, parent: int, *, round: int, actor: int, label: str = "") -> int:
        return self._add((DECISION, parent, round, actor, 0.0, 0), label)

    def fold(self, parent: int, *, round: int, amount: float, label: str = "f") -> int:
        """A leaf that pays seat 0 `amount`: the seat that loses it has put it in and folds."""
        loser = 1 if amount < 0 else 2
        return self._add((FOLD_LEAF, parent, round, -1, abs(amount), loser), label)

    def showdown(self, parent: int, *, round: int, amount: float, label: str = "c") -> int:
        """A leaf where the better hand wins `amount`."""
        return self._add((SHOWDOWN_LEAF, parent, round, -1, amount, 0), label)

    def finish(self) -> LabelledTree:
        kind, parent, round_, actor, amount, folded = zip(*self._rows, strict=True)
        above = np.array(parent, np.int32)
        starts, counts, children = edges(above)
        action = np.full(len(above), -1, np.int32)
        action[children] = np.arange(len(children)) - starts[above[children]]
        return LabelledTree(
            kind=np.array(kind, np.int8),
            round=np.array(round_, np.int8),
            actor=np.array(actor, np.int8),
            parent=above,
            action=action,
            child_start=starts,
            child_count=counts,
            children=children,
            spent=np.repeat(np.array(amount, np.float64)[:, None], 2, axis=1),
            folded=np.array(folded, np.int16),
            labels=tuple(self._labels),
        )
