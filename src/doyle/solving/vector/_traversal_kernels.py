"""Kernels that visit all boards of a game: one seat's values against the other's plan.

Boards are entered depth first; a board is closed, its values added to its parent's, when all below
it are. The boards below the root are divided into parts whose sums are added in order, so that the
result does not depend on how many threads share the parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import inlined_kernel, plain_kernel
from doyle.base._vectors import filled, load, store
from doyle.solving.games._evaluator_kernels import Evaluator
from doyle.solving.vector._guard_kernels import FREE, GuardArrays, count_entering, step
from doyle.solving.vector._kernels import (
    CURRENT,
    IMPROVE,
    BoardArrays,
    Floats,
    Ints,
    Scratch,
    Side,
    Tables,
    close_board,
    pay_leaves,
    pull_values,
    push_reach,
)


class Solve(NamedTuple):
    """A game, its tables, and the parts: boards part_start[k] to part_start[k + 1].

    `sums`[part, slots and hands of the root], flat, is what the boards of each part are worth there.
    """

    boards: BoardArrays
    sides: tuple[Side, Side]
    evaluator: Evaluator
    tables: Tables
    part_start: Ints
    sums: Floats
    guard: GuardArrays


class Job(NamedTuple):
    """Whose values, how reach and values are made, the factors of an iteration, what to record."""

    seat: int
    reach: int
    values: int
    upper: float
    lower: float
    decay: float
    recorded: int


@inlined_kernel
def enter(solve: Solve, job: Job, board: Any, level: Any, scratch: Scratch) -> None:
    """Push the other seat's reach through a board and pay its leaves."""
    other = 1 - job.seat
    tables = solve.tables
    push_reach(
        solve.sides[other], board, level, job.reach, tables.regrets[other],
        tables.averages[other], tables.locks[other], job.decay, scratch, scratch.ranges[other],
    )  # fmt: skip
    pay_leaves(solve.sides, solve.evaluator, board, level, job.seat, scratch)


@inlined_kernel
def close(solve: Solve, job: Job, board: Any, level: Any, scratch: Scratch) -> None:
    """Pull the values of a board up, and on to its parent."""
    side, tables = solve.sides[job.seat], solve.tables
    pull_values(
        side, board, level, job.values, tables.regrets[job.seat], tables.averages[job.seat],
        tables.locks[job.seat], (job.upper, job.lower), scratch,
    )  # fmt: skip
    if board == job.recorded:
        size = np.uint64(16 * side.tiles[board] * side.slots[level])
        start = np.uint64(scratch.start[level])
        for k in range(np.uint64(0), size, np.uint64(16)):
            store(scratch.recorded, k, load(scratch.values, start + k))
    close_board(side, solve.boards, board, level, job.seat, scratch)


@plain_kernel
def walk_part(solve: Solve, job: Job, part: int, root: Scratch, scratch: Scratch) -> None:
    """Visit the boards of one part and write what they are worth at the root into its sums."""
    size = np.uint64(scratch.start[1])
    nothing = filled(scratch.values, 0.0)
    for k in range(np.uint64(0), size, np.uint64(16)):
        store(scratch.plan, k, load(root.plan, k))
        store(scratch.values, k, nothing)
    depth = 1
    last = solve.part_start[part + 1]
    for number in range(solve.part_start[part], last + 1):
        level = solve.boards.level[number] if number < last else 1
        while depth > level:
            depth -= 1
            close(solve, job, scratch.open[depth], depth, scratch)
        if number < last:
            enter(solve, job, number, level, scratch)
            scratch.open[level] = number
            depth = level + 1
    first = np.uint64(part) * size
    for k in range(np.uint64(0), size, np.uint64(16)):
        store(solve.sums, first + k, load(scratch.values, k))


@plain_kernel
def walk_parts(
    solve: Solve, job: Job, first: int, last: int, root: Scratch, scratch: Scratch
) -> None:
    """Visit the boards of the parts from `first` up to `last`, which is not one of them."""
    for part in range(first, last):
        walk_part(solve, job, part, root, scratch)


@plain_kernel
def open_root(solve: Solve, job: Job, root: Scratch) -> None:
    """Enter the root; what enters it of a guarded seat is averaged."""
    guard = solve.guard
    if guard.kind != np.int64(FREE) and job.seat != guard.seat and job.reach == np.int64(CURRENT):
        count_entering(guard, root.ranges[guard.seat], job.decay)
    first = np.int64(0)  # a literal would be compiled for itself
    enter(solve, job, first, first, root)


@plain_kernel
def close_root(solve: Solve, job: Job, root: Scratch) -> None:
    """Add the sums of all parts in order, and pull the root's values up; a guard decides again."""
    size = np.uint64(root.start[1])
    for part in range(solve.part_start.size - 1):
        begin = np.uint64(part) * size
        for k in range(np.uint64(0), size, np.uint64(16)):
            store(root.values, k, load(root.values, k) + load(solve.sums, begin + k))
    first = np.int64(0)
    close(solve, job, first, first, root)
    guard = solve.guard
    if guard.kind != np.int64(FREE) and job.seat == guard.seat and job.values == np.int64(IMPROVE):
        step(guard, root.values, root.ranges[guard.seat], job.upper, job.lower)


@plain_kernel
def run(solve: Solve, jobs: Floats, root: Scratch, scratch: Scratch) -> None:
    """Visit all boards for each row of `jobs`, the fields of a `Job`, one part after the other."""
    for row in range(jobs.shape[0]):
        job = Job(
            int(jobs[row, 0]), int(jobs[row, 1]), int(jobs[row, 2]),
            jobs[row, 3], jobs[row, 4], jobs[row, 5], int(jobs[row, 6]),
        )  # fmt: skip
        open_root(solve, job, root)
        walk_parts(solve, job, 0, solve.part_start.size - 1, root, scratch)
        close_root(solve, job, root)
