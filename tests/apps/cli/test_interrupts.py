"""Ctrl-C: how the command resumes is in its last line, and the next one reports where it does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = """
from doyle.games import CALL

class Apart:
    name = "apart"
    def act(self, view):
        return CALL
"""
"""It plays in a process of its own, and its hands come in order."""

SCRIPT = """
import os, signal, sys
import doyle.matches.results.files as files
from doyle.apps.cli import main
from doyle.matches.results.collected import Collected
from doyle.solving import run

files._SECONDS_BETWEEN_SAVES = 0.0
run.Run.__init__.__kwdefaults__["every_seconds"] = 0.0

def interrupted_after(save):
    def saved(*arguments):
        save(*arguments)
        os.kill(os.getpid(), signal.SIGINT)
    return saved

if sys.argv[1] == "interrupted":
    files.Recorder.save = interrupted_after(files.Recorder.save)
    run.Run.save = interrupted_after(run.Run.save)
if sys.argv[1] == "begun":
    Collected.add = interrupted_after(Collected.add)
sys.exit(main(sys.argv[2:]))
"""
"""The command, as if Ctrl-C were pressed when it has kept something for the first time, or has played."""

OPTIONS = ["--hands", "500", "--method", "plain", "--workers", "1", "--results", "kept"]
MATCH = ["match", "kuhn", "always-call", "random", *OPTIONS]
LEAGUE = ["league", "kuhn", "always-call", "random", "always-raise", *OPTIONS]
SOLVE = ["solve", "leduc", "--checkpoint", "kept"]
SPOT = [
    *("spot", "--board", "Ks7h4d2c", "--ranges", "QQ+", "22+,AK", "--pot", "200"),
    *("--stacks", "200", "--checkpoint", "kept"),
]
DEALS = "the same command resumes from the deals in kept"
ITERATIONS = "from ([0-9,]+) iterations"
CHECKPOINT = "the same command with --resume resumes from the newest checkpoint in kept"


def ended(how: str, arguments: list[str]) -> tuple[int, str]:
    """The exit code and the lines on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, how, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("command", "long", "short", "hint", "resumed"),
    [
        (MATCH, "", "", DEALS, r"from (\d+) of 500 deals"),
        (LEAGUE, "", "", DEALS, r"from (\d+) of 1,500 deals"),
        (SOLVE, "--iterations 100000000", "--resume --seconds 0.001", CHECKPOINT, ITERATIONS),
        (SPOT, "--target 0.0000001%", "--resume --seconds 0.001", CHECKPOINT, ITERATIONS),
    ],
    ids=["match", "league", "solve", "spot"],
)
def test_what_is_kept_is_named_and_the_next_run_reports_where_it_resumes(
    command: list[str],
    long: str,
    short: str,
    hint: str,
    resumed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, errors = ended("interrupted", [*command, *long.split()])
    assert code == 130, errors
    assert errors.splitlines()[-1] == f"doyle: interrupted; {hint}"
    code, errors = ended("whole", [*command, *short.split()])
    assert code == 0, errors
    found = re.search(f"^doyle: resuming {resumed}$", errors, re.MULTILINE)
    assert found is not None, errors
    assert int(found[1].replace(",", "")) > 0


@pytest.mark.parametrize("options", [[], ["--results", "kept"]])
def test_what_cannot_resume_names_no_way_to(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept, or what is kept is played again from the first hand."""
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text(AGENT)
    code, errors = ended(
        "begun", ["match", "kuhn", "agent.py", "random", "--hands", "500", *options]
    )
    assert (code, errors.splitlines()[-1]) == (130, "doyle: interrupted")
