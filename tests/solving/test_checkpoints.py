"""Checkpoints on disk: killed at any moment, a solve resumes to the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from doyle.base.artifacts import Builder, Checkpoints, Description
from doyle.base.errors import DoyleError
from doyle.solving.methods.cfr import fingerprint
from doyle.solving.run import KIND, VERSION, Limits, Run
from doyle.solving.solve import make_solver
from tests.solving import games


@pytest.mark.parametrize("name", ["cfr+", "pcfr+", "egt", "lp"])
def test_a_restored_solver_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    form = games.form("kuhn")
    part = Run(make_solver(name, form), tmp_path)
    part.until(Limits(iterations=40))
    whole, resumed = Run(make_solver(name, form)), Run(make_solver(name, form), tmp_path)
    assert resumed.restore()
    assert resumed.history == part.history
    for run in (whole, resumed):
        run.until(Limits(iterations=100))
    arrays = resumed.solver.arrays()
    for key, values in whole.solver.arrays().items():
        assert np.asarray(values).tobytes() == np.asarray(arrays[key]).tobytes()


def test_checkpoints_of_another_game_or_solver_are_refused(tmp_path: Path) -> None:
    Run(make_solver("cfr+", games.form("kuhn")), tmp_path).save()
    for name, game, problem in (
        ("dcfr", "kuhn", r"has solver = 'cfr\+' where this solve has 'dcfr'"),
        ("cfr+", "leduc", "is of another game"),
    ):
        with pytest.raises(DoyleError, match=problem):
            Run(make_solver(name, games.form(game)), tmp_path).restore()


def test_arrays_that_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    known = {"iteration": 5, "seconds": 1.0, "history": []}

    def build(builder: Builder) -> None:
        for name, values in solver.arrays().items():
            builder.put(name, values[1:] if name == "average_1" else values)
        builder.metadata = known

    Checkpoints(tmp_path).save(5, Description(KIND, VERSION, solver.identity), build)
    with pytest.raises(DoyleError, match=r"field 'arrays\.average_1' is missing or damaged"):
        Run(solver, tmp_path).restore()
    assert solver.iteration == 0


def test_checkpoints_of_an_earlier_version_are_refused(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    Checkpoints(tmp_path).save(5, Description(KIND, VERSION - 1), lambda builder: None)
    with pytest.raises(DoyleError, match=f"of this version .{KIND} .*remove the folder"):
        Run(solver, tmp_path).restore()


def test_an_empty_folder_is_a_fresh_start(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    assert not Run(solver, tmp_path / "none").restore()
    assert not Run(solver).restore()


def test_saving_waits_until_it_is_due(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    saved = []

    def look(_: object) -> None:
        saved.append(Checkpoints(tmp_path).latest())

    Run(solver, tmp_path, every_seconds=1000.0).until(Limits(iterations=50), report=look)
    assert saved == [None] * 5
    Run(solver, tmp_path, every_seconds=0.0).until(Limits(iterations=80), report=look)
    steps = [one.metadata["iteration"] for one in saved[5:]]
    assert steps == [50, 50, 60, 70]  # at each report the one of the measurement before
    latest = Checkpoints(tmp_path).latest()
    assert latest is not None
    assert latest.metadata["iteration"] == 80


def test_fingerprints_tell_games_apart() -> None:
    assert len({fingerprint(games.game(name)) for name in games.NAMES}) == len(games.NAMES)


SCRIPT = """
import sys
from pathlib import Path
from doyle.solving.solve import make_solver
from doyle.solving.solve import Problem
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run

solver = make_solver("cfr+", SequenceForm(Problem.named("leduc").matrix_game()))
run = Run(solver, Path(sys.argv[1]), every_seconds=0.0)
run.restore()
print(solver.iteration, flush=True)
run.until(Limits(iterations=int(sys.argv[2])))
"""


def test_kill_and_resume_leaves_the_bytes_of_an_uninterrupted_run(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    started = _run(killed, 10_000_000)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not _steps(killed):
        time.sleep(0.01)
    os.kill(started.pid, signal.SIGKILL)
    started.communicate()
    reached = max(_steps(killed))
    goal = 2 * reached + 500
    again = _run(killed, goal)
    output, _ = again.communicate()
    assert again.returncode == 0
    assert reached <= int(output.split()[0]) < goal
    alone = make_solver("cfr+", games.form("leduc"))
    Run(alone, whole).until(Limits(iterations=goal))
    manifests = [
        json.loads((f / f"{goal:012d}" / "manifest.json").read_text()) for f in (killed, whole)
    ]
    assert manifests[0]["arrays"] == manifests[1]["arrays"]  # with their checksums
    assert len(manifests[0]["arrays"]) == 6


def _run(folder: Path, iterations: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(folder), str(iterations)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _steps(folder: Path) -> list[int]:
    found = folder.glob("*/manifest.json") if folder.is_dir() else []
    return [int(path.parent.name) for path in found if path.parent.name.isdigit()]
