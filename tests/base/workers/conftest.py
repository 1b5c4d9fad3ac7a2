"""A Ray cluster of two nodes on loopback, started by the tests that ask for it.

Ray replaces 127.0.0.1 by the address of a network interface, and then looks for its head there. It
leaves the other addresses of the loopback range as they are, so each node has one of those.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doyle.base.workers import Workers, parse_workers
from doyle.base.workers.cluster import disconnect

_STORE = 100 << 20


class Nodes:
    """Two nodes of one core each, at 127.0.0.2 and 127.0.0.3."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        # Workers are usually nicer than all others, and hardly run beside other work.
        os.environ.setdefault("RAY_worker_niceness", "0")
        self._started = 1
        head = {
            "num_cpus": 1,
            "node_ip_address": self._next_address(),
            "object_store_memory": _STORE,
            "include_dashboard": False,
            "dashboard_agent_listen_port": None,  # any free one: other tests may have a cluster too
        }
        self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self.add()
        self.workers: Workers = parse_workers(f"ray:{self._cluster.address}")

    def add(self) -> None:
        """One more node."""
        address = self._next_address()
        self._cluster.add_node(num_cpus=1, object_store_memory=_STORE, node_ip_address=address)
        self._cluster.wait_for_nodes()

    def _next_address(self) -> str:
        self._started += 1
        return f"127.0.0.{self._started}"

    def _busy(self) -> list[int]:
        """Worker processes of this cluster, and of no other, that run an item."""
        return self._processes(b"ray::run_divided") + self._processes(b"ray::PartHolder.run")

    def _processes(self, title: bytes) -> list[int]:
        """Processes of this cluster, and of no other, by how their title begins."""
        nodes = [self._cluster.head_node, *self._cluster.worker_nodes]
        raylets = {info.process.pid for node in nodes for info in node.all_processes["raylet"]}
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                wanted = (folder / "cmdline").read_bytes().startswith(title)
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if wanted and parent in raylets:
                found.append(int(folder.name))
        return found

    def kill_actors(self) -> int:
        """Kill every actor of this cluster; how many there were."""
        found = self._processes(b"ray::PartHolder")
        for process in found:
            os.kill(process, signal.SIGKILL)
        return len(found)

    def kill_some_worker(self, seconds: float) -> bool:
        """Kill the first worker process that is seen to run an item; False if none does in time."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for busy in self._busy():
                os.kill(busy, signal.SIGKILL)
                return True
            time.sleep(0.01)
        return False

    def wait_for_worker(self, seconds: float) -> bool:
        """Wait until some worker runs an item; False if none does in time."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self._busy():
                return True
            time.sleep(0.05)
        return False

    def kill_head(self) -> None:
        """Kill the head's own processes, as if its machine were switched off."""
        for name in ("gcs_server", "raylet"):
            for info in self._cluster.head_node.all_processes[name]:
                os.kill(info.process.pid, signal.SIGKILL)

    def end(self) -> None:
        disconnect()
        self._cluster.shutdown()


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    before = os.environ.get("PYTHONPATH")
    # Workers import the functions of the tests.
    mine = str(Path(__file__).parents[3])
    os.environ["PYTHONPATH"] = os.pathsep.join([mine, before] if before else [mine])
    started = Nodes()
    try:
        yield started
    finally:
        started.end()
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
