"""What every solver is: something that improves a profile, can say how far it is, and can stop.

A solver's state is a dictionary of arrays. Iterations are deterministic and the exploitability is
measured at iterations fixed in advance, so a run that was killed and resumed from its last
checkpoint ends with the same bytes as one that was left alone.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Point:
    """One measurement: after `iteration`, `seconds` of solving left this `exploitability`.

    Sampling solvers know a bound on the mean regret; where exploitability is not known it is NaN.
    """

    iteration: int
    seconds: float
    exploitability: float
    regret_bound: float | None = None

    @property
    def measure(self) -> tuple[str, float]:
        """What is known, by name."""
        if math.isnan(self.exploitability) and self.regret_bound is not None:
            return "regret_bound", self.regret_bound
        return "exploitability", self.exploitability

    def document(self) -> dict[str, float]:
        """As strategy files and checkpoints keep it: only what is known."""
        entry: dict[str, float] = {"iterations": self.iteration, "seconds": self.seconds}
        if not math.isnan(self.exploitability):
            entry["exploitability"] = self.exploitability
        if self.regret_bound is not None:
            entry["regret_bound"] = self.regret_bound
        return entry

    @classmethod
    def of(cls, entry: Mapping[str, float]) -> Point:
        """From `document`.

        >>> Point.of({"iterations": 5, "seconds": 1.0, "regret_bound": 0.5}).measure
        ('regret_bound', 0.5)
        """
        return cls(
            iteration=int(entry["iterations"]),
            seconds=float(entry["seconds"]),
            exploitability=float(entry.get("exploitability", math.nan)),
            regret_bound=entry.get("regret_bound"),
        )


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

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """As `set_arrays`, for arrays that may be of another game or solver."""
        for name, value in self.arrays().items():
            if name not in arrays or arrays[name].shape != value.shape:
                raise DoyleError(f"checkpoint: array {name!r} does not fit this game and solver")
        self.set_arrays(arrays)

    def run(
        self,
        limits: Limits,
        *,
        report: Callable[[Point], None] | None = None,
        checkpoint: Callable[[Solver], None] | None = None,
    ) -> Profile:
        """Advance until a limit is reached, measuring at fixed iterations; return the profile."""
        before, elapsed = self.seconds, stopwatch()
        while not self._finished(limits):
            stop = next_measurement(self.iteration)
            if limits.iterations is not None:
                stop = min(stop, limits.iterations)
            if limits.seconds is None:
                self.advance(stop - self.iteration)
            else:
                self._advance_within(stop, limits.seconds - before - elapsed())
            exploitability = self.profile().exploitability
            self.seconds = before + elapsed()
            point = Point(self.iteration, self.seconds, exploitability)
            self.history.append(point)
            if report is not None:
                report(point)
            if checkpoint is not None:
                checkpoint(self)
        return self.profile()

    def _advance_within(self, stop: int, seconds: float) -> None:
        """Advance to iteration `stop`, or for this many seconds if they are over first."""
        elapsed, first, count = stopwatch(), self.iteration, 1
        while self.iteration < stop and (elapsed() < seconds or self.iteration == 0):
            self.advance(min(count, stop - self.iteration))
            each = elapsed() / (self.iteration - first)
            count = max(1, int((seconds - elapsed()) / max(each, 1e-9) / 2))

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
    """The next iteration at which exploitability is measured: a grid a twentieth to a tenth apart.

    >>> [next_measurement(i) for i in (0, 1, 10, 11, 1000)]
    [10, 10, 20, 20, 1040]
    """
    step = 10
    while step * 20 <= iteration:
        step *= 2
    return (iteration // step + 1) * step


def stopwatch() -> Callable[[], float]:
    """A function that says how many seconds ago it was made."""
    started = time.perf_counter()
    return lambda: time.perf_counter() - started
