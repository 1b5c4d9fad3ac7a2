"""Opponent-cluster hand strength against enumeration of every opponent."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.card_abstraction import ochs
from doyle.card_abstraction.boards import boards
from doyle.card_abstraction.ochs import board_features, ochs_table, opponent_clusters
from doyle.cards import HOLES, hole_index, parse_cards
from doyle.errors import DoyleError
from tests.card_abstraction.small_atlas import small_atlas
from tests.reference.clustering_twin import strength_against


@pytest.mark.parametrize("text", ["Qh7c2dKsKd", "AsKsQsJsTs", "2c2d2h2s3c"])
def test_features_equal_enumeration(text: str) -> None:
    board = parse_cards(text)
    cluster_of = np.random.default_rng(1).integers(0, 8, 1326).astype(np.int32)
    features = board_features(np.array(board, np.uint8), cluster_of)
    collides = np.isin(HOLES, board).any(axis=1)
    assert np.array_equal(np.isnan(features[:, 0]), collides)
    for hole in np.random.default_rng(2).choice(np.flatnonzero(~collides), 6, replace=False):
        for cluster in range(8):
            expected = strength_against(int(hole), board, cluster_of, cluster)
            assert features[hole, cluster] == pytest.approx(expected, abs=1e-6)


def test_cluster_that_cannot_be_met_counts_as_all_opponents() -> None:
    """Cluster 7 holds one pair of aces, which the hole itself blocks."""
    cluster_of = (np.arange(1326) % 7).astype(np.int32)
    aces = parse_cards("AsAh")
    cluster_of[hole_index(*aces)] = 7
    board = parse_cards("Qh7c2dKsKd")
    features = board_features(np.array(board, np.uint8), cluster_of)
    own = hole_index(*parse_cards("AsQd"))
    met = strength_against(own, board, np.zeros(1326, np.int32), 0)
    assert features[own, 7] == pytest.approx(met, abs=1e-6)


def test_opponent_clusters_run_from_weak_to_strong() -> None:
    clusters = opponent_clusters(small_atlas())
    assert set(clusters.tolist()) == set(range(8))
    aces, trash = hole_index(*parse_cards("AsAh")), hole_index(*parse_cards("3s2h"))
    assert clusters[aces] == 7
    assert clusters[trash] <= 1


def test_table_assigns_the_nearest_centre_on_any_number_of_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ochs, "TRAINING_BOARDS", 8)
    atlas = small_atlas()
    one, two = (ochs_table(small_atlas(count), clusters=20, seed=4) for count in (1, 2))
    assert one.tobytes() == two.tobytes()
    cluster_of = opponent_clusters(atlas, seed=4)
    centres = ochs._centres(atlas, cluster_of, 20, 4)
    for row in atlas.river_rows[:: len(atlas.river_rows) // 5]:
        features = board_features(boards(5).boards[row].astype(np.uint8), cluster_of)
        live = np.flatnonzero(~np.isnan(features[:, 0]))
        gaps = ((features[live][:, None, :] - centres[None]) ** 2).sum(axis=2)
        chosen = gaps[np.arange(len(live)), one[row][live]]
        assert (chosen <= gaps.min(axis=1) + 1e-5).all()


def test_bad_count() -> None:
    with pytest.raises(DoyleError, match="0 clusters"):
        ochs_table(small_atlas(), clusters=0)
