"""The speeds of this machine: a few short measurements of the kernels that take the time of builds.

They take a few seconds, are in processor time where nothing waits for a disk, so that other load does
not count, and are kept in the cache until the machine or the version of doyle changes.

Processor time and memory of a solve before its first iteration are measured by running the smallest
ones. Most of it is importing and loading compiled kernels, which no count of work predicts. Each runs
in a process of its own with what commands import beside it, twice, because the first run may have
kernels to compile.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.abstractions.cards.strength import _atlas_kernels as atlas_kernels
from doyle.base.artifacts import Description
from doyle.base.artifacts.checkpoints import Checkpoints
from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.artifacts.manifest import is_as_written, sealed
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.version import __version__
from doyle.base.workers import Progress
from doyle.base.workers.memory import one_blas_thread
from doyle.cards._strength_kernels import board_scratch
from doyle.cards.cards import HOLES
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import boards
from doyle.solving.games import poker_game
from doyle.solving.run import stopwatch
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling.deals import DealBatch
from doyle.solving.sampling.shards import Discount, discount
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.solving.spots.spot import Spot
from doyle.solving.vector import VectorSolver

SOLVE = """
from doyle.solving.run import Limits
from doyle.solving.solve import Method, Problem, Solution
method = Method("external")
problem = Problem.named("leduc", "limit", method=method)
run = problem.begin(method)
run.until(Limits(iterations=1))
Solution(problem, method, run).document()
"""
PLOTTED = f"""{SOLVE}
import tempfile
from pathlib import Path
from doyle.solving.convergence import draw
with tempfile.TemporaryDirectory() as folder:
    draw(Path(folder) / "convergence.svg", {{"external": run.history}})
"""
SPOT = """
from doyle.solving.spots import Spot, solve_spot
ranges = ("AA", "KK")
solve_spot(Spot.parse(board="Ks7h4d2cJs", ranges=ranges, pot=200, stacks=200), iterations=1)
"""
_MEASURED = """
import json, time
import rich.progress, typer
{work}
try:
    with open("/proc/self/status") as lines:
        peak = next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([time.process_time(), peak]))
"""
"""The process reads its own peak: what its parent can read counts the parent too."""


def _start_of(name: str, work: str) -> dict[str, float]:
    """Processor seconds and bytes of one of the programs above, run twice and measured the second time."""
    for _ in range(2):
        command = [sys.executable, "-c", _MEASURED.format(work=work)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DoyleError("calibration: the smallest solve failed in a process of its own")
    seconds, memory = json.loads(done.stdout)
    return {f"{name}_start": seconds, f"{name}_bytes": memory}


ITERATIONS = 1 << 15
NODE_BYTES = 36.0
"""What a solver reads of a node and its place among its siblings."""
_GAME = "holdem-nl-200bb"


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of the second call: the first compiles or loads kernels."""
    work()
    started = time.process_time()
    work()
    return max(time.process_time() - started, 1e-6)


@dataclass(frozen=True)
class RandomDeals:
    """Deals without cards: any bucket, any winner."""

    bucket_counts: tuple[int, ...]
    cards: str | None = None

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        rng = np.random.default_rng(int(state[0]))
        columns = [rng.integers(0, size, (count, 2)) for size in self.bucket_counts]
        standings = rng.integers(0, 2, (count, 2)).astype(np.int8)
        return DealBatch(np.stack(columns, axis=2).astype(np.int32), standings)

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        raise NotImplementedError


def _sampled(size: str, betting: str, buckets: int) -> dict[str, float]:
    """Seconds of a visited node, and of a byte or an entry of the tables; bytes of tables and tree."""
    tree = BettingTree.build(betting, _GAME)
    source = RandomDeals((169, buckets, buckets, buckets))
    # Discounts, of which a long interval has one, are measured by themselves.
    solver = SamplingSolver(tree, source, SamplingOptions(interval=ITERATIONS, linear=False))
    solver.advance(ITERATIONS)
    before, started = solver.nodes_visited, time.process_time()
    solver.advance(2 * ITERATIONS)
    seconds = max(time.process_time() - started, 1e-6)
    entries = solver.regret.size
    return {
        f"visit_{size}": seconds / (solver.nodes_visited - before),
        f"bytes_{size}": solver.table_bytes,
        "tree_wide" if betting == _WIDE_TREE else "tree_small": NODE_BYTES * tree.node_count,
        "discount": processor_seconds(lambda: _discount_tables(solver)) / solver.table_bytes,
        "bound": processor_seconds(solver.regret_bound) / entries,
        "normalise": processor_seconds(solver.tables) / entries,
    }


def _discount_tables(solver: SamplingSolver) -> None:
    """One discount, by a factor that changes nothing."""
    discount((solver.regret, solver.average), Discount(1.0, (-np.inf, 0.0)))


FILE = "calibration.json"
_TREE, _WIDE_TREE = "fcp300,1000pa", "fc50,75,100,200pa"
_BOARDS = 4096
_MATRIX = 1024
_DISK = 64 << 20
_LEAST = 1e-15
_PAGE = 4096
_RANGES = ("22+,A2+,K2+,Q2+", "22+,A2+,K2+,J2+")


@dataclass(frozen=True)
class Speeds:
    """What one core of this machine does, in seconds for each unit, and its disk in bytes a second.

    The usual values are those of a machine of 2026, for plans whose times do not matter.
    """

    visit_small: float = 31e-9
    """A node of a sampled iteration, with tables of `bytes_small`."""
    visit_large: float = 49e-9
    visit_wide: float = 80e-9
    """The same with a large tree, of `tree_wide` bytes; the others are with one of `tree_small`."""
    bytes_small: float = 1.8e6
    bytes_large: float = 141e6
    bytes_wide: float = 1.2e8
    tree_small: float = 1.2e6
    tree_wide: float = 1.3e8
    touch: float = 4e-10
    """A byte of new memory: the system clears a page when it is first written to."""
    discount: float = 1.5e-10
    """A byte of tables that are discounted."""
    bound: float = 2e-9
    """An entry of tables whose bound on the regret is added up."""
    normalise: float = 8e-9
    """An entry of the average strategy, made from the tables into new memory."""
    save: float = 2.5e-9
    """A byte of an array that is written, read again and checksummed, without the disk."""
    deal: float = 8.1e-8
    """A deal of two hands and a board, without its buckets."""
    board: float = 14.1e-6
    """The exact strength of all hands on a river board."""
    hand_small: float = 1.7e-9
    """A sequence of one hand in one iteration of a spot, with tables of `spot_small`."""
    hand_large: float = 2.1e-9
    spot_small: float = 3.1e5
    spot_large: float = 3.8e7
    product: float = 4.3e-5
    """A million multiplications and additions in single precision."""
    disk: float = 6e8
    start: float = 0.31
    """A Python process with NumPy and doyle in it."""
    solve_start: float = 1.9
    """A command that solves by sampling, before its first iteration: imports and compiled kernels."""
    plotted_start: float = 2.5
    """The same for one that draws how it converged, as builds do."""
    solve_bytes: float = 2.2e8
    """What such a command holds before its first iteration."""
    spot_start: float = 1.5
    spot_bytes: float = 1.9e8

    def visit(self, table_bytes: float, nodes: int) -> float:
        """Seconds of a node, by the logarithms of what the walk jumps about in: tables and tree.

        Less than the small ones fits in the caches of a core like these, and is no faster.
        """
        tables = (self.bytes_small, self.bytes_large), (self.visit_small, self.visit_large)
        begun = _between(self.bytes_wide, *tables)
        trees = (self.tree_small, self.tree_wide), (begun, self.visit_wide)
        further = _between(max(NODE_BYTES * nodes, self.tree_small), *trees) - begun
        return _between(max(table_bytes, self.bytes_small), *tables) + max(further, 0.0)

    def hand(self, table_bytes: float) -> float:
        """Seconds of a sequence of one hand, by the logarithm of the tables."""
        sizes = (self.spot_small, self.spot_large)
        return _between(table_bytes, sizes, (self.hand_small, self.hand_large))


def _between(size: float, sizes: tuple[float, float], seconds: tuple[float, float]) -> float:
    """What takes `seconds` with tables of two sizes, with tables of another."""
    place = math.log(max(size, 1.0) / sizes[0]) / math.log(sizes[1] / sizes[0])
    return max(seconds[0] + place * (seconds[1] - seconds[0]), 0.5 * seconds[0])


def speeds_of_this_machine(*, again: bool = False, progress: Progress | None = None) -> Speeds:
    """The kept speeds, or new ones if there are none for this machine and version, or `again`."""
    path = cache_folder() / FILE
    found = None if again else _kept(path)
    if found is not None:
        return found
    speeds = measure_speeds(progress=progress)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with suppress(OSError):  # a full disk: the next plan measures again
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, sealed({"machine": _machine(), "measured": now, "speeds": asdict(speeds)}))
    return speeds


def _machine() -> list[str]:
    return [__version__, platform.machine(), platform.node(), str(os.cpu_count())]


def _kept(path: Path) -> Speeds | None:
    """What the file says, unless it is of another machine or version, or damaged."""
    try:
        document: dict[str, Any] = read_json(path)
        if document["machine"] != _machine() or not is_as_written(document):
            return None
        found = {field.name: float(document["speeds"][field.name]) for field in fields(Speeds)}
    except (OSError, DoyleError, KeyError, TypeError, ValueError):
        return None
    return Speeds(**found) if all(0 < value < 1e15 for value in found.values()) else None


def measure_speeds(*, progress: Progress | None = None) -> Speeds:
    """Measure this machine."""
    found: dict[str, float] = {}
    for done, measured in enumerate(_MEASUREMENTS):
        if progress is not None:
            progress("speeds of this machine", done, len(_MEASUREMENTS))
        found |= measured()
    if progress is not None:
        progress("speeds of this machine", len(_MEASUREMENTS), len(_MEASUREMENTS))
    # What was too short for the clock is kept too, or it would be measured at every plan.
    names = {field.name for field in fields(Speeds)}
    return Speeds(**{name: max(found[name], _LEAST) for name in names})


def _kernels() -> dict[str, float]:
    """What is measured by single kernels, files and a process."""
    usual = Speeds()
    with one_blas_thread():
        product = _product()
    return {
        "product": product,
        "touch": _touch(),
        "save": _unless_full(_save, usual.save),
        "deal": _deals(),
        "board": _boards(),
        "disk": _unless_full(_disk, usual.disk),
        "start": _start(),
    }


def _unless_full(measured: Callable[[], float], usual: float) -> float:
    """What is measured by writing a file, or what is usual where the disk has no room for it."""
    try:
        return measured()
    except OSError:
        return usual


def _touch() -> float:
    """Seconds of a byte of new memory, by one byte of each page."""

    def work() -> None:
        np.zeros(_DISK, np.uint8)[::_PAGE] = 1

    return processor_seconds(work) / _DISK


def _save() -> float:
    """Processor seconds of a byte in a checkpoint."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    array = np.random.default_rng(0).random(_DISK // 4, dtype=np.float32)
    with tempfile.TemporaryDirectory(prefix="calibration-", dir=folder) as place:
        checkpoints = Checkpoints(Path(place) / "checkpoint")

        def work() -> None:
            checkpoints.save(
                1, Description("calibration", 1), lambda made: made.put("table", array)
            )

        return processor_seconds(work) / _DISK


def _deals() -> float:
    """Seconds of ranking two hands of seven cards, with what is drawn and gathered around it."""
    from doyle.cards import evaluate
    from doyle.solving.sampling import _sampling_kernels as kernels

    cards = np.empty((ITERATIONS, 9), np.uint8)
    state = np.ones(1, np.uint64)

    def work() -> None:
        kernels.deal_cards(cards, 52, state)
        for first in (0, 2):
            evaluate(np.ascontiguousarray(cards[:, [first, first + 1, 4, 5, 6, 7, 8]]))

    return processor_seconds(work) / ITERATIONS


def _boards() -> float:
    rows = np.arange(_BOARDS)
    strength = np.zeros((_BOARDS, len(HOLES)), np.uint16)
    counts = np.empty((3, len(HOLES)), np.int32)

    def work() -> None:
        atlas_kernels.river_strength(
            rank_tables(7), boards(5).boards, rows, HOLES, board_scratch(), counts, strength
        )

    return processor_seconds(work) / _BOARDS


def _spot(size: str, board: str, iterations: int) -> dict[str, float]:
    """Seconds of a sequence of one hand, and the bytes of the tables."""
    spot = Spot.parse(board=board, ranges=_RANGES, pot=200, stacks=800, betting="fchpa")
    parts = spot.outline()
    solver = VectorSolver(poker_game(parts))
    seconds = processor_seconds(lambda: solver.advance(iterations))
    entries = parts.sequence_hands()
    return {f"hand_{size}": seconds / iterations / entries, f"spot_{size}": 2.0 * 4.0 * entries}


def _product() -> float:
    rng = np.random.default_rng(0)
    left, right = rng.random((2, _MATRIX, _MATRIX), dtype=np.float32)
    return processor_seconds(lambda: left @ right) / (_MATRIX**3 / 1e6)


def _disk() -> float:
    """Bytes a second to the folder of the cache, flushed."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"calibration-{os.getpid()}.tmp"
    data = os.urandom(1 << 20)
    elapsed = stopwatch()
    try:
        with path.open("wb") as stream:
            for _ in range(_DISK >> 20):
                stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    finally:
        path.unlink(missing_ok=True)
    return _DISK / max(elapsed(), 1e-3)


def _start() -> float:
    """Processor seconds of a new process that imports what workers import."""
    before = os.times()
    subprocess.run([sys.executable, "-c", "import doyle.matches"], check=True, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system
    return max(used - before.children_user - before.children_system, 1e-3)


_MEASUREMENTS: tuple[Callable[[], dict[str, float]], ...] = (
    # Tables of about 2 and 140 MB with a tree of about 1 MB, of 120 MB with one of 130 MB.
    partial(_sampled, "small", _TREE, 10),
    partial(_sampled, "wide", _WIDE_TREE, 4),
    partial(_sampled, "large", _TREE, 800),
    # Tables of about 0.3 and 70 MB.
    partial(_spot, "small", "Ks7h4d2cJs", 60),
    partial(_spot, "large", "Ks7h4d2c", 6),
    partial(_start_of, "solve", SOLVE),
    partial(_start_of, "plotted", PLOTTED),
    partial(_start_of, "spot", SPOT),
    _kernels,
)
"""What is measured, in order; what is measured twice is that of the later one."""
