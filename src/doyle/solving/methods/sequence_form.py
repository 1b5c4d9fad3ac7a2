"""The sequence form: a view of a matrix game in which plans are flat vectors.

A *sequence* of a seat is one of its actions at one decision in one private state, with all it did
before; a *plan* (realisation plan) assigns to each sequence the product of the seat's own
probabilities along it. Expected payoffs are bilinear in the two plans, plan_0' A plan_1, and A is
only ever applied, never stored: gather the other plan at the leaves, multiply by the matrices of
the round, scatter to one's own sequences. Source: von Stengel 1996; Hoda, Gilpin, Pena and Sandholm
2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.public_tree import FOLD_LEAF, SHOWDOWN_LEAF
from doyle.base.workers import Workers
from doyle.solving.games.matrix_game import BlockMatrix, Floats, Ints, MatrixGame
from doyle.solving.methods import _treeplex_kernels as _kernels
from doyle.solving.methods._treeplex_kernels import Leaves, Treeplex
from doyle.solving.methods.products import LeafBatch, LeafGroup, Matrices, Products

GEMM_BLOCK = 96
"""Blocks at least this wide are multiplied by BLAS; smaller ones by a kernel."""
SLICES = 4
"""Number of runs that states of large games are divided into, independent of the number of threads,
so that sums do not depend on it."""


class SequenceForm:
    """Both seats' treeplexes and leaves over one game; `workers` threads share large ones."""

    def __init__(
        self, game: MatrixGame, *, gemm_block: int = GEMM_BLOCK, workers: Workers | None = None
    ) -> None:
        self.game = game
        self.workers = workers or Workers()
        self.uses_gemm = any(s.joint.largest_block >= gemm_block for s in game.private_states)
        self._levels = game.tree.round.astype(np.int64)
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
        rounds = self.game.private_states
        largest = max(states.joint.largest_block for states in rounds)
        most = max(states.count(seat) for states in rounds for seat in (0, 1))
        lanes = int(_kernels.LANES)
        rows = 1 if self.uses_gemm else largest
        return np.zeros((rows, lanes)), np.zeros(lanes), np.zeros(most), np.zeros(most)

    # Products ---------------------------------------------------------------------------------

    def gradient(self, seat: int, plan: Floats) -> Floats:
        """The earnings of each sequence of `seat` at its own leaves against the other seat's
        `plan`."""
        result = np.zeros(self.sizes[seat])
        self.add_gradient(seat, plan, result)
        return result

    def add_gradient(self, seat: int, plan: Floats, result: Floats) -> None:
        """As `gradient`, added to `result` in place."""
        if self.uses_gemm:
            self.products.add(seat, plan, result)
        else:
            columns, sums, _, _ = self.work
            _kernels.evaluate_leaves(self.leaves[seat], plan, result, columns, sums)

    @cached_property
    def products(self) -> Products:
        """The products of games with large blocks, divided among workers."""
        batches = [
            [
                LeafBatch(
                    number, leaves.own[low:high], leaves.other[low:high], leaves.amount[low:high]
                )
                for number, (low, high) in enumerate(
                    pairwise(leaves.group.astype(np.int64).tolist())
                )
            ]
            for leaves in self.leaves
        ]
        first, second = self._maps
        maps = [
            (first.map(one.level, one.levels[0]), second.map(one.level, one.levels[1]))
            for one in self._groups
        ]
        matrices = Matrices(self.game.private_states, self._groups, maps)
        return Products(matrices, (batches[0], batches[1]), workers=self.workers)

    @cached_property
    def state_slices(self) -> tuple[list[Ints], list[Ints]]:
        """Per seat, int [decisions, 2] tables of first and past-the-end states at each decision.

        The first round's states are cut into SLICES runs, later ones follow them, so that passes
        over a treeplex may go slice by slice: only the empty sequence has entries below in several.
        """
        return self._cut_states(0), self._cut_states(1)

    def _cut_states(self, seat: int) -> list[Ints]:
        game, tree = self.game, self.game.tree
        levels = self._levels[tree.decisions[tree.actor[tree.decisions] == seat]]
        firsts = [
            game.ancestors(seat, round=number, earlier=0)
            for number in range(len(game.private_states))
        ]
        roots = game.states(0, seat)
        parts = SLICES if self.uses_gemm and all((np.diff(f) >= 0).all() for f in firsts) else 1
        cuts = np.unique(np.arange(parts + 1) * roots // parts)
        found: list[Ints] = []
        for low, high in pairwise(cuts.tolist()):
            by_level = np.array([np.searchsorted(f, (low, high)) for f in firsts])
            found.append(by_level[levels].astype(np.uint64))
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
        """The plan that plays `behaviour` (the probability of each action, at its position)."""
        plan = np.empty(self.sizes[seat])
        _kernels.realise(self.treeplexes[seat], behaviour, plan)
        return plan

    def behaviour(self, seat: int, plan: Floats) -> Floats:
        """Action probabilities of a plan; uniform where the plan has zero reach."""
        result = np.ones(self.sizes[seat])
        _kernels.behave(self.treeplexes[seat], plan, result)
        return result

    def at(self, node: int) -> slice:
        """The slice of decision `node` in its actor's vectors."""
        tree = self.game.tree
        seat = int(tree.actor[node])
        count = int(tree.child_count[node]) * self.game.states(int(self._levels[node]), seat)
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
        before = self._last[seat].level[nodes]
        levels = self._levels[nodes]
        sizes = np.array([states.count(seat) for states in game.private_states])
        maps = self._maps[seat]
        return Treeplex(
            states=sizes[levels].astype(np.uint32),
            actions=tree.child_count[nodes].astype(np.uint32),
            base=self._base[nodes].astype(np.uint64),
            parent=last.astype(np.uint64),
            up=np.array(
                [maps.start(int(at), int(e)) for at, e in zip(levels, before, strict=True)],
                np.uint64,
            ),
            ancestors=maps.flat,
        )

    def _leaves(self, seat: int, groups: list[LeafGroup]) -> Leaves:
        other = 1 - seat
        order = np.concatenate([group.nodes for group in groups])
        sign = 1.0 if seat == 0 else -1.0
        chips = self.game.tree.leaf_chips(0)
        own_maps, other_maps = self._maps[seat], self._maps[other]
        blocks = _BlockTable(self.game, seat)
        spans = [blocks.span(group.level, group.kind) for group in groups]
        table = np.concatenate([blocks.rows[first:last] for first, last in spans])
        counts = [last - first for first, last in spans]
        return Leaves(
            own=self._last[seat].sequence[order].astype(np.uint64),
            other=self._last[other].sequence[order].astype(np.uint64),
            amount=sign * chips[order],
            group=_starts([len(group.nodes) for group in groups]),
            own_up=np.array([own_maps.start(g.level, g.levels[seat]) for g in groups], np.uint64),
            other_up=np.array(
                [other_maps.start(g.level, g.levels[other]) for g in groups], np.uint64
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

    def __init__(self, game: MatrixGame, seat: int) -> None:
        parts: list[Ints] = []
        self._start: dict[tuple[int, int], int] = {}
        self._length: dict[tuple[int, int], int] = {}
        position = 0
        for number in range(len(game.private_states)):
            for earlier in range(-1, number + 1):
                part = game.ancestors(seat, round=number, earlier=earlier)
                self._start[number, earlier] = position
                self._length[number, earlier] = len(part)
                parts.append(part)
                position += len(part)
        self.flat = np.concatenate(parts).astype(np.uint32)

    def start(self, level: int, earlier: int) -> int:
        return int(_kernels.IDENTITY) if level == earlier else self._start[level, earlier]

    def map(self, level: int, earlier: int) -> Ints:
        start = self._start[level, earlier]
        return self.flat[start : start + self._length[level, earlier]]


@dataclass(frozen=True)
class _LastSequence:
    """For each node, where a seat's last sequence before it starts, and the level it was made in."""

    sequence: Ints
    level: Ints


def _number_sequences(game: MatrixGame) -> tuple[list[_LastSequence], Ints, list[int]]:
    """Lay the sequences of each seat end to end, decision by decision in depth-first order."""
    tree = game.tree
    states = [[one.count(seat) for one in game.private_states] for seat in (0, 1)]
    count = len(tree)
    last = np.zeros((2, count), np.int64)
    levels = np.full((2, count), -1, np.int64)
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
            levels[:, child] = levels[:, node]
            last[seat, child] = sizes[seat]
            levels[seat, child] = number
            sizes[seat] += width
    return [_LastSequence(last[seat], levels[seat]) for seat in (0, 1)], base, sizes


def _group_leaves(game: MatrixGame, last: list[_LastSequence]) -> list[LeafGroup]:
    tree = game.tree
    nodes = tree.leaves
    level = tree.round[nodes].astype(np.int64)
    keys = np.stack([level, tree.kind[nodes], last[0].level[nodes], last[1].level[nodes]], axis=1)
    unique, inverse = np.unique(keys, axis=0, return_inverse=True)
    return [
        LeafGroup(
            int(key[0]), int(key[1]), (int(key[2]), int(key[3])), nodes[inverse.ravel() == index]
        )
        for index, key in enumerate(unique)
    ]


class _BlockTable:
    """The blocks of all matrices as rows (row, rows, column, columns, value offset) for one seat."""

    def __init__(self, game: MatrixGame, seat: int) -> None:
        rows: list[tuple[int, int, int, int, int]] = []
        values: list[npt.NDArray[Any]] = []
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        offset = 0
        for number, states in enumerate(game.private_states):
            for kind, matrix in ((FOLD_LEAF, states.joint), (SHOWDOWN_LEAF, states.showdown)):
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

    def span(self, level: int, kind: int) -> tuple[int, int]:
        return self._spans[level, kind]
