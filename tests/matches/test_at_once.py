"""Plain matches, several at once: each ends with its result and without a word on stderr.

Pools were once left to the interpreter's end, where it wrote to a pipe that the thread which manages a
pool was closing: "Bad file descriptor", after 3 of 240 matches under load. What a match adds to that is the
time to load it, so the many repetitions are of its pool alone: an interpreter that maps items over two
processes by `map_items`, as a match does, and ends. The cause itself is tested too: however a mapping ends, the
thread that manages its pool has ended before.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from doyle.base.workers import Workers, local, map_items

MATCH = [
    sys.executable, "-m", "doyle", "match", "kuhn", "random", "always-call", "--hands", "130",
    "--workers", "2", "--json",
]  # fmt: skip

POOL = [
    sys.executable,
    "-c",
    "from doyle.base.workers import Workers, map_items\n"
    "print(list(map_items(abs, [-1, -2, -3], workers=Workers(2))))",
]


def run_at_once(command: list[str], rounds: int) -> set[bytes]:
    """What `rounds` times three processes at once print; each must end well and silently."""
    results = set()
    for _ in range(rounds):
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        for process in running:
            out, err = process.communicate(timeout=120)
            assert (process.returncode, err) == (0, b"")
            results.add(out)
    return results


def test_three_matches_at_once() -> None:
    assert len(run_at_once(MATCH, 1)) == 1


@pytest.mark.slow
def test_the_pools_of_240_matches_three_at_once() -> None:
    assert run_at_once(POOL, 80) == {b"[1, 2, 3]\n"}


def managers() -> list[str]:
    """The threads that manage pools of processes now."""
    return [
        thread.name
        for thread in threading.enumerate()
        if type(thread).__name__ == "_ExecutorManagerThread"
    ]


def test_the_manager_of_a_pool_ends_before_the_mapping() -> None:
    before = managers()
    assert list(map_items(abs, [-1, -2, -3], workers=Workers(2))) == [1, 2, 3]
    assert managers() == before
    left = map_items(abs, [-1, -2, -3], workers=Workers(2))
    assert next(left) == 1
    left.close()  # type: ignore[attr-defined]
    assert managers() == before
    with pytest.raises(TypeError):
        list(map_items(abs, ["a", "b"], workers=Workers(2)))  # type: ignore[list-item]
    assert managers() == before


def test_a_pool_that_is_left_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[Any] = []
    monkeypatch.setattr(local, "stop", lambda pool, *, finished: pools.append(pool))
    before = managers()
    assert list(map_items(abs, [-1, -2, -3], workers=Workers(2))) == [1, 2, 3]
    assert len(managers()) == len(before) + 1
    pools[0].shutdown(wait=True)
    assert managers() == before
