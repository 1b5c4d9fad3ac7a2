"""Section 6.1.2: when a loss of the equilibrium agent is put down to its short solve."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.experiments.papers import opponents
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.thesis.bankroll import _converging, chosen_text, explained
from doyle.games import Game
from doyle.matches.phased import PhasedResult


def test_only_a_loss_that_falls_with_every_stage_is_explained_by_the_solve() -> None:
    assert _converging({1 << 20: 2.0, 1 << 18: 3.0, 1 << 21: 1.5}) is not None
    assert "3.00 after 262,144" in str(_converging({1 << 20: 2.0, 1 << 18: 3.0}))
    assert _converging({1 << 20: 2.0, 1 << 18: 1.0, 1 << 21: 1.5}) is None


def test_a_loss_is_explained_by_what_was_chosen_only_if_the_base_does_not_lose() -> None:
    game = Game.named("holdem-nl-200bb")

    def played(base: int) -> PhasedResult:
        units = np.array([base, base, -90_000, -90_000], np.int64)
        return PhasedResult(
            game, 10, units, ("base", "base", "naivePA relative", "size-tell absolute")
        )

    found = played(20_000)
    assert found.mean_with("base") == 1000.0 * 20_000 / 2 / 10 / 100
    assert found.mean_with("other") is None
    assert found.techniques == {"base": 2, "naivePA relative": 1, "size-tell absolute": 1}
    assert "2 of 4 matches" in str(explained(found, {}))
    assert "base 2 (mean 10.00 sb/h)" in chosen_text(found)
    assert explained(played(-20_000), {}) is None
    assert explained(played(200_000), {1 << 18: 1.0, 1 << 20: 2.0}) is None


def test_opponents_are_the_strategies_of_the_league(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "museum_agent", lambda name, options: name)
    names = opponents.museum_opponents(Options(), without="tartanian5")
    assert "hyperborean09-br" not in names  # remembers, and has experiments of its own
    assert "tartanian5" not in names
    assert len(names) == 8
