"""`TreeShape`: what a solver will meet in a betting tree.

Each node but the root is one action of one decision, so actions are known from nodes, and memory from
actions and buckets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.enumeration import LARGEST_TREE, rules_of
from doyle.abstractions.betting.tree_size import count_nodes
from doyle.base.errors import DoyleError
from doyle.building.planning.visits import count_visits
from doyle.games import Game

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
