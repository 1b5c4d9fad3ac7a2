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

from doyle.artifacts import Checkpoints
from doyle.errors import DoyleError
from doyle.solving.methods.by_name import make_solver
from doyle.solving.solver import Limits
from doyle.solving.solver_checkpoints import SolverCheckpoints, fingerprint
from tests.solving import games


@pytest.mark.parametrize("name", ["cfr+", "pcfr+", "egt", "lp"])
def test_a_restored_solver_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    form = games.form("kuhn")
    part = make_solver(name, form)
    part.run(Limits(iterations=40))
    SolverCheckpoints(tmp_path, part).save(part)
    whole, resumed = make_solver(name, form), make_solver(name, form)
    assert SolverCheckpoints(tmp_path, resumed).restore(resumed)
    assert resumed.history == part.history
    for solver in (whole, resumed):
        solver.run(Limits(iterations=100))
    for key, values in whole.arrays().items():
        assert np.asarray(values).tobytes() == np.asarray(resumed.arrays()[key]).tobytes()


def test_checkpoints_of_another_game_or_solver_are_refused(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    SolverCheckpoints(tmp_path, solver).save(solver)
    for name, game in (("dcfr", "kuhn"), ("cfr+", "leduc")):
        other = make_solver(name, games.form(game))
        with pytest.raises(DoyleError, match="another game or solver"):
            SolverCheckpoints(tmp_path, other).restore(other)


def test_an_empty_folder_is_a_fresh_start(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    assert not SolverCheckpoints(tmp_path / "none", solver).restore(solver)


def test_saving_waits_until_it_is_due(tmp_path: Path) -> None:
    solver = make_solver("cfr+", games.form("kuhn"))
    keep = SolverCheckpoints(tmp_path, solver, every_seconds=1000.0)
    solver.run(Limits(iterations=50), checkpoint=keep.save_if_due)
    assert Checkpoints(tmp_path).latest() is None
    eager = SolverCheckpoints(tmp_path, solver, every_seconds=0.0)
    solver.run(Limits(iterations=80), checkpoint=eager.save_if_due)
    latest = Checkpoints(tmp_path).latest()
    assert latest is not None
    assert latest.metadata["iteration"] == 80


def test_fingerprints_tell_games_apart() -> None:
    assert len({fingerprint(games.game(name)) for name in games.NAMES}) == len(games.NAMES)


SCRIPT = """
import sys
from pathlib import Path
from doyle.solving.methods.by_name import make_solver
from doyle.solving.games.named_games import named_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.solver import Limits
from doyle.solving.solver_checkpoints import SolverCheckpoints

solver = make_solver("cfr+", SequenceForm(named_game("leduc")))
keep = SolverCheckpoints(Path(sys.argv[1]), solver, every_seconds=0.0)
keep.restore(solver)
print(solver.iteration, flush=True)
solver.run(Limits(iterations=int(sys.argv[2])), checkpoint=keep.save_if_due)
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
    alone.run(Limits(iterations=goal))
    SolverCheckpoints(whole, alone).save(alone)
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
