"""A tree game: what solvers see. A public tree, private states per seat, and payoff matrices.

Two players, zero sum. The *public tree* holds every betting sequence. What a seat knows beyond it
is its *private state* of the round: a hand, a rank, a bucket, win or lose. Chance is folded into
the states: a public card refines both seats' states when its round begins, so the tree has no
chance nodes. Each state of a round has one parent state in the round before (perfect recall).

A leaf pays through the matrices of its round: `weight[i, j]` is the probability that chance gives
seat 0 state i and seat 1 state j, and `sign[i, j]` is that probability times the expected sign of
seat 0's result at a showdown. Public cards make both matrices block-diagonal. Amounts are chips
for seat 0: at a fold leaf what it wins, at a showdown leaf what is at stake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError

DECISION, FOLD, SHOWDOWN = 0, 1, 2

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[Any]


@dataclass(frozen=True)
class PublicTree:
    """Every public history, numbered depth first: a parent always comes before its children."""

    kind: Ints
    round: Ints
    actor: Ints
    parent: Ints
    child_start: Ints
    child_count: Ints
    children: Ints
    amount: Floats
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    def children_of(self, node: int) -> Ints:
        start = int(self.child_start[node])
        return self.children[start : start + int(self.child_count[node])]

    def path(self, node: int) -> tuple[str, ...]:
        """The labels of the actions that lead from the root to `node`."""
        labels: list[str] = []
        while node > 0:
            labels.append(self.labels[node])
            node = int(self.parent[node])
        return tuple(reversed(labels))

    @cached_property
    def decisions(self) -> Ints:
        return np.flatnonzero(self.kind == DECISION)


class TreeBuilder:
    """Adds the nodes of a public tree in depth-first order.

    >>> tree = TreeBuilder()
    >>> root = tree.decision(-1, round=0, actor=0)
    >>> _ = tree.fold(root, round=0, amount=-1.0, label="fold")
    >>> _ = tree.showdown(root, round=0, amount=2.0, label="call")
    >>> tree.finish().children_of(0).tolist()
    [1, 2]
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, int, float]] = []
        self._labels: list[str] = []

    def _add(
        self, kind: int, parent: int, round: int, actor: int, amount: float, label: str
    ) -> int:
        self._rows.append((kind, parent, round, actor, amount))
        self._labels.append(label)
        return len(self._rows) - 1

    def decision(self, parent: int, *, round: int, actor: int, label: str = "") -> int:
        return self._add(DECISION, parent, round, actor, 0.0, label)

    def fold(self, parent: int, *, round: int, amount: float, label: str = "f") -> int:
        """A leaf that pays seat 0 `amount` whatever the states are."""
        return self._add(FOLD, parent, round, -1, amount, label)

    def showdown(self, parent: int, *, round: int, amount: float, label: str = "c") -> int:
        """A leaf where the better hand wins `amount`."""
        return self._add(SHOWDOWN, parent, round, -1, amount, label)

    def finish(self) -> PublicTree:
        rows = self._rows
        parent = np.array([row[1] for row in rows], np.int32)
        counts = np.bincount(parent[1:], minlength=len(rows)).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int32)
        children = (np.argsort(parent[1:], kind="stable") + 1).astype(np.int32)
        return PublicTree(
            kind=np.array([row[0] for row in rows], np.int8),
            round=np.array([row[2] for row in rows], np.int8),
            actor=np.array([row[3] for row in rows], np.int8),
            parent=parent,
            child_start=starts,
            child_count=counts,
            children=children,
            amount=np.array([row[4] for row in rows], np.float64),
            labels=tuple(self._labels),
        )


@dataclass(frozen=True)
class BlockMatrix:
    """A block-diagonal matrix: block b has rows row_start[b]:row_start[b+1] and likewise columns.

    >>> matrix = BlockMatrix.of([np.ones((1, 2)), 2 * np.ones((1, 1))])
    >>> matrix.dense().tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]
    """

    row_start: Ints
    column_start: Ints
    value_start: Ints
    values: npt.NDArray[Any]

    @classmethod
    def of(cls, blocks: Sequence[npt.NDArray[Any]]) -> BlockMatrix:
        """The matrix with these blocks down its diagonal."""
        if not blocks:
            raise DoyleError("block matrix: needs at least one block")

        def starts(sizes: list[int]) -> Ints:
            return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

        return cls(
            row_start=starts([block.shape[0] for block in blocks]),
            column_start=starts([block.shape[1] for block in blocks]),
            value_start=starts([block.size for block in blocks]),
            values=np.concatenate([np.ascontiguousarray(block).ravel() for block in blocks]),
        )

    def __len__(self) -> int:
        return len(self.row_start) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.row_start[-1]), int(self.column_start[-1])

    def block(self, index: int) -> npt.NDArray[Any]:
        rows = int(self.row_start[index + 1] - self.row_start[index])
        columns = int(self.column_start[index + 1] - self.column_start[index])
        first, last = int(self.value_start[index]), int(self.value_start[index + 1])
        return self.values[first:last].reshape(rows, columns)

    def transposed(self) -> BlockMatrix:
        return BlockMatrix.of([self.block(index).T for index in range(len(self))])

    def dense(self) -> npt.NDArray[Any]:
        result = np.zeros(self.shape, self.values.dtype)
        for index in range(len(self)):
            rows = slice(int(self.row_start[index]), int(self.row_start[index + 1]))
            columns = slice(int(self.column_start[index]), int(self.column_start[index + 1]))
            result[rows, columns] = self.block(index)
        return result

    @property
    def largest_block(self) -> int:
        return int(max(np.diff(self.row_start).max(), np.diff(self.column_start).max()))


@dataclass(frozen=True)
class Chance:
    """The private states of one round: their parents in the round before, and their payoffs."""

    parents: tuple[Ints, Ints]
    weight: BlockMatrix
    sign: BlockMatrix

    def states(self, seat: int) -> int:
        return len(self.parents[seat])


@dataclass(frozen=True)
class TreeGame:
    """A two-player zero-sum game of perfect recall, as solvers see it."""

    name: str
    tree: PublicTree
    chances: tuple[Chance, ...]

    def __post_init__(self) -> None:
        for number, chance in enumerate(self.chances):
            previous = self.chances[number - 1] if number else None
            _check_chance(self.name, number, chance, previous)
        rounds = int(self.tree.round.max()) + 1
        if rounds > len(self.chances):
            raise DoyleError(
                f"{self.name}: the tree has {rounds} rounds, chance {len(self.chances)}"
            )

    def states(self, round: int, seat: int) -> int:
        """How many private states `seat` may be in; one before the first round."""
        return 1 if round < 0 else self.chances[round].states(seat)

    def ancestors(self, seat: int, *, round: int, earlier: int) -> Ints:
        """For each state of `round`, the state of the `earlier` round (-1: the start) it came from."""
        result = np.arange(self.states(round, seat))
        for number in range(round, earlier, -1):
            result = self.chances[number].parents[seat][result]
        return np.asarray(result, np.int64)

    def information_sets(self) -> tuple[int, int]:
        """Pairs of a decision and a private state, per seat."""
        counts = [0, 0]
        for node in self.tree.decisions:
            seat = int(self.tree.actor[node])
            counts[seat] += self.states(int(self.tree.round[node]), seat)
        return counts[0], counts[1]


def _check_chance(name: str, number: int, chance: Chance, previous: Chance | None) -> None:
    """Raise unless sizes fit and each round's probabilities refine those of the round before."""
    where = f"{name}: round {number + 1}"
    expected = (chance.states(0), chance.states(1))
    for matrix in (chance.weight, chance.sign):
        if matrix.shape != expected:
            raise DoyleError(f"{where}: a matrix is {matrix.shape} where the states are {expected}")
    starts = (chance.weight, chance.sign)
    if not all(
        np.array_equal(getattr(starts[0], field), getattr(starts[1], field))
        for field in ("row_start", "column_start")
    ):
        raise DoyleError(f"{where}: weight and sign have different blocks")
    tolerance = 1e-9 if chance.weight.values.dtype == np.float64 else 1e-4
    if abs(float(chance.weight.values.sum(dtype=np.float64)) - 1.0) > tolerance:
        raise DoyleError(f"{where}: probabilities do not sum to 1")
    for seat in (0, 1):
        count = previous.states(seat) if previous is not None else 1
        parents = chance.parents[seat]
        if len(parents) and (parents.min() < 0 or parents.max() >= count):
            raise DoyleError(
                f"{where}: a parent state of seat {seat} is out of range 0..{count - 1}"
            )
        if previous is None:
            continue
        mine, before = marginal(chance.weight, seat), marginal(previous.weight, seat)
        sums = np.bincount(parents, weights=mine, minlength=count)
        if np.abs(sums - before).max() > tolerance:
            raise DoyleError(
                f"{where}: probabilities of seat {seat} do not refine the round before"
            )


def marginal(weight: BlockMatrix, seat: int) -> Floats:
    """The probability of each state of `seat`."""
    parts = [
        weight.block(index).sum(axis=1 - seat, dtype=np.float64) for index in range(len(weight))
    ]
    return np.concatenate(parts)
