"""A Ray cluster of two nodes on this machine, started by the tests that ask for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doyle.workers import Workers, parse_workers
from doyle.workers.cluster import disconnect

_STORE = 100 << 20


class Nodes:
    """Two nodes of one core each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {
            "num_cpus": 1,
            "object_store_memory": _STORE,
            "include_dashboard": False,
            "dashboard_agent_listen_port": None,  # any free one: other tests may have a cluster too
        }
        self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self.add()
        self.workers: Workers = parse_workers(f"ray:{self._cluster.address}")

    def add(self) -> None:
        """One more node."""
        self._cluster.add_node(num_cpus=1, object_store_memory=_STORE)
        self._cluster.wait_for_nodes()

    def kill_worker(self) -> bool:
        """Kill one worker process that runs an item; False if none does."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if command.startswith(b"ray::run_divided"):
                os.kill(int(folder.name), signal.SIGKILL)
                return True
        return False

    def end(self) -> None:
        disconnect()
        self._cluster.shutdown()


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    before = os.environ.get("PYTHONPATH")
    # Workers import the functions of the tests.
    mine = str(Path(__file__).parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join([mine, before] if before else [mine])
    started = Nodes()
    try:
        yield started
    finally:
        started.end()
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
