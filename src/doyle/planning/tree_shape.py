"""`TreeShape`: what a solver will meet in a betting tree.

Each node but the root is one action of one decision, so actions are known from nodes, and memory from
actions and buckets. A sampled iteration walks, for each seat in turn, all actions of that seat and one
of the others; how many nodes that are depends on what the others play. Here they fold to a bet b into
a pot P with probability b / (P + b), which makes bluffs of any size break even, and raise otherwise
with a fixed probability. Six trees, solved from 100 thousand to 400 thousand iterations, had 0.9 to
1.2 times the nodes that this gives (2026-11-17).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from doyle.betting import BettingModel, BettingTree
from doyle.betting.enumeration import LARGEST_TREE, rules_of
from doyle.betting.tree_size import count_nodes
from doyle.errors import DoyleError
from doyle.games import Game

RAISE_SHARE = {True: 0.5, False: 0.25}
"""How often a seat that does not fold raises, in limit and in no-limit games."""
CONVERGED = 1.15
"""Nodes of an iteration of a solve that has run for a while, beside those of this model."""
_MOST_COUNTED = 10**12
_LEAST_SHARE = 1e-12


@dataclass(frozen=True)
class TreeShape:
    """Nodes and actions by round, nodes visited in an iteration, leaves by round and kind.

    `exact` is False for a tree that was not made: all its actions are then taken to be on the last
    round, where nearly all of them are, and `nodes` may be a lower bound.
    """

    players: int
    nodes: int
    actions: tuple[int, ...]
    visits: float
    leaves: tuple[int, ...]
    exact: bool = True

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
            visits=CONVERGED * _visits(tree),
            leaves=tuple(folds + showdowns for folds, showdowns in pairs),
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
            visits=float(nodes) ** 0.5,
            leaves=(*before, nodes // 2),
            exact=False,
        )

    def entries(self, buckets: tuple[int, ...]) -> int:
        """Actions over all buckets of their rounds: what a table has a number for."""
        return sum(width * count for width, count in zip(self.actions, buckets, strict=True))


def _visits(tree: BettingTree) -> float:
    """Expected nodes of one sampled iteration: all seats traverse once."""
    below = np.arange(1, tree.node_count)
    above = tree.parent[below]
    actor = tree.actor[above]
    spent = tree.spent.astype(np.float64)
    to_call = spent[above].max(axis=1) - spent[above, actor]
    pot = spent[above].sum(axis=1) - to_call
    folds = tree.action[below] == 0
    can_fold = np.zeros(tree.node_count, bool)
    can_fold[above[folds]] = True
    fold = np.where(can_fold[above], to_call / np.maximum(pot + to_call, 1e-9), 0.0)
    raises = tree.child_count[above] - 1 - can_fold[above]
    share = np.where(raises > 0, RAISE_SHARE[tree.game.is_limit], 0.0)
    stay = np.where(tree.action[below] == 1, 1.0 - share, share / np.maximum(raises, 1))
    chance = np.maximum(np.where(folds, fold, (1.0 - fold) * stay), _LEAST_SHARE)
    ends = tree.subtree_ends[below]
    total = 0.0
    for seat in range(tree.game.players):
        steps = np.where(actor == seat, 0.0, np.log(chance))
        change = np.zeros(tree.node_count + 1)
        change[below] += steps
        np.subtract.at(change, ends, steps)
        total += float(np.exp(np.cumsum(change)[: tree.node_count]).sum())
    return total
