"""Sudden ends: a killed parent leaves no workers, Ctrl-C is one line however often it is pressed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

WORKERS = """
import os, sys, time
from doyle.base.workers import Workers, map_items

def note(folder):
    open(f"{folder}/{os.getpid()}", "w").close()
    time.sleep(600)

if __name__ == "__main__":
    list(map_items(note, [sys.argv[1]] * 4, workers=Workers(2)))
"""

COMMANDS = {
    "processes": "match leduc random always-call --hands 2000000 --workers 2",
    "threads": "solve leduc --seconds 600 --workers 2",
    "one thread": "solve leduc --solver external --seconds 600 --workers 1",
}


def start(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def processes() -> dict[int, int]:
    """The group of every running process; those that merely await their parent are over."""
    listing = subprocess.run(
        ["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split() for line in listing.splitlines())
    return {int(pid): int(group) for pid, group, state in rows if not state.startswith("Z")}


def members(group: int) -> list[int]:
    return [pid for pid, its_group in processes().items() if its_group == group]


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    script, notes = tmp_path / "script.py", tmp_path / "notes"
    script.write_text(WORKERS)
    notes.mkdir()
    parent = start([str(script), str(notes)])
    assert wait_until(lambda: len(list(notes.iterdir())) == 2)
    workers = [int(path.name) for path in notes.iterdir()]
    parent.kill()
    parent.communicate()
    assert wait_until(lambda: not processes().keys() & set(workers), seconds=10)


@pytest.mark.slow
@pytest.mark.parametrize("presses", [1, 5])
@pytest.mark.parametrize("command", list(COMMANDS.values()), ids=list(COMMANDS))
def test_interrupts_end_a_command_in_one_line(command: str, presses: int) -> None:
    process = start(["-m", "doyle", *command.split()])
    group = process.pid
    busy = 3 if command.startswith("match") else 1
    assert wait_until(lambda: len(members(group)) >= busy)
    time.sleep(4.0)
    pressed = time.monotonic()
    for _ in range(presses):
        os.killpg(group, signal.SIGINT)
        time.sleep(0.02)
    _, stderr = process.communicate(timeout=60)
    assert time.monotonic() - pressed < 15
    assert process.returncode == 130
    lines = [line for line in stderr.splitlines() if "compiling" not in line]
    assert [line for line in lines if "iteration" not in line] == ["doyle: interrupted"]
    assert wait_until(lambda: not members(group), seconds=10)


STUBBORN = """
import sys, time
from doyle.apps.cli import app

def stubborn(arguments):
    print("ready", flush=True)
    while True:
        try:
            time.sleep(600)
        except KeyboardInterrupt:
            pass

app._run = stubborn
sys.exit(app.main())
"""


def test_a_command_that_swallows_the_interrupt_is_ended() -> None:
    process = start(["-c", STUBBORN])
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (130, "doyle: interrupted\n")


AT_EXIT = """
import time
from concurrent.futures import process
from doyle.base.workers import Workers, map_items

def slow(self):
    if not self._closed:
        time.sleep(1.0)  # as on a busy machine: the pipe may be closed meanwhile
        self._writer.send_bytes(b"")

if __name__ == "__main__":
    results = list(map_items(abs, range(4), workers=Workers(2)))
    process._ThreadWakeup.wakeup = slow
    print(results)
"""


def test_the_interpreter_ends_quietly_after_processes_were_used(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(AT_EXIT)
    process = start([str(script)])
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (0, "[0, 1, 2, 3]\n", "")
