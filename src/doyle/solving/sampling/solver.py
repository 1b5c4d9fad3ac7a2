"""Sampling CFR for large abstractions, imperfect recall included: `external`, `pure` and `pcs`.

- `external`: external-sampling Monte Carlo CFR (Lanctot et al. 2009): one deal, the opponent's
  actions drawn from its strategy, all actions of the traversing seat.
- `pure`: pure CFR (Gibson 2014): the traversing seat too values a node by one drawn action.
- `pcs`: public chance sampling (Johanson et al. 2012): one board, all hands of both seats.

Between two seats the average strategy is kept at the nodes of the seat that is not traversing,
weighted by its reach. With more seats (`external` and `pure`) each deal is walked once more for every
seat, along one path: its own actions drawn from its strategy, those of the others uniformly.
Every `interval` iterations both tables are scaled by k/(k+1), which makes later iterations count
linearly more (linear CFR). One thread, or shards with any number of threads, return the same bytes
for the same seed; several free threads share the tables without locks and do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree, pack_tree
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Shared, Workers, map_threads
from doyle.solving.games import MatrixGame
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile, profile_of
from doyle.solving.run import Arrays, Distance
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.batches import Sampler
from doyle.solving.sampling.deals import DealSource
from doyle.solving.sampling.shards import Discount, Shards
from doyle.solving.solvers import SAMPLING, SamplingName
from doyle.strategy import Layout, TableStrategy
from doyle.strategy.strategy import SAMPLED_BYTES, check_room

INTERVALS = {"external": (4096, 1 << 18), "pure": (4096, 1 << 18), "pcs": (16, 256)}
"""Iterations per batch and per interval (deals, or boards for pcs) by default."""

MOST_SHARDS = 64
"""Each is another copy of the tables."""


@dataclass(frozen=True)
class SamplingOptions:
    """How to sample; `interval`, `batch` and `merge` count iterations (deals, or boards for `pcs`).

    Zero selects the method's default: an interval takes a second or a few in Hold'em. `shards` > 1
    is the deterministic parallel mode: that many copies of the tables take `merge` iterations each
    (by default one batch), then their changes are added up in order (`shards`). On a cluster it is
    the only mode.

    `tremble` is the share of decisions in which the seat whose actions are drawn acts at random, so
    that responses to actions it no longer makes are still trained, against a range of all its
    hands.
    """

    method: SamplingName = "external"
    seed: int = 0
    batch: int = 0
    interval: int = 0
    shards: int = 0
    merge: int = 0
    linear: bool = True
    prune_below: float = -np.inf
    prune_probability: float = 0.95
    tremble: float = 0.0

    def __post_init__(self) -> None:
        if self.method not in SAMPLING:
            raise DoyleError(f"sampling method {self.method!r}: expected {', '.join(SAMPLING)}")
        usual = INTERVALS[self.method]
        object.__setattr__(self, "batch", self.batch or usual[0])
        object.__setattr__(self, "interval", self.interval or usual[1])
        if self.batch < 1 or self.interval < 1 or self.interval % self.batch:
            raise DoyleError("sampling: interval must be a multiple of batch, both at least 1")
        if not 0 <= self.shards <= MOST_SHARDS:
            raise DoyleError(f"sampling: shards {self.shards}; expected 0 to {MOST_SHARDS}")
        if self.merge and self.shards < 2:
            raise FieldError("merge", "needs at least 2 shards", value=self.merge)
        object.__setattr__(self, "merge", self.merge or self.batch)
        if self.merge < 1 or self.merge % self.batch:
            raise FieldError("merge", f"expected a multiple of {self.batch}", value=self.merge)
        if not self.prune_below < 0:
            raise DoyleError(
                f"sampling: prune_below {self.prune_below:g}; expected a negative number"
            )
        if self.prune_below > -np.inf and self.method == "pcs":
            raise DoyleError("sampling: prune_below is for external and pure, not for pcs")
        if not 0.0 <= self.tremble < 1.0:
            raise DoyleError(f"sampling: tremble {self.tremble:g}; expected 0 to less than 1")
        if self.tremble and self.method == "pcs":
            raise DoyleError("sampling: tremble is for external and pure, not for pcs")


@dataclass(frozen=True, eq=False)
class Yardstick:
    """The game in which a sampled strategy is measured, exactly.

    `rows` has, by round, the row of the strategy for each private state of that game.
    """

    form: SequenceForm
    rows: Sequence[npt.NDArray[np.integer[Any]]] | None = None

    def profile(self, strategy: TableStrategy) -> Profile:
        """The plans of both seats in that game under `strategy`."""
        return profile_of(self.form, strategy, rows=self.rows)


@dataclass(eq=False)
class SamplingSolver:
    """Improves a strategy of `tree` by sampling deals from `source`, on `workers` threads.

    With a `yardstick` its exploitability is known, otherwise only a bound on the regret.
    """

    tree: BettingTree
    source: DealSource
    options: SamplingOptions = field(default_factory=SamplingOptions)
    workers: Workers = field(default_factory=Workers)
    yardstick: Yardstick | None = None
    iteration: int = 0
    nodes_visited: int = 0
    deterministic: bool = True
    """False as soon as threads have raced for the tables."""
    counted: MatrixGame | None = None
    """The game whose information sets are counted, if different from that of the tables."""

    def __post_init__(self) -> None:
        players = self.tree.game.players
        if self.options.method == "pcs" and players != 2:
            raise DoyleError(
                f"{self.tree.game.name}: pcs is for two players, and it has {players}; use external "
                "or pure"
            )
        check_room(self.tree, self.source.bucket_counts, bytes_each=SAMPLED_BYTES)
        self._packed = pack_tree(self.tree, self.source.bucket_counts)
        options = self.options
        if options.shards > 1:  # a shard has its share of the regrets
            options = replace(options, prune_below=options.prune_below / options.shards)
        self._sampler = Shared(
            Sampler(self._packed, self.source, options, self.tree.game.name, players)
        )
        widths, counts = self._packed.width, self.source.bucket_counts
        size = sum(int(width) * count for width, count in zip(widths, counts, strict=True))
        self.widths = Layout.of(self.tree).widths
        self.regret = np.zeros(size, dtype=np.float32)
        self.average = np.zeros(size, dtype=np.float32)
        self._shards: Shards | None = None

    @property
    def table_bytes(self) -> int:
        """Bytes of regrets and averages together: 8 per information-set action."""
        return self.regret.nbytes + self.average.nbytes

    @property
    def interval(self) -> int:
        """Iterations between two discounts, which are never divided."""
        return self.options.interval

    def advance(self, iterations: int) -> None:
        """Sample this many more iterations, rounded up to whole intervals."""
        goal = self.iteration + iterations
        while self.iteration < goal:
            self._interval(self.workers)

    def _interval(self, workers: Workers) -> None:
        """One interval of iterations, then the discount."""
        first = self.iteration // self.options.batch
        batches = range(first, first + self.options.interval // self.options.batch)
        if self.options.shards > 1:
            self._run_shards(batches, workers)
        else:
            if workers.cluster is not None:
                raise FieldError("shards", "a cluster samples in shards: give 2 for each core")
            if self.options.shards == 1:
                workers = Workers(1)  # one copy is the table itself: threads would race for it
            self.deterministic &= workers.count == 1
            self.nodes_visited += sum(map_threads(self._run_batch, batches, workers=workers))
        self.iteration += self.options.interval
        if self.options.linear:
            passed = self.iteration // self.options.interval
            self._discount(passed / (passed + 1), workers)

    def _discount(self, factor: float, workers: Workers) -> None:
        by = Discount(factor, (2.0 * self.options.prune_below, 0.0))
        parts = [
            (part, lowest)
            for table, lowest in zip((self.regret, self.average), by.floors, strict=True)
            for part in np.array_split(table, 2 * workers.count)
        ]
        list(map_threads(lambda p: kernels.discount(p[0], factor, p[1]), parts, workers=workers))
        if self._shards is not None:
            self._shards.discounted(by)

    def _run_shards(self, batches: range, workers: Workers) -> None:
        """Shards take batches from the tables as they are; their changes are added up in order."""
        if self._shards is None or self._shards.workers != workers:
            self._shards = Shards(
                self._sampler, (self.regret, self.average), self.options.shards, workers
            )
        each = self.options.merge // self.options.batch
        for start in range(0, len(batches), each * self.options.shards):
            group = batches[start : start + each * self.options.shards]
            self.nodes_visited += self._shards.run(
                [group[first : first + each] for first in range(0, len(group), each)]
            )

    def _run_batch(self, number: int) -> int:
        return self._sampler.value.run_batch(number, self.regret, self.average)

    def sizes(self) -> tuple[list[int], list[int]]:
        """Information sets and sequences (the empty one included) of each seat.

        Decisions, and their actions, times the buckets of their round; with a yardstick those of
        the game it is measured in, up to cards that play alike.
        """
        if self.yardstick is not None:
            game = self.counted or self.yardstick.form.game
            return list(game.information_sets()), list(game.sequence_counts())
        tree, buckets = self.tree, np.array(self.source.bucket_counts)
        sets, sequences = [], []
        for seat in range(tree.game.players):
            own = tree.decisions[tree.actor[tree.decisions] == seat]
            rows = buckets[tree.round[own]]
            sets.append(int(rows.sum()))
            sequences.append(1 + int((rows * tree.child_count[own]).sum()))
        return sets, sequences

    def regret_bound(self) -> tuple[float, ...]:
        """For each seat the sum over its information sets of the largest regret, per iteration.

        With perfect recall this bounds, up to sampling noise, how much the seat could gain in the
        abstract game (Zinkevich et al. 2007, theorem 3); it falls as the solve converges.
        """
        if not self.iteration:
            return (float("inf"),) * self.tree.game.players
        totals = np.zeros(self.tree.game.players)
        packed = self._packed
        counts = np.array(self.source.bucket_counts, dtype=np.int64)
        kernels.add_largest_regrets(
            self.regret, packed.nodes, packed.base, packed.width, counts, totals
        )
        weight = float(self.iteration)
        if self.options.linear:
            # After k intervals interval j has been scaled by j/(k+1): they count k/2 in all.
            weight = self.iteration / 2
        return tuple(float(total) / weight for total in totals)

    def tables(self) -> list[npt.NDArray[np.float32]]:
        """The average strategy, one table per round."""
        result = []
        for number, buckets in enumerate(self.source.bucket_counts):
            table = np.empty((buckets, self.widths[number]), dtype=np.float32)
            kernels.normalise_average(
                self.average,
                self._packed.nodes,
                number,
                int(self._packed.base[number]),
                self.widths[number],
                buckets,
                table,
            )
            result.append(table)
        return result

    def strategy(self) -> TableStrategy:
        """The average strategy so far."""
        return TableStrategy(self.tree, self.tables())

    def profile(self) -> Profile | None:
        """The average strategy in the game of measurement; None without a yardstick."""
        return None if self.yardstick is None else self.yardstick.profile(self.strategy())

    def distance(self) -> Distance:
        """Exploitability where it can be measured, and the mean of the regret bounds."""
        profile = self.profile()
        known = float("nan") if profile is None else profile.exploitability
        bounds = self.regret_bound()
        return Distance(known, sum(bounds) / len(bounds))

    @property
    def identity(self) -> dict[str, Any]:
        """The parameters that determine the samples."""
        options = self.options
        return {
            "game": self.tree.game.to_text(),
            "betting": str(self.tree.model),
            "cards": self.source.cards,
            "buckets": list(self.source.bucket_counts),
            "solver": options.method,
            "seed": options.seed,
            "batch": options.batch,
            "interval": options.interval,
            "shards": options.shards,
            **({"merge": options.merge} if options.merge > options.batch else {}),
            **({"merging": "shares of regrets"} if options.shards > 1 else {}),
            "linear": options.linear,
            "prune_below": repr(options.prune_below),
            "prune_probability": options.prune_probability,
            **({"tremble": options.tremble} if options.tremble else {}),
        }

    def arrays(self) -> Arrays:
        """Both tables, and the counters."""
        counted = np.array([self.nodes_visited, self.deterministic], dtype=np.int64)
        return {"regret": self.regret, "average": self.average, "counted": counted}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the tables of an earlier `arrays()`."""
        self.regret[...] = arrays["regret"]
        self.average[...] = arrays["average"]
        self._shards = None  # runners follow merges; others begin with these tables
        self.nodes_visited = int(arrays["counted"][0])
        self.deterministic = bool(arrays["counted"][1])
