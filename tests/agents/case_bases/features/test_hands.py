"""Hand features: starting hands, and buckets against the exact strengths of single hands."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.abstractions.cards.strength.inspection import hand_values
from doyle.agents.case_bases import Architecture
from doyle.agents.case_bases.features.hands import HOLE_CLASS, HandFeatures, class_name
from doyle.cards import hole_index, parse_cards


def test_starting_hands() -> None:
    for text, name in (("AsAd", "AA"), ("KsAs", "AKs"), ("2c7d", "72o")):
        assert class_name(int(HOLE_CLASS[hole_index(*parse_cards(text))])) == name
    assert len(np.unique(HOLE_CLASS)) == 169


@pytest.mark.slow
@pytest.mark.parametrize(("strength", "buckets"), [("hs2", 50), ("hs", 20)])
def test_buckets_are_even_intervals_of_exact_strength(strength: str, buckets: int) -> None:
    points = {"strength": strength, "buckets": buckets}
    features = HandFeatures(Architecture(domain="limit", **points))  # type: ignore[arg-type]
    rng = np.random.default_rng(2)
    deals = np.argsort(rng.random((60, 52)), axis=1)[:, :7]
    found, _ = features.of_deals(deals[:, :2], deals[:, 2:])
    atlas = Atlas()
    for deal, values in zip(deals.tolist(), found.tolist(), strict=True):
        for round_ in (1, 2, 3):
            board = deal[2 : 4 + round_]
            exact = hand_values(deal[:2], board, atlas=atlas)
            value = exact.ehs2 if strength == "hs2" else exact.ehs
            assert values[round_] == min(buckets - 1, int(buckets * value))
            assert features.of_hand(deal[:2], board) == values[round_]
