"""Clusterings: k-means against scikit-learn, and whole abstractions against their time and memory.

`python benchmarks/clustering.py` prints one line per comparison. K-means starts from the same centres
on one thread and must end in the same clusters. The abstractions are built from the strength atlas
(built first if it is not in the cache) in a process of their own, on all cores.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

POINTS, WIDTH, CLUSTERS, ITERATIONS = 100_000, 29, 100, 30
ABSTRACTIONS = (
    ("potential-8-12-4-4", 600.0),
    ("ir169.iremd200.iremd200.ochs200", 120.0),
)
MEMORY_LIMIT_GIB = 8.0

Measurement = dict[str, Any]


def measurements() -> list[Measurement]:
    """Rows with name, ours, other, unit, ratio, target, note."""
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    rows = _measured("--kmeans", {**os.environ, **single})
    for name, limit in ABSTRACTIONS:
        _measured("--abstraction", dict(os.environ), name, str(limit), "warm")
        rows += _measured("--abstraction", dict(os.environ), name, str(limit))
    return rows


def _measured(mode: str, environment: dict[str, str], *arguments: str) -> list[Measurement]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.clustering", mode, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return list(json.loads(done.stdout))


def _kmeans() -> list[Measurement]:
    """Histogram-like points: cumulative counts of 46 draws over 30 bins."""
    from sklearn.cluster import KMeans

    from doyle.abstractions.cards.clustering.kmeans import kmeans

    generator = np.random.default_rng(0)
    shape = generator.dirichlet(np.full(WIDTH + 1, 0.3), POINTS)
    points = np.cumsum(generator.multinomial(46, shape), axis=1)[:, :-1].astype(np.float64)
    initial = points[:CLUSTERS].copy()
    kmeans(points[:500], clusters=3, iterations=2)
    start = time.process_time()
    ours = kmeans(points, clusters=CLUSTERS, initial=initial, iterations=ITERATIONS)
    middle = time.process_time()
    theirs = KMeans(
        CLUSTERS, init=initial, n_init=1, max_iter=ITERATIONS, tol=0.0, algorithm="lloyd"
    ).fit(points)
    end = time.process_time()
    gap = abs(ours.inertia / theirs.inertia_ - 1)
    note = f"{POINTS} x {WIDTH}, k = {CLUSTERS}, {ITERATIONS} iterations; inertia within {gap:.0e}"
    return [_row("k-means / scikit-learn, one thread", middle - start, end - middle, 1.2, note)]


def _abstraction(name: str, limit: float, *, warm: bool) -> list[Measurement]:
    from doyle.abstractions.cards.methods.recall import build_notation
    from doyle.abstractions.cards.notation import Notation
    from doyle.abstractions.cards.registry import find_maker
    from doyle.abstractions.cards.strength.atlas import Atlas
    from doyle.base.workers import parse_workers

    atlas = Atlas(workers=parse_workers(None))
    if warm:
        _ = atlas.river_strength, atlas.histograms(1), atlas.histograms(2)
        return []
    start = time.perf_counter()
    maker = find_maker(name)
    if maker is None:
        build_notation(Notation.parse(name), atlas=atlas, seed=0)
    else:
        maker(name, atlas=atlas, seed=0)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    note = f"{time.process_time():.0f} s of processor time, kernels cached"
    return [
        _row(f"{name} from the atlas / limit", seconds, limit, 1.0, note),
        {
            **_row(f"{name} peak memory / limit", memory, MEMORY_LIMIT_GIB, 1.0, ""),
            "unit": "GiB",
        },
    ]


def _row(name: str, ours: float, other: float, target: float, note: str) -> Measurement:
    return {
        "name": name,
        "ours": ours,
        "other": other,
        "unit": "s",
        "ratio": ours / other,
        "target": target,
        "note": note,
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--kmeans"]:
        print(json.dumps(_kmeans()))
    elif sys.argv[1:2] == ["--abstraction"]:
        limit = float(sys.argv[3])
        print(json.dumps(_abstraction(sys.argv[2], limit, warm="warm" in sys.argv[4:])))
    else:
        for measurement in measurements():
            print(measurement)
