"""The payoff product of fcpa at 500 big blinds with 10/150/750/3750 buckets, three ways.

`python benchmarks/betting.py` prints one line per comparison. Everything runs on one thread and is
measured in processor time, so that other work on the machine disturbs the ratios little:

- the program that solvers run (gather, matrix multiply, scatter) with matrices in single precision;
- straight-line C, one line per leaf, as Gilpin, Sandholm and Sørensen 2008 generated it, in double
  precision as published and in single precision (only when a C compiler is there); the river, 99% of
  the work, is run for a 25th of its buckets and scaled;
- a plain single-precision matrix multiply, for this machine's rate.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

BUCKETS = (10, 150, 750, 3750)
RIVER_SHARE = 25
GEMM_SIZE = 3750


def measurements() -> list[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note; in a process of its own, one thread."""
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.betting", "--measure"],
        env={**os.environ, **single},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least processor time of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure() -> list[dict[str, Any]]:
    import numpy as np

    from benchmarks.straight_line import compiler
    from doyle.abstractions.betting import BettingModel, BettingTree
    from doyle.abstractions.betting.bml.document import document_of
    from doyle.base.workers import Workers
    from doyle.games import Game
    from doyle.solving.bml_program import BmlProgram, even_states

    rng = np.random.default_rng(2008)
    big = BettingTree.build(BettingModel.parse("fchpa"), Game.named("doyle-500bb"))
    build = seconds(lambda: BettingTree.build(big.model, big.game), repeats=1)
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    document = document_of(tree)
    states = even_states(buckets=BUCKETS, rounds=len(BUCKETS), rng=rng, dtype=np.float32)
    fold = [one.joint.dense() for one in states]
    showdown = [one.showdown.dense() for one in states]
    form = BmlProgram(document, states, workers=Workers(1)).form
    y, x = (rng.random(form.sizes[seat]) for seat in (1, 0))
    form.gradient(0, y)
    leaves = [np.flatnonzero(tree.round[tree.leaves] == number).size for number in range(4)]
    flops = sum(2 * count * n * n for count, n in zip(leaves, BUCKETS, strict=True))
    square = rng.random((GEMM_SIZE, GEMM_SIZE), dtype=np.float32)
    rates: list[float] = []
    plans: list[float] = []
    turned: list[float] = []
    for _ in range(3):  # interleaved, so that a busy moment hits all alike
        rates.append(2 * GEMM_SIZE**3 / seconds(lambda: square @ square, repeats=1) / 1e9)
        plans.append(seconds(lambda: form.gradient(0, y), repeats=1))
        turned.append(seconds(lambda: form.gradient(1, x), repeats=1))
    rate, ours, ours_turned = max(rates), min(plans), min(turned)
    gflops = flops / ours / 1e9
    gflops_turned = flops / ours_turned / 1e9
    rows = [
        row("tree fchpa 500bb", build, None, "s", None, "390,384 decisions built"),
        row(
            "Ay rate against sgemm", gflops, rate, "GFLOP/s", gflops / rate, "program / sgemm", 0.8
        ),
        row(
            "x'A rate against sgemm",
            gflops_turned,
            rate,
            "GFLOP/s",
            gflops_turned / rate,
            "program / sgemm",
            0.8,
        ),
    ]
    if compiler() is None:
        return [
            *rows,
            row("Ay straight-line C, double", ours, None, "s", None, "no C compiler here", 30.0),
        ]
    for name, dtype, target in (
        ("Ay straight-line C, double", np.float64, 30.0),
        ("Ay straight-line C, single", np.float32, None),
    ):
        other, building = straight_line_seconds(document, fold, showdown, rng, dtype=dtype)
        note = f"cc took {building:.0f} s; river scaled from 1/{RIVER_SHARE} of its buckets"
        rows.append(row(name, ours, other, "s", other / ours, note, target))
    return rows


def straight_line_seconds(
    document: Any, fold: Any, showdown: Any, rng: Any, *, dtype: Any
) -> tuple[float, float]:
    """Processor time of Ay by straight-line code, and the time the compiler took."""
    import numpy as np

    from benchmarks.straight_line import StraightLineProducts

    start = time.monotonic()
    straight = StraightLineProducts(document, fold, showdown, dtype=dtype, players=(0,))
    building = time.monotonic() - start
    own, theirs = straight.layouts
    inputs = theirs.rounds(rng.random(theirs.size, dtype=np.float32))
    total = 0.0
    for group in straight.groups:
        buckets = BUCKETS[group.round]
        part = buckets // RIVER_SHARE if buckets == BUCKETS[-1] else buckets
        packed = straight.pack(inputs[group.round], 1.0)
        sequences = own.first[group.round + 1] - own.first[group.round]
        result = np.zeros(1 + buckets * sequences, dtype=dtype)

        def work(group=group, packed=packed, result=result, part=part):  # type: ignore[no-untyped-def]
            straight.run(group, 0, packed=packed, result=result, buckets=(0, part))

        total += seconds(work, repeats=2) * buckets / part
    return total, building


def row(
    name: str,
    ours: float,
    other: float | None,
    unit: str,
    ratio: float | None,
    note: str,
    target: float | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "ours": ours,
        "other": other,
        "unit": unit,
        "ratio": ratio,
        "target": target,
        "note": note,
    }


def main() -> None:
    if "--measure" in sys.argv:
        json.dump(measure(), sys.stdout)
        return
    for entry in measurements():
        other = "-" if entry["other"] is None else f"{entry['other']:.3g}"
        ratio = "-" if entry["ratio"] is None else f"{entry['ratio']:.3g}"
        print(
            f"{entry['name']:<26}{entry['ours']:>10.3g}{other:>10} {entry['unit']:<8}"
            f"ratio {ratio:>6}  target {entry['target'] or '-'}  {entry['note']}"
        )


if __name__ == "__main__":
    main()
