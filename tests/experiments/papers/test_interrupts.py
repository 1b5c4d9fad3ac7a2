"""Ctrl-C in a run of several tables: the tables kept are named, and the next run leaves them out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import os, signal, sys
import doyle.experiments.papers.running as running
from doyle.apps.cli import main

keep = running.keep

def interrupted(*arguments, **options):
    path = keep(*arguments, **options)
    os.kill(os.getpid(), signal.SIGINT)
    return path

if sys.argv[1] == "interrupted":
    running.keep = interrupted
sys.exit(main(sys.argv[2:]))
"""
COMMAND = ["papers", "all", "--only", "ijcai2013/table1,ijcai2013/table2", "--results", "kept"]


def ended(how: str, folder: Path) -> subprocess.CompletedProcess[str]:
    options = ["--workers", "1", "--json"]
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, how, *COMMAND, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def test_the_next_run_makes_the_tables_that_are_not_kept(tmp_path: Path) -> None:
    first = ended("interrupted", tmp_path)
    assert first.returncode == 130, first.stderr
    hint = "the same command resumes after the tables kept in kept"
    assert first.stderr.splitlines()[-1] == f"doyle: interrupted; {hint}"
    (made,) = (path for path in (tmp_path / "kept").rglob("*.json"))
    before = made.stat().st_mtime_ns
    second = ended("whole", tmp_path)
    assert second.returncode == 0, second.stderr
    assert len(list((tmp_path / "kept").rglob("*.json"))) == 2
    assert made.stat().st_mtime_ns == before
    assert json.loads(second.stdout)
