"""A Ray cluster of two nodes on this machine gives what local processes give."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.errors import DoyleError, FieldError
from doyle.workers import Shared, Workers, map_items, parse_workers
from doyle.workers.cluster import connect, disconnect, divided, run_divided

ray = pytest.importorskip("ray")


def double(number: int) -> int:
    return 2 * number


def fail(number: int) -> int:
    raise DoyleError(f"item {number} cannot be done")


def die_once(folder: Path) -> str:
    """Kill the process that runs this the first time."""
    mark = folder / "died"
    if not mark.exists():
        mark.write_text("once")
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def total(item: tuple[Shared[np.ndarray], int]) -> float:
    array, factor = item
    return float(array.value.sum()) * factor


@pytest.mark.parametrize(
    "text", ["ray:", "ray:host", "ray:host:", "ray::1", "ray:host:port", "ray:host:70000", "rayon"]
)
def test_addresses_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(FieldError, match="workers"):
        parse_workers(text)


def test_addresses_are_read() -> None:
    assert parse_workers("ray").cluster == ""
    assert parse_workers("ray:head.example:6379").cluster == "head.example:6379"
    assert parse_workers("2").cluster is None


def test_shared_values_are_kept_apart_from_their_items() -> None:
    array = Shared(np.arange(1000.0))
    data, shared = divided((total, (array, 3)))
    assert shared == [array]
    assert len(data) < 500
    assert run_divided(_version(), data, array.value) == 3 * array.value.sum()


def test_a_node_with_another_version_is_refused() -> None:
    data, _ = divided((double, 2))
    with pytest.raises(DoyleError, match="install the same version"):
        run_divided("0.0.0", data)


def _version() -> str:
    from doyle.version import __version__

    return __version__


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Two nodes of one core each; this process is connected to them."""
    from ray.cluster_utils import Cluster

    nodes = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False},
    )
    nodes.add_node(num_cpus=1, object_store_memory=100 << 20)
    nodes.wait_for_nodes()
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[2]), *([before] if before else [])]
    )
    workers = parse_workers(f"ray:{nodes.address}")
    try:
        yield workers
    finally:
        disconnect()
        nodes.shutdown()
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


@pytest.mark.slow
def test_items_come_back_in_order(cluster: Workers) -> None:
    reported: list[int] = []

    def progress(_: str, done: int, in_all: int) -> None:
        reported.append(done)
        assert in_all == 20

    assert list(map_items(double, range(20), workers=cluster, progress=progress)) == [
        2 * number for number in range(20)
    ]
    assert reported == list(range(1, 21))
    nodes: list[Any] = connect(cluster.cluster or "").nodes()
    assert len(nodes) == 2


@pytest.mark.slow
def test_errors_of_items_are_the_users(cluster: Workers) -> None:
    with pytest.raises(DoyleError, match="item 0 cannot be done"):
        list(map_items(fail, range(3), workers=cluster))


@pytest.mark.slow
def test_an_item_lost_with_its_worker_is_run_again(cluster: Workers, tmp_path: Path) -> None:
    assert list(map_items(die_once, [tmp_path], workers=cluster)) == ["done"]


@pytest.mark.slow
def test_shared_values_reach_the_workers(cluster: Workers) -> None:
    array = Shared(np.arange(300_000.0))
    items = [(array, factor) for factor in range(6)]
    assert list(map_items(total, items, workers=cluster)) == [
        factor * array.value.sum() for factor in range(6)
    ]


@pytest.mark.slow
def test_what_is_left_is_cancelled(cluster: Workers) -> None:
    results = map_items(time.sleep, [0.0, 600.0, 600.0], workers=cluster)
    assert next(iter(results)) is None
    results.close()  # type: ignore[attr-defined]
    started = time.monotonic()
    assert list(map_items(double, [4], workers=cluster)) == [8]
    assert time.monotonic() - started < 300
