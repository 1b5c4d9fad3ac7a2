"""Speed and memory of the sampling solvers against the same algorithms in C++.

The twins in `cpp/sampling.cpp` get the same tree, deals, boards and buffers, and must end with the
same tables up to rounding. Buckets are random, which is the worst case: nearly every hand of a board
has its own. Ours and theirs take turns and the best of several rounds counts, in seconds of the
processor; two threads against one are measured by the clock, so other work on the machine hurts.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cards import best_of, build_library
from doyle.abstractions.betting import BettingModel, BettingTree, PackedTree, pack_tree
from doyle.base.workers import Workers, map_threads
from doyle.cards import HOLES, board_ranks
from doyle.games import Game
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.batches import apart, deal_frames, public_frames
from doyle.solving.sampling.deals import board_hands

Measurement = dict[str, Any]

DEALS = 20_000
CHECKED_DEALS = 300
BOARDS = 4
ROUNDS = 5
THREAD_ROUNDS = 9
PASSES = 20_000
TOLERANCE = 1e-4
GROWTH_BUCKETS = (200, 1000, 5000)
GROWTH_MODELS = (("fcpa", 20), ("fchpa", 20), ("fcpa", 50), ("fchpa", 50))


def measurements() -> list[Measurement]:
    """One row for each job: ours, the twin's, their unit and the ratio of times (ours / twin's)."""
    library = build_library(Path(__file__).parent / "cpp" / "sampling.cpp")
    game = Game.named("holdem-nl-200bb")
    tree = BettingTree.build(BettingModel.parse("fcpa"), game)
    rows = []
    for buckets in (1000, 10_000):
        case = Case.of(tree, buckets)
        rows.append(_external(case, library, buckets))
        rows.append(_public(case, library, buckets))
    for buckets in (1000, 10_000):
        case = Case.of(tree, buckets)
        parts = [case.sharing_tables(seed) for seed in range(4)]
        rows.append(_threads("external", case, [part.run_deals for part in parts] * 6, library))
        rows.append(_threads("pcs", case, [part.run_boards for part in parts] * 2, library))
    rows.append(_memory(Case.of(tree, 1000)))
    rows.extend(_growth(tree))
    return rows


@dataclass(eq=False)
class Case:
    """One tree with tables, random deals and boards under random buckets."""

    tree: BettingTree
    packed: PackedTree
    regret: NDArray[np.float32]
    average: NDArray[np.float32]
    buckets: NDArray[np.int32]
    signs: NDArray[np.int8]
    boards: list[public.BoardHands]

    @classmethod
    def of(cls, tree: BettingTree, buckets: int, *, seed: int = 4) -> Case:
        """Random buckets, as many in each round after the first."""
        rng = np.random.default_rng(seed)
        counts = (169, buckets, buckets, buckets)
        packed = pack_tree(tree, counts)
        size = int((packed.width * np.array(counts)).sum())
        chosen = np.stack([rng.integers(0, count, (DEALS, 2)) for count in counts], axis=2)
        return cls(
            tree,
            packed,
            np.zeros(size, np.float32),
            np.zeros(size, np.float32),
            np.ascontiguousarray(chosen, np.int32),
            rng.integers(-1, 2, DEALS).astype(np.int8),
            [_random_board(rng, counts) for _ in range(BOARDS)],
        )

    @property
    def river_buckets(self) -> int:
        """How many buckets the rounds after the first have."""
        return int(self.buckets[:, :, -1].max()) + 1

    def fresh(self) -> Case:
        """The same with tables of its own, still zero."""
        return Case(
            self.tree,
            self.packed,
            np.zeros_like(self.regret),
            np.zeros_like(self.average),
            self.buckets,
            self.signs,
            self.boards,
        )

    def sharing_tables(self, seed: int) -> Case:
        """Other deals and boards, into the same tables, as threads have them."""
        part = Case.of(self.tree, self.river_buckets, seed=seed)
        part.regret, part.average = self.regret, self.average
        return part

    def run_deals(self, count: int = DEALS) -> int:
        """The first deals, all by default; returns the nodes visited."""
        return int(
            kernels.run_deals(
                self.packed,
                self.regret,
                self.average,
                self.buckets[:count],
                self.signs[:count],
                False,
                -np.inf,
                0.0,
                0.0,
                deal_frames(self.packed),
                apart(np.array([11], np.uint64)),
            )
        )

    def run_boards(self, count: int = BOARDS) -> int:
        """The first boards, all by default, once for each seat; returns the nodes visited."""
        frames = public_frames(self.packed, self.boards[0])
        return sum(
            public.run_board(
                self.packed,
                self.regret,
                self.average,
                hands,
                seat,
                1 / hands.cards.shape[0],
                frames,
            )
            for hands in self.boards[:count]
            for seat in range(2)
        )


def _random_board(rng: np.random.Generator, counts: tuple[int, ...]) -> public.BoardHands:
    board = tuple(int(card) for card in rng.permutation(52)[:5])
    ranks = board_ranks(board).astype(np.int32)
    order = np.argsort(ranks, kind="stable").astype(np.int32)
    order = order[ranks[order] > 0]
    by_round = [rng.integers(0, count, 1326).astype(np.int32) for count in counts]
    return board_hands(HOLES[order], ranks[order], order, by_round, counts)


def _external(case: Case, library: ctypes.CDLL | None, buckets: int) -> Measurement:
    name = f"external, fcpa 200bb, {buckets:,} buckets"
    mine, other = case.fresh(), case.fresh()
    nodes = case.fresh().run_deals()
    note = f"{nodes / DEALS:.0f} nodes per iteration"
    if library is None:
        (seconds,) = best_of(ROUNDS, mine.run_deals)
        return _row(name, seconds, None, DEALS, 1e-3, f"{note}; no C++ compiler found")
    frames = deal_frames(case.packed)
    state = np.array([11], np.uint64)
    structure = _structure(*frames, frames.values.shape[1])
    tree = _structure(*case.packed)
    twin = library

    def theirs(count: int = DEALS) -> None:
        state[0] = 11
        twin.run_deals(
            ctypes.byref(tree),
            ctypes.byref(structure),
            *_pointers(other.regret, other.average, other.buckets, other.signs),
            ctypes.c_int64(count),
            ctypes.c_int64(case.buckets.shape[2]),
            *_pointers(state),
        )

    # Later a last digit may draw another action: the C++ compiler fuses multiply and add.
    mine.run_deals(CHECKED_DEALS)
    theirs(CHECKED_DEALS)
    _check_equal(name, mine, other)
    seconds, cpp = best_of(ROUNDS, mine.run_deals, theirs)
    note += f", {nodes / seconds / 1e6:.1f} M nodes/s"
    return _row(name, seconds, cpp, DEALS, 1e-3, note)


def _public(case: Case, library: ctypes.CDLL | None, buckets: int) -> Measurement:
    name = f"pcs, fcpa 200bb, {buckets:,} buckets"
    mine, other = case.fresh(), case.fresh()
    mine.run_boards(1)
    if library is None:
        (seconds,) = best_of(ROUNDS, mine.run_boards)
        return _row(name, seconds, None, BOARDS, 1, "no C++ compiler found")
    frames = public_frames(case.packed, case.boards[0])
    structure = _structure(*frames, frames.sigma.shape[2], frames.card_sum.shape[1])
    tree = _structure(*case.packed)
    boards = [
        _structure(*hands, hands.cards.shape[0], hands.group_end.size) for hands in case.boards
    ]
    twin = library

    def theirs(count: int = BOARDS) -> None:
        for board, hands in zip(boards[:count], case.boards[:count], strict=True):
            for seat in range(2):
                twin.run_board(
                    ctypes.byref(tree),
                    ctypes.byref(board),
                    ctypes.byref(structure),
                    *_pointers(other.regret, other.average),
                    ctypes.c_int64(seat),
                    ctypes.c_double(1 / hands.cards.shape[0]),
                )

    theirs(1)
    _check_equal(name, mine, other)
    seconds, cpp = best_of(ROUNDS, mine.run_boards, theirs)
    return _row(name, seconds, cpp, BOARDS, 1, "an iteration is one board for both seats")


def _check_equal(name: str, mine: Case, other: Case) -> None:
    """After a few steps from zero the tables differ by rounding only."""
    for ours, theirs in ((mine.regret, other.regret), (mine.average, other.average)):
        largest = float(np.abs(ours).max())
        if not np.allclose(ours, theirs, rtol=1e-4, atol=TOLERANCE * largest):
            raise AssertionError(f"{name}: the C++ twin gives different results")


def _threads(
    method: str, case: Case, runs: Sequence[Callable[[], int]], library: ctypes.CDLL | None
) -> Measurement:
    """Two threads share the tables; the same work by one thread.

    Every run starts from empty tables, because trained ones send the samples through other nodes,
    and what counts is nodes a second, because the threads' order changes a few of them. How long a
    core waits for what the other has written depends on where the machine has put them, which may
    change from one run to the next: the note has it.
    """
    waits: list[float] = []

    def rates(workers: int) -> tuple[float, float]:
        case.regret[:] = 0
        case.average[:] = 0
        start, before = time.monotonic(), time.process_time()
        nodes = sum(map_threads(lambda run: run(), runs, workers=Workers(workers)))
        speeds = nodes / (time.monotonic() - start), nodes / (time.process_time() - before)
        if library is not None and workers == 2:
            waits.append(library.passing_time(ctypes.c_int64(PASSES)))
        return speeds

    if library is not None:
        library.passing_time.restype = ctypes.c_double
    rates(1)
    pairs = [(rates(1), rates(2)) for _ in range(THREAD_ROUNDS)]
    one, two = (max(pair[number][0] for pair in pairs) for number in range(2))
    alone, shared = (max(pair[number][1] for pair in pairs) for number in range(2))
    middle = float(np.median([pair[1][0] / pair[0][0] for pair in pairs]))
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    # What two cores of their own would give: the same work costs both together a little more.
    free = f"{2 * shared / alone:.2f} by processor time"
    if waits:
        free += f"; cores {min(waits):.0f} to {max(waits):.0f} ns apart"
    return {
        "name": f"{method}, {case.river_buckets:,} buckets, two threads against one",
        "ours": round(two / 1e3),
        "other": round(one / 1e3),
        "unit": "k nodes/s",
        "ratio": round(two / one, 3),
        "target": 1.7,
        "note": f"best of {THREAD_ROUNDS} by the clock ({load}), median {middle:.2f}; {free}; "
        "other: one thread",
    }


def _memory(case: Case) -> Measurement:
    actions = case.regret.size
    total = case.regret.nbytes + case.average.nbytes
    return {
        "name": "tables, fcpa 200bb, 1,000 buckets",
        "ours": total / actions,
        "other": None,
        "unit": "bytes/action",
        "ratio": None,
        "target": 8.0,
        "note": f"{total:,} bytes for {actions:,} information-set actions",
    }


def _growth(tree: BettingTree) -> list[Measurement]:
    """Time and memory by buckets (fcpa, 200 big blinds) and by bet sizes (smaller stacks)."""
    rows = []
    cases = [(f"{count:,} buckets, fcpa 200bb", tree, count) for count in GROWTH_BUCKETS]
    for model, stack in GROWTH_MODELS:
        game = _with_stack(tree.game, stack)
        cases.append(
            (f"{model} {stack}bb, 1,000 buckets", BettingTree.build(BettingModel.parse(model), game), 1000)
        )  # fmt: skip
    for name, grown, buckets in cases:
        case = Case.of(grown, buckets)
        case.run_deals(), case.run_boards()
        deals, boards = best_of(3, case.run_deals, case.run_boards)
        megabytes = (case.regret.nbytes + case.average.nbytes) / 1e6
        rows.append(
            {
                "name": f"growth: {name}",
                "ours": round(deals / DEALS * 1e6, 2),
                "other": round(boards / BOARDS * 1e3, 2),
                "unit": "us; ms",
                "ratio": None,
                "target": None,
                "note": f"an iteration of external (us), of pcs (ms); {megabytes:.1f} MB, "
                f"{grown.decisions.size:,} decisions",
            }
        )
    return rows


def _with_stack(game: Game, big_blinds: int) -> Game:
    from dataclasses import replace

    stack = big_blinds * game.big_blind
    return replace(game, name=f"{game.name}-{big_blinds}bb", stacks=(stack,) * game.players)


def _row(
    name: str, seconds: float, other: float | None, items: int, scale: float, note: str
) -> Measurement:
    return {
        "name": name,
        "ours": round(items / seconds * scale, 2),
        "other": None if other is None else round(items / other * scale, 2),
        "unit": "it/s" if scale == 1 else "k it/s",
        "ratio": None if other is None else round(seconds / other, 3),
        "target": 1.2,
        "note": note,
    }


def _pointers(*arrays: NDArray[Any]) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def _structure(*fields: NDArray[Any] | int) -> ctypes.Structure:
    """A C structure of pointers and 64-bit integers; the arrays must outlive it."""
    kinds = [
        (f"field{number}", ctypes.c_int64 if isinstance(value, int) else ctypes.c_void_p)
        for number, value in enumerate(fields)
    ]
    kind = type("Fields", (ctypes.Structure,), {"_fields_": kinds})
    values = [value if isinstance(value, int) else value.ctypes.data for value in fields]
    return kind(*values)  # type: ignore[no-any-return]


if __name__ == "__main__":
    for measurement in measurements():
        print(measurement)
