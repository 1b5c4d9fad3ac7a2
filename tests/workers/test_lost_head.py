"""The head of a cluster is killed: one line, the checkpoint intact, and the solve can be resumed."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from .conftest import Nodes

pytestmark = pytest.mark.slow

SOLVE = (
    *("solve", "leduc", "--solver", "external", "--betting", "limit", "--shards", "2"),
    *("--merge", "65536", "--json"),
)
FIRST, LAST = "262144", "524288"


def doyle(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "doyle", *SOLVE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=600)
    return process.returncode, errors


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*.bin")}


def hold_cluster(pipe: Connection) -> None:
    """Start a cluster, and kill its head when a worker is busy.

    In a process of its own: whoever asked a head that is gone is ended by Ray a minute later.
    """
    nodes = Nodes()
    try:
        pipe.send(nodes.workers.cluster)
        busy = nodes.wait_for_worker(200)
        nodes.kill_head()
        pipe.send("killed" if busy else "idle")
        pipe.recv()
    finally:
        nodes.end()


def test_a_killed_head_is_one_line_and_the_solve_resumes(tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept"))
    assert finished(doyle("--iterations", FIRST, *kept, "--workers", "1"))[0] == 0
    before = contents(tmp_path / "kept")
    pipe, theirs = multiprocessing.Pipe()
    holder = multiprocessing.get_context("spawn").Process(target=hold_cluster, args=(theirs,))
    holder.start()
    try:
        assert pipe.poll(300)
        address = pipe.recv()
        far = ("--iterations", "1000000000", *kept, "--resume", "--workers", f"ray:{address}")
        process = doyle(*far)
        assert pipe.poll(300)
        assert pipe.recv() == "killed"
        code, errors = finished(process)
    finally:
        pipe.send("end")
        holder.join(60)
        holder.kill()
        holder.join()
        holder.close()
        pipe.close()
        theirs.close()
    assert code == 2, errors
    lines = [line for line in errors.splitlines() if line.strip()]
    assert "is gone" in lines[-1]
    assert "Traceback" not in errors
    after = contents(tmp_path / "kept")
    assert after == before or len(after) == len(before)  # a newer one may have replaced it whole
    last = ("--iterations", LAST, "--workers", "1")
    if after == before:
        assert finished(doyle(*last, *kept, "--resume"))[0] == 0
        again = ("--checkpoint", str(tmp_path / "alone"))
        assert finished(doyle(*last, *again))[0] == 0
        arrays = [
            {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.bin")}
            for name in ("kept", "alone")
        ]
        assert arrays[0] == arrays[1]
