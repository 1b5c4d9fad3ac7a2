"""Sampling CFR for large abstractions, imperfect recall included: `external`, `pure` and `pcs`.

- `external`: external-sampling Monte Carlo CFR (Lanctot et al. 2009): one deal, the opponent's
  actions drawn from his strategy, all actions of the traversing seat.
- `pure`: pure CFR (Gibson 2014): the traversing seat too values a node by one drawn action.
- `pcs`: public chance sampling (Johanson et al. 2012): one board, all hands of both seats.

Between two seats the average strategy is kept at the nodes of the seat that is not traversing,
weighted by its reach. With more seats (`external` and `pure`) each deal is walked once more for every
seat, along one path: its own actions drawn from its strategy, those of the others evenly.
Every `interval` iterations both tables are scaled by k/(k+1), which makes later iterations count
linearly more (linear CFR). One thread, or shards with any number of threads, gives the same bytes
for the same seed; several free threads share the tables without locks and do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from doyle.betting import DECISION, BettingTree, PackedTree, pack_tree
from doyle.betting.packed_tree import CHILDREN, FIRST_CHILD, KIND
from doyle.errors import DoyleError
from doyle.public_games import PublicGame
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.profile_tables import profile_of
from doyle.solving.run import Arrays, Distance
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.deals import DealSource
from doyle.strategy import Layout, TableStrategy
from doyle.strategy.layout import SAMPLED_BYTES, check_room
from doyle.workers import Workers, map_threads

Method = Literal["external", "pure", "pcs"]
METHODS: tuple[Method, ...] = ("external", "pure", "pcs")

DEEPEST_TREE = 256
MOST_SHARDS = 64
"""Each is another copy of the tables."""


@dataclass(frozen=True)
class SamplingOptions:
    """How to sample; `interval` and `batch` count iterations (deals, or boards for `pcs`).

    Zero stands for the method's own: an interval takes a second or a few in Hold'em. `shards` > 1 is
    the deterministic parallel mode: that many copies of the tables take a batch each and their
    changes are added up in order.
    """

    method: Method = "external"
    seed: int = 0
    batch: int = 0
    interval: int = 0
    shards: int = 0
    linear: bool = True
    prune_below: float = -np.inf
    prune_probability: float = 0.95

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise DoyleError(f"sampling method {self.method!r}: expected {', '.join(METHODS)}")
        usual = (4, 64) if self.method == "pcs" else (4096, 1 << 18)
        object.__setattr__(self, "batch", self.batch or usual[0])
        object.__setattr__(self, "interval", self.interval or usual[1])
        if self.batch < 1 or self.interval < 1 or self.interval % self.batch:
            raise DoyleError("sampling: interval must be a multiple of batch, both at least 1")
        if not 0 <= self.shards <= MOST_SHARDS:
            raise DoyleError(f"sampling: shards {self.shards}; expected 0 to {MOST_SHARDS}")
        if not self.prune_below < 0:
            raise DoyleError(
                f"sampling: prune_below {self.prune_below:g}; expected a negative number"
            )
        if self.prune_below > -np.inf and self.method == "pcs":
            raise DoyleError("sampling: prune_below is for external and pure, not for pcs")


@dataclass(frozen=True, eq=False)
class Yardstick:
    """The game in which a sampled strategy is measured, exactly.

    `rows` has, by round, the row of the strategy for each private state of that game.
    """

    form: SequenceForm
    rows: Sequence[npt.NDArray[np.integer[Any]]] | None = None

    def profile(self, strategy: TableStrategy) -> Profile:
        """What both seats do in that game when they play `strategy`."""
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
    counted: PublicGame | None = None
    """The game whose information sets are counted, where it is not that of the tables."""

    def __post_init__(self) -> None:
        players = self.tree.game.players
        if self.options.method == "pcs" and players != 2:
            raise DoyleError(
                f"{self.tree.game.name}: pcs is for two players, and it has {players}; use external "
                "or pure"
            )
        check_room(self.tree, self.source.bucket_counts, bytes_each=SAMPLED_BYTES)
        self._packed = pack_tree(self.tree, self.source.bucket_counts)
        widths, counts = self._packed.width, self.source.bucket_counts
        size = sum(int(width) * count for width, count in zip(widths, counts, strict=True))
        self.widths = Layout.of(self.tree).widths
        self.regret = np.zeros(size, dtype=np.float32)
        self.average = np.zeros(size, dtype=np.float32)

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
            if self.options.shards == 1:
                workers = Workers(1)  # one copy is the table itself: threads would race for it
            self.deterministic &= workers.count == 1
            self.nodes_visited += sum(map_threads(self._run_batch, batches, workers=workers))
        self.iteration += self.options.interval
        if self.options.linear:
            passed = self.iteration // self.options.interval
            self._discount(passed / (passed + 1), workers)

    def _discount(self, factor: float, workers: Workers) -> None:
        floor = 2.0 * self.options.prune_below
        pieces = 2 * workers.count
        parts = [
            (part, lowest)
            for table, lowest in ((self.regret, floor), (self.average, 0.0))
            for part in np.array_split(table, pieces)
        ]
        list(map_threads(lambda p: kernels.discount(p[0], factor, p[1]), parts, workers=workers))

    def _run_shards(self, batches: range, workers: Workers) -> None:
        shards = self.options.shards
        for start in range(0, len(batches), shards):
            group = batches[start : start + shards]
            copies = [(number, self.regret.copy(), self.average.copy()) for number in group]
            counts = map_threads(lambda c: self._run_batch(*c), copies, workers=workers)
            self.nodes_visited += sum(counts)
            regret, average = self.regret.copy(), self.average.copy()
            for _, changed_regret, changed_average in copies:
                self.regret += changed_regret - regret
                self.average += changed_average - average

    def _run_batch(
        self,
        number: int,
        regret: npt.NDArray[np.float32] | None = None,
        average: npt.NDArray[np.float32] | None = None,
    ) -> int:
        """Batch `number` into the given tables (by default the solver's own)."""
        regret = self.regret if regret is None else regret
        average = self.average if average is None else average
        seeds = np.random.SeedSequence((self.options.seed, number))
        state = apart(seeds.generate_state(1, dtype=np.uint64).astype(np.uint64))
        if self.options.method == "pcs":
            return self._run_boards(regret, average, state)
        deals = self.source.deals(self.options.batch, state)
        seats, players = deals.buckets.shape[1], self.tree.game.players
        if seats != players:
            raise DoyleError(
                f"deals of {seats} hands, and {self.tree.game.name} has {players} players"
            )
        pure = self.options.method == "pure"
        visited: int = kernels.run_deals(
            self._packed,
            regret,
            average,
            deals.buckets,
            deals.results,
            pure,
            self.options.prune_below,
            self.options.prune_probability if self.options.prune_below > -np.inf else 0.0,
            deal_frames(self._packed),
            state,
        )
        if players > 2:
            visited += kernels.average_deals(
                self._packed, regret, average, deals.buckets, pure, state
            )
        return visited

    def _run_boards(
        self,
        regret: npt.NDArray[np.float32],
        average: npt.NDArray[np.float32],
        state: npt.NDArray[np.uint64],
    ) -> int:
        frames = None
        visited = 0
        for _ in range(self.options.batch):
            hands = self.source.board(state)
            if frames is None:
                frames = public_frames(self._packed, hands)
            weight = 1.0 / hands.cards.shape[0]
            for traverser in range(2):
                visited += public.run_board(
                    self._packed, regret, average, hands, traverser, weight, frames
                )
        return visited

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
        """The average strategy in the game it is measured in; None without a yardstick."""
        return None if self.yardstick is None else self.yardstick.profile(self.strategy())

    def distance(self) -> Distance:
        """Exploitability where it can be measured, and the mean of the regret bounds."""
        profile = self.profile()
        known = float("nan") if profile is None else profile.exploitability
        bounds = self.regret_bound()
        return Distance(known, sum(bounds) / len(bounds))

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides what is sampled."""
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
            "linear": options.linear,
            "prune_below": repr(options.prune_below),
            "prune_probability": options.prune_probability,
        }

    def arrays(self) -> Arrays:
        """Both tables, and what has been counted on the way."""
        counted = np.array([self.nodes_visited, self.deterministic], dtype=np.int64)
        return {"regret": self.regret, "average": self.average, "counted": counted}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the tables of an earlier `arrays()`."""
        self.regret[...] = arrays["regret"]
        self.average[...] = arrays["average"]
        self.nodes_visited = int(arrays["counted"][0])
        self.deterministic = bool(arrays["counted"][1])


def apart(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy that shares no cache line with anything else, so that threads do not wait on it."""
    margin = 128 // values.itemsize
    room = np.zeros(values.size + 2 * margin, dtype=values.dtype)
    inside = room[margin : margin + values.size].reshape(values.shape)
    inside[...] = values
    return inside


def deal_frames(tree: PackedTree) -> kernels.Frames:
    """Scratch of one thread for deals."""
    widest = int(tree.nodes[:, CHILDREN].max())
    opened = DEEPEST_TREE * kernels.LANES
    return kernels.Frames(
        lanes=apart(np.zeros((kernels.LANES, kernels.LANE_WIDTH), dtype=np.int64)),
        opened=apart(np.zeros((opened, kernels.LANE_WIDTH), dtype=np.int64)),
        values=apart(np.zeros((opened, widest))),
    )


def public_frames(tree: PackedTree, hands: public.BoardHands) -> public.PublicFrames:
    """Scratch of one thread for boards with as many hands as this one."""
    widest = int(tree.nodes[:, CHILDREN].max())
    size = hands.cards.shape[0]
    depth = _depth(tree) + 1
    # Games with one hole card number a second card per hand (`SmallDeals.board`).
    cards = 52 if hands.cards.max() < 52 else 104
    return public.PublicFrames(
        node=apart(np.zeros(depth, dtype=np.int32)),
        child=apart(np.zeros(depth, dtype=np.int32)),
        source=apart(np.zeros(depth, dtype=np.int32)),
        reach=np.zeros((depth, size), dtype=np.float32),
        value=np.zeros((depth, size), dtype=np.float32),
        sigma=np.zeros((depth, size, widest), dtype=np.float32),
        gain=np.zeros((depth, size, widest), dtype=np.float32),
        card_sum=np.zeros((depth, cards), dtype=np.float32),
        total=apart(np.zeros(depth, dtype=np.float32)),
        summed=apart(np.zeros(depth, dtype=np.bool_)),
        running=apart(np.zeros(cards, dtype=np.float32)),
        result=np.zeros(size, dtype=np.float32),
    )


def _depth(tree: PackedTree) -> int:
    """The number of actions on the longest path."""
    depth = np.zeros(tree.nodes.shape[0], dtype=np.int32)
    for node in np.flatnonzero(tree.nodes[:, KIND] == DECISION):
        start = tree.nodes[node, FIRST_CHILD]
        below = tree.children[start : start + tree.nodes[node, CHILDREN]]
        depth[below] = depth[node] + 1
    return int(depth.max())
