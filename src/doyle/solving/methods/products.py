"""Payoff products A·y and x'A by large blocks, divided by betting subtree.

Sequences are numbered depth-first, so leaves in the order of a seat's last sequence before them are in
the order of its betting subtrees, and runs of them end in different sequences: no two parts add to one
number. The leaves of each seat are always cut into the same parts, of about equal work. Each part is
computed by itself, on a thread or by an actor of a cluster, and the terms of each sum are added in
one order; so the bytes of a product do not depend on how many workers there are.

An actor holds the matrices once for each node, and the leaves of its parts. For a product it
receives the entries of the other seat's plan that its leaves read, and returns those of its own
sequences.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from doyle.abstractions.betting.public_tree import FOLD_LEAF
from doyle.base.workers import Actors, Shared, Workers, map_threads
from doyle.solving.games.matrix_game import Floats, Ints, PrivateStates
from doyle.solving.methods import _treeplex_kernels as _kernels

PARTS = 4
"""Number of parts of a seat's leaves, independent of the number of workers."""


@dataclass(frozen=True)
class LeafGroup:
    """Leaves of one level and kind whose last sequences were made in the same levels."""

    level: int
    kind: int
    levels: tuple[int, int]
    nodes: Ints


StateMaps: TypeAlias = tuple[Ints, Ints]
"""For a group, the states in which each seat's last sequences were made, by state of its level."""


class LeafBatch(NamedTuple):
    """Some leaves of one group as one seat sees them: where sequences start, and signed amounts."""

    group: int
    own: Ints
    other: Ints
    amount: Floats


@dataclass(frozen=True)
class Matrices:
    """The operands shared by all parts: the private states of all rounds, groups and their maps."""

    states: Sequence[PrivateStates]
    groups: Sequence[LeafGroup]
    maps: Sequence[StateMaps]

    def add(self, seat: int, batches: Sequence[LeafBatch], plan: Floats, result: Floats) -> None:
        """Add the earnings of `seat` at the leaves of some batches against the other's `plan`, in
        place."""
        for batch in batches:
            self._multiply(seat, batch, plan, result)

    def _multiply(self, seat: int, batch: LeafBatch, plan: Floats, result: Floats) -> None:
        group = self.groups[batch.group]
        states = self.states[group.level]
        matrix = states.joint if group.kind == FOLD_LEAF else states.showdown
        other_states = self.maps[batch.group][1 - seat]
        own_states = self.maps[batch.group][seat]
        for index in range(len(matrix)):
            block = matrix.block(index)
            rows = slice(int(matrix.row_start[index]), int(matrix.row_start[index + 1]))
            columns = slice(int(matrix.column_start[index]), int(matrix.column_start[index + 1]))
            if seat == 1:
                block, rows, columns = block.T, columns, rows
            gathered = np.empty((len(batch.own), columns.stop - columns.start), block.dtype)
            _kernels.gather_rows(batch.other, batch.amount, other_states[columns], plan, gathered)
            product = gathered @ block.T
            _kernels.scatter_rows(batch.own, own_states[rows], product, result)


class Products:
    """The products of both seats over one game, from the leaves of each seat by group."""

    def __init__(
        self,
        matrices: Matrices,
        batches: tuple[list[LeafBatch], list[LeafBatch]],
        *,
        workers: Workers,
    ) -> None:
        self.matrices = matrices
        self._workers = workers
        self.parts = (self._cut(0, batches[0]), self._cut(1, batches[1]))

    def add(self, seat: int, plan: Floats, result: Floats) -> None:
        """Add the earnings of each sequence of `seat` at its leaves against `plan` to `result`."""
        if self._workers.cluster is not None:
            self._remote.add(seat, plan, result)
            return

        def work(part: list[LeafBatch]) -> None:
            self.matrices.add(seat, part, plan, result)

        for _ in map_threads(work, self.parts[seat], workers=self._workers):
            pass

    def _cut(self, seat: int, batches: list[LeafBatch]) -> list[list[LeafBatch]]:
        """Parts of about equal work, by the seat's own last sequence."""
        group = np.concatenate([np.full(len(batch.own), batch.group) for batch in batches])
        own = np.concatenate([batch.own for batch in batches])
        other = np.concatenate([batch.other for batch in batches])
        amount = np.concatenate([batch.amount for batch in batches])
        sizes = np.zeros(len(self.matrices.groups))
        for batch in batches:
            level = self.matrices.groups[batch.group].level
            sizes[batch.group] = self.matrices.states[level].joint.values.size
        order = np.argsort(own, kind="stable")
        work = np.cumsum(sizes[group[order]])
        sorted_own = own[order]
        goals = work[-1] * np.arange(1, PARTS) / PARTS
        # A part ends where a sequence ends.
        ends = np.searchsorted(sorted_own, sorted_own[np.searchsorted(work, goals)], side="right")
        parts: list[list[LeafBatch]] = []
        for chosen in np.split(order, np.unique(ends)):
            found = [
                LeafBatch(number, own[at], other[at], amount[at])
                for number in np.unique(group[chosen]).tolist()
                for at in [chosen[group[chosen] == number]]
            ]
            if found:
                parts.append(found)
        return parts

    @cached_property
    def _remote(self) -> OnCluster:
        return OnCluster(self.matrices, self.parts, self._workers)


class _Piece(NamedTuple):
    """A part whose sequences are numbered from 0: `runs` of the other plan, own ones from `low` on."""

    batches: list[LeafBatch]
    runs: list[tuple[int, int]]
    low: int
    high: int

    @classmethod
    def of(cls, seat: int, part: list[LeafBatch], matrices: Matrices) -> _Piece:
        runs = _runs(seat, part, matrices)
        starts = np.array([start for start, _ in runs], np.int64)
        places = np.concatenate([[0], np.cumsum([stop - start for start, stop in runs])])
        low, high = _own_span(seat, part, matrices)
        batches = []
        for batch in part:
            run = np.searchsorted(starts, batch.other.astype(np.int64), side="right") - 1
            other = batch.other.astype(np.int64) - starts[run] + places[run]
            own = batch.own.astype(np.int64) - low
            batches.append(batch._replace(own=own.astype(np.uint64), other=other.astype(np.uint64)))
        return cls(batches, runs, low, high)


def _width(seat: int, batch: LeafBatch, matrices: Matrices) -> int:
    """How many states the last sequences of a seat have at the leaves of a batch."""
    return int(matrices.maps[batch.group][seat].max()) + 1


def _runs(seat: int, part: list[LeafBatch], matrices: Matrices) -> list[tuple[int, int]]:
    """Maximal runs of entries of the other plan that the leaves read, in order."""
    spans: list[tuple[int, int]] = []
    for batch in part:
        width = _width(1 - seat, batch, matrices)
        spans += [(start, start + width) for start in np.unique(batch.other).astype(int).tolist()]
    runs: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(stop, runs[-1][1]))
        else:
            runs.append((start, stop))
    return runs


def _own_span(seat: int, part: list[LeafBatch], matrices: Matrices) -> tuple[int, int]:
    lows = [int(batch.own.min()) for batch in part]
    highs = [int(batch.own.max()) + _width(seat, batch, matrices) for batch in part]
    return min(lows), max(highs)


class OnCluster:
    """The parts of both seats with the actors of a cluster, as long as this object lives."""

    def __init__(
        self,
        matrices: Matrices,
        parts: tuple[list[list[LeafBatch]], list[list[LeafBatch]]],
        workers: Workers,
    ) -> None:
        self._pieces = [
            [_Piece.of(seat, part, matrices) for part in parts[seat]] for seat in (0, 1)
        ]
        # An actor has the same matrices for all its parts; nodes of leaves are of no use there.
        lean = [replace(group, nodes=np.empty(0, np.int64)) for group in matrices.groups]
        shared = Shared(replace(matrices, groups=lean))
        count = max(len(pieces) for pieces in self._pieces)
        descriptions = [
            (shared, [pieces[n].batches if n < len(pieces) else [] for pieces in self._pieces])
            for n in range(count)
        ]
        self._actors = Actors(Multiplier, descriptions, workers=workers, label="payoff products")
        weakref.finalize(self, self._actors.close)

    def add(self, seat: int, plan: Floats, result: Floats) -> None:
        pieces = self._pieces[seat]
        calls: list[Call | None] = [
            Call(
                seat,
                np.concatenate([plan[start:stop] for start, stop in piece.runs]),
                piece.high - piece.low,
            )
            for piece in pieces
        ]
        calls += [None] * (len(self._actors) - len(calls))
        found = self._actors.call(Multiplier.multiply, calls, changes=False)
        for piece, earned in zip(pieces, found, strict=False):
            result[piece.low : piece.high] += earned


class Call(NamedTuple):
    """A product of one part: the seat, the entries it looks at, and how many it returns."""

    seat: int
    plan: Floats
    size: int


class Multiplier:
    """One part of each seat, where the matrices are."""

    def __init__(self, item: tuple[Shared[Matrices], list[list[LeafBatch]]]) -> None:
        self._matrices, self._batches = item[0].value, item[1]

    def multiply(self, call: Call | None) -> Floats:
        """The earnings of a part's own sequences; empty if the seat does not have the part."""
        if call is None:
            return np.zeros(0)
        result = np.zeros(call.size)
        self._matrices.add(call.seat, self._batches[call.seat], call.plan, result)
        return result
