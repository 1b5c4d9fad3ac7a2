"""The grid of starting hands against counting hand by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.betting import BettingModel, BettingTree
from doyle.cards import HOLES
from doyle.cards.grid import hand_name
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.reports import strategy_grid
from doyle.reports.figures import bucket_figure, grid_figure, save_figure
from doyle.strategy import TableStrategy, uniform_tables


@pytest.fixture(scope="module")
def strategy() -> TableStrategy:
    """Random probabilities with a bucket for each of the 1,326 hands before the flop."""
    tree = BettingTree.build(BettingModel.parse("fca"), Game.named("holdem-nl-20bb"))
    tables = [np.array(table) for table in uniform_tables(tree, (1326, 2, 2, 2))]
    generator = np.random.default_rng(3)
    share = generator.random((1326, 1))
    tables[0][:, :3] = np.hstack((share, (1 - share) / 2, (1 - share) / 2))
    return TableStrategy(tree, tables)


def test_a_cell_is_the_mean_over_its_hands(strategy: TableStrategy) -> None:
    buckets = np.arange(1326, dtype=np.int32)
    grid = strategy_grid(strategy, buckets, 0)
    shares = strategy.probabilities(0, buckets)
    by_name: dict[str, list[np.ndarray]] = {}
    for (first, second), row in zip(HOLES.tolist(), shares, strict=True):
        high, low = sorted((first // 4, second // 4), reverse=True)
        kind = "" if high == low else "s" if first % 4 == second % 4 else "o"
        by_name.setdefault("23456789TJQKA"[high] + "23456789TJQKA"[low] + kind, []).append(row)
    assert {len(rows) for rows in by_name.values()} == {4, 6, 12}
    document = grid.document()
    for row in range(13):
        for column in range(13):
            name = hand_name(row, column)
            expected = np.mean(by_name[name], axis=0)
            np.testing.assert_allclose(grid.cells[row, column], expected, atol=1e-6)
            np.testing.assert_allclose(
                document["by_class"][name]["frequencies"], expected, atol=2e-6
            )
    np.testing.assert_allclose(grid.overall, shares.mean(axis=0))
    assert grid.actions == ("fold", "call", "all-in")
    assert document["seat"] == grid.actor == int(strategy.tree.actor[0])


def test_the_grid_is_for_decisions_before_the_flop(strategy: TableStrategy) -> None:
    tree = strategy.tree
    later = int(tree.decisions[tree.round[tree.decisions] == 1][0])
    for node in (later, int(tree.leaves[0])):
        with pytest.raises(DoyleError, match="before the flop"):
            strategy_grid(strategy, np.arange(1326, dtype=np.int32), node)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_figures_are_written_in_the_format_of_their_name(
    strategy: TableStrategy, tmp_path: Path, suffix: str
) -> None:
    begins = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    grid = strategy_grid(strategy, np.arange(1326, dtype=np.int32), 0)
    figures = {
        "grid": grid_figure(grid),
        "buckets": bucket_figure(grid.cells[0], grid.actions, "x"),
    }
    for name, figure in figures.items():
        save_figure(figure, tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"{name}{suffix}").read_bytes().startswith(begins)
    with pytest.raises(DoyleError, match="figures are written as"):
        save_figure(figures["grid"], tmp_path / "grid.txt")
