"""`Strategy`: the product of solvers, stored in files and played by agents.

For every decision of a betting tree it has a row of action probabilities per bucket. Purified and
thresholded strategies (Ganzfried, Sandholm and Waugh 2012; Tartanian5, "Purification") are views of
another strategy, computed when read.

`Layout`: the positions of each decision's actions in a strategy's tables.

A round's table is [bucket, all actions of all decisions of the round], both seats side by side;
decision n's actions are the columns `offset[n] : offset[n] + child_count[n]`. A visit with one
bucket therefore touches one short contiguous run of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree, action_columns
from doyle.base.errors import DoyleError
from doyle.base.workers.memory import usable_memory
from doyle.strategy.info import StrategyInfo


@dataclass(frozen=True)
class Layout:
    """Columns of the tables of one tree.

    >>> from doyle.abstractions.betting import BettingModel
    >>> from doyle.games import Game
    >>> tree = BettingTree.build(BettingModel.parse("limit"), Game.named("kuhn"))
    >>> Layout.of(tree).widths
    (8,)
    """

    offset: npt.NDArray[np.int32]
    widths: tuple[int, ...]

    @classmethod
    def of(cls, tree: BettingTree) -> Layout:
        """The layout of `tree`: decisions in depth-first order within each round."""
        return cls(*action_columns(tree))


SAMPLED_BYTES, WALKED_BYTES = 8, 80
"""Bytes of a solver's state for one action in one bucket: a regret and an average of 32 bits if it
samples, about ten doubles if it walks the whole tree."""


def check_room(tree: BettingTree, buckets: Sequence[int], *, bytes_each: int) -> None:
    """Refuse a solve whose tables exceed the machine's memory, before any is allocated."""
    widths = np.bincount(
        tree.round[tree.decisions],
        weights=tree.child_count[tree.decisions],
        minlength=tree.game.rounds,
    )
    entries = sum(int(width) * int(count) for width, count in zip(widths, buckets, strict=True))
    needed, there = entries * bytes_each, usable_memory()
    if needed > there:
        raise DoyleError(
            f"betting model {tree.model} in {tree.game.name}: {entries:,} actions over all buckets "
            f"need {needed / 2**30:,.1f} GiB, and there are {there / 2**30:,.1f}; take fewer "
            "bet sizes or buckets"
        )


Probabilities = npt.NDArray[np.float64]


class Strategy(Protocol):
    """Action probabilities at the decisions of a tree."""

    @property
    def tree(self) -> BettingTree: ...

    def bucket_count(self, round_number: int) -> int:
        """Buckets of a round."""
        ...

    def probabilities(self, node: int, buckets: npt.NDArray[np.integer[Any]]) -> Probabilities:
        """[len(buckets), actions] at decision `node`; every row sums to 1."""
        ...


PUBLISHED_THRESHOLD = 0.15
"""Ganzfried, Sandholm and Waugh 2012, and Tartanian4."""


@dataclass(frozen=True)
class Origin:
    """The file that a strategy was read from, and a digest of its tables."""

    manifest: Path
    digest: str


@dataclass(frozen=True, eq=False)
class TableStrategy:
    """A strategy held in one table per round, addressed by `Layout`; `info` describes its solve."""

    tree: BettingTree
    tables: Sequence[npt.NDArray[np.float32]]
    info: StrategyInfo = field(default_factory=StrategyInfo)
    origin: Origin | None = None

    def __post_init__(self) -> None:
        widths = tuple(table.shape[1] for table in self.tables)
        if widths != self.layout.widths:
            raise DoyleError(
                f"strategy tables have {widths} columns by round, its betting tree "
                f"{self.tree.model} needs {self.layout.widths}"
            )

    def with_info(self, **changes: Any) -> TableStrategy:
        """The same tables, with these fields of `info` replaced."""
        return replace(self, info=replace(self.info, **changes))

    @cached_property
    def layout(self) -> Layout:
        return Layout.of(self.tree)

    @property
    def bucket_counts(self) -> tuple[int, ...]:
        """Rows of the tables by round."""
        return tuple(int(table.shape[0]) for table in self.tables)

    def bucket_count(self, round_number: int) -> int:
        return int(self.tables[round_number].shape[0])

    def probabilities(self, node: int, buckets: npt.NDArray[np.integer[Any]]) -> Probabilities:
        start = int(self.layout.offset[node])
        count = int(self.tree.child_count[node])
        # Without the class of memory-mapped arrays, which makes every index slower.
        table = np.asarray(self.tables[int(self.tree.round[node])])
        rows = table[buckets, start : start + count].astype(np.float64)
        totals = rows.sum(axis=1, keepdims=True)
        if totals.size and totals.min() > 0:
            rows /= totals
            return rows
        even: Probabilities = np.full_like(rows, 1.0 / count)
        np.divide(rows, totals, out=even, where=totals > 0)
        return even


@dataclass(frozen=True)
class Thresholded:
    """Probabilities below `threshold` set to 0, the others rescaled; a row left empty is purified.

    >>> view = Thresholded(_Example([[0.1, 0.3, 0.6], [0.4, 0.4, 0.2]]), threshold=0.15)
    >>> view.probabilities(0, np.array([0])).round(4).tolist()
    [[0.0, 0.3333, 0.6667]]
    """

    source: Strategy
    threshold: float = PUBLISHED_THRESHOLD

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise DoyleError(f"threshold {self.threshold}: expected a number from 0 to 1")

    @property
    def tree(self) -> BettingTree:
        return self.source.tree

    def bucket_count(self, round_number: int) -> int:
        return self.source.bucket_count(round_number)

    def probabilities(self, node: int, buckets: npt.NDArray[np.integer[Any]]) -> Probabilities:
        rows = self.source.probabilities(node, buckets)
        kept = np.where(rows >= self.threshold, rows, 0.0)
        totals = kept.sum(axis=1, keepdims=True)
        return np.where(totals > 0, kept / np.where(totals > 0, totals, 1.0), _purify(rows))


@dataclass(frozen=True)
class Purified:
    """All probability on the likeliest action; ties share it equally, so play randomises them.

    >>> view = Purified(_Example([[0.1, 0.3, 0.6], [0.4, 0.4, 0.2]]))
    >>> view.probabilities(0, np.array([0, 1])).tolist()
    [[0.0, 0.0, 1.0], [0.5, 0.5, 0.0]]
    """

    source: Strategy

    @property
    def tree(self) -> BettingTree:
        return self.source.tree

    def bucket_count(self, round_number: int) -> int:
        return self.source.bucket_count(round_number)

    def probabilities(self, node: int, buckets: npt.NDArray[np.integer[Any]]) -> Probabilities:
        return _purify(self.source.probabilities(node, buckets))


def purified(
    strategy: TableStrategy, purification: str | None, threshold: float | None = None
) -> Strategy:
    """The strategy after purification: one of `PURIFICATIONS`, by default none."""
    if purification == "full":
        return Purified(strategy)
    if purification == "threshold":
        return Thresholded(strategy, PUBLISHED_THRESHOLD if threshold is None else threshold)
    return strategy


def uniform_tables(
    tree: BettingTree, bucket_counts: Sequence[int]
) -> list[npt.NDArray[np.float32]]:
    """Tables that give every action of a decision the same probability."""
    layout = Layout.of(tree)
    tables = []
    for number, buckets in enumerate(bucket_counts):
        row = np.zeros(layout.widths[number], dtype=np.float32)
        for node in tree.decisions[tree.round[tree.decisions] == number]:
            count = int(tree.child_count[node])
            row[layout.offset[node] : layout.offset[node] + count] = 1.0 / count
        tables.append(np.tile(row, (buckets, 1)))
    return tables


def _purify(rows: Probabilities) -> Probabilities:
    best = (rows == rows.max(axis=1, keepdims=True)).astype(np.float64)
    shared: Probabilities = best / best.sum(axis=1, keepdims=True)
    return shared


class _Example:
    """A strategy of one decision, for the examples above."""

    tree: BettingTree

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = np.array(rows)

    def bucket_count(self, round_number: int) -> int:
        return len(self.rows)

    def probabilities(self, node: int, buckets: npt.NDArray[np.integer[Any]]) -> Probabilities:
        chosen: Probabilities = self.rows[buckets]
        return chosen
