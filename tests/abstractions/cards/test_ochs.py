"""Opponent-cluster hand strength against enumeration of every opponent."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from doyle.abstractions.cards.methods import emd, ochs
from doyle.abstractions.cards.methods.emd import hands_inside
from doyle.abstractions.cards.methods.ochs import (
    board_features,
    ochs_buckets,
    ochs_table,
    opponent_clusters,
    strength_sums,
)
from doyle.abstractions.cards.methods.recall import build_notation
from doyle.abstractions.cards.notation import Notation
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, hole_index, parse_cards
from doyle.cards.suits.boards import boards, hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
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


UNIT = 1 << 20


def mean_over_run_outs(board: list[int], hole: int, cluster_of: np.ndarray) -> np.ndarray:
    """The mean of a hole's features over every way to complete the board."""
    held = {*board, *(int(card) for card in HOLES[hole])}
    left = [card for card in range(52) if card not in held]
    found = [
        board_features(np.array([*board, *more], np.uint8), cluster_of)[hole]
        for more in combinations(left, 5 - len(board))
    ]
    return np.mean(found, axis=0)


def test_earlier_rounds_are_means_over_all_run_outs() -> None:
    atlas = small_atlas()
    cluster_of = opponent_clusters(atlas)
    turn, flop = strength_sums(atlas, 2) / (46 * UNIT), strength_sums(atlas, 1) / (1081 * UNIT)
    generator = np.random.default_rng(3)
    for hand in generator.choice(hands_inside(atlas, 2), 5, replace=False):
        board = boards(4).boards[hands(2).row[hand]].tolist()
        expected = mean_over_run_outs(board, int(hands(2).hole[hand]), cluster_of)
        assert turn[hand] == pytest.approx(expected, abs=2e-6)
    hand = int(generator.choice(hands_inside(atlas, 1)))
    board = boards(3).boards[hands(1).row[hand]].tolist()
    expected = mean_over_run_outs(board, int(hands(1).hole[hand]), cluster_of)
    assert flop[hand] == pytest.approx(expected, abs=2e-6)


def test_turn_strength_equals_enumeration() -> None:
    """One hand against one cluster, opponent by opponent on every river."""
    atlas = small_atlas()
    cluster_of = opponent_clusters(atlas)
    hand = int(hands_inside(atlas, 2)[1234])
    hole = int(hands(2).hole[hand])
    board = boards(4).boards[hands(2).row[hand]].tolist()
    held = {*board, *(int(card) for card in HOLES[hole])}
    expected = np.mean(
        [
            strength_against(hole, [*board, card], cluster_of, 6)
            for card in range(52)
            if card not in held
        ]
    )
    assert strength_sums(atlas, 2)[hand, 6] / (46 * UNIT) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("round", [1, 2])
def test_buckets_of_earlier_rounds(monkeypatch: pytest.MonkeyPatch, round: int) -> None:
    """Nearest centres, weak to strong, the same on any number of workers; -1 outside the atlas."""
    monkeypatch.setattr(emd, "TRAINING_HANDS", 1500)
    atlas = small_atlas()
    one, two = (ochs_buckets(small_atlas(count), round, clusters=7, seed=2) for count in (1, 2))
    assert one.tobytes() == two.tobytes()
    inside = hands_inside(atlas, round)
    assert set(one[inside].tolist()) == set(range(7))
    assert (np.delete(one, inside) == -1).all()
    features = strength_sums(atlas, round, seed=2)[inside].astype(float)
    centres = np.array([features[one[inside] == bucket].mean(axis=0) for bucket in range(7)])
    assert (np.diff(centres.mean(axis=1)) > 0).all()
    # Means of the buckets stand in for the trained centres, which few hands can tell apart.
    gaps = ((features[:, None, :] - centres[None]) ** 2).sum(axis=2)
    assert (gaps.argmin(axis=1) == one[inside]).mean() > 0.9
    with pytest.raises(DoyleError, match="on round"):
        ochs_buckets(atlas, 0, clusters=7)


def test_ochs_on_every_round_after_the_preflop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TRAINING_HANDS", 1500)
    monkeypatch.setattr(ochs, "TRAINING_BOARDS", 8)
    spec = "ir169.irochs5x2hs.irochs6.ochs7"
    tables = build_notation(Notation.parse(spec), atlas=small_atlas(), seed=2)
    assert tables.counts == (169, 10, 6, 7)
    expected = ochs_buckets(small_atlas(), 1, clusters=5, seed=2)
    for row in FLOPS:
        live = tables.flop[row] >= 0
        assert (tables.flop[row][live] // 2 == expected[hands(1).index[row][live]]).all()


def test_bad_count() -> None:
    with pytest.raises(DoyleError, match="0 clusters"):
        ochs_table(small_atlas(), clusters=0)
