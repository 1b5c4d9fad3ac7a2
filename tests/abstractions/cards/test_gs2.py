"""GS2: exact divisions by winning probability."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.cards.methods.topdown.gs2 import MAKERS, make_gs2
from doyle.cards import hole_index, parse_cards
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
from tests.reference.kmeans_twin import least_line_error


def test_divides_each_parent_in_order_of_winning_probability() -> None:
    atlas = small_atlas()
    tables = make_gs2("gs2-3-3-2-2", atlas=atlas, seed=0)
    sums = atlas.sums(1, 1)
    for row in FLOPS:
        for parent in range(3):
            own = (tables.preflop == parent) & (tables.flop[row] >= 0)
            order = np.argsort(sums[row][own], kind="stable")
            assert (np.diff(tables.flop[row][own][order]) >= 0).all()


def test_preflop_division_is_optimal() -> None:
    """All ways to cut the values of one flop pair's preflop sums into two are tried."""
    atlas = small_atlas()
    tables = make_gs2("gs2-2-1-1-1", atlas=atlas, seed=0)
    sums = np.asarray(atlas.sums(0, 1)[0], np.float64)
    values, times = np.unique(sums, return_counts=True)
    best = least_line_error(values, times.astype(float), 2)
    reached = sum(
        float(((sums[own] - sums[own].mean()) ** 2).sum())
        for own in (tables.preflop == 0, tables.preflop == 1)
    )
    assert reached == pytest.approx(best, rel=1e-9)
    aces = hole_index(*parse_cards("AsAh"))
    assert tables.preflop[aces] == 1


def test_seed_changes_nothing() -> None:
    one, two = (make_gs2("gs2-3-6-12-24", atlas=small_atlas(), seed=seed) for seed in (0, 9))
    for name in ("preflop", "flop", "turn", "river_by_strength"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert list(MAKERS) == ["gs2-"]
