"""How many nodes a sampled iteration visits, counted in a small solve of the same betting tree.

An iteration walks all actions of the traversing seat and one of the others, so the nodes it visits depend
on what the others play, and that changes as the solve converges: in the first iterations of the first
`default` it is 78 nodes, after a million 126. So a solve of a game with a few buckets is run, in
which hands have a strength that every round tells more of, for as many iterations a bucket.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling.deals import DealBatch
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver

BUCKETS = 8
_INTERVAL = 1 << 12
_MOST_NODES = 4e7
"""Visited in all: a second or two. A longer solve goes on as the last of them did."""
_MOST_INTERVALS = 1 << 7


@dataclass(frozen=True)
class PlainDeals:
    """Hands whose strength is a sum of independent normal terms, one of them known on each round."""

    players: int
    rounds: int
    cards: str | None = None

    @property
    def bucket_counts(self) -> tuple[int, ...]:
        return (BUCKETS,) * self.rounds

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        """Buckets are equally likely; the stronger hand wins."""
        rng = np.random.default_rng(int(state[0]))
        strength = np.cumsum(rng.standard_normal((count, self.players, self.rounds)), axis=2)
        bounds = [NormalDist().inv_cdf(place / BUCKETS) for place in range(1, BUCKETS)]
        known = strength / np.sqrt(np.arange(1, self.rounds + 1))
        buckets = np.searchsorted(bounds, known).astype(np.int32)
        beaten = strength[:, :, -1].argsort(axis=1).argsort(axis=1)
        return DealBatch(buckets, beaten.astype(np.int8))

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        raise NotImplementedError


def count_visits(tree: BettingTree, iterations_per_bucket: float) -> float:
    """Nodes of an iteration, on average over a solve of so many iterations for each bucket."""
    source = PlainDeals(tree.game.players, tree.game.rounds)
    solver = SamplingSolver(tree, source, SamplingOptions(batch=_INTERVAL, interval=_INTERVAL))
    wanted = max(iterations_per_bucket * BUCKETS, 1.0)
    last = 0
    while solver.iteration < min(wanted, _MOST_INTERVALS * _INTERVAL):
        if solver.nodes_visited > _MOST_NODES:
            break
        before = solver.nodes_visited
        solver.advance(_INTERVAL)
        last = solver.nodes_visited - before
    further = max(wanted - solver.iteration, 0.0)
    total = solver.nodes_visited + further * last / _INTERVAL
    return total / (solver.iteration + further)
