"""Plain twin of public chance sampling: every pair of hands of one board, in float64."""

from __future__ import annotations

import numpy as np

from doyle.abstractions.betting import FOLD_LEAF, SHOWDOWN_LEAF
from doyle.abstractions.betting import packed_tree as packed
from doyle.solving.sampling._public_kernels import BoardHands


def payoff_signs(hands: BoardHands) -> np.ndarray:
    """[h, h]: +1, 0, -1 as the row's hand beats the column's; NaN where they share a card."""
    size = hands.cards.shape[0]
    group = np.searchsorted(hands.group_end, np.arange(size), side="right")
    signs = np.sign(group[:, None] - group[None, :]).astype(float)
    shares = (hands.cards[:, None, :, None] == hands.cards[None, :, None, :]).any(axis=(2, 3))
    signs[shares] = np.nan
    return signs


class PublicSampler:
    """Vector CFR on one board at a time, by recursion."""

    def __init__(self, tree: packed.PackedTree, size: int) -> None:
        self.tree = tree
        self.regret = np.zeros(size)
        self.average = np.zeros(size)

    def run_board(self, hands: BoardHands, traverser: int, weight: float) -> np.ndarray:
        self.hands, self.traverser, self.weight = hands, traverser, weight
        self.signs = payoff_signs(hands)
        return self._values(0, np.ones(hands.cards.shape[0]))

    def _values(self, node: int, reach: np.ndarray) -> np.ndarray:
        row = self.tree.nodes[node]
        outcome = 1 if self.traverser == 0 else -1
        allowed = ~np.isnan(self.signs)
        if row[packed.KIND] == FOLD_LEAF:
            return outcome * row[packed.AMOUNT] * (allowed @ reach)
        if row[packed.KIND] == SHOWDOWN_LEAF:
            return row[packed.AMOUNT] * (np.nan_to_num(self.signs) @ reach)
        count, level = row[packed.CHILDREN], row[packed.ROUND]
        buckets = self.hands.present[level][self.hands.local[level]]
        starts = self.tree.base[level] + buckets * self.tree.width[level] + row[packed.OFFSET]
        columns = starts[:, None] + np.arange(count)
        positive = np.maximum(self.regret[columns], 0)
        total = positive.sum(axis=1, keepdims=True)
        sigma = np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / count)
        children = self.tree.children[row[packed.FIRST_CHILD] :][:count]
        if row[packed.ACTOR] != self.traverser:
            np.add.at(self.average, columns, self.weight * reach[:, None] * sigma)
            return sum(self._values(child, reach * sigma[:, a]) for a, child in enumerate(children))
        values = np.stack([self._values(child, reach) for child in children], axis=1)
        mean = (sigma * values).sum(axis=1)
        np.add.at(self.regret, columns, self.weight * (values - mean[:, None]))
        return mean
