"""How fast this machine samples: visits, and passes over the tables, with tables and trees of given sizes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling.deals import DealBatch
from doyle.solving.sampling.shards import Discount, discount
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver

ITERATIONS = 1 << 15
NODE_BYTES = 36.0
"""What a solver reads of a node and its place among its siblings."""
_GAME = "holdem-nl-200bb"


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of the second call: the first compiles or loads kernels."""
    work()
    started = time.process_time()
    work()
    return max(time.process_time() - started, 1e-6)


@dataclass(frozen=True)
class RandomDeals:
    """Deals without cards: any bucket, any winner."""

    bucket_counts: tuple[int, ...]
    cards: str | None = None

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        rng = np.random.default_rng(int(state[0]))
        columns = [rng.integers(0, size, (count, 2)) for size in self.bucket_counts]
        standings = rng.integers(0, 2, (count, 2)).astype(np.int8)
        return DealBatch(np.stack(columns, axis=2).astype(np.int32), standings)

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        raise NotImplementedError


@dataclass(frozen=True)
class SamplingSpeed:
    """Seconds of a visited node, and of a byte or an entry of the tables; bytes of tables and tree."""

    visit: float
    tables: float
    tree: float
    discount: float
    bound: float
    normalise: float

    @classmethod
    def measured(cls, betting: str, buckets: int) -> SamplingSpeed:
        tree = BettingTree.build(betting, _GAME)
        source = RandomDeals((169, buckets, buckets, buckets))
        # Discounts, of which a long interval has one, are measured by themselves.
        options = SamplingOptions(interval=ITERATIONS, linear=False)
        solver = SamplingSolver(tree, source, options)
        solver.advance(ITERATIONS)
        before, started = solver.nodes_visited, time.process_time()
        solver.advance(2 * ITERATIONS)
        seconds = max(time.process_time() - started, 1e-6)
        entries = solver.regret.size
        return cls(
            visit=seconds / (solver.nodes_visited - before),
            tables=solver.table_bytes,
            tree=NODE_BYTES * tree.node_count,
            discount=processor_seconds(lambda: _discount_tables(solver)) / solver.table_bytes,
            bound=processor_seconds(solver.regret_bound) / entries,
            normalise=processor_seconds(solver.tables) / entries,
        )


def _discount_tables(solver: SamplingSolver) -> None:
    """One discount, by a factor that changes nothing."""
    discount((solver.regret, solver.average), Discount(1.0, (-np.inf, 0.0)))
