"""What rare merges cost in convergence: exploitability of Leduc after equal iterations.

`external` in shards, merged after so many iterations of each, beside one table without shards. Means
over seeds; a ratio of 1 is no loss.
"""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

ITERATIONS = 1 << 18
SEEDS = range(6)
SHARDS = 4
MERGES = (256, 1024)


def measurements() -> list[dict[str, Any]]:
    """Rows with name, ours (exploitability), other (of one table), unit, ratio, note."""
    alone = [exploitability(seed, shards=0, merge=0) for seed in SEEDS]
    rows = []
    for merge in MERGES:
        found = [exploitability(seed, shards=SHARDS, merge=merge) for seed in SEEDS]
        spread = stdev(found) / len(found) ** 0.5
        rows.append(
            {
                "name": f"leduc, {SHARDS} shards merged every {merge} iterations",
                "ours": mean(found),
                "other": mean(alone),
                "unit": "chips",
                "ratio": mean(found) / mean(alone),
                "target": "about 1",
                "note": f"{ITERATIONS} iterations, {len(found)} seeds, standard error {spread:.2g}",
            }
        )
    return rows


def exploitability(seed: int, *, shards: int, merge: int) -> float:
    from doyle.solving.named_solve import NamedSolve, SolveRequest
    from doyle.solving.run import Limits

    request = SolveRequest(
        "leduc", "external", betting="limit", seed=seed, shards=shards, merge=merge
    )
    solve = NamedSolve(request, Limits(iterations=ITERATIONS))
    solve.run.solver.advance(ITERATIONS)
    return solve.run.solver.distance().exploitability
