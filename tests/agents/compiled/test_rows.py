"""Rows of tables read by the kernel against the strategies' own views, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.games import Game
from doyle.matches.fast import _play_kernels as kernels
from doyle.strategy import Purified, TableStrategy, Thresholded, uniform_tables

READINGS = (
    (kernels.AS_IT_IS, 0.0),
    (kernels.PURIFIED, 0.0),
    (kernels.THRESHOLDED, 0.15),
    (kernels.THRESHOLDED, 0.6),
)


@pytest.mark.parametrize(("reading", "threshold"), READINGS)
def test_rows_are_those_of_the_strategy(reading: int, threshold: float) -> None:
    tree = BettingTree.build(BettingModel.parse("fchqptwea@1"), Game.named("doyle-500bb"))
    rng = np.random.default_rng(1)
    tables = [
        (rng.random(table.shape) * (rng.random(table.shape) > 0.4)).astype(np.float32)
        for table in uniform_tables(tree, (6, 6, 6, 6))
    ]
    for table in tables:
        table[0] = 0.0  # no row at all: all actions alike
        table[1] = 0.25  # ties
    source = TableStrategy(tree, tables)
    views = {
        kernels.AS_IT_IS: source,
        kernels.PURIFIED: Purified(source),
        kernels.THRESHOLDED: Thresholded(source, threshold),
    }
    out = np.empty(64)
    widths = set()
    for node in tree.decisions[:300].tolist():
        count, round_ = int(tree.child_count[node]), int(tree.round[node])
        widths.add(count)
        start = int(source.layout.offset[node])
        for bucket in range(6):
            kernels.read_row(tables[round_], bucket, start, count, reading, threshold, out)
            wanted = views[reading].probabilities(node, np.array([bucket]))[0]
            assert out[:count].tolist() == wanted.tolist()
    assert max(widths) >= 8


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 15, 16, 17, 40])
def test_sums_are_rounded_as_numpy_does(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(50):
        row = rng.random(count)
        assert kernels.total_of(row, count) == row[None].sum(axis=1)[0]
