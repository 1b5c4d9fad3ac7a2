"""DBBR: counts, the closest model that fits them, and responses that win from it."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.adaptive.deviations import DeviationModel, closest
from doyle.games import Game
from doyle.solving.sampling.deals import DealBatch
from doyle.strategy import TableStrategy, uniform_tables
from tests.agents.synthetic import random_strategy

GAME = Game.named("holdem-limit-2p")
BUCKETS = (7, 5, 5, 5)


class Deals:
    """Buckets at random, which need no card abstraction."""

    bucket_counts = BUCKETS
    cards = "made up"

    def deals(self, count: int, state: np.ndarray) -> DealBatch:
        rng = np.random.default_rng(int(state[0]))
        buckets = np.stack([rng.integers(n, size=(count, 2)) for n in BUCKETS], axis=2)
        return DealBatch(buckets.astype(np.int32), np.zeros((count, 2), np.int8))


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    return BettingTree.build(BettingModel.parse("limit"), GAME)


def model(tree: BettingTree) -> DeviationModel:
    tables = TableStrategy(tree, uniform_tables(tree, BUCKETS)).tables
    return DeviationModel([np.asarray(one) for one in tables], tree, Deals())  # type: ignore[arg-type]


def test_frequencies_are_met_and_rows_stay_in_order() -> None:
    """Weights of actions multiply all rows alike, so that a row that raises more still does."""
    rng = np.random.default_rng(1)
    rows, reach = rng.dirichlet(np.ones(3), size=20), rng.random(20)
    counts = np.array([10.0, 20.0, 70.0])
    found = closest(rows, reach, counts, prior=1e-9)
    assert found.sum(axis=1) == pytest.approx(np.ones(20))
    assert reach @ found / reach.sum() == pytest.approx(counts / 100, abs=1e-3)
    ratio = (found[:, 2] / found[:, 1]) / (
        (0.99 * rows[:, 2] + 0.01 / 3) / (0.99 * rows[:, 1] + 0.01 / 3)
    )
    assert ratio == pytest.approx(np.full(20, ratio[0]))


def test_nothing_seen_is_the_equilibrium(tree: BettingTree) -> None:
    strategy = random_strategy(tree, seed=2)
    tables = [np.asarray(one) for one in strategy.tables]
    found = DeviationModel(tables, tree, Deals()).tables()  # type: ignore[arg-type]
    for ours, theirs in zip(found, tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_an_opponent_who_only_calls_is_found_out(tree: BettingTree) -> None:
    subject = model(tree)
    for _ in range(200):
        subject.see((1, 1, 1, 1, 1, 1, 1, 1), opponent=0)
    tables = subject.tables()
    seen = sorted(subject.counts)
    assert len(seen) == 4
    for node in seen:
        assert int(tree.actor[node]) == 0
        start = int(subject.layout.offset[node])
        row = tables[int(tree.round[node])][0, start : start + int(tree.child_count[node])]
        assert row[tree.actions_of(node).tolist().index(1)] > 0.97
    subject.clear()
    assert subject.counts == {}


def test_what_was_seen_tells_what_to_expect_elsewhere(tree: BettingTree) -> None:
    """An opponent who never folds where he was seen is not expected to fold where he was not."""
    subject = model(tree)
    first_raise = int(tree.actions_of(0)[-1])
    for _ in range(200):
        subject.see((first_raise, 1), opponent=1 - int(tree.actor[0]))
    assert len(subject.counts) == 1
    tables = subject.tables()
    unseen = [
        node
        for node in tree.decisions.tolist()
        if tree.actions_of(node).tolist()[:2] == [0, 1] and node not in subject.counts
    ]
    raised = [node for node in unseen if int(tree.child_count[node]) == 3]
    capped = [node for node in unseen if int(tree.child_count[node]) == 2]
    assert raised
    assert capped

    def fold(node: int) -> float:
        return float(tables[int(tree.round[node])][0, int(subject.layout.offset[node])])

    assert max(map(fold, raised)) < 0.05
    assert fold(capped[0]) == 0.5  # nothing of the kind was seen
