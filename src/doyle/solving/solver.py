"""What every solver is: something that improves a profile, can say how far it is, and can stop.

A solver's state is a dictionary of arrays. Iterations are deterministic and the exploitability is
measured at iterations fixed in advance, so a run that was killed and resumed from its last
checkpoint ends with the same bytes as one that was left alone.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.solving.profile import Profile
from doyle.solving.sequence_form import SequenceForm

Arrays = dict[str, npt.NDArray[Any]]

LARGEST_TARGETLESS_RUN = 1 << 40


@dataclass(frozen=True)
class Point:
    """One measurement: after `iteration`, `seconds` of solving left this `exploitability`."""

    iteration: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class Limits:
    """When to stop: at the first limit that is reached."""

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


class Solver(ABC):
    """One method on one game. Subclasses provide `advance`, `profile`, `state` and `restore`."""

    name: str

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.iteration = 0
        self.seconds = 0.0
        self.history: list[Point] = []

    @abstractmethod
    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""

    @abstractmethod
    def profile(self) -> Profile:
        """The profile found so far."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """All arrays that later iterations depend on."""

    @abstractmethod
    def set_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the arrays of an earlier `arrays()`."""

    def state(self) -> Arrays:
        """Everything a checkpoint keeps."""
        history = [(p.iteration, p.seconds, p.exploitability) for p in self.history]
        return {
            **{name: np.array(value) for name, value in self.arrays().items()},
            "iteration": np.array(self.iteration, np.int64),
            "seconds": np.array(self.seconds),
            "history": np.array(history, np.float64).reshape(-1, 3),
        }

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from a checkpoint's arrays."""
        expected = self.arrays()
        for name, value in expected.items():
            if name not in state or state[name].shape != value.shape:
                raise DoyleError(f"checkpoint: array {name!r} does not fit this game and solver")
        self.set_arrays(state)
        self.iteration = int(state["iteration"])
        self.seconds = float(state["seconds"])
        self.history = [
            Point(int(row[0]), float(row[1]), float(row[2])) for row in state["history"]
        ]

    def run(
        self,
        limits: Limits,
        *,
        report: Callable[[Point], None] | None = None,
        checkpoint: Callable[[Solver], None] | None = None,
    ) -> Profile:
        """Advance until a limit is reached, measuring at fixed iterations; return the profile."""
        clock = _Clock(self)
        while not self._finished(limits):
            clock.start()
            stop = next_measurement(self.iteration)
            if limits.iterations is not None:
                stop = min(stop, limits.iterations)
            self._advance_within(stop, limits, clock)
            point = Point(self.iteration, clock.stop(), self.profile().exploitability)
            self.seconds = point.seconds
            self.history.append(point)
            if report is not None:
                report(point)
            if checkpoint is not None:
                checkpoint(self)
        return self.profile()

    def _advance_within(self, stop: int, limits: Limits, clock: _Clock) -> None:
        """Advance to iteration `stop`, or to the limit of time if that comes first."""
        while self.iteration < stop:
            begun, first = clock.now(), self.iteration
            if limits.seconds is None:
                self.advance(stop - self.iteration)
                return
            if begun >= limits.seconds:
                return
            count = max(1, min(stop - self.iteration, clock.iterations_in(limits.seconds - begun)))
            self.advance(count)
            clock.note((clock.now() - begun) / (self.iteration - first))

    def _finished(self, limits: Limits) -> bool:
        measured = bool(self.history) and self.history[-1].iteration == self.iteration
        if not measured:
            return False
        return (
            (limits.target is not None and self.history[-1].exploitability <= limits.target)
            or (limits.iterations is not None and self.iteration >= limits.iterations)
            or (limits.seconds is not None and self.seconds >= limits.seconds)
        )


def next_measurement(iteration: int) -> int:
    """The next iteration at which exploitability is measured: a grid about a tenth apart.

    >>> [next_measurement(i) for i in (0, 1, 10, 11, 1000)]
    [10, 10, 20, 20, 1100]
    """
    step = 10
    while step * 20 <= iteration:
        step *= 2
    step = max(10, step)
    return (iteration // step + 1) * step


class _Clock:
    """Seconds of solving, including those before a checkpoint; measuring is not counted twice."""

    def __init__(self, solver: Solver) -> None:
        self._before = solver.seconds
        self._started = time.perf_counter()
        self._each = 0.0

    def start(self) -> None:
        pass

    def now(self) -> float:
        return self._before + time.perf_counter() - self._started

    def stop(self) -> float:
        return self.now()

    def note(self, seconds_each: float) -> None:
        self._each = seconds_each

    def iterations_in(self, seconds: float) -> int:
        return int(seconds / self._each) if self._each > 0 else 1
