"""`MatrixGame`: a public tree over private states whose odds and results are given as matrices.

It is what the sequence form (`doyle.solving.methods`) reads: games whose states are merged cards, buckets,
win and lose. Games of hands with ranges, for vector methods, are `PublicGame`.

A private state is a hand, a rank, a bucket, win or lose. Chance is folded into the states: a public
card refines both seats' states when its round begins. Each state of a round has one parent state in
the round before (perfect recall). `joint[i, j]` is the probability that chance gives seat 0 state i
and seat 1 state j, and `showdown[i, j]` is that probability times the expected sign of seat 0's
result at a showdown, whatever is still to be dealt. What is public divides both matrices into blocks
down their diagonal: states of different blocks never meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import PublicTree
from doyle.base.errors import DoyleError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[Any]


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
class PrivateStates:
    """The private states of one round: their parents in the round before, by seat, and the matrices."""

    parents: tuple[Ints, Ints]
    joint: BlockMatrix
    showdown: BlockMatrix

    def count(self, seat: int) -> int:
        return len(self.parents[seat])


@dataclass(frozen=True, eq=False)
class MatrixGame:
    """One game of two seats; `private_states` by round, each refining the one before.

    >>> from doyle.abstractions.betting import TreeBuilder
    >>> tree = TreeBuilder()
    >>> _ = tree.showdown(tree.decision(-1, round=0, actor=0), round=0, amount=1.0)
    >>> matrix = BlockMatrix.of([np.full((1, 1), 1.0)])
    >>> states = PrivateStates((np.zeros(1, int), np.zeros(1, int)), matrix, matrix)
    >>> MatrixGame("coin", tree.finish(), (states,)).information_sets()
    (1, 0)
    """

    name: str
    tree: PublicTree
    private_states: tuple[PrivateStates, ...]

    def __post_init__(self) -> None:
        rounds = self.private_states
        for number, states in enumerate(rounds):
            _check_states(self.name, number, states, rounds[number - 1] if number else None)
        if self.tree.rounds > len(rounds):
            raise DoyleError(
                f"{self.name}: the tree has {self.tree.rounds} rounds, its states {len(rounds)}"
            )
        if self.tree.players != 2:
            raise DoyleError(f"{self.name}: these methods need two seats")

    def states(self, round: int, seat: int) -> int:
        """How many private states `seat` may be in; one before the first round."""
        return 1 if round < 0 else self.private_states[round].count(seat)

    def ancestors(self, seat: int, *, round: int, earlier: int) -> npt.NDArray[np.int64]:
        """For each state of a round, the state of the `earlier` one (-1: the start) it came from."""
        result = np.arange(self.states(round, seat))
        for number in range(round, earlier, -1):
            result = self.private_states[number].parents[seat][result]
        return np.asarray(result, np.int64)

    def information_sets(self) -> tuple[int, int]:
        """Pairs of a decision and a private state, per seat."""
        return self._counted(lambda node: 1)

    def sequence_counts(self) -> tuple[int, int]:
        """Actions over all information sets and the empty sequence, per seat."""
        first, second = self._counted(lambda node: int(self.tree.child_count[node]))
        return 1 + first, 1 + second

    def _counted(self, each: Callable[[int], int]) -> tuple[int, int]:
        counts = [0, 0]
        for node in self.tree.decisions.tolist():
            seat = int(self.tree.actor[node])
            counts[seat] += each(node) * self.states(int(self.tree.round[node]), seat)
        return counts[0], counts[1]


def _check_states(
    name: str, number: int, states: PrivateStates, previous: PrivateStates | None
) -> None:
    """Raise unless sizes fit and each round's probabilities refine those of the round before."""
    where = f"{name}: round {number + 1}"
    expected = (states.count(0), states.count(1))
    for matrix in (states.joint, states.showdown):
        if matrix.shape != expected:
            raise DoyleError(f"{where}: a matrix is {matrix.shape} where the states are {expected}")
    starts = (states.joint, states.showdown)
    if not all(
        np.array_equal(getattr(starts[0], field), getattr(starts[1], field))
        for field in ("row_start", "column_start")
    ):
        raise DoyleError(f"{where}: joint and showdown have different blocks")
    tolerance = 1e-9 if states.joint.values.dtype == np.float64 else 1e-4
    if abs(float(states.joint.values.sum(dtype=np.float64)) - 1.0) > tolerance:
        raise DoyleError(f"{where}: probabilities do not sum to 1")
    for seat in (0, 1):
        count = previous.count(seat) if previous is not None else 1
        parents = states.parents[seat]
        if len(parents) and (parents.min() < 0 or parents.max() >= count):
            raise DoyleError(
                f"{where}: a parent state of seat {seat} is out of range 0..{count - 1}"
            )
        if previous is None:
            continue
        mine, before = marginal(states.joint, seat), marginal(previous.joint, seat)
        sums = np.bincount(parents, weights=mine, minlength=count)
        if np.abs(sums - before).max() > tolerance:
            raise DoyleError(
                f"{where}: probabilities of seat {seat} do not refine the round before"
            )


def marginal(joint: BlockMatrix, seat: int) -> Floats:
    """The probability of each state of `seat`."""
    parts = [joint.block(index).sum(axis=1 - seat, dtype=np.float64) for index in range(len(joint))]
    return np.concatenate(parts)
