"""Probes: every answer is counted once, under its size; boundaries are found where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.games import CALL, FOLD, Action, Game, View
from doyle.games.histories import read_hands
from doyle.matches import play_match
from doyle.measuring.reports.benchmark.probes import Prober, find_boundary, probe_result
from doyle.measuring.reports.benchmark.version_1 import POTS

GAME = Game.named("holdem-nl-200bb")


class FoldsToLargeBets:
    """Calls bets of up to 1.2 pots and folds to larger ones."""

    name = "folds-to-large-bets"

    def act(self, view: View) -> Action:
        state = view.state
        before = state.pot - state.to_call  # the pot that the bet was made into
        large = state.round > 0 and state.to_call > 1.2 * before
        return FOLD if large and state.can_fold else CALL


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("probes") / "match.log"
    play_match(GAME, [FoldsToLargeBets(), Prober(POTS)], hands=150, seed=3, log=path)
    return path


def test_answers_are_counted_under_the_size_of_the_bet(log: Path) -> None:
    found = probe_result(read_hands(log, GAME), "prober", POTS)
    by_size = {row.pots: row for row in found.answers}
    for pots, row in by_size.items():
        folds, calls, raises = row.counts
        bluff = None if row.bluff is None else row.bluff.mean
        assert raises == 0
        assert (folds if pots > 1.2 else calls) > 0
        assert (calls if pots > 1.2 else folds) == 0
        if pots > 1.2:
            assert bluff == 1.0
        elif pots:
            assert bluff == pytest.approx(-pots, abs=0.01)
    assert found.boundary is not None
    assert (found.boundary.below, found.boundary.above) == (1.0, 1.5)
    assert found.boundary.confidence > 0.99
    assert found.boundary.over_none > 10
    assert found.boundary.is_hard
    # Against the log itself: every first bet of the prober after the flop was answered once.
    text = log.read_text()
    bets = sum(line.split(":")[2].partition("/")[2].count("r") for line in text.splitlines()
               if line.startswith("STATE"))  # fmt: skip
    assert sum(sum(row.counts) for row in found.answers) <= bets
    assert sum(sum(row.counts) for row in found.answers) > 0.9 * bets


def test_equal_answers_are_no_boundary() -> None:
    counts = np.tile(np.array([[30.0], [60.0], [10.0]]), (1, 6))
    found = find_boundary(counts, tuple(range(6)))
    assert found is not None
    assert found.over_none < 0
    assert not found.is_hard
    assert find_boundary(counts * (np.arange(6) == 2), tuple(range(6))) is None


def test_answers_that_change_step_by_step_are_no_boundary() -> None:
    folds = np.linspace(50.0, 950.0, 8)
    found = find_boundary(np.array([folds, 1000.0 - folds, 0 * folds]), tuple(range(8)))
    assert found is not None
    assert found.over_none > 0 > found.over_gradual
    assert not found.is_hard


def test_the_marginal_likelihood_of_no_boundary_is_that_of_all_answers_together() -> None:
    rng = np.random.default_rng(1)
    # By Monte Carlo over uniform mixes: the probability of these answers in this order.
    counts = np.array([[3.0, 1.0], [2.0, 0.0], [0.0, 1.0]])
    mixes = rng.dirichlet(np.ones(3), size=400_000)
    chance = np.prod(mixes ** counts.sum(axis=1), axis=1)
    from doyle.strategy.translation.boundary import one_mix

    # The integrated likelihood is by the density 2 of uniform mixes, whose constant all boundaries share.
    assert np.exp(one_mix(counts)) == pytest.approx(chance.mean() / 2, rel=0.02)
