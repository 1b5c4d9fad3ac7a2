"""The strength atlas, abstractions built from it, and lookups: seconds and memory.

Jobs run in processes of their own, into an empty cache with compiled kernels: seconds by the clock on
two threads, with the processor's seconds and the peak memory in the note (files that are mapped
count as memory). The brute force beside the flops ranks every hand on all 1,176 boards of each
flop, with the same kernel and without isomorphism, on a sample of flops.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from doyle.abstractions.cards import Atlas, build
from doyle.abstractions.cards.strength.atlas import turn_to_river
from doyle.base.artifacts import Store
from doyle.base.workers import Workers
from doyle.cards.suits.boards import boards

THREADS = Workers(2)
SAMPLE_FLOPS = 15
LOOKUPS = 5_000
DEALS = 500_000


@dataclass(frozen=True)
class Cost:
    """What a job took: clock, processor, memory, and what it returned."""

    seconds: float
    processor_seconds: float
    gibibytes: float
    result: Any

    @property
    def note(self) -> str:
        return f"{self.processor_seconds:.1f} s of the processor, {self.gibibytes:.2f} GiB"


def measured(job: Callable[..., Any], *arguments: Any) -> Cost:
    """Run a job in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_timed, (job, arguments))


def _timed(job: Callable[..., Any], arguments: tuple[Any, ...]) -> Cost:
    start, processor = time.perf_counter(), time.process_time()
    result = job(*arguments)
    seconds, spent = time.perf_counter() - start, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return Cost(seconds, spent, peak, result)


def flop_values(folder: Path) -> None:
    """E[HS] and E[HS^2] of all hands on all flops, through the river boards up to suits."""
    atlas = Atlas(store=Store(folder), workers=THREADS)
    _ = atlas.sums(1, 1), atlas.sums(1, 2)


def whole_atlas(folder: Path) -> None:
    """Every part: river, sums of three powers on three rounds, histograms."""
    atlas = Atlas(store=Store(folder), workers=THREADS)
    for power in (1, 2, 3):
        for round in (0, 1, 2):
            atlas.sums(round, power)
    _ = atlas.histograms(2), atlas.histograms(1)


def brute_force(folder: Path) -> float:
    """Processor seconds for all 1,755 flops, from a sample; checked against the atlas."""
    from doyle.cards import boards_strength

    atlas = Atlas(store=Store(folder))
    rows = np.random.default_rng(0).choice(len(boards(3)), SAMPLE_FLOPS, replace=False)
    spent = 0.0
    for row in rows:
        flop = boards(3).boards[row].astype(np.int64)
        left = np.setdiff1d(np.arange(52), flop)
        more = np.array([(a, b) for a in left for b in left if a < b])
        whole = np.column_stack([np.repeat(flop[None, :], len(more), axis=0), more])
        start = time.process_time()
        win, tie, _ = boards_strength(whole.astype(np.uint8))
        spent += time.process_time() - start
        strength = 2 * win.astype(np.int64) + tie
        assert (atlas.sums(1, 2)[row] == (strength**2).sum(axis=0)).all()
    return spent * len(boards(3)) / SAMPLE_FLOPS


def one_abstraction(folder: Path, spec: str) -> None:
    """Build an abstraction in a store."""
    build(spec, store=Store(folder), workers=THREADS)


def lookups(folder: Path, spec: str) -> tuple[float, float]:
    """Microseconds for all hands of a river board, and deals a second, on one thread."""
    abstraction = build(spec, store=Store(folder))
    cards = np.random.default_rng(1).random((DEALS, 52)).argpartition(9, axis=1)[:, :9]
    holes, rivers = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:]
    for river in rivers[:50]:
        abstraction.buckets(river)
    start = time.process_time()
    for river in rivers[:LOOKUPS]:
        abstraction.buckets(river)
    each = (time.process_time() - start) / LOOKUPS
    abstraction.deal_buckets(holes, rivers)
    start = time.process_time()
    abstraction.deal_buckets(holes, rivers)
    return each * 1e6, DEALS / (time.process_time() - start)


def _compile(folder: Path) -> None:
    """Compile the kernels on one flop."""
    atlas = Atlas(flops=(1000,), store=Store(folder), workers=THREADS)
    _ = atlas.sums(1, 1), atlas.sums(1, 2), atlas.sums(1, 3), atlas.histograms(1)
    turn_to_river(atlas, np.zeros(1981, np.int64), count=1)


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="doyle-benchmark-") as name:
        first, full = Path(name) / "flops", Path(name) / "full"
        measured(_compile, Path(name) / "compile")
        values = measured(flop_values, first)
        force = measured(brute_force, first).result
        rows.append(
            {
                "name": "E[HS], E[HS^2] on all 1,755 flops (processor)",
                "ours": values.processor_seconds,
                "other": force,
                "unit": "s",
                "ratio": force / values.processor_seconds,
                "target": ">= 5",
                "note": f"brute force; ours by the clock {values.seconds:.1f} s",
            }
        )
        atlas = measured(whole_atlas, full)
        rows.append(_row("the whole atlas, written and checked", atlas, "<= 120 s, 4 GiB"))
        for spec, target in (
            ("8.8.8.8", "<= 60 s"),
            ("ir169.64.8.8", "<= 60 s"),
            ("ir169.ir200.ir200.200", "<= 60 s"),
            ("potential-8-12-4-4", "<= 600 s, 8 GiB"),
        ):
            measured(one_abstraction, full, "ir169.ir2.2.2")  # compiles what builds share
            rows.append(
                _row(f"{spec} from the atlas", measured(one_abstraction, full, spec), target)
            )
        for spec in ("8.8.8.8", "ir169.ir200.ir200.200"):
            each, deals = measured(lookups, full, spec).result
            rows.append(_figure(f"buckets(river board), {spec}", each, "us", "<= 200 us"))
            rows.append(_figure(f"deal_buckets, {spec}, one thread", deals, "deals/s", ">= 1e6"))
    return rows


def _row(name: str, cost: Cost, target: str) -> dict[str, Any]:
    return {**_figure(name, cost.seconds, "s", target), "note": cost.note}


def _figure(name: str, ours: float, unit: str, target: str) -> dict[str, Any]:
    return {
        "name": name, "ours": ours, "other": None, "unit": unit, "ratio": None, "target": target,
    }  # fmt: skip


if __name__ == "__main__":
    for row in measurements():
        beside = "" if row["other"] is None else f" ({row['ratio']:.1f} times {row['other']:.1f})"
        note = row.get("note", "")
        print(f"{row['name']}: {row['ours']:,.1f} {row['unit']}{beside} {row['target']} {note}")
