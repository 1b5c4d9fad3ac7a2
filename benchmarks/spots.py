"""Spots: processor time to 0.5% and 0.3% of the pot beside an open solver's, and memory.

The five spots have a pot of 200 and 900 behind, no rake, the same sizes on all streets for both
seats with all-in. The other column is what the fastest open solver known to us (compiled, one
thread, 32-bit tables) took on one shared Zen core; it is quoted, not run here, so those ratios
compare two machines of one kind and not two runs. Kernels are loaded and the game is built before
the clock starts; every measurement of exploitability on the way is counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

FIRST = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
SECOND = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
TARGETS = (0.5, 0.3)


class Case(NamedTuple):
    board: str
    ranges: tuple[str, str]
    betting: str
    seconds: tuple[float, float]
    """Quoted, to each of `TARGETS`."""
    megabytes: float
    repeats: int


CASES = {
    "river_full": Case("Td9d6hQc2s", ("*", "*"), "fchpa", (0.062, 0.085), 0.9, 7),
    "turn_full1": Case("Td9d6hQc", ("*", "*"), "fcpa", (3.1, 3.5), 39, 3),
    "turn_full3": Case("Td9d6hQc", ("*", "*"), "fchpa", (15.2, 22.7), 150, 2),
    "turn_srp": Case("Td9d6hQc", (FIRST, SECOND), "fc60a", (1.3, 1.7), 12, 5),
    "flop_srp": Case("Td9d6h", (FIRST, SECOND), "fc60a", (75, 142), 690, 1),
}


def measurements() -> Iterator[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note."""
    for name, case in CASES.items():
        yield from rows(name, case)


def rows(name: str, case: Case) -> Iterator[dict[str, Any]]:
    seconds, iterations, size = solved(case)
    for place, target in enumerate(TARGETS):
        yield {
            "name": f"{name} to {target}% of the pot",
            "ours": seconds[place],
            "other": case.seconds[place],
            "unit": "s",
            "ratio": case.seconds[place] / seconds[place],
            "target": ">= 1" if name.startswith("flop") else ">= 3",
            "note": f"{iterations[place]} iterations",
        }
    yield {
        "name": f"{name}: tables",
        "ours": size / 1e6,
        "other": case.megabytes,
        "unit": "MB",
        "ratio": size / 1e6 / case.megabytes,
        "target": "<= 1",
    }


def solved(case: Case) -> tuple[list[float], list[int], int]:
    """The least processor time to each target over some repeats, the iterations, and bytes."""
    from doyle.solving.run import next_measurement
    from doyle.solving.vector import VectorSolver
    from doyle.spots import Spot
    from doyle.spots.solve import prepare

    spot = Spot.parse(
        board=case.board, ranges=case.ranges, pot=200, stacks=900, betting=case.betting
    )
    first, _ = prepare(spot)
    first.advance(1)
    first.exploitability()
    times: list[list[float]] = [[] for _ in TARGETS]
    iterations = [0] * len(TARGETS)
    for _ in range(case.repeats):
        solver = VectorSolver(first.game, packed=first.packed)
        start, reached = time.process_time(), 0
        while reached < len(TARGETS):
            solver.advance(next_measurement(solver.iteration) - solver.iteration)
            found = 100 * solver.exploitability() / spot.pot
            while reached < len(TARGETS) and found <= TARGETS[reached]:
                times[reached].append(time.process_time() - start)
                iterations[reached] = solver.iteration
                reached += 1
    return [min(some) for some in times], iterations, first.memory_bytes


if __name__ == "__main__":
    for row in measurements():
        print(row)
