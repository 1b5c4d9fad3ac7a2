"""Two workers against one on sampling CFR: iterations a second, and what is found after equal ones.

`external` in the default agent's betting tree with 20 buckets a round after the preflop: on threads
that share one table, and on Ray clusters of one and of two nodes of one core each, on loopback, in two
shards that are merged every `MERGE` iterations of each. By the clock, which needs a machine that does
nothing else, and by processor time: what two workers would do on two idle cores, from the processor time
of an iteration, with the part of the process that merges counted as waiting. After equal iterations the
bounds on the regret are compared in Hold'em, with that of one table in one thread, and exploitabilities
in Leduc, which is small enough for them and in which racing and merging cost most. Atlas and cards,
if they are missing, come first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

CARDS = "ir169.ir20.ir20.20"
INTERVAL = 1 << 19
MERGE = 1 << 16
SEEDS = range(6)
LEDUC_ITERATIONS = 1 << 18
LEDUC_MERGE = 64
TARGET = 1.7


@dataclass(frozen=True)
class Speed:
    """Iterations a second of some workers, by the clock and by processor time, and a regret bound."""

    workers: int
    by_clock: float
    by_processor: float
    regret: float


def measurements(*chosen: str) -> Iterator[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note; `chosen` of threads, ray, leduc."""
    from doyle.base.workers import Workers, parse_workers
    from doyle.base.workers.cluster import disconnect

    both = not chosen or bool({"threads", "ray"} & set(chosen))
    alone = speed(Workers(1), 1) if both else None
    if alone is not None and (not chosen or "threads" in chosen):
        yield from _rows("threads", [alone, speed(Workers(2), 2)], alone)
    if alone is not None and (not chosen or "ray" in chosen):
        clusters = []
        for nodes in (1, 2):
            address, raylets, shut_down = start_cluster(nodes)
            try:
                clusters.append(speed(parse_workers(f"ray:{address}"), nodes, raylets))
            finally:
                disconnect()
                shut_down()
        yield from _rows("Ray nodes", clusters, alone)
    if not chosen or "leduc" in chosen:
        one = [leduc(seed, Workers(1)) for seed in SEEDS]
        yield _leduc_row("threads", [leduc(seed, Workers(2)) for seed in SEEDS], one)
        merged = [leduc(seed, Workers(2), shards=2) for seed in SEEDS]
        yield _leduc_row(f"shards merged every {LEDUC_MERGE}", merged, one)


def _rows(what: str, found: list[Speed], alone: Speed) -> Iterator[dict[str, Any]]:
    one, two = found
    for name, values in (
        ("by the clock", (two.by_clock, one.by_clock)),
        ("by processor time", (two.by_processor, one.by_processor)),
    ):
        yield {
            "name": f"external, two {what} against one, {name}",
            "ours": values[0],
            "other": values[1],
            "unit": "iterations/s",
            "ratio": values[0] / values[1],
            "target": f">= {TARGET}",
        }
    yield {
        "name": f"regret bound, two {what} against one table",
        "ours": two.regret,
        "other": alone.regret,
        "unit": "chips",
        "ratio": two.regret / alone.regret,
        "target": "about 1",
        "note": f"after {3 * INTERVAL:,} iterations",
    }


def _leduc_row(what: str, two: list[float], one: list[float]) -> dict[str, Any]:
    errors = [stdev(values) / len(values) ** 0.5 for values in (two, one)]
    return {
        "name": f"leduc, exploitability with two {what}",
        "ours": mean(two),
        "other": mean(one),
        "unit": "chips",
        "ratio": mean(two) / mean(one),
        "target": "about 1",
        "note": f"standard errors {errors[0]:.2g} and {errors[1]:.2g}",
    }


def solver_of(workers: Any, *, shards: int, merge: int) -> Any:
    """A solver of the game in which speeds are measured."""
    from doyle.abstractions.betting import BettingTree
    from doyle.abstractions.cards import build
    from doyle.solving.sampling.deals import HoldemDeals
    from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver

    tree = BettingTree.build("fcp300,1000pa", "holdem-nl-200bb")
    options = SamplingOptions(interval=INTERVAL, shards=shards, merge=merge)
    return SamplingSolver(tree, HoldemDeals(build(CARDS)), options, workers)


def speed(workers: Any, count: int, raylets: list[int] | None = None) -> Speed:
    """The speed of `count` workers, after one interval that warms everything up."""
    shards = 0 if raylets is None else 2
    solver = solver_of(workers, shards=shards, merge=MERGE if shards else 0)
    solver.advance(INTERVAL)
    clock, own, theirs = time.perf_counter(), time.process_time(), _of_children(raylets)
    solver.advance(2 * INTERVAL)
    clock, own = time.perf_counter() - clock, time.process_time() - own
    theirs = _of_children(raylets) - theirs
    # Threads share all of the work; a process that merges shards works while these wait for it.
    alone, shared = (0.0, own) if raylets is None else (own, theirs)
    iterations = 2 * INTERVAL
    bound = solver.regret_bound()
    return Speed(
        count, iterations / clock, iterations / (alone + shared / count), sum(bound) / len(bound)
    )


def _of_children(raylets: list[int] | None) -> float:
    """Processor seconds so far of the workers of some Ray nodes (Linux)."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*") if raylets else ():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in (raylets or ()):
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def start_cluster(nodes: int) -> tuple[str, list[int], Callable[[], None]]:
    """The address of a cluster of so many nodes on loopback, their processes, and what ends it."""
    from ray.cluster_utils import Cluster

    # Workers are as urgent as this process: their usual niceness of 15 would measure other load.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 200 << 20}
    head = {**node, "include_dashboard": False, "dashboard_agent_listen_port": None}
    cluster = Cluster(initialize_head=True, head_node_args={**head, "node_ip_address": "127.0.0.2"})
    for number in range(1, nodes):
        cluster.add_node(**node, node_ip_address=f"127.0.0.{2 + number}")
    cluster.wait_for_nodes()
    started = [cluster.head_node, *cluster.worker_nodes]
    raylets = [info.process.pid for one in started for info in one.all_processes["raylet"]]
    return cluster.address, raylets, cluster.shutdown


def leduc(seed: int, workers: Any, *, shards: int = 0) -> float:
    """Exploitability after equal iterations; shards are cut into batches of `LEDUC_MERGE`."""
    from doyle.solving.sampling.solver import SamplingSolver
    from doyle.solving.solve import Method, Problem

    method = Method("external", seed=seed)
    solver = Problem.named("leduc", "limit", method=method).solver(method, workers=workers)
    assert isinstance(solver, SamplingSolver)
    if shards:
        from dataclasses import replace

        batch = LEDUC_MERGE
        options = replace(solver.options, shards=shards, batch=batch, merge=batch)
        solver = SamplingSolver(
            solver.tree, solver.source, options, workers, yardstick=solver.yardstick
        )
    solver.advance(LEDUC_ITERATIONS)
    return solver.distance().exploitability
