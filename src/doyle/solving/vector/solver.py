"""`VectorSolver`: counterfactual regret minimisation over a public game, all hands at once.

The two tables, regrets and the average strategy's plan, are all that is kept between iterations.
Variants are values of `Discounting`, all but those that predict; `dcfr-delayed` is the default.
Exploitability is the mean of what the two best responses win, which is zero exactly at an
equilibrium of the game with its fixed play.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.solving.board_walk import Rows
from doyle.solving.games._evaluator_kernels import DECK, LANES
from doyle.solving.games.chance import Board
from doyle.solving.games.evaluators import WIDTH
from doyle.solving.games.public_game import PublicGame
from doyle.solving.run import Arrays, Distance, gain
from doyle.solving.solvers import SPOT_SOLVERS, VARIANTS, Discounting
from doyle.solving.vector import _kernels as kernels
from doyle.solving.vector import _traversal_kernels as traversal
from doyle.solving.vector._guard_kernels import GuardArrays
from doyle.solving.vector.fixed_play import FixedPlay, lock_arrays
from doyle.solving.vector.guard import (
    Guard,
    average_reach,
    first_reach,
    guard_arrays,
    guarded_gaps,
)
from doyle.solving.vector.packing import Packed, pack
from doyle.solving.vector.symmetry import make_symmetric, symmetries

Precision = Literal["single", "double"]
PRECISIONS: dict[str, Any] = {"single": np.float32, "double": np.float64}
"""What tables and arithmetic are in."""

PARTS = 8
"""Into how many parts the boards below the root are divided, whatever the number of threads."""

CACHE_LINE = 64
"""Bytes."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ValueBounds:
    """What best responses win against the average strategies and what these win, in chips.

    The value of the game lies between what the second seat's best response leaves to the first and
    what the first seat's best response wins. `value` is the middle of that interval, so it differs
    from the value of the game by at most half its length, which is the exploitability.
    """

    expected: float
    """What seat 0 wins when both seats play their average strategies."""
    best_responses: tuple[float, float]

    @property
    def value(self) -> float:
        """The value of the game for seat 0, known up to the exploitability."""
        return (self.best_responses[0] - self.best_responses[1]) / 2

    @property
    def exploitability(self) -> float:
        """The mean of what the seats could gain."""
        return gain(sum(self.best_responses) / 2)


def table_bytes(game: PublicGame, precision: str, *, packed: Packed | None = None) -> int:
    """Bytes of the solver's tables, known before they are made."""
    entries = sum((packed or pack(game)).table_sizes())
    return 2 * entries * int(np.dtype(PRECISIONS[precision]).itemsize)


class VectorSolver:
    """One solve of one game; `fixed` is play that is not to be changed, `guard` a first decision.

    `workers` threads share the boards below the root; the result does not depend on them.
    """

    interval = 1

    def __init__(
        self,
        game: PublicGame,
        discounting: Discounting = VARIANTS["dcfr-delayed"],
        *,
        precision: Precision = "single",
        fixed: Sequence[FixedPlay] = (),
        guard: Guard | None = None,
        packed: Packed | None = None,
        workers: int = 1,
    ) -> None:
        if discounting.prediction:
            raise DoyleError(
                f"vector methods do not predict regrets; use {', '.join(SPOT_SOLVERS)}"
            )
        self.game = game
        self.discounting = discounting
        self.fixed = tuple(fixed)
        self.guard = guard
        self.packed = packed or pack(game)
        self.iteration = 0
        number = PRECISIONS[precision]
        sizes = self.packed.table_sizes()
        regrets = (_zeros(sizes[0], number), _zeros(sizes[1], number))
        averages = (_zeros(sizes[0], number), _zeros(sizes[1], number))
        self._symmetries = symmetries(game)
        locks = lock_arrays(game, self.packed, fixed, regrets, number)
        self._tables = kernels.Tables(regrets, averages, locks)
        parts = _part_starts(game)
        self.workers = max(1, min(workers, len(parts) - 1))
        self._root = _scratch(game, self.packed, number)
        # All record into one array: only one board is recorded at a time.
        self._scratches = [
            _scratch(game, self.packed, number)._replace(recorded=self._root.recorded)
            for _ in range(self.workers)
        ]
        size = int(self._root.start[1])
        self._solve = traversal.Solve(
            _board_arrays(game),
            self.packed.sides,
            game.evaluator,
            self._tables,
            parts,
            _zeros((len(parts) - 1) * size, number),
            self._guarded(),
        )
        if guard is not None:
            self._root.ranges[guard.seat][: len(game.hands[guard.seat])] = first_reach(
                self._solve.guard
            )

    def _guarded(self) -> GuardArrays:
        """The guard for kernels."""
        if self.guard is None:
            return guard_arrays(self.game, None, 0, 1.0)
        side = self.packed.sides[self.guard.seat]
        unit = self.packed.scale[self.guard.seat]
        return guard_arrays(self.game, self.guard, int(side.slots[0]), unit)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tables."""
        tables = self._tables
        return sum(array.nbytes for array in (*tables.regrets, *tables.averages))

    @property
    def working_bytes(self) -> int:
        """Bytes of what iterations work in, beside the tables."""
        arrays: dict[int, int] = {}
        for scratch in (self._root, *self._scratches):
            parts = (*scratch, *scratch.ranges)
            arrays |= {id(part): part.nbytes for part in parts if isinstance(part, np.ndarray)}
        return sum(arrays.values()) + self._solve.sums.nbytes

    @property
    def averages(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The average plans as they are kept, without a common factor."""
        return self._tables.averages

    @property
    def regrets(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The regrets as they are kept; where play is fixed, its probabilities."""
        return self._tables.regrets

    @property
    def locks(self) -> tuple[kernels.Locks, kernels.Locks]:
        """Where each seat's play is fixed."""
        return self._tables.locks

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        self._visit(self.jobs(iterations))
        self.iteration += iterations

    def jobs(self, iterations: int) -> list[traversal.Job]:
        """What the next iterations do, seat by seat."""
        rows = self.discounting.schedule(self.iteration + 1, iterations)
        numbers = np.arange(self.iteration + 1, self.iteration + 1 + iterations, dtype=np.float64)
        # The average so far shrinks so that iteration t counts t^average in the sum.
        decay = ((numbers - 1) / numbers) ** self.discounting.average
        if self.iteration == 0:
            decay[0] = 0.0
        return [
            traversal.Job(seat, kernels.CURRENT, kernels.IMPROVE, upper, lower, kept, -1)
            for upper, lower, kept in np.stack([rows[:, 0], rows[:, 1], decay], axis=1).tolist()
            for seat in (0, 1)
        ]

    def _visit(self, jobs: list[traversal.Job]) -> None:
        """Visit all boards for each job; threads share the parts, each with its own scratch."""
        if self.workers == 1:
            table = np.array(jobs, np.float64)
            traversal.run(self._solve, table, self._root, self._scratches[0])
            return
        with ThreadPoolExecutor(self.workers - 1) as pool:
            for job in jobs:
                self._visit_together(job, pool)

    def _visit_together(self, job: traversal.Job, pool: Executor) -> None:
        """One job. Each thread has the same parts every time, so its core's cache may hold them."""
        traversal.open_root(self._solve, job, self._root)
        count = len(self._solve.part_start) - 1
        bounds = [count * thread // self.workers for thread in range(self.workers + 1)]
        shares = [
            (self._solve, job, first, last, self._root, scratch)
            for first, last, scratch in zip(bounds, bounds[1:], self._scratches, strict=False)
        ]
        others = [pool.submit(traversal.walk_parts, *share) for share in shares[1:]]
        traversal.walk_parts(*shares[0])
        for other in others:
            other.result()
        traversal.close_root(self._solve, job, self._root)

    def values(self, seat: int, *, best: bool = False, board: int = 0) -> npt.NDArray[Any]:
        """What every slot of `seat` is worth on a board, as chips times the weight of the other seat.

        Array [slot, hand]: against the average strategy, of the average strategy or a best response.
        """
        mode = kernels.RESPOND if best else kernels.EXPECT
        with self._entering_on_average():
            self._visit([traversal.Job(seat, kernels.AVERAGE, mode, 1.0, 1.0, 1.0, board)])
        side = self.packed.sides[seat]
        slots = int(side.slots[self.game.boards.level[board]])
        tiles = int(side.tiles[board])
        found = self._root.recorded[: slots * tiles * WIDTH].reshape(tiles, slots, WIDTH)
        by_row = found.transpose(1, 0, 2).reshape(slots, -1).astype(np.float64)
        places = self.packed.places(seat, board)[: len(self.game.hands[seat])]
        return np.where(places >= 0, by_row[:, places], 0.0) * self.packed.scale[seat]

    @contextmanager
    def _entering_on_average(self) -> Iterator[None]:
        """While a guarded seat enters as often as it does on the average."""
        if self.guard is None:
            yield
            return
        reach = self._root.ranges[self.guard.seat]
        now = reach.copy()
        reach[: len(self.guard.values)] = average_reach(self._solve.guard)
        try:
            yield
        finally:
            reach[:] = now

    def root_values(self, seat: int, *, best: bool = False) -> Floats:
        """`values` of the root's entry: chips of each hand times the weight that it can meet."""
        return np.asarray(self.values(seat, best=best)[0])

    def measure(self) -> ValueBounds:
        """Value and best responses of the average strategy.

        With a guard they are of the game that begins with its decision, and `expected` is of the
        hands that enter.
        """
        responses = self._responses()
        expected = float(self._entering(0) @ self.root_values(0)) / self.game.mass
        return ValueBounds(expected, responses)

    def exploitability(self) -> float:
        """The mean of what best responses win, in chips."""
        return gain(sum(self._responses()) / 2)

    def _responses(self) -> tuple[float, float]:
        """What best responses win against the average strategy, in chips."""
        self._settle()
        values = [self.root_values(seat, best=True) for seat in (0, 1)]
        mass = self.game.mass
        if self.guard is None:
            first, second = (float(self._entering(seat) @ values[seat]) / mass for seat in (0, 1))
            return first, second
        seat = self.guard.seat
        other = float(self._entering(1 - seat) @ values[1 - seat])
        unit = self.packed.scale[seat]
        own, others = guarded_gaps(self._solve.guard, values[seat], other, unit, mass)
        return (own, others) if seat == 0 else (others, own)

    def _entering(self, seat: int) -> Floats:
        """The reach with which a seat enters the root."""
        if self.guard is not None and seat == self.guard.seat:
            return average_reach(self._solve.guard)
        return self.game.hands[seat].weights

    def _settle(self) -> None:
        """Let the average strategy treat alike what boards that stand for copies treat alike."""
        make_symmetric(self.game, self.packed, self._symmetries, self._tables.averages)

    def distance(self) -> Distance:
        """The exploitability, for a run."""
        return Distance(self.exploitability())

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What decides the tables: the game with its fixed play, the weights of iterations."""
        game, boards = self.game, self.game.boards
        digest = hashlib.blake2b(repr(boards.cards).encode(), digest_size=12)
        parts = [game.tree.parent, game.tree.action, game.tree.spent, boards.parent, boards.weight]
        parts += [part for hands in game.hands for part in (hands.cards, hands.weights)]
        for play in self.fixed:
            parts += [np.array([play.node]), play.hands, play.probabilities]
        if self.guard is not None:
            digest.update(f"{self.guard.name} {self.guard.seat}".encode())
            parts.append(self.guard.values)
        for part in parts:
            digest.update(np.ascontiguousarray(part).tobytes())
        kind = np.dtype(self._tables.regrets[0].dtype).name
        return {"game": digest.hexdigest(), "solver": repr(self.discounting), "precision": kind}

    def arrays(self) -> Arrays:
        """Regrets and average plans of both seats, and of a guard."""
        tables = {"regret": self._tables.regrets, "average": self._tables.averages}
        arrays = {f"{name}_{seat}": pair[seat] for name, pair in tables.items() for seat in (0, 1)}
        if self.guard is not None:
            guard = self._solve.guard
            arrays |= {"guard_regrets": guard.regrets, "guard_entered": guard.entered}
            arrays |= {"guard_total": guard.total}
            arrays |= {"guard_reach": self._root.ranges[self.guard.seat]}
        return arrays

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the tables of an earlier `arrays()`."""
        for name, table in self.arrays().items():
            table[...] = arrays[name]

    def probabilities(self, node: int, board: int = 0) -> Floats:
        """The average strategy at a decision on a board: [hand, action]; evenly where never reached."""
        return strategy_at(self.game, self.packed, self.averages, node, board)

    def on(self, board: Board) -> Rows:
        """What the average strategy plays on a board; see `doyle.solving.board_walk`."""
        return lambda node: self.probabilities(node, board.number)


def strategy_at(
    game: PublicGame, packed: Packed, averages: Sequence[npt.NDArray[Any]], node: int, board: int
) -> Floats:
    """Probabilities [hand, action] that average plans play at a decision."""
    seat = int(game.tree.actor[node])
    plans = sequence_rows(game, packed, averages[seat], node, board)
    plans = np.maximum(plans.astype(np.float64), 0.0)
    total = plans.sum(axis=1, keepdims=True)
    even = 1.0 / plans.shape[1]
    return np.where(total > 0, plans / np.where(total > 0, total, 1.0), even)


def sequence_rows(
    game: PublicGame, packed: Packed, table: npt.NDArray[Any], node: int, board: int
) -> npt.NDArray[Any]:
    """The part [hand, action] of a table at a decision on a board; 0 where a hand shares a card."""
    seat, level = int(game.tree.actor[node]), int(game.boards.level[board])
    side = packed.sides[seat]
    decision = int(packed.decision_of[node])
    first = int(side.first[decision] - side.entries[level])
    tiles = packed.tiles(table, seat, board, level)
    rows = tiles[:, first : first + int(side.actions[decision])]
    by_row = rows.transpose(0, 2, 1).reshape(-1, rows.shape[1])
    places = packed.places(seat, board)[: len(game.hands[seat])]
    return np.where(places[:, None] >= 0, by_row[places], 0)


def _board_arrays(game: PublicGame) -> kernels.BoardArrays:
    boards = game.boards
    permutations = []
    for hands, width in zip(game.hands, game.evaluator.width.tolist(), strict=True):
        table = np.tile(np.arange(width, dtype=np.int32), (len(boards.suits), 1))
        for number, suits in enumerate(boards.suits[1:], start=1):
            table[number, : len(hands)] = hands.permuted(suits)
        permutations.append(table.ravel())
    return kernels.BoardArrays(
        level=boards.level.astype(np.int64),
        parent=boards.parent,
        weight=boards.weight,
        copy_start=boards.copy_start,
        copies=boards.copies,
        permutations=(permutations[0], permutations[1]),
    )


def _part_starts(game: PublicGame) -> npt.NDArray[np.int64]:
    """Where the parts of the boards below the root begin, and the number of boards."""
    below = np.flatnonzero(game.boards.level == 1)
    if not len(below):
        return np.full(1, 1, np.int64)
    chosen = np.linspace(0, len(below), min(PARTS, len(below)) + 1).astype(np.int64)[:-1]
    return np.append(below[chosen], len(game.boards)).astype(np.int64)


def _scratch(game: PublicGame, packed: Packed, number: Any) -> kernels.Scratch:
    widths = [int(width) for width in game.evaluator.width]
    per_level = [
        max(int(side.slots[level] * side.tiles[0]) * WIDTH for side in packed.sides)
        for level in range(game.boards.levels)
    ]
    start = np.concatenate([[0], np.cumsum(per_level)]).astype(np.int64)
    ranges = []
    for seat in (0, 1):
        weights = _zeros(widths[seat], number)
        weights[: len(game.hands[seat])] = game.hands[seat].weights
        ranges.append(weights)
    rows = (max(widths) + 2) * LANES
    return kernels.Scratch(
        start=start,
        plan=_zeros(int(start[-1]), number),
        values=_zeros(int(start[-1]), number),
        reach=_zeros(rows, number),
        show=_zeros(rows, number),
        fold=_zeros(rows, number),
        sums=_zeros((DECK + 1) * LANES, number),
        columns=_zeros(2 * LANES * WIDTH, number),
        open=np.zeros(game.boards.levels, np.int64),
        ranges=(ranges[0], ranges[1]),
        recorded=_zeros(max(per_level), number),
    )


def _zeros(size: int, number: Any) -> npt.NDArray[Any]:
    """Zeros that begin at a cache line, so that a vector of 16 is never spread over two of them."""
    width = int(np.dtype(number).itemsize)
    room = np.zeros(size + CACHE_LINE // width, number)
    skipped = -room.ctypes.data % CACHE_LINE // width
    return room[skipped : skipped + size]
