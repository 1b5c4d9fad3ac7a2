"""Spots: processor time to 0.5% and 0.3% of the pot beside an open solver's, and memory.

The five spots have a pot of 200 and 900 behind, no rake, the same sizes on all streets for both
seats with all-in. The other column is what the fastest open solver known to us (compiled, one
thread, 32-bit tables) took on one shared Zen core; it is quoted, not run here, so those ratios
compare two machines of one kind and not two runs. Kernels are loaded and the game is built before
the clock starts; every measurement of exploitability on the way is counted.

An iteration is also run by the C++ twin in `cpp/spots.cpp`, on the same tables, ours and theirs taking
turns; and by two threads, by the clock, so other work on the machine hurts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks._spot_twin import Twin
from benchmarks.cards import best_of, build_library

if TYPE_CHECKING:
    from doyle.solving.vector import VectorSolver

FIRST = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
SECOND = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
TARGETS = (0.5, 0.3)
POT, STACKS = 200, 900


class Case(NamedTuple):
    board: str
    ranges: tuple[str, str]
    betting: str
    seconds: tuple[float | None, float | None]
    """Quoted for the same tree, to each of `TARGETS`; None where no tree is known to be the same."""
    megabytes: float
    repeats: int


CASES = {
    "river_full": Case("Td9d6hQc2s", ("*", "*"), "fchpa", (0.072, 0.098), 0.98, 7),
    "turn_full1": Case("Td9d6hQc", ("*", "*"), "fcpa", (3.26, 3.61), 40.6, 7),
    "turn_full3": Case("Td9d6hQc", ("*", "*"), "fchpa", (None, None), 150, 3),
    "turn_srp": Case("Td9d6hQc", (FIRST, SECOND), "fc60a", (0.978, 1.156), 7.9, 5),
    "flop_srp": Case("Td9d6h", (FIRST, SECOND), "fc60a", (None, None), 497, 1),
}


TWINS = {"river_full": 100, "turn_full1": 1, "turn_srp": 5, "turn_full3": 1}
"""Iterations of a round beside the C++ twin."""
TWIN_ROUNDS = 15
THREADED = {"turn_full1": 3, "turn_full3": 1}
THREAD_ROUNDS = 7


def measurements() -> Iterator[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note."""
    for name, case in CASES.items():
        yield from solving_rows(name, case)
    library = build_library(Path(__file__).parent / "cpp" / "spots.cpp")
    for name, iterations in TWINS.items():
        if library is not None:
            yield twin_row(name, iterations, library)
    for name, iterations in THREADED.items():
        yield thread_row(name, iterations)


def solving_rows(name: str, case: Case) -> Iterator[dict[str, Any]]:
    """Time to each target, and memory."""
    for place, target in enumerate(TARGETS):
        seconds, iterations, size = solved(case, target)
        yield {
            "name": f"{name} to {target}% of the pot",
            "ours": seconds,
            "other": case.seconds[place],
            "unit": "s",
            "ratio": None if (other := case.seconds[place]) is None else other / seconds,
            "target": ">= 1" if name.startswith("flop") else ">= 3",
            "note": f"{iterations} iterations, best of {case.repeats}",
        }
    yield {
        "name": f"{name}: tables",
        "ours": size / 1e6,
        "other": case.megabytes,
        "unit": "MB",
        "ratio": size / 1e6 / case.megabytes,
        "target": "<= 1",
    }


def solved(case: Case, target: float) -> tuple[float, int, int]:
    """The least processor time to a target over some repeats, the iterations, and bytes."""
    from doyle.solving.run import Limits, Run, towards_target
    from doyle.solving.vector import VectorSolver

    first = prepared(case)
    first.advance(1)
    first.exploitability()
    times: list[float] = []
    for _ in range(case.repeats):
        solver = VectorSolver(first.game, packed=first.packed)
        start = time.process_time()
        Run(solver, schedule=towards_target).until(Limits(target=target / 100 * POT))
        times.append(time.process_time() - start)
    return min(times), solver.iteration, first.memory_bytes


def prepared(case: Case, workers: int = 1) -> VectorSolver:
    """The solver of a case before its first iteration."""
    from doyle.solving.spots import Spot
    from doyle.solving.spots.solve import prepare

    spot = Spot.parse(
        board=case.board, ranges=case.ranges, pot=POT, stacks=STACKS, betting=case.betting
    )
    return prepare(spot, workers=workers)[0]


def twin_row(name: str, iterations: int, library: Any) -> dict[str, Any]:
    """An iteration here and in C++, which must give the same tables up to rounding."""
    ours, theirs = prepared(CASES[name]), prepared(CASES[name])
    twin = Twin(library, theirs)
    ours.advance(1)
    twin.advance(1)
    for mine, other in zip(
        (*ours.regrets, *ours.averages), (*theirs.regrets, *theirs.averages), strict=True
    ):
        if not np.allclose(mine, other, rtol=1e-4, atol=1e-5 * float(np.abs(mine).max())):
            raise AssertionError(f"{name}: the C++ twin gives different results")
    # Both on the same tables from here on: what is in them decides how fast an iteration is.
    twin = Twin(library, ours)
    runs: list[Callable[[], object]] = [
        lambda: ours.advance(iterations), lambda: twin.advance(iterations),
    ]  # fmt: skip
    mine, other = best_of(TWIN_ROUNDS, *runs)
    return {
        "name": f"{name}: an iteration beside the C++ twin",
        "ours": 1e3 * mine / iterations,
        "other": 1e3 * other / iterations,
        "unit": "ms",
        "ratio": mine / other,
        "target": "<= 1.1",
        "note": f"best of {TWIN_ROUNDS}, taking turns",
    }


def thread_row(name: str, iterations: int) -> dict[str, Any]:
    """Iterations by one thread and by two, by the clock."""
    solvers = [prepared(CASES[name], workers) for workers in (1, 2)]
    seconds: list[list[float]] = [[], []]
    spent: list[list[float]] = [[], []]
    for _ in range(THREAD_ROUNDS):
        for number, solver in enumerate(solvers):
            solver.advance(1)
            start, before = time.monotonic(), time.process_time()
            solver.advance(iterations)
            seconds[number].append((time.monotonic() - start) / iterations)
            spent[number].append((time.process_time() - before) / iterations)
    one, two = (min(some) for some in seconds)
    free = 2 * min(spent[0]) / min(spent[1])
    return {
        "name": f"{name}: an iteration by two threads against one",
        "ours": 1e3 * two,
        "other": 1e3 * one,
        "unit": "ms",
        "ratio": one / two,
        "target": None,
        "note": f"best of {THREAD_ROUNDS} by the clock, load {os.getloadavg()[0]:.1f} on "
        f"{os.cpu_count()} cores; {free:.2f} by processor time",
    }


if __name__ == "__main__":
    for row in measurements():
        print(row)
