"""What rare merges cost in convergence, after equal iterations; a ratio of 1 is no loss.

`external` in shards, merged after so many iterations of each, beside one table without shards:
exploitability of Leduc, means over seeds, and the bound on the regret in the game of Hold'em in which
`workers` measures speed. `merging:leduc` and `merging:holdem` are one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any

ITERATIONS = 1 << 18
SEEDS = range(6)
SHARDS = 4
MERGES = (256, 1024)
HOLDEM_SHARDS = 2
HOLDEM_MERGES = (1 << 12, 1 << 14, 1 << 16)
HOLDEM_INTERVALS = 3


def measurements(*chosen: str) -> Iterator[dict[str, Any]]:
    """Rows with name, ours, other (of one table), unit, ratio, note; `chosen` of leduc, holdem."""
    if not chosen or "leduc" in chosen:
        alone = [exploitability(seed, shards=0, merge=0) for seed in SEEDS]
        for merge in MERGES:
            found = [exploitability(seed, shards=SHARDS, merge=merge) for seed in SEEDS]
            spread = stdev(found) / len(found) ** 0.5
            yield {
                "name": f"leduc, {SHARDS} shards merged every {merge} iterations",
                "ours": mean(found),
                "other": mean(alone),
                "unit": "chips",
                "ratio": mean(found) / mean(alone),
                "target": "about 1",
                "note": f"{ITERATIONS} iterations, {len(found)} seeds, standard error {spread:.2g}",
            }
    if not chosen or "holdem" in chosen:
        table, iterations = regret_bound(shards=0, merge=0)
        for merge in HOLDEM_MERGES:
            bound, _ = regret_bound(shards=HOLDEM_SHARDS, merge=merge)
            yield {
                "name": f"Hold'em, {HOLDEM_SHARDS} shards merged every {merge} iterations",
                "ours": bound,
                "other": table,
                "unit": "chips",
                "ratio": bound / table,
                "target": "about 1",
                "note": f"bound on the regret after {iterations:,} iterations",
            }


def regret_bound(*, shards: int, merge: int) -> tuple[float, int]:
    """The mean of the seats' bounds, and the iterations it was reached in."""
    from benchmarks.workers import INTERVAL, solver_of
    from doyle.base.workers import Workers

    solver = solver_of(Workers(1), shards=shards, merge=merge)
    solver.advance(HOLDEM_INTERVALS * INTERVAL)
    return mean(solver.regret_bound()), solver.iteration


def exploitability(seed: int, *, shards: int, merge: int) -> float:
    from doyle.solving.solve import Method, Problem

    method = Method("external", seed=seed, shards=shards, merge=merge)
    solver = Problem.named("leduc", "limit", method=method).solver(method)
    solver.advance(ITERATIONS)
    return solver.distance().exploitability
