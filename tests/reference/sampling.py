"""Plain twins of the sampling kernels: recursion over Python objects, one obvious line at a time."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import islice

import numpy as np

from doyle.abstractions.betting import DECISION
from doyle.abstractions.betting import packed_tree as packed
from doyle.games.payoffs import share_layers
from doyle.solving.sampling import _sampling_kernels as kernels

MASK = (1 << 64) - 1


class SplitMix:
    """The generator of the kernels, in Python integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        return (self.next() >> 11) / 2**53


class Sampler:
    """External sampling and pure CFR on packed trees."""

    def __init__(self, tree: packed.PackedTree, size: int, seed: int, tremble: float = 0.0) -> None:
        self.tree = tree
        self.tremble = tremble
        self.regret = np.zeros(size, dtype=np.float32)
        self.average = np.zeros(size, dtype=np.float32)
        self.rng = SplitMix(seed)

    def strategy(self, row: int, count: int) -> list[float]:
        positive = [max(float(value), 0.0) for value in self.regret[row : row + count]]
        total = 0.0
        for value in positive:
            total += value
        return [value * (1 / total) if total > 0 else 1 / count for value in positive]

    def draw(self, sigma: Sequence[float]) -> int:
        threshold, cumulative = self.rng.uniform(), 0.0
        for action, probability in enumerate(sigma[:-1]):
            cumulative += probability
            if threshold < cumulative:
                return action
        return len(sigma) - 1

    def run_deals(
        self, deals: Sequence[tuple[np.ndarray, np.ndarray]], pure: bool, lanes: int = kernels.LANES
    ) -> None:
        """Each deal once for each seat, `lanes` traversals at a time taking turns by decisions."""
        seats = self.tree.spent.shape[1]
        waiting = iter([(*deal, seat) for deal in deals for seat in range(seats)])
        nothing: Iterator[None] = iter(())
        under_way = [nothing] * lanes
        left = seats * len(deals)
        while left:
            for lane, traversal in enumerate(under_way):
                if next(traversal, "ended") is None:
                    continue
                left -= traversal is not nothing
                under_way[lane] = nothing
                for buckets, standings, seat in islice(waiting, 1):
                    under_way[lane] = self.traverse(0, seat, buckets, standings, pure)
                    next(under_way[lane])  # comes to the first decision

    def traverse(
        self, node: int, traverser: int, buckets: np.ndarray, standings: np.ndarray, pure: bool
    ) -> Generator[None, None, float]:
        """The value of `node` to the traverser; stops before every decision."""
        row = self.tree.nodes[node]
        if row[packed.KIND] != DECISION:
            return self.payoff(node, traverser, standings)
        count, seat, level = row[packed.CHILDREN], row[packed.ACTOR], row[packed.ROUND]
        start = int(
            self.tree.base[level]
            + buckets[seat, level] * self.tree.width[level]
            + row[packed.OFFSET]
        )
        children = self.tree.children[row[packed.FIRST_CHILD] :][:count]
        yield
        sigma = self.strategy(start, count)
        if seat != traverser:
            action = self.draw(sigma)
            if self.tree.spent.shape[1] > 2:
                pass  # averages have a walk of their own
            elif pure:
                self.average[start + action] += np.float32(1)
            else:
                for other in range(count):
                    self.average[start + other] += np.float32(sigma[other])
            if self.tremble > 0 and self.rng.uniform() < self.tremble:
                action = int(self.rng.uniform() * count)
            return (yield from self.traverse(children[action], traverser, buckets, standings, pure))
        chosen = self.draw(sigma) if pure else -1
        values = [0.0] * count
        for action, child in enumerate(children):
            values[action] = yield from self.traverse(child, traverser, buckets, standings, pure)
        mean = values[chosen] if pure else self.mean(start, values)
        for other in range(count):
            self.regret[start + other] += np.float32(values[other] - mean)
        return mean

    def payoff(self, node: int, seat: int, standings: np.ndarray) -> float:
        """What a seat wins at a leaf, by the rules of the game."""
        folded = int(self.tree.nodes[node, packed.FOLDED])
        spent = tuple(int(chips) for chips in self.tree.spent[node])
        ranks = [-1 if folded >> s & 1 else int(standings[s]) for s in range(len(spent))]
        return float(share_layers(spent, tuple(ranks))[seat])

    def average_deals(self, deals: Sequence[np.ndarray], pure: bool) -> None:
        """One path of each deal for each seat: own actions by the strategy, the others' evenly."""
        for buckets in deals:
            for seat in range(len(buckets)):
                node = 0
                while self.tree.nodes[node, packed.KIND] == DECISION:
                    row = self.tree.nodes[node]
                    count, level = int(row[packed.CHILDREN]), int(row[packed.ROUND])
                    action = int(self.rng.uniform() * count)
                    if row[packed.ACTOR] == seat:
                        start = int(
                            self.tree.base[level]
                            + buckets[seat, level] * self.tree.width[level]
                            + row[packed.OFFSET]
                        )
                        sigma = self.strategy(start, count)
                        action = self.draw(sigma)
                        for other in range(count):
                            added = float(other == action) if pure else sigma[other]
                            self.average[start + other] += np.float32(added)
                    node = int(self.tree.children[row[packed.FIRST_CHILD] + action])

    def mean(self, row: int, values: Sequence[float]) -> float:
        weights = [max(float(value), 0.0) for value in self.regret[row : row + len(values)]]
        if not any(weights):
            weights = [1.0] * len(values)
        total = weighted = 0.0
        for weight, value in zip(weights, values, strict=True):
            total += weight
            weighted += weight * value
        return weighted * (1 / total)
