"""`TreeShape`: what a solver will meet in a betting tree.

Each node but the root is one action of one decision, so actions are known from nodes, and memory from
actions and buckets.

Nodes that a sampled iteration visits are counted in a small solve of the same tree. An iteration walks
all actions of the traversing seat and one of the others, so the nodes it visits depend on what the
others play, and that changes as the solve converges: in the first iterations of the first `default` it
is 78 nodes, after a million 126. So a solve of a game with a few buckets is run, in which hands have a
strength that every round tells more of, for as many iterations a bucket.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.enumeration import LARGEST_TREE, count_nodes, rules_of
from doyle.base.errors import DoyleError
from doyle.games import Game
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


_MOST_COUNTED = 10**12


@dataclass(frozen=True)
class TreeShape:
    """Nodes, actions by round, leaves by round and kind.

    `exact` is False for a tree that was not made: all its actions are then taken to be on the last
    round, where nearly all of them are, and `nodes` may be a lower bound. Visits are counted in `tree`;
    without it they are taken to be the root of its nodes.
    """

    players: int
    nodes: int
    actions: tuple[int, ...]
    leaves: tuple[int, ...]
    exact: bool = True
    tree: BettingTree | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_tree(cls, tree: BettingTree) -> TreeShape:
        counts = tree.counts()
        widths = np.bincount(
            tree.round[tree.decisions],
            weights=tree.child_count[tree.decisions],
            minlength=tree.game.rounds,
        )
        pairs = zip(counts.fold_leaves, counts.showdown_leaves, strict=True)
        return cls(
            players=tree.game.players,
            nodes=tree.node_count,
            actions=tuple(int(width) for width in widths),
            leaves=tuple(folds + showdowns for folds, showdowns in pairs),
            tree=tree,
        )

    @classmethod
    def of(cls, model: BettingModel, game: Game) -> TreeShape:
        """The shape of a tree, which is made if it is not too large to be made at all."""
        try:
            return cls.of_tree(BettingTree.build(model, game))
        except DoyleError:
            if model.document is not None:
                raise
            model.check(game)
        counted = count_nodes(rules_of(model, game), most_nodes=_MOST_COUNTED)
        nodes = max(counted.nodes, LARGEST_TREE)
        before = (0,) * (game.rounds - 1)
        return cls(
            players=game.players,
            nodes=nodes,
            actions=(*before, nodes - 1),
            leaves=(*before, nodes // 2),
            exact=False,
        )

    def visits(self, iterations_per_bucket: float) -> float:
        """Nodes that an iteration of a solve visits, on average."""
        if self.tree is None:
            return math.sqrt(self.nodes)
        return count_visits(self.tree, iterations_per_bucket)

    def entries(self, buckets: tuple[int, ...]) -> int:
        """Actions over all buckets of their rounds: what a table has a number for."""
        return sum(width * count for width, count in zip(self.actions, buckets, strict=True))
