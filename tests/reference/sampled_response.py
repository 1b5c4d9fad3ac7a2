"""A plain twin of the kernels of sampled responses: recursion, one obvious line at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doyle.abstractions.betting import DECISION, FOLD_LEAF
from doyle.abstractions.betting import packed_tree as packed
from tests.reference.sampling import SplitMix


class SampledResponse:
    """Regrets of a responder and of a free opponent, and the responder's average."""

    def __init__(self, tree: packed.PackedTree, fixed: np.ndarray, share: float, seed: int) -> None:
        self.tree, self.fixed, self.share = tree, fixed, share
        self.regret, self.free, self.average = (np.zeros_like(fixed) for _ in range(3))
        self.rng = SplitMix(seed)

    def respond(self, deals: Sequence[tuple[np.ndarray, int]]) -> None:
        for buckets, result in deals:
            for seat in (0, 1):
                meets = self.fixed if self.rng.uniform() < self.share else self.free
                self.walk(0, seat, self.regret, meets, buckets, result, averages=False)
                if self.share < 1:
                    self.walk(0, 1 - seat, self.free, self.regret, buckets, result, averages=True)

    def walk(
        self,
        node: int,
        seat: int,
        regret: np.ndarray,
        other: np.ndarray,
        buckets: np.ndarray,
        result: int,
        *,
        averages: bool,
    ) -> float:
        tree = self.tree
        fields = tree.nodes[node].tolist()
        if fields[packed.KIND] != DECISION:
            chips = float(fields[packed.AMOUNT]) * (1 if seat == 0 else -1)
            return chips if fields[packed.KIND] == FOLD_LEAF else chips * result
        level, actor, count = (fields[n] for n in (packed.ROUND, packed.ACTOR, packed.CHILDREN))
        row = int(tree.base[level] + buckets[actor, level] * tree.width[level])
        row += fields[packed.OFFSET]
        below = tree.children[fields[packed.FIRST_CHILD] :][:count].tolist()
        positive = [
            max(float(value), 0.0) for value in (regret if actor == seat else other)[row:][:count]
        ]
        total = sum(positive)
        if actor != seat:
            shares = [value / total if total > 0 else 1 / count for value in positive]
            threshold, action, reached = self.rng.uniform(), 0, 0.0
            for column, share in enumerate(shares):
                reached += share
                action += threshold >= reached
                if averages:
                    self.average[row + column] += np.float32(share)
            chosen = below[min(action, count - 1)]
            return self.walk(chosen, seat, regret, other, buckets, result, averages=averages)
        values = [
            self.walk(child, seat, regret, other, buckets, result, averages=averages)
            for child in below
        ]
        # Regrets may have changed below, if a history comes twice to one row: it does not.
        value = sum(values) / count
        if total > 0:
            value = sum(p * v for p, v in zip(positive, values, strict=True)) / total
        for column, earned in enumerate(values):
            regret[row + column] += np.float32(earned - value)
        return value
