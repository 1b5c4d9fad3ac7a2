"""The head of a cluster is killed: one line, the checkpoint intact, and the solve can be resumed.

Every question that only the head answers is also put to one that is gone: Ray would end the process after a minute.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from doyle.base.artifacts import Checkpoints
from doyle.base.workers import Actors, Workers, cluster, cores_of, map_items, parse_workers
from doyle.base.workers import actors as actors_module
from doyle.base.workers.cluster import LostHeadError, ask_head

from .conftest import Nodes

pytestmark = pytest.mark.slow

MERGE = 65536
SOLVE = (
    *("solve", "leduc", "--solver", "external", "--betting", "limit", "--shards", "2"),
    *("--merge", str(MERGE), "--json"),
)
FIRST = str(4 * MERGE)
NOTICES = ("doyle: compiling kernels", "doyle: resuming from ")


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


def reached(folder: Path) -> int:
    """The iterations of the checkpoint that counts, which is read and compared with its checksums."""
    found = Checkpoints(folder).latest()
    assert found is not None
    return found.whole_number("iteration")


def arrays(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*.bin")}


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
    refusal, *others = [line for line in errors.splitlines() if not line.startswith(NOTICES)]
    assert refusal.startswith("doyle: workers 'ray': the head of the cluster at "), errors
    assert "is gone" in refusal
    assert others == []
    # Merges of the cluster may have been saved. What is there resumes as if no head had been lost.
    last = ("--iterations", str(reached(tmp_path / "kept") + 2 * MERGE), "--workers", "1")
    code, errors = finished(doyle(*last, *kept, "--resume"))
    assert code == 0, errors
    code, errors = finished(doyle(*last, "--checkpoint", str(tmp_path / "alone")))
    assert code == 0, errors
    assert arrays(tmp_path / "kept") == arrays(tmp_path / "alone")


def two_cores(ray: Any, address: str) -> int:
    """Stands for an answer that the head gave before it was killed."""
    return 2


def map_two(workers: Workers) -> None:
    list(map_items(abs, [1, 2], workers=workers))


def map_counted(workers: Workers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "cluster_cores", two_cores)
        map_two(workers)


def start_actors(workers: Workers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(actors_module, "cluster_cores", two_cores)
        Actors(list, [(1,), (2,)], workers=workers)


def start_placed_actors(workers: Workers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(actors_module, "core_nodes", lambda ray, address: ["0" * 56])
        start_actors(workers)


QUESTIONS: tuple[Callable[[Workers], object], ...] = (
    cores_of,
    map_two,
    map_counted,
    start_actors,
    start_placed_actors,
)


def ask_lost_head(number: int, address: str, pipe: Connection) -> None:
    """In a process of its own: join the cluster, wait until its head is gone, and ask."""
    workers = parse_workers(f"ray:{address}")
    cores_of(workers)
    pipe.send("joined")
    pipe.recv()
    try:
        QUESTIONS[number](workers)
    except LostHeadError as error:
        pipe.send(str(error))
        return
    pipe.send("answered")


def hold_cluster_for(count: int, pipe: Connection) -> None:
    """Start a cluster for so many who ask, and kill its head when all have joined."""
    nodes = Nodes()
    spawn = multiprocessing.get_context("spawn")
    pairs = [multiprocessing.Pipe() for _ in range(count)]
    asking = [
        spawn.Process(target=ask_lost_head, args=(number, nodes.workers.cluster, theirs))
        for number, (_, theirs) in enumerate(pairs)
    ]
    try:
        for process in asking:
            process.start()
        joined = [mine.poll(200) and mine.recv() for mine, _ in pairs]
        nodes.kill_head()
        for mine, _ in pairs:
            mine.send("ask")
        pipe.send((joined, [mine.recv() if mine.poll(40) else "waits" for mine, _ in pairs]))
    finally:
        for process in asking:
            process.kill()
        nodes.end()


def test_questions_to_a_head_that_is_gone_are_refused() -> None:
    mine, theirs = multiprocessing.Pipe()
    spawn = multiprocessing.get_context("spawn")
    holder = spawn.Process(target=hold_cluster_for, args=(len(QUESTIONS), theirs))
    holder.start()
    try:
        assert mine.poll(400)
        joined, said = mine.recv()
    finally:
        holder.kill()
        holder.join()
        holder.close()
        mine.close()
        theirs.close()
    assert joined == ["joined"] * len(QUESTIONS)
    assert [text for text in said if "is gone" not in text] == []


def test_an_answer_and_an_error_of_the_head_are_passed_on() -> None:
    assert ask_head(lambda: 3, "") == 3
    with pytest.raises(ZeroDivisionError):
        ask_head(lambda: 1 // 0, "")
