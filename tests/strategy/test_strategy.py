"""Strategies: layout, views, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.strategy import (
    Layout,
    Purified,
    StrategyInfo,
    TableStrategy,
    Thresholded,
    load_strategy,
    save_strategy,
    uniform_tables,
)

TREE = BettingTree.build(BettingModel.parse("fcpa"), Game.named("leduc-nl12"))


def random_strategy(seed: int) -> TableStrategy:
    rng = np.random.default_rng(seed)
    layout = Layout.of(TREE)
    tables = [
        rng.random((buckets, width)).astype(np.float32)
        for buckets, width in zip((3, 9), layout.widths, strict=True)
    ]
    return TableStrategy(TREE, tables, StrategyInfo(seed=seed))


def test_layout_gives_every_action_one_column() -> None:
    layout = Layout.of(TREE)
    for number, width in enumerate(layout.widths):
        columns = [
            layout.offset[node] + action
            for node in TREE.decisions[TREE.round[TREE.decisions] == number]
            for action in range(TREE.child_count[node])
        ]
        assert sorted(columns) == list(range(width))


@given(seed=st.integers(0, 1000), threshold=st.floats(0, 1))
def test_views_are_probabilities(seed: int, threshold: float) -> None:
    strategy = random_strategy(seed)
    for view in (strategy, Purified(strategy), Thresholded(strategy, threshold)):
        for node in TREE.decisions[:20]:
            buckets = np.arange(view.bucket_count(int(TREE.round[node])))
            rows = view.probabilities(int(node), buckets)
            np.testing.assert_allclose(rows.sum(axis=1), 1)
            assert (rows >= 0).all()


def test_thresholds_of_zero_change_nothing_and_of_one_purify() -> None:
    strategy = random_strategy(3)
    node = int(TREE.decisions[0])
    buckets = np.arange(3)
    expected = strategy.probabilities(node, buckets)
    np.testing.assert_array_equal(Thresholded(strategy, 0.0).probabilities(node, buckets), expected)
    np.testing.assert_array_equal(
        Thresholded(strategy, 1.0).probabilities(node, buckets),
        Purified(strategy).probabilities(node, buckets),
    )
    with pytest.raises(DoyleError, match="threshold"):
        Thresholded(strategy, 1.5)


def test_files_round_trip_and_newer_snapshots_win(tmp_path: Path) -> None:
    save_strategy(random_strategy(1), tmp_path, step=1)
    save_strategy(random_strategy(2), tmp_path, step=2)
    loaded = load_strategy(tmp_path)
    assert loaded.info.seed == 2
    assert str(loaded.tree.model) == "fcpa"
    assert loaded.tree.game == TREE.game
    for ours, theirs in zip(loaded.tables, random_strategy(2).tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["000000000002"]
    assert load_strategy(tmp_path / "000000000002").info.seed == 2


def test_uniform_tables() -> None:
    strategy = TableStrategy(TREE, uniform_tables(TREE, (3, 9)))
    rows = strategy.probabilities(0, np.array([0, 2]))
    np.testing.assert_allclose(rows, 1 / TREE.child_count[0], rtol=1e-6)


def test_what_is_not_a_strategy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="no strategy here"):
        load_strategy(tmp_path)
    with pytest.raises(DoyleError, match="columns by round"):
        TableStrategy(TREE, [np.zeros((3, 2), dtype=np.float32)] * 2)
    path = save_strategy(random_strategy(1), tmp_path / "damaged")
    (path / "round0.bin").write_bytes(b"")
    with pytest.raises(DoyleError, match=r"round0\.bin"):
        load_strategy(tmp_path / "damaged")


def origin_digest(folder: Path) -> str:
    origin = load_strategy(folder).origin
    assert origin is not None
    return origin.digest


def test_the_digest_is_that_of_the_tables_wherever_they_are(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        strategy = random_strategy(seed)
        # What is said about them, the same here for other tables, makes no difference.
        save_strategy(
            TableStrategy(TREE, strategy.tables, StrategyInfo(seed=7)), tmp_path / name, step=5
        )
    assert origin_digest(tmp_path / "a") == origin_digest(tmp_path / "b")
    assert origin_digest(tmp_path / "a") != origin_digest(tmp_path / "c")


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("cards", 5, "field 'metadata.cards' is 5: expected the name of a card abstraction"),
        ("cards", ["5.5"], "field 'metadata.cards'"),
        ("translation", 1, "field 'metadata.translation' is 1: expected the name"),
        ("purification", "half", "'half': expected one of none, full, threshold"),
        ("threshold", 2, "field 'metadata.threshold' is 2: expected a number from 0 to 1"),
        ("threshold", True, "field 'metadata.threshold' is True"),
        ("iterations", "many", "field 'metadata.iterations'"),
        ("seed", 0.5, "field 'metadata.seed'"),
        ("history", {}, "field 'metadata.history'"),
        ("agent", 3, "field 'metadata.agent'"),
        ("betting", "fca", "columns, but field 'metadata.betting' .fca. has"),
        ("betting", "xyz", "field 'metadata.betting': "),
        ("betting", None, "field 'metadata.betting' is missing"),
        ("game_definition", "GAMEDEF", "field 'metadata.game_definition': "),
    ],
)
def test_edited_manifests_are_refused_by_file_and_field(
    tmp_path: Path, field: str, value: Any, problem: str
) -> None:
    path = save_strategy(random_strategy(1), tmp_path) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["metadata"][field] = value
    path.write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match=problem) as caught:
        load_strategy(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value).strip()
