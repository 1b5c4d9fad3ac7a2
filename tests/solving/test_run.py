"""The one driver of solves: limits, measurements at fixed places, time, and resuming."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from doyle.base import _numba
from doyle.base.errors import FieldError
from doyle.solving import run as driver
from doyle.solving.games import MatrixGame
from doyle.solving.run import Distance, Limits, Run
from doyle.solving.spots import Spot
from doyle.solving.spots.solve import prepare
from doyle.solving.vector import VectorSolver
from doyle.solving.vector.fixed_play import FixedPlay


class Counting:
    """A solver that only counts; its distance is one over the iterations."""

    def __init__(self, interval: int = 1, *, last: int = 1 << 60, known: bool = True) -> None:
        self.iteration, self.interval, self.last, self.known = 0, interval, last, known
        self.advances: list[int] = []
        self.threads: set[int] = set()

    @property
    def identity(self) -> dict[str, Any]:
        return {"solver": "counting", "interval": self.interval}

    def advance(self, iterations: int) -> None:
        self.advances.append(iterations)
        whole = -(-iterations // self.interval) * self.interval
        self.iteration = min(self.last, self.iteration + whole)
        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        self.threads |= {pool["num_threads"] for pool in pools}

    def distance(self) -> Distance:
        return Distance(1 / self.iteration if self.known else math.nan, 2 / self.iteration)

    def arrays(self) -> dict[str, Any]:
        return {"count": np.array([self.iteration])}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        assert int(arrays["count"][0]) == self.iteration


def iterations(run: Run[Any]) -> list[int]:
    return [point.iteration for point in run.history]


def test_a_run_measures_on_a_grid_and_stops_at_the_first_limit() -> None:
    run = Run(Counting())
    run.until(Limits(target=1 / 45, iterations=1000))
    assert iterations(run) == [10, 20, 30, 40, 50]
    run.until(Limits(iterations=57))
    assert iterations(run) == [10, 20, 30, 40, 50, 57]
    run.until(Limits(iterations=57))
    assert run.solver.iteration == 57
    assert run.history[-1].regret_bound == 2 / 57


@given(interval=st.integers(1, 300), cut=st.integers(1, 4000), goal=st.integers(1, 5000))
def test_where_a_run_is_cut_makes_no_difference_to_what_follows(
    interval: int, cut: int, goal: int
) -> None:
    whole = Run(Counting(interval))
    whole.until(Limits(iterations=goal))
    assert all(at % interval == 0 for at in iterations(whole))
    assert whole.solver.iteration == -(-goal // interval) * interval
    # Left between two measurements, as a checkpoint may be.
    at = min(cut // interval * interval, whole.solver.iteration)
    resumed = Run(Counting(interval))
    resumed.solver.iteration = at
    resumed.history = [point for point in whole.history if point.iteration <= at]
    resumed.until(Limits(iterations=goal))
    assert iterations(resumed) == iterations(whole)


def test_a_solver_that_is_complete_ends_its_run() -> None:
    run = Run(Counting(last=1))
    run.until(Limits(iterations=400))
    assert iterations(run) == [1]
    run.until(Limits(target=0.0))
    assert iterations(run) == [1]


def test_a_target_needs_something_to_compare_with() -> None:
    run = Run(Counting(known=False))
    with pytest.raises(FieldError, match=r"^target: exploitability is not known here"):
        run.until(Limits(target=0.1))
    run.until(Limits(iterations=20))
    # Measured again where all that the limits ask for was not known.
    run.solver.known = True
    run.until(Limits(target=0.1))
    assert [math.isnan(point.exploitability) for point in run.history] == [True, False]


def test_seconds_do_not_count_the_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = 0.0
    monkeypatch.setattr(driver, "compile_seconds", lambda: compiled)

    class Compiling(Counting):
        def advance(self, iterations: int) -> None:
            nonlocal compiled
            super().advance(iterations)
            start = time.perf_counter()
            time.sleep(0.05)
            compiled += time.perf_counter() - start

    run = Run(Compiling())
    run.until(Limits(iterations=40))
    assert len(run.solver.advances) == 4
    assert 0 <= run.seconds < compiled / 2


def test_compiling_is_timed_and_running_is_not() -> None:
    @_numba.kernel
    def slow_to_compile(values: Any) -> float:
        total = 0.0
        for value in values:
            total += np.sqrt(value)
        return total

    before = _numba.compile_seconds()
    slow_to_compile(np.ones(3))
    after = _numba.compile_seconds()
    assert after > before
    slow_to_compile(np.ones(3))
    assert _numba.compile_seconds() == after


def test_blas_uses_one_thread_inside_a_run_and_as_many_as_before_after_it() -> None:
    before = [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()]
    solver = Run(Counting()).until(Limits(iterations=10))
    assert solver.threads == {1}
    assert [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()] == before


def test_checkpoints_between_measurements_keep_the_interval(tmp_path: Path) -> None:
    seen: list[int] = []
    run = Run(Counting(100), tmp_path, every_seconds=0.0)
    run.until(Limits(iterations=700), tick=lambda: seen.append(run.solver.iteration))
    assert seen == list(range(100, 701, 100))
    again = Run(Counting(100), tmp_path)
    assert again.restore()
    assert (again.solver.iteration, again.history) == (700, run.history)
    assert again.seconds == pytest.approx(run.seconds, abs=0.5)


def river() -> MatrixGame:
    spot = Spot.parse(board="Ks7h4d2cJs", ranges=("AA,66,KQs", "KK,QQ,A5s"), pot=200, stacks=400)
    return prepare(spot)[0].game


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_resumed_spot_ends_with_the_same_bytes(precision: str, tmp_path: Path) -> None:
    game = river()

    def run(folder: Path | None) -> Run[VectorSolver]:
        return Run(VectorSolver(game, precision=precision), folder)  # type: ignore[arg-type]

    whole, part, resumed = run(None), run(tmp_path), run(tmp_path)
    whole.until(Limits(iterations=100))
    part.until(Limits(iterations=40))
    assert resumed.restore()
    resumed.until(Limits(iterations=100))
    assert iterations(resumed) == iterations(whole)
    arrays = resumed.solver.arrays()
    for name, values in whole.solver.arrays().items():
        assert values.tobytes() == arrays[name].tobytes()


def test_a_checkpoint_of_another_spot_is_refused(tmp_path: Path) -> None:
    game = river()
    Run(VectorSolver(game), tmp_path).until(Limits(iterations=10))
    node = int(game.tree.decisions[-1])
    seat, actions = int(game.tree.actor[node]), int(game.tree.child_count[node])
    shares = np.zeros((len(game.hands[seat]), actions))
    shares[:, 0] = 1.0
    locked = VectorSolver(game, fixed=[FixedPlay(node, shares, np.ones(len(shares), bool))])
    for solver, problem in (
        (locked, "of another game"),
        (VectorSolver(game, precision="double"), "precision = 'float32'"),
    ):
        with pytest.raises(Exception, match=problem):
            Run(solver, tmp_path).restore()
