"""Solving a spot: memory first, then iterations until the target, the time or the count is reached."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from doyle.base.errors import DoyleError
from doyle.solving.games import Outline, poker_game
from doyle.solving.run import Limits, Run, towards_target
from doyle.solving.solvers import SPOT_SOLVERS, VARIANTS
from doyle.solving.spots.locks import Lock, allowed_suits
from doyle.solving.spots.result import SpotResult
from doyle.solving.spots.spot import Spot
from doyle.solving.vector import VectorSolver
from doyle.solving.vector.solver import PRECISIONS
from doyle.solving.vector.warm_start import start_from
from doyle.strategy import Point


class SpotTooLargeError(DoyleError):
    """A solve whose tables do not fit in the memory allowed."""


def memory_needed(parts: Outline, precision: str = "single") -> int:
    """Bytes of the tables of a solve, known before it starts."""
    return 2 * parts.sequence_hands() * int(np.dtype(PRECISIONS[precision]).itemsize)


def free_memory() -> int | None:
    """Bytes of memory available to a program; None if the system does not report it."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def solve_spot(
    spot: Spot,
    *,
    target_percent: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    locks: Sequence[Lock | str] = (),
    method: str = "dcfr-delayed",
    precision: str = "single",
    memory: int | None = None,
    workers: int = 1,
    start: SpotResult | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Callable[[Point], None] | None = None,
) -> SpotResult:
    """Solve until the first limit; without any, to 0.3% of the pot.

    `memory` bounds the bytes of the tables; by default the free memory. `workers` threads share the
    boards of the next street. `start` is an earlier result, of this spot or of a similar one, whose
    play is where the solve begins: histories, boards and hands that both have keep their regrets.
    `checkpoint` is a folder in which the solve is kept while it runs; with `resume` it continues
    from the saved state, and ends with the same tables as an uninterrupted solve.

    >>> spot = Spot.parse(board="Ks7h4d2cJs", ranges=("AA,66", "KK,QQ"), pot=200, stacks=200)
    >>> result = solve_spot(spot, target_percent=0.1)
    >>> result.exploitability_percent_of_pot <= 0.1
    True
    """
    solver, checked = prepare(
        spot, locks=locks, method=method, precision=precision, memory=memory, workers=workers
    )
    run = Run(solver, checkpoint, schedule=towards_target)
    if not (resume and run.restore()) and start is not None:
        start_from(solver, start.solver)
    if target_percent is None and seconds is None and iterations is None:
        target_percent = 0.3
    limits = Limits(
        target=None if target_percent is None else target_percent / 100 * spot.pot,
        seconds=seconds,
        iterations=iterations,
    )
    run.until(limits, report=report)
    return SpotResult(spot, checked, run, solver.measure(), method, precision)


def prepare(
    spot: Spot,
    *,
    locks: Sequence[Lock | str] = (),
    method: str = "dcfr-delayed",
    precision: str = "single",
    memory: int | None = None,
    workers: int = 1,
) -> tuple[VectorSolver, tuple[Lock, ...]]:
    """The solver of a spot, before its first iteration; refuses a solve that does not fit in
    memory."""
    if method not in SPOT_SOLVERS:
        raise DoyleError(f"solver {method!r}: spots are solved by {', '.join(SPOT_SOLVERS)}")
    if precision not in PRECISIONS:
        raise DoyleError(f"precision {precision!r}: expected one of {', '.join(PRECISIONS)}")
    read = tuple(lock if isinstance(lock, Lock) else Lock.parse(lock) for lock in locks)
    parts = spot.outline(allowed_suits(read))
    check_memory(parts, precision, memory)
    fixed = [lock.fixed_play(parts.tree, parts.hands) for lock in read]
    nodes = [play.node for play in fixed]
    for number, node in enumerate(nodes):
        if node in nodes[:number]:
            raise DoyleError(f"lock {read[number].text!r}: another lock is at the same history")
    game = poker_game(parts)
    solver = VectorSolver(
        game,
        VARIANTS[method],
        precision=precision,  # type: ignore[arg-type]
        fixed=fixed,
        workers=workers,
    )
    return solver, read


def check_memory(parts: Outline, precision: str, memory: int | None) -> None:
    """Refuse a solve whose tables do not fit, with the remedies that make them smaller."""
    needed = memory_needed(parts, precision)
    limit = memory if memory is not None else free_memory()
    if limit is None or needed <= limit:
        return
    boards = int((parts.boards.level == parts.boards.levels - 1).sum())
    raise SpotTooLargeError(
        f"spot: the solver's tables need {needed / 1e9:.2f} GB and {limit / 1e9:.2f} GB are allowed; "
        f"shrink the ranges ({len(parts.hands[0])} and {len(parts.hands[1])} hands), the betting "
        f"({parts.tree.decision_count:,} decisions), or start on a later street ({boards:,} last "
        "boards)"
    )
