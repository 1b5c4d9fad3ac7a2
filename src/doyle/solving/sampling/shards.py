"""Shards: sampled iterations into copies of the tables, whose changes are summed in a fixed order.

Each of N shards begins with an Nth of the regrets. Strategies depend on their proportions alone, so a
shard learns as fast as one table that takes the iterations of all shards would; with all of the regrets
it would learn an Nth as fast, and the sum of what N shards learn from the same start would overshoot.

A *runner* keeps the tables as they were at the last merge, in this process or with an actor of
a cluster, and runs shards one after the other from them. A shard returns its changes; the solver
adds the changes of all shards to its tables in the order of the shards, and each runner receives
the new values of the changed entries. So between two merges only changes travel, tables once; and
results do not depend on the number of runners or on the assignment of shards to runners.

The loss of a runner loses no work: the solver's tables change when all shards have ended, so
new runners begin with these and run the same shards.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.base.workers import Actors, LostPartError, Shared, Workers, cores_of
from doyle.base.workers.cluster import RETRIES
from doyle.solving.sampling import _change_kernels as changes
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.batches import Sampler, Table

_PIECE = 1 << 22
"""Number of entries compared at once: their changes are buffered first."""

Tables = tuple[Table, Table]
"""Regrets and averages."""


class Changes(NamedTuple):
    """Entries of a table, by groups of 32 and bits in them, each with a number."""

    groups: npt.NDArray[np.int32]
    bits: npt.NDArray[np.uint32]
    numbers: Table

    @property
    def nbytes(self) -> int:
        return self.groups.nbytes + self.bits.nbytes + self.numbers.nbytes


class ShardResult(NamedTuple):
    """A shard's changes of both tables, and the number of visited nodes."""

    tables: tuple[Changes, Changes]
    visited: int


class Update(NamedTuple):
    """A merge of both tables: the changed entries, then a discount of all entries."""

    tables: tuple[Changes, Changes]
    discount: Discount | None


class Discount(NamedTuple):
    """A factor for both tables, and the lowest value that each may then have."""

    factor: float
    floors: tuple[float, float]


class RunnerStart(NamedTuple):
    """The initial data of a runner; `here` if the tables are the solver's own.

    A shard begins with `share` of the regrets.
    """

    sampler: Shared[Sampler]
    tables: Shared[Tables]
    share: float
    here: bool


class Step(NamedTuple):
    """A runner's work between two merges: the last update, then the batches of its shards."""

    update: Shared[Update] | None
    shards: Sequence[Sequence[int]]


class Runner:
    """The tables of the last merge, and a copy into which shards are run, one after the other."""

    def __init__(self, start: RunnerStart) -> None:
        self._sampler, self._here = start.sampler.value, start.here
        regret, average = start.tables.value
        self._before = (regret, average) if start.here else (regret.copy(), average.copy())
        self._shares = np.float32(start.share), np.float32(1.0)
        self._after = (regret * self._shares[0], average * self._shares[1])

    def run(self, step: Step) -> list[ShardResult]:
        """The changes of each shard, from the tables of the last merge."""
        if step.update is not None:
            self._bring_up_to_date(step.update.value)
        return [self._shard(batches) for batches in step.shards]

    def _bring_up_to_date(self, update: Update) -> None:
        for before, share, after, found in zip(
            self._before, self._shares, self._after, update.tables, strict=True
        ):
            if not self._here:
                changes.set_values(before, np.float32(1.0), *found)
            if update.discount is None:
                changes.set_values(after, share, *found)
        if update.discount is not None:
            if not self._here:
                discount(self._before, update.discount)
            for before, share, after in zip(self._before, self._shares, self._after, strict=True):
                np.multiply(before, share, out=after)

    def _shard(self, batches: Sequence[int]) -> ShardResult:
        visited = sum(self._sampler.run_batch(number, *self._after) for number in batches)
        regret, average = map(taken, self._before, self._shares, self._after)
        return ShardResult((regret, average), visited)


class Shards:
    """The runners of one solver and its tables, which they follow."""

    def __init__(
        self, sampler: Shared[Sampler], tables: Tables, count: int, workers: Workers
    ) -> None:
        self.workers, self._count = workers, count
        self._sampler, self._tables = sampler, tables
        self._marks = (_marks(tables[0]), _marks(tables[1]))
        self._runners: Actors[RunnerStart, Runner] | None = None
        self._update: Update | None = None

    def run(self, shards: Sequence[Sequence[int]]) -> int:
        """Run the batches of each shard and merge their changes; returns the nodes visited."""
        visited = 0
        for result in self._results(shards):  # all have ended: their initial tables may change
            for table, found, marks in zip(self._tables, result.tables, self._marks, strict=True):
                changes.add_changes(table, *found, marks)
            visited += result.visited
        regret, average = map(_values, self._tables, self._marks)
        self._update = Update((regret, average), None)
        return visited

    def discounted(self, by: Discount) -> None:
        """Send the discount of the tables to the runners; as many as there are cores continue."""
        if self._update is not None:
            self._update = self._update._replace(discount=by)
        if self._runners is not None and len(self._runners) != self._runner_count():
            self.close()

    def _runner_count(self) -> int:
        return min(self._count, cores_of(self.workers))

    def _results(self, shards: Sequence[Sequence[int]]) -> list[ShardResult]:
        """The changes of the shards, in order; if a runner is lost, new runners repeat the step."""
        for _ in range(RETRIES):
            runners = self._started()
            count = len(runners)
            update = None if self._update is None else Shared(self._update)
            steps = [Step(update, shards[number::count]) for number in range(count)]
            try:
                found = runners.call(Runner.run, steps)
            except LostPartError:
                self.close()
                continue
            except BaseException:  # some runners may be ahead of the others now
                self.close()
                raise
            return [found[number % count][number // count] for number in range(len(shards))]
        raise DoyleError(
            f"sampling: workers were lost {RETRIES} times; see that the nodes of the cluster are up and "
            "have memory, then run the command again"
        )

    def _started(self) -> Actors[RunnerStart, Runner]:
        """The runners, one for each core; if absent, they are created with the current tables."""
        if self._runners is None:
            start = RunnerStart(
                self._sampler,
                Shared(self._tables),
                1.0 / self._count,
                here=self.workers.cluster is None,
            )
            self._runners = Actors(
                Runner,
                [start] * self._runner_count(),
                workers=self.workers,
                label="sampling",
                replace=False,
            )
            self._end = weakref.finalize(self, self._runners.close)
        return self._runners

    def close(self) -> None:
        """End the runners; the next ones begin with the tables as they are."""
        if self._runners is not None:
            self._end()
        self._runners = self._update = None


def discount(tables: Tables, by: Discount) -> None:
    """Multiply both tables by a factor, and raise entries below the floor to it."""
    for table, floor in zip(tables, by.floors, strict=True):
        kernels.discount(table, by.factor, floor)


def taken(before: Table, share: np.float32, after: Table) -> Changes:
    """The changes from a share of `before` to `after`, which is reset to that share."""
    room = min(before.size, _PIECE)
    groups = np.empty(-(-room // changes.GROUP), np.int32)
    bits, numbers = np.empty(groups.size, np.uint32), np.empty(room, np.float32)
    pieces = []
    for start in range(0, before.size, _PIECE):
        part = slice(start, start + _PIECE)
        found, written = changes.take_changes(
            before[part], share, after[part], start // changes.GROUP, groups, bits, numbers
        )
        pieces.append((groups[:found].copy(), bits[:found].copy(), numbers[:written].copy()))
    return Changes(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


def _values(table: Table, marks: npt.NDArray[np.uint32]) -> Changes:
    """The new values of the marked entries of a table; the marks are cleared."""
    found, marked = changes.count_changed(marks)
    result = Changes(
        np.empty(found, np.int32), np.empty(found, np.uint32), np.empty(marked, np.float32)
    )
    changes.take_values(table, marks, *result)
    return result


def _marks(table: Table) -> npt.NDArray[np.uint32]:
    return np.zeros(-(-table.size // changes.GROUP), np.uint32)
