"""`Plan`: the stages of a job with what each takes, beside what the machine has.

Memory is that of the fullest machine while a stage runs: resident bytes of all processes, files that
are mapped included, shared pages once. Disk is what stays. Stages run one after the other, so memory
is the largest of them, and disk and seconds are sums. Seconds are those of the clock on a machine that
does nothing else: work, divided among the workers, and what the disk takes to write. With one worker
the seconds without those of the disk are processor time.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from doyle.base.display import gibibytes
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.workers.local import available_cores
from doyle.base.workers.memory import usable_memory

# Measured on Linux with CPython 3.11 (2026-11-17).
PROCESS_BYTES = 215 << 20
"""Python with NumPy, Numba and all that a build imports, where it is not measured."""
WORKER_BYTES = 190 << 20
"""A worker process of a match, without what it plays; libraries are shared with its parent."""
RAY_BYTES = 700 << 20
"""Ray's own processes on one node."""


@dataclass(frozen=True)
class Stage:
    """One stage; `done` if what it makes is in the cache already, which then costs nothing."""

    name: str
    seconds: float
    memory_bytes: int
    disk_bytes: int = 0
    done: bool = False
    note: str = ""
    disk_seconds: float = 0.0
    """The part of the seconds in which the disk writes."""

    def document(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Capacity:
    """What there is: bytes of one machine, cores of each, and how many machines alike."""

    memory_bytes: int
    disk_bytes: int
    workers: int
    machines: int = 1

    def __post_init__(self) -> None:
        if self.workers < 1 or self.machines < 1:
            raise DoyleError("capacity: workers and machines must be at least 1")

    @classmethod
    def here(cls, *, workers: int | None = None, machines: int = 1) -> Capacity:
        """This machine, or as many like it; `workers` counts those of all machines."""
        return cls(
            memory_bytes=usable_memory(),
            disk_bytes=free_disk(cache_folder()),
            workers=workers or available_cores() * machines,
            machines=machines,
        )

    def document(self) -> dict[str, Any]:
        return asdict(self)


def free_disk(folder: Path) -> int:
    """Bytes that may still be written below `folder`, which need not exist yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


@dataclass(frozen=True)
class Plan:
    """The stages of a job; `shrink` are things to make smaller, the most effective first."""

    name: str
    stages: tuple[Stage, ...]
    capacity: Capacity
    shrink: tuple[str, ...] = ()
    sizes: dict[str, Any] | None = None
    exact: bool = True
    """False if the sizes are lower bounds."""

    @property
    def memory_bytes(self) -> int:
        return max((stage.memory_bytes for stage in self.stages), default=0)

    @property
    def disk_bytes(self) -> int:
        return sum(stage.disk_bytes for stage in self.stages)

    @property
    def seconds(self) -> float:
        return sum(stage.seconds for stage in self.stages)

    @property
    def disk_seconds(self) -> float:
        """The part of the seconds in which the disk writes."""
        return sum(stage.disk_seconds for stage in self.stages)

    @property
    def fits(self) -> bool:
        return (
            self.memory_bytes <= self.capacity.memory_bytes
            and self.disk_bytes <= self.capacity.disk_bytes
        )

    def document(self) -> dict[str, Any]:
        """The plan as one JSON document."""
        return {
            "name": self.name,
            "memory_bytes": self.memory_bytes,
            "disk_bytes": self.disk_bytes,
            "seconds": self.seconds,
            "disk_seconds": self.disk_seconds,
            "fits": self.fits,
            "exact": self.exact,
            "stages": [stage.document() for stage in self.stages],
            "capacity": self.capacity.document(),
            "size": self.sizes or {},
            "shrink": list(self.shrink),
        }

    def check_fits(self) -> None:
        """Refuse what cannot fit, and say what to make smaller."""
        if self.fits:
            return
        largest = max(self.stages, key=lambda stage: stage.memory_bytes)
        lacking = []
        if self.memory_bytes > self.capacity.memory_bytes:
            lacking.append(
                f"{gibibytes(self.memory_bytes)} of memory for {largest.name}, and there are "
                f"{gibibytes(self.capacity.memory_bytes)}"
            )
        if self.disk_bytes > self.capacity.disk_bytes:
            lacking.append(
                f"{gibibytes(self.disk_bytes)} of disk, and {gibibytes(self.capacity.disk_bytes)} "
                "are free"
            )
        advice = f"; {self.shrink[0]}" if self.shrink else ""
        least = "" if self.exact else "at least "
        raise DoyleError(f"{self.name}: needs {least}{'; '.join(lacking)}{advice}")


def tree_bytes(nodes: int, players: int) -> int:
    """A betting tree with the packed form that solvers walk."""
    return nodes * (72 + 4 * players)
