"""Ctrl-C: how the command resumes is in its last line, and the next one reports where it does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SLOW = """
import time
from doyle.games import CALL

class Slow:
    name = "slow"
    def act(self, view):
        time.sleep(0.001)
        return CALL
"""

SCRIPT = """
import sys
import doyle.matches.results.files as files
from doyle.cli import main
from doyle.solving import run

files._SECONDS_BETWEEN_SAVES = 0.0
run.Run.__init__.__kwdefaults__["every_seconds"] = 0.0
sys.exit(main(sys.argv[1:]))
"""

OPTIONS = ["--hands", "30000", "--method", "plain", "--workers", "1", "--results", "kept"]
MATCH = ["match", "kuhn", "always-call", "random", *OPTIONS]
LEAGUE = ["league", "kuhn", "always-call", "random", "always-raise", *OPTIONS]
SOLVE = ["solve", "leduc", "--checkpoint", "kept"]
SPOT = [
    *("spot", "--board", "Ks7h4d2c", "--ranges", "QQ+", "22+,AK", "--pot", "200"),
    *("--stacks", "200", "--checkpoint", "kept"),
]
DEALS = "the same command resumes from the deals in kept"
CHECKPOINT = "the same command with --resume resumes from the newest checkpoint in kept"


def started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def saved_deals() -> bool:
    return any(Path().glob("**/progress.json"))


def saved_solve() -> bool:
    return any(Path("kept").glob("[0-9]*"))


@pytest.mark.parametrize(
    ("command", "long", "short", "kept", "hint", "resumed"),
    [
        (MATCH, "", "", saved_deals, DEALS, r"from ([\d,]+) of 30,000 deals"),
        (LEAGUE, "", "", saved_deals, DEALS, r"from ([\d,]+) of 90,000 deals"),
        (
            SOLVE,
            "--iterations 100000000",
            "--resume --seconds 0.001",
            saved_solve,
            CHECKPOINT,
            "from ([0-9,]+) iterations",
        ),
        (
            SPOT,
            "--target 0.0000001% --iterations 1000000",
            "--resume --seconds 0.001",
            saved_solve,
            CHECKPOINT,
            "from ([0-9,]+) iterations",
        ),
    ],
    ids=["match", "league", "solve", "spot"],
)
def test_what_is_kept_is_named_and_the_next_run_reports_where_it_resumes(
    command: list[str],
    long: str,
    short: str,
    kept: Callable[[], bool],
    hint: str,
    resumed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    process = started([*command, *long.split()])
    while not kept() and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1] == f"doyle: interrupted; {hint}"
    again = started([*command, *short.split()])
    _, errors = again.communicate()
    assert again.returncode == 0, errors
    found = re.search(f"^doyle: resuming {resumed}$", errors, re.MULTILINE)
    assert found is not None, errors
    assert int(found[1].replace(",", "")) > 0


@pytest.mark.parametrize("options", [[], ["--results", "kept"]])
def test_what_cannot_resume_names_no_way_to(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept, or an agent in a process of its own, whose hands come in order."""
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text(SLOW.replace("time.sleep", "open('begun', 'w'); time.sleep"))
    process = started(["match", "kuhn", "agent.py", "random", "--hands", "100000", *options])
    while not Path("begun").exists() and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors.splitlines()[-1]) == (130, "doyle: interrupted")
