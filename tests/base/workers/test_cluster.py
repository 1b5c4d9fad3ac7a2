"""A Ray cluster of two nodes on this machine gives what local processes give."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Shared, map_items, parse_workers
from doyle.base.workers.actors import PartHolder
from doyle.base.workers.cluster import connect, divided, run_divided

from .conftest import Nodes


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


def test_an_actor_of_another_version_is_refused_by_its_first_call() -> None:
    """Not when it is made: Ray would report an actor that died, and it would be started again."""
    data, _ = divided((double, [2]))
    holder = PartHolder("0.0.0", data)
    for _ in range(2):
        with pytest.raises(DoyleError, match="install the same version"):
            holder.run(_version(), divided((double, [(0, 3)]))[0])


def test_an_address_where_nobody_answers_is_one_line() -> None:
    with pytest.raises(DoyleError, match=r"no cluster answers at 127\.0\.0\.1:1"):
        connect("127.0.0.1:1")


def _version() -> str:
    from doyle.base.version import __version__

    return __version__


@pytest.mark.slow
def test_items_come_back_in_order(nodes: Nodes) -> None:
    reported: list[int] = []

    def progress(_: str, done: int, in_all: int) -> None:
        reported.append(done)
        assert in_all == 20

    assert list(map_items(double, range(20), workers=nodes.workers, progress=progress)) == [
        2 * number for number in range(20)
    ]
    assert reported == list(range(1, 21))
    addresses = [
        node["NodeManagerAddress"] for node in connect(nodes.workers.cluster or "").nodes()
    ]
    assert len(addresses) >= 2
    assert all(address.startswith("127.") for address in addresses)


@pytest.mark.slow
def test_errors_of_items_are_the_users(nodes: Nodes) -> None:
    with pytest.raises(DoyleError, match="item 0 cannot be done"):
        list(map_items(fail, range(3), workers=nodes.workers))


@pytest.mark.slow
def test_an_item_lost_with_its_worker_is_run_again(nodes: Nodes, tmp_path: Path) -> None:
    assert list(map_items(die_once, [tmp_path], workers=nodes.workers)) == ["done"]


@pytest.mark.slow
def test_shared_values_reach_the_workers(nodes: Nodes) -> None:
    array = Shared(np.arange(300_000.0))
    items = [(array, factor) for factor in range(6)]
    assert list(map_items(total, items, workers=nodes.workers)) == [
        factor * array.value.sum() for factor in range(6)
    ]


@pytest.mark.slow
def test_what_is_left_is_cancelled(nodes: Nodes) -> None:
    results = map_items(time.sleep, [0.0, 600.0, 600.0], workers=nodes.workers)
    assert next(iter(results)) is None
    results.close()  # type: ignore[attr-defined]
    started = time.monotonic()
    assert list(map_items(double, [4], workers=nodes.workers)) == [8]
    assert time.monotonic() - started < 300
