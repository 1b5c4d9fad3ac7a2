"""Restricted Nash responses by sampling, in abstractions of any size, imperfect recall included.

Both seats respond to given tables at once, each in a game of its own: the opponent plays the tables with
probability `share` and is free otherwise (Johanson, Zinkevich and Bowling 2007). The free opponent
has tables of its own, so that memory is four times that of the strategy. At a share of 1 the
response is a best response in the abstract game: then the actions with the most regret are played:
the opponent is fixed, so no averaging is needed. At 0 it is an equilibrium. Everything but the
traversal is the sampling solver's: linear weights, checkpoints, the average strategy. One thread,
so that equal seeds give equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.abstractions.betting.packed_tree import CHILDREN
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Workers
from doyle.solving.run import Arrays
from doyle.solving.sampling import _response_kernels as kernels
from doyle.solving.sampling._sampling_kernels import discount
from doyle.solving.sampling.batches import DEEPEST_TREE, apart
from doyle.solving.sampling.solver import SamplingSolver
from doyle.strategy import Layout, Strategy

Table = npt.NDArray[np.float32]


@dataclass(eq=False)
class ResponseSolver(SamplingSolver):
    """Responds to `opponent`, one table per round in the layout of the tree, met with `share`."""

    opponent: Sequence[npt.NDArray[Any]] = ()
    share: float = 1.0
    free: Table = field(init=False)

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise FieldError("share", "expected a probability from 0 to 1", value=self.share)
        if self.tree.game.players != 2:
            raise DoyleError(f"{self.tree.game.name}: responses are for two players")
        if self.options.method != "external" or self.options.shards or self.workers.count > 1:
            raise DoyleError("responses are sampled by external sampling on one thread")
        super().__post_init__()
        self.free = np.zeros_like(self.regret)
        shapes = [
            (count, width)
            for count, width in zip(self.source.bucket_counts, self.widths, strict=True)
        ]
        if [table.shape for table in self.opponent] != shapes:
            raise DoyleError(
                f"{self.tree.game.name}: the opponent's tables are "
                f"{[table.shape for table in self.opponent]}, expected {shapes}"
            )
        self._fixed = np.concatenate(
            [np.asarray(table, np.float32).ravel() for table in self.opponent]
        )
        widest = int(self._packed.nodes[:, CHILDREN].max())
        self._buffers = np.zeros((DEEPEST_TREE, 3), np.int64), np.zeros((DEEPEST_TREE, widest))

    def _run_batch(self, number: int) -> int:
        seeds = np.random.SeedSequence((self.options.seed, number))
        state = apart(seeds.generate_state(1, dtype=np.uint64).astype(np.uint64))
        deals = self.source.deals(self.options.batch, state)
        visited: int = kernels.respond_deals(
            self._packed,
            self.regret,
            self.free,
            self._fixed,
            self.average,
            self.share,
            deals.buckets,
            deals.results,
            *self._buffers,
            state,
        )
        return visited

    def tables(self) -> list[Table]:
        """The average strategy; at a share of 1 the best actions found, uniform where no action was
        tried."""
        if self.share < 1:
            return super().tables()
        return self.best_tables()

    def best_tables(self, otherwise: Sequence[npt.NDArray[Any]] | None = None) -> list[Table]:
        """The action with the most regret in every row; `otherwise` in rows that were never visited."""
        layout, tree, start = Layout.of(self.tree), self.tree, 0
        found: list[Table] = []
        for number, (count, width) in enumerate(
            zip(self.source.bucket_counts, self.widths, strict=True)
        ):
            regrets = self.regret[start : start + count * width].reshape(count, width)
            start += count * width
            table = np.zeros((count, width), np.float32)
            for node in tree.decisions[tree.round[tree.decisions] == number].tolist():
                first, actions = int(layout.offset[node]), int(tree.child_count[node])
                columns = slice(first, first + actions)
                part = regrets[:, columns]
                visited = np.abs(part).max(axis=1) > 0
                best = np.zeros_like(part)
                best[np.arange(count), part.argmax(axis=1)] = 1.0
                rest = (
                    np.full_like(part, 1 / actions)
                    if otherwise is None
                    else otherwise[number][:, columns]
                )
                table[:, columns] = np.where(visited[:, None], best, rest)
            found.append(table)
        return found

    def _discount(self, factor: float, workers: Workers) -> None:
        super()._discount(factor, workers)
        discount(self.free, factor, -np.inf)

    @property
    def table_bytes(self) -> int:
        return super().table_bytes + self.free.nbytes + self._fixed.nbytes

    @property
    def identity(self) -> dict[str, Any]:
        from hashlib import blake2b

        opponent = blake2b(self._fixed.tobytes(), digest_size=8).hexdigest()
        return {**super().identity, "share": self.share, "opponent": opponent}

    def arrays(self) -> Arrays:
        return {**super().arrays(), "free": self.free}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().restore(arrays)
        self.free[...] = arrays["free"]


def strategy_tables(strategy: Strategy) -> list[Table]:
    """The probabilities of a strategy, as it is played, as one table per round."""
    tree: BettingTree = strategy.tree
    layout = Layout.of(tree)
    tables = [
        np.zeros((strategy.bucket_count(number), width), np.float32)
        for number, width in enumerate(layout.widths)
    ]
    for node in tree.decisions.tolist():
        table = tables[int(tree.round[node])]
        start, count = int(layout.offset[node]), int(tree.child_count[node])
        table[:, start : start + count] = strategy.probabilities(node, np.arange(len(table)))
    return tables
