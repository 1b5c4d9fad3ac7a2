"""The sequence form of a tree game: a view of its arrays in which plans are flat vectors.

A *sequence* of a seat is one of its actions at one decision in one private state, with all it did
before; a *plan* (realisation plan) gives each sequence the product of the seat's own probabilities
along it. Expected payoffs are bilinear in the two plans, plan_0' A plan_1, and A is only ever
applied, never stored: gather the other plan at the leaves, multiply by the matrices of the round,
scatter to one's own sequences. Source: von Stengel 1996; Hoda, Gilpin, Pena and Sandholm 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.solving.games.tree_game import FOLD, SHOWDOWN, BlockMatrix, Floats, Ints, TreeGame
from doyle.solving.methods import _treeplex_kernels as _kernels
from doyle.solving.methods._treeplex_kernels import Leaves, Treeplex
from doyle.workers import Workers, map_threads

GEMM_BLOCK = 96
"""Blocks at least this wide are multiplied by BLAS; smaller ones by a kernel."""
SLICES = 4
"""Work on large games is cut into so many parts, whatever the number of threads: sums then do not
depend on it."""


class SequenceForm:
    """Both seats' treeplexes and leaves over one tree game; `workers` threads share large ones."""

    def __init__(
        self, game: TreeGame, *, gemm_block: int = GEMM_BLOCK, workers: Workers | None = None
    ) -> None:
        self.game = game
        self.workers = workers or Workers()
        self.uses_gemm = any(c.weight.largest_block >= gemm_block for c in game.chances)
        self._maps = [_AncestorMaps(game, seat) for seat in (0, 1)]
        self._last, self._base, sizes = _number_sequences(game)
        self.sizes: tuple[int, int] = (sizes[0], sizes[1])
        self.treeplexes = (self._treeplex(0), self._treeplex(1))
        groups = _group_leaves(game, self._last)
        self.leaves = (self._leaves(0, groups), self._leaves(1, groups))
        self._groups = groups

    # Sizes ------------------------------------------------------------------------------------

    @property
    def sequences(self) -> tuple[int, int]:
        """Sequences per seat, the empty one included."""
        return self.sizes

    @cached_property
    def work(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Buffers for kernels: columns, sums, value, total."""
        largest = max(chance.weight.largest_block for chance in self.game.chances)
        states = max(chance.states(seat) for chance in self.game.chances for seat in (0, 1))
        lanes = int(_kernels.LANES)
        rows = 1 if self.uses_gemm else largest
        return np.zeros((rows, lanes)), np.zeros(lanes), np.zeros(states), np.zeros(states)

    # Products ---------------------------------------------------------------------------------

    def gradient(self, seat: int, plan: Floats) -> Floats:
        """What each sequence of `seat` earns at its own leaves against the other seat's `plan`."""
        result = np.zeros(self.sizes[seat])
        self.add_gradient(seat, plan, result)
        return result

    def add_gradient(self, seat: int, plan: Floats, result: Floats) -> None:
        """As `gradient`, added to `result` in place."""
        if self.uses_gemm:
            self._add_gradient_by_gemm(seat, plan, result)
        else:
            columns, sums, _, _ = self.work
            _kernels.evaluate_leaves(self.leaves[seat], plan, result, columns, sums)

    def _add_gradient_by_gemm(self, seat: int, plan: Floats, result: Floats) -> None:
        """Parts of the leaves end in different sequences of `seat`, so threads never collide."""

        def work(part: list[_LeafBatch]) -> None:
            for batch in part:
                self._multiply(seat, batch, plan, result)

        for _ in map_threads(work, self._parts[seat], workers=self.workers):
            pass

    def _multiply(self, seat: int, batch: _LeafBatch, plan: Floats, result: Floats) -> None:
        group = self._groups[batch.group]
        chance = self.game.chances[group.round]
        matrix = chance.weight if group.kind == FOLD else chance.sign
        other_states = self._maps[1 - seat].map(group.round, group.rounds[1 - seat])
        own_states = self._maps[seat].map(group.round, group.rounds[seat])
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

    @cached_property
    def _parts(self) -> tuple[list[list[_LeafBatch]], list[list[_LeafBatch]]]:
        """Per seat, the leaves in SLICES parts of about equal work, by its own last sequence."""
        return self._cut_leaves(0), self._cut_leaves(1)

    def _cut_leaves(self, seat: int) -> list[list[_LeafBatch]]:
        leaves = self.leaves[seat]
        groups = np.repeat(np.arange(len(self._groups)), np.diff(leaves.group).astype(np.int64))
        sizes = [self.game.chances[group.round].weight.values.size for group in self._groups]
        order = np.argsort(leaves.own, kind="stable")
        work = np.cumsum(np.array(sizes, np.float64)[groups[order]])
        own = leaves.own[order]
        goals = work[-1] * np.arange(1, SLICES) / SLICES
        # A part ends where a sequence ends.
        ends = np.searchsorted(own, own[np.searchsorted(work, goals)], side="right")
        parts: list[list[_LeafBatch]] = []
        for chosen in np.split(order, np.unique(ends)):
            batches = [
                _LeafBatch(number, leaves.own[at], leaves.other[at], leaves.amount[at])
                for number in np.unique(groups[chosen]).tolist()
                for at in [chosen[groups[chosen] == number]]
            ]
            if batches:
                parts.append(batches)
        return parts

    @cached_property
    def state_slices(self) -> tuple[list[Ints], list[Ints]]:
        """Per seat, int [decisions, 2] tables of first and past-the-end states at each decision.

        The first round's states are cut into SLICES runs, later ones follow them, so that passes
        over a treeplex may go slice by slice: only the empty sequence has entries below in several.
        """
        return self._cut_states(0), self._cut_states(1)

    def _cut_states(self, seat: int) -> list[Ints]:
        game, tree = self.game, self.game.tree
        rounds = tree.round[tree.decisions[tree.actor[tree.decisions] == seat]].astype(np.int64)
        firsts = [
            game.ancestors(seat, round=number, earlier=0) for number in range(len(game.chances))
        ]
        roots = game.states(0, seat)
        parts = SLICES if self.uses_gemm and all((np.diff(f) >= 0).all() for f in firsts) else 1
        cuts = np.unique(np.arange(parts + 1) * roots // parts)
        found: list[Ints] = []
        for low, high in pairwise(cuts.tolist()):
            by_round = np.array([np.searchsorted(f, (low, high)) for f in firsts])
            found.append(by_round[rounds].astype(np.uint64))
        return found

    def value(self, plans: tuple[Floats, Floats]) -> float:
        """Expected chips for seat 0 when both seats play these plans."""
        return float(plans[0] @ self.gradient(0, plans[1]))

    def best_response(self, seat: int, plan: Floats) -> tuple[float, Floats]:
        """The most `seat` can win against the other seat's `plan`, and a pure behaviour that does."""
        gradient = self.gradient(seat, plan)
        choice = np.zeros(self.sizes[seat])
        _kernels.best_response(self.treeplexes[seat], gradient, choice, self.work[2])
        return float(gradient[0]), choice

    def best_against(self, seat: int, gradient: Floats) -> float:
        """The value of the best response to a gradient that is already known."""
        scratch = gradient.copy()
        _kernels.best_response(
            self.treeplexes[seat], scratch, np.empty_like(gradient), self.work[2]
        )
        return float(scratch[0])

    # Plans and behaviour ----------------------------------------------------------------------

    def uniform_behaviour(self, seat: int) -> Floats:
        """Every action equally likely everywhere."""
        treeplex = self.treeplexes[seat]
        result = np.ones(self.sizes[seat])
        counts = treeplex.states.astype(np.int64) * treeplex.actions
        result[1:] = np.repeat(1.0 / treeplex.actions, counts)
        return result

    def realise(self, seat: int, behaviour: Floats) -> Floats:
        """The plan that plays `behaviour` (probabilities of each action where it stands)."""
        plan = np.empty(self.sizes[seat])
        _kernels.realise(self.treeplexes[seat], behaviour, plan)
        return plan

    def behaviour(self, seat: int, plan: Floats) -> Floats:
        """Action probabilities of a plan; uniform where the plan itself never goes."""
        result = np.ones(self.sizes[seat])
        _kernels.behave(self.treeplexes[seat], plan, result)
        return result

    def at(self, node: int) -> slice:
        """Where the entries of decision `node` stand in its actor's vectors."""
        tree = self.game.tree
        seat = int(tree.actor[node])
        count = int(tree.child_count[node]) * self.game.states(int(tree.round[node]), seat)
        base = int(self._base[node])
        return slice(base, base + count)

    def table(self, node: int, behaviour: Floats) -> Floats:
        """The entries of decision `node` as a matrix [states, actions]."""
        actions = int(self.game.tree.child_count[node])
        return np.ascontiguousarray(behaviour[self.at(node)].reshape(actions, -1).T)

    def put_table(self, node: int, table: npt.NDArray[Any], behaviour: Floats) -> None:
        """Write a matrix [states, actions] into a seat's behaviour, in place."""
        behaviour[self.at(node)] = np.asarray(table).T.ravel()

    # Construction -----------------------------------------------------------------------------

    def _treeplex(self, seat: int) -> Treeplex:
        tree, game = self.game.tree, self.game
        nodes = tree.decisions[tree.actor[tree.decisions] == seat]
        last = self._last[seat].sequence[nodes]
        before = self._last[seat].round[nodes]
        rounds = tree.round[nodes].astype(np.int64)
        sizes = np.array([game.states(number, seat) for number in range(len(game.chances))])
        maps = self._maps[seat]
        return Treeplex(
            states=sizes[rounds].astype(np.uint32),
            actions=tree.child_count[nodes].astype(np.uint32),
            base=self._base[nodes].astype(np.uint64),
            parent=last.astype(np.uint64),
            up=np.array(
                [maps.start(int(r), int(e)) for r, e in zip(rounds, before, strict=True)], np.uint64
            ),
            ancestors=maps.flat,
        )

    def _leaves(self, seat: int, groups: list[_Group]) -> Leaves:
        other = 1 - seat
        order = np.concatenate([group.nodes for group in groups])
        sign = 1.0 if seat == 0 else -1.0
        own_maps, other_maps = self._maps[seat], self._maps[other]
        blocks = _BlockTable(self.game, seat)
        spans = [blocks.span(group.round, group.kind) for group in groups]
        table = np.concatenate([blocks.rows[first:last] for first, last in spans])
        counts = [last - first for first, last in spans]
        return Leaves(
            own=self._last[seat].sequence[order].astype(np.uint64),
            other=self._last[other].sequence[order].astype(np.uint64),
            amount=sign * self.game.tree.amount[order],
            group=_starts([len(group.nodes) for group in groups]),
            own_up=np.array([own_maps.start(g.round, g.rounds[seat]) for g in groups], np.uint64),
            other_up=np.array(
                [other_maps.start(g.round, g.rounds[other]) for g in groups], np.uint64
            ),
            block=_starts(counts),
            row=table[:, 0].astype(np.uint32),
            rows=table[:, 1].astype(np.uint32),
            column=table[:, 2].astype(np.uint32),
            columns=table[:, 3].astype(np.uint32),
            value=table[:, 4].astype(np.uint64),
            values=blocks.values,
            own_ancestors=own_maps.flat,
            other_ancestors=other_maps.flat,
        )


def _starts(counts: list[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)


class _AncestorMaps:
    """All maps from the states of a round to those of an earlier one, laid end to end."""

    def __init__(self, game: TreeGame, seat: int) -> None:
        parts: list[Ints] = []
        self._start: dict[tuple[int, int], int] = {}
        self._length: dict[tuple[int, int], int] = {}
        position = 0
        for number in range(len(game.chances)):
            for earlier in range(-1, number + 1):
                part = game.ancestors(seat, round=number, earlier=earlier)
                self._start[number, earlier] = position
                self._length[number, earlier] = len(part)
                parts.append(part)
                position += len(part)
        self.flat = np.concatenate(parts).astype(np.uint32)

    def start(self, round: int, earlier: int) -> int:
        return int(_kernels.IDENTITY) if round == earlier else self._start[round, earlier]

    def map(self, round: int, earlier: int) -> Ints:
        start = self._start[round, earlier]
        return self.flat[start : start + self._length[round, earlier]]


@dataclass(frozen=True)
class _LastSequence:
    """For each node, where a seat's last sequence before it starts, and the round it was made in."""

    sequence: Ints
    round: Ints


def _number_sequences(game: TreeGame) -> tuple[list[_LastSequence], Ints, list[int]]:
    """Lay the sequences of each seat end to end, decision by decision in depth-first order."""
    tree = game.tree
    states = [[game.states(r, seat) for r in range(len(game.chances))] for seat in (0, 1)]
    count = len(tree)
    last = np.zeros((2, count), np.int64)
    rounds = np.full((2, count), -1, np.int64)
    base = np.zeros(count, np.int64)
    sizes = [1, 1]
    children, starts, counts = (
        tree.children.tolist(),
        tree.child_start.tolist(),
        tree.child_count.tolist(),
    )
    for node in tree.decisions.tolist():
        seat, number = int(tree.actor[node]), int(tree.round[node])
        width = states[seat][number]
        base[node] = sizes[seat]
        for child in children[starts[node] : starts[node] + counts[node]]:
            last[:, child] = last[:, node]
            rounds[:, child] = rounds[:, node]
            last[seat, child] = sizes[seat]
            rounds[seat, child] = number
            sizes[seat] += width
    return [_LastSequence(last[seat], rounds[seat]) for seat in (0, 1)], base, sizes


@dataclass(frozen=True)
class _LeafBatch:
    """Some leaves of one group, as one seat sees them."""

    group: int
    own: Ints
    other: Ints
    amount: Floats


@dataclass(frozen=True)
class _Group:
    """Leaves of one round and kind whose last sequences were made in the same rounds."""

    round: int
    kind: int
    rounds: tuple[int, int]
    nodes: Ints


def _group_leaves(game: TreeGame, last: list[_LastSequence]) -> list[_Group]:
    tree = game.tree
    nodes = np.flatnonzero((tree.kind == FOLD) | (tree.kind == SHOWDOWN))
    keys = np.stack(
        [tree.round[nodes], tree.kind[nodes], last[0].round[nodes], last[1].round[nodes]], axis=1
    )
    unique, inverse = np.unique(keys, axis=0, return_inverse=True)
    return [
        _Group(
            int(key[0]), int(key[1]), (int(key[2]), int(key[3])), nodes[inverse.ravel() == index]
        )
        for index, key in enumerate(unique)
    ]


class _BlockTable:
    """The blocks of all matrices as rows (row, rows, column, columns, value offset) for one seat."""

    def __init__(self, game: TreeGame, seat: int) -> None:
        rows: list[tuple[int, int, int, int, int]] = []
        values: list[npt.NDArray[Any]] = []
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        offset = 0
        for number, chance in enumerate(game.chances):
            for kind, matrix in ((FOLD, chance.weight), (SHOWDOWN, chance.sign)):
                seen: BlockMatrix = matrix if seat == 0 else matrix.transposed()
                first = len(rows)
                for index in range(len(seen)):
                    height, width = seen.block(index).shape
                    start = offset + int(seen.value_start[index])
                    row, column = int(seen.row_start[index]), int(seen.column_start[index])
                    rows.append((row, height, column, width, start))
                self._spans[number, kind] = (first, len(rows))
                values.append(seen.values)
                offset += seen.values.size
        self.rows = np.array(rows, np.int64)
        self.values = np.concatenate(values)

    def span(self, round: int, kind: int) -> tuple[int, int]:
        return self._spans[round, kind]
