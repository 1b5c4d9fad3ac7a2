"""Plain matches, several at once: each ends with its result and without a word on stderr.

Pools were once left to the interpreter's end, where it wrote to a pipe that the thread which manages a
pool was closing: "Bad file descriptor", after 3 of 240 matches under load.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMAND = [
    sys.executable, "-m", "doyle", "match", "kuhn", "random", "always-call", "--hands", "130",
    "--workers", "2", "--json",
]  # fmt: skip


@pytest.mark.parametrize(
    "rounds", [pytest.param(1, id="3"), pytest.param(80, id="240", marks=pytest.mark.slow)]
)
def test_three_matches_at_once(rounds: int) -> None:
    results = set()
    for _ in range(rounds):
        running = [
            subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        for process in running:
            out, err = process.communicate(timeout=120)
            assert (process.returncode, err) == (0, b"")
            results.add(out)
    assert len(results) == 1
