"""Two workers against one on sampling CFR: iterations a second, and exploitability after equal ones.

`external` in the default agent's betting tree with 20 buckets a round after the preflop, by the clock:
on threads that share one table, and on Ray clusters of one and of two nodes of one core each, on
loopback, in two shards that are merged once in an interval. Leduc says what racing threads cost in
convergence; `merging` says it of shards.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import mean, stdev
from typing import Any

CARDS = "ir169.ir20.ir20.20"
INTERVAL = 1 << 19
SEEDS = range(6)
LEDUC_ITERATIONS = 1 << 18


def measurements() -> list[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note."""
    from doyle.workers import Workers, parse_workers
    from doyle.workers.cluster import disconnect

    threads = [speed(Workers(count), shards=0) for count in (1, 2)]
    rows = [_row("external, two threads against one", threads, 1.7)]
    clusters = []
    for nodes in (1, 2):
        address, shut_down = start_cluster(nodes)
        try:
            clusters.append(speed(parse_workers(f"ray:{address}"), shards=2))
        finally:
            disconnect()
            shut_down()
    rows.append(_row("external, Ray, two nodes of one core against one", clusters, 1.7))
    found = {count: [leduc(seed, Workers(count)) for seed in SEEDS] for count in (1, 2)}
    spread = [stdev(values) / len(values) ** 0.5 for values in found.values()]
    rows.append(
        {
            "name": "leduc, exploitability with two threads against one",
            "ours": mean(found[2]),
            "other": mean(found[1]),
            "unit": "chips",
            "ratio": mean(found[2]) / mean(found[1]),
            "target": "about 1",
            "note": f"standard errors {spread[1]:.2g} and {spread[0]:.2g}",
        }
    )
    return rows


def _row(name: str, speeds: list[float], target: float) -> dict[str, Any]:
    return {
        "name": name,
        "ours": speeds[1],
        "other": speeds[0],
        "unit": "iterations/s",
        "ratio": speeds[1] / speeds[0],
        "target": f">= {target}",
    }


def speed(workers: Any, *, shards: int) -> float:
    """Iterations a second, by the clock, after one interval that warms everything up."""
    from doyle.betting import BettingTree
    from doyle.card_abstraction import build
    from doyle.solving.sampling.deals import HoldemDeals
    from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver

    tree = BettingTree.build("fcp300,1000pa", "holdem-nl-200bb")
    options = SamplingOptions(
        interval=INTERVAL, shards=shards, merge=INTERVAL // shards if shards else 0
    )
    solver = SamplingSolver(tree, HoldemDeals(build(CARDS)), options, workers)
    solver.advance(INTERVAL)
    started = time.perf_counter()
    solver.advance(2 * INTERVAL)
    return 2 * INTERVAL / (time.perf_counter() - started)


def start_cluster(nodes: int) -> tuple[str, Callable[[], None]]:
    """The address of a cluster of so many nodes on loopback, and what ends it."""
    from ray.cluster_utils import Cluster

    # Workers are as urgent as this process: their usual niceness of 15 would measure other load.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 200 << 20}
    head = {**node, "include_dashboard": False, "dashboard_agent_listen_port": None}
    cluster = Cluster(initialize_head=True, head_node_args={**head, "node_ip_address": "127.0.0.2"})
    for number in range(1, nodes):
        cluster.add_node(**node, node_ip_address=f"127.0.0.{2 + number}")
    cluster.wait_for_nodes()
    return cluster.address, cluster.shutdown


def leduc(seed: int, workers: Any) -> float:
    from doyle.solving.named_solve import NamedSolve, SolveRequest
    from doyle.solving.run import Limits

    request = SolveRequest("leduc", "external", betting="limit", seed=seed, workers=workers)
    solve = NamedSolve(request, Limits(iterations=LEDUC_ITERATIONS))
    solve.run.solver.advance(LEDUC_ITERATIONS)
    return solve.run.solver.distance().exploitability
