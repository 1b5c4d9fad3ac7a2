"""Section 6.1.2: when a loss of the equilibrium agent is put down to its short solve."""

from __future__ import annotations

from doyle.papers.opponents import league_presets, published_seconds
from doyle.papers.thesis.bankroll import _converging


def test_only_a_loss_that_falls_with_every_stage_is_explained_by_the_solve() -> None:
    assert _converging({1 << 20: 2.0, 1 << 18: 3.0, 1 << 21: 1.5}) is not None
    assert "3.00 after 262,144" in str(_converging({1 << 20: 2.0, 1 << 18: 3.0}))
    assert _converging({1 << 20: 2.0, 1 << 18: 1.0, 1 << 21: 1.5}) is None


def test_the_published_scale_counts_presets_and_hands() -> None:
    assert published_seconds(["tartanian"], hands=160_000) == 3600 + 2
    names = league_presets(without="tartanian5")
    assert "hyperborean09-br" not in names  # remembers, and has experiments of its own
    assert "tartanian5" not in names
    assert len(names) == 8
