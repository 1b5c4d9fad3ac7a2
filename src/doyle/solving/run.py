"""`Run`: one solve under way, whatever the solver: limits, measurements, time and checkpoints.

A solver iterates, reports its distance from equilibrium, and can save and restore the arrays that
later iterations depend on. It is measured at iterations fixed in advance, so a run that was killed
and resumed from its last checkpoint ends with the same bytes as one that was left alone. Seconds
count solving and measuring, including those before a checkpoint; compiling kernels does not count.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from doyle.base._numba import compile_seconds
from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers.memory import one_blas_thread
from doyle.strategy import Point

CHECKPOINT_SECONDS = 60.0
"""Between two checkpoints of a build, unless they take long."""

KIND, VERSION = "solver", 2
"""Of checkpoints."""

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Distance:
    """How far a solver is from equilibrium, in chips per hand, as far as it knows."""

    exploitability: float = math.nan
    regret_bound: float | None = None


ROUNDING = 1e-12
"""A best response never loses; sums that are further below zero than this are a defect and shown."""


def gain(chips: float) -> float:
    """The gain of a best response, with rounding below zero removed.

    >>> gain(-1e-17), gain(-1e-9), gain(0.5)
    (0.0, -1e-09, 0.5)
    """
    return 0.0 if -ROUNDING < chips < 0 else chips


class Solver(Protocol):
    """The solver interface of `Run`.

    `iteration` counts finished iterations; they advance in whole intervals. `identity` is
    everything that decides its arrays besides their number: a checkpoint of another identity is
    refused.
    """

    iteration: int

    @property
    def interval(self) -> int: ...

    @property
    def identity(self) -> Mapping[str, Any]: ...

    def advance(self, iterations: int) -> None:
        """Run this many more, rounded up to whole intervals; no effect if the solve is complete."""
        ...

    def distance(self) -> Distance:
        """Measure the current solution."""
        ...

    def arrays(self) -> Arrays:
        """All arrays that later iterations depend on."""
        ...

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the arrays of an earlier `arrays()`, which have its shapes and types."""
        ...


Schedule = Callable[[int, Sequence[Point], float | None], int]
"""Maps iteration, measurements and target to the iteration of the next measurement."""

AnySolver = TypeVar("AnySolver", bound=Solver)


@dataclass(frozen=True)
class Limits:
    """When to stop: at the first limit that is reached. Seconds and iterations count in all."""

    target: float | None = None
    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if self.target is None and self.seconds is None and self.iterations is None:
            raise DoyleError("a solve needs a limit: a target, seconds or iterations")
        for name, value in (("target", self.target), ("seconds", self.seconds)):
            if value is not None and not 0 <= value < float("inf"):
                raise DoyleError(f"{name} must be a number from 0 on, not {value}")
        if self.iterations is not None and self.iterations < 1:
            raise DoyleError(f"iterations must be at least 1, not {self.iterations}")

    def reached(self, point: Point) -> bool:
        """Whether a measurement is the last."""
        return (
            (self.target is not None and point.exploitability <= self.target)
            or (self.iterations is not None and point.iteration >= self.iterations)
            or (self.seconds is not None and point.seconds >= self.seconds)
        )


class Run(Generic[AnySolver]):
    """A solver with its time and measurements; saved in `folder` if given.

    A checkpoint is written after each `every_seconds` and at the end; results never depend on it.
    `schedule` returns the iteration of the next measurement.
    """

    def __init__(
        self,
        solver: AnySolver,
        folder: Path | None = None,
        *,
        every_seconds: float = 30.0,
        schedule: Schedule | None = None,
    ) -> None:
        self.solver = solver
        self._schedule = schedule
        self.seconds = 0.0
        self.history: list[Point] = []
        self._folder = folder
        self._every_seconds = every_seconds
        self._saved: tuple[int, float] | None = None
        """Iteration and seconds of the last checkpoint."""
        self._saving_took = 0.0

    def until(
        self,
        limits: Limits,
        *,
        resume: bool = False,
        report: Callable[[Point], None] | None = None,
        tick: Callable[[], None] | None = None,
    ) -> AnySolver:
        """Solve until a limit is reached; returns the solver.

        With `resume` it continues from the newest checkpoint, if there is one. `report` is called with each measurement, `tick` whenever iterations are done.
        """
        if resume:
            self.restore()
        with one_blas_thread():
            elapsed = stopwatch(self.seconds)
            while not self._finished(limits):
                if not self._advance(limits, elapsed, tick):
                    break
                point = self._measure(limits, elapsed)
                if report is not None:
                    report(point)
                self._save_if_due()
        self.seconds = elapsed()
        if self._folder is not None and (
            self._saved is None or self._saved[0] != self.solver.iteration
        ):
            self.save()
        return self.solver

    def _finished(self, limits: Limits) -> bool:
        return self._measured(limits) and limits.reached(self.history[-1])

    def _measured(self, limits: Limits) -> bool:
        """Whether the last point describes the current state and has everything that the limits
        require."""
        return (
            bool(self.history)
            and self.history[-1].iteration == self.solver.iteration
            and (limits.target is None or not math.isnan(self.history[-1].exploitability))
        )

    def _advance(
        self, limits: Limits, elapsed: Callable[[], float], tick: Callable[[], None] | None
    ) -> bool:
        """Advance to the next measurement or limit; False if the run is complete."""
        solver, first, begun = self.solver, self.solver.iteration, elapsed()
        if first and not self._measured(limits) and self._is_stop(first, limits):
            return True  # a checkpoint at this iteration that lacks a required measurement
        stop = self._next_stop(limits)
        while solver.iteration < stop:
            before = solver.iteration
            solver.advance(self._chunk(stop, limits, first, begun, elapsed()))
            if solver.iteration == before:
                return before > first
            self.seconds = elapsed()
            if tick is not None:
                tick()
            if limits.seconds is not None and self.seconds >= limits.seconds:
                break
            if solver.iteration < stop:
                self._save_if_due()
        return True

    def _is_stop(self, iteration: int, limits: Limits) -> bool:
        """Whether a run under these limits measures after `iteration`."""
        done = limits.iterations is not None and iteration >= limits.iterations
        last = iteration - self.solver.interval
        return done or self._rounded(next_measurement(max(0, last))) == iteration

    def _next_stop(self, limits: Limits) -> int:
        stop = next_measurement(self.solver.iteration)
        if self._schedule is not None:
            stop = self._schedule(self.solver.iteration, self.history, limits.target)
        if limits.iterations is not None:
            stop = min(stop, limits.iterations)
        return self._rounded(stop)

    def _rounded(self, iteration: int) -> int:
        """Up to a whole interval."""
        interval = self.solver.interval
        return -(-iteration // interval) * interval

    def _chunk(self, stop: int, limits: Limits, first: int, begun: float, now: float) -> int:
        """How many iterations to do before the next look at the clock."""
        left, interval = stop - self.solver.iteration, self.solver.interval
        if interval > 1:
            return min(left, interval)  # an interval is long
        if limits.seconds is None:
            return left
        done = self.solver.iteration - first
        if done == 0:
            return 1
        # Half of the iterations that fit into the remaining time at the speed so far.
        fits = (limits.seconds - now) * done / max(now - begun, 1e-9) / 2
        return min(left, max(1, int(fits)))

    def _measure(self, limits: Limits, elapsed: Callable[[], float]) -> Point:
        found = self.solver.distance()
        if limits.target is not None and math.isnan(found.exploitability):
            raise FieldError(
                "target", "exploitability is not known here; give seconds or iterations"
            )
        self.seconds = elapsed()
        point = Point(self.solver.iteration, self.seconds, found.exploitability, found.regret_bound)
        if self.history and self.history[-1].iteration == point.iteration:
            self.history.pop()
        self.history.append(point)
        return point

    def _save_if_due(self) -> None:
        """Save unless the last checkpoint is recent."""
        if self._folder is None:
            return
        since = self.seconds - (self._saved[1] if self._saved is not None else 0.0)
        if since >= seconds_between_saves(self._every_seconds, self._saving_took):
            watch = stopwatch()
            self.save()
            self._saving_took = watch()

    def save(self) -> None:
        """Save the current state of the solver; older checkpoints are removed."""
        assert self._folder is not None
        solver = self.solver
        self._saved = (solver.iteration, self.seconds)

        def build(builder: Builder) -> None:
            for name, values in solver.arrays().items():
                builder.put(name, np.asarray(values))
            builder.metadata = {
                "iteration": solver.iteration,
                "seconds": self.seconds,
                "history": [point.document() for point in self.history],
            }

        description = Description(KIND, VERSION, dict(solver.identity))
        Checkpoints(self._folder).save(solver.iteration, description, build)

    def restore(self) -> bool:
        """Continue from the newest checkpoint of the folder; False if absent."""
        artifact = None if self._folder is None else Checkpoints(self._folder).latest()
        if artifact is None:
            return False
        self._check(artifact)
        iteration, seconds = artifact.whole_number("iteration"), artifact.number("seconds")
        try:
            history = [Point.of(entry) for entry in artifact.records("history")]
        except (KeyError, TypeError, ValueError, OverflowError):
            raise artifact.damaged("metadata.history") from None
        arrays = {}
        for name, values in self.solver.arrays().items():
            arrays[name] = artifact.array(name)
            own = np.asarray(values)
            if arrays[name].shape != own.shape or arrays[name].dtype != own.dtype:
                raise artifact.damaged(f"arrays.{name}")
        self.solver.iteration = iteration
        self.solver.restore(arrays)
        self.seconds, self.history = seconds, history
        self._saved = (iteration, seconds)
        logging.getLogger(__name__).info("resuming from %s iterations", f"{iteration:,}")
        return True

    def _check(self, artifact: Artifact) -> None:
        """Refuse the checkpoint of another solve."""
        made_by = (artifact.manifest["kind"], artifact.manifest.get("maker_version"))
        if made_by != (KIND, VERSION):
            raise DoyleError(
                f"{artifact.folder}: is no checkpoint of this version ({made_by[0]} {made_by[1]}, "
                f"not {KIND} {VERSION}); remove the folder to begin again"
            )
        for name, wanted in self.solver.identity.items():
            found = artifact.parameters.get(name)
            if found == wanted:
                continue
            if name == "game":  # a digest or a whole definition
                raise DoyleError(
                    f"{artifact.folder}: its checkpoint is of another game; remove the folder or "
                    "change the game"
                )
            raise DoyleError(
                f"{artifact.folder}: its checkpoint has {name} = {found!r} where this solve has "
                f"{wanted!r}; remove the folder or change that"
            )


def towards_target(iteration: int, history: Sequence[Point], target: float | None) -> int:
    """When to measure next if a measurement costs as much as an iteration.

    With a target it is every 20 iterations at first, then the iteration at which the line through
    the last two points, in logarithms, reaches the target, at a slope of one or more; but never more
    than half as many iterations again as were done. Without one it is `next_measurement`.

    >>> points = [Point(40, 0.1, 4.0), Point(60, 0.2, 2.0)]
    >>> towards_target(60, points, 1.5), towards_target(60, points, 0.1), towards_target(60, [], 1)
    (71, 90, 80)
    """
    if target is None or target <= 0:
        return next_measurement(iteration)
    if len(history) < 2 or history[-1].iteration != iteration:
        return (iteration // 20 + 1) * 20
    before, last = history[-2:]
    most = iteration + max(20, iteration // 2)
    if last.exploitability <= 0 or before.exploitability <= 0:
        return most
    fallen = math.log(before.exploitability / last.exploitability)
    slope = max(1.0, fallen / math.log(last.iteration / before.iteration))
    grown = math.exp(min(math.log(last.exploitability / target) / slope, 1.0))
    return min(most, max(iteration + 1, math.ceil(iteration * max(grown, 1.01))))


def seconds_between_saves(every: float, took: float) -> float:
    """Seconds between checkpoints that are due every `every` seconds and take `took` seconds to
    write.

    Slow checkpoints of large games are up to ten times rarer, so that they take a twentieth of the
    time.

    >>> [seconds_between_saves(60.0, took) for took in (1.0, 10.0, 100.0)]
    [60.0, 200.0, 600.0]
    """
    return max(every, min(10.0 * every, 20.0 * took))


def next_measurement(iteration: int) -> int:
    """The next iteration at which a solver is measured: a grid a twentieth to a tenth apart.

    >>> [next_measurement(i) for i in (0, 1, 10, 11, 1000)]
    [10, 10, 20, 20, 1040]
    """
    step = 10
    while step * 20 <= iteration:
        step *= 2
    return (iteration // step + 1) * step


def stopwatch(seconds: float = 0.0) -> Callable[[], float]:
    """A function that returns the seconds since its creation, plus `seconds`.

    The time in which kernels were compiled or loaded does not count.
    """
    started = time.perf_counter() - compile_seconds()
    return lambda: seconds + (time.perf_counter() - compile_seconds()) - started
