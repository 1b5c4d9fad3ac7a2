"""Clusters of distributions of final strength."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.cards.clustering.kmeans import nearest
from doyle.abstractions.cards.methods import emd
from doyle.abstractions.cards.methods.emd import (
    curves,
    draw_hands,
    emd_buckets,
    emd_clusters,
    hands_inside,
    preflop_histograms,
    strength_clusters,
)
from doyle.base.errors import DoyleError
from doyle.cards.suits.boards import hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
from tests.reference.kmeans_twin import nearest as plain_nearest


@pytest.fixture(autouse=True)
def small_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TRAINING_HANDS", 2000)


@pytest.mark.parametrize("round", [1, 2])
def test_every_hand_is_in_its_nearest_cluster(round: int) -> None:
    atlas = small_atlas()
    buckets, centres = emd_clusters(atlas, round, clusters=9, seed=3)
    inside = hands_inside(atlas, round)
    outside = np.setdiff1d(np.arange(len(buckets)), inside)
    assert (buckets[outside] == -1).all()
    points = curves(atlas.histograms(round)[inside]).astype(np.float64)
    gaps = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2)
    chosen = gaps[np.arange(len(points)), buckets[inside]]
    assert (chosen <= gaps.min(axis=1) * (1 + 1e-4) + 1e-6).all()


def test_buckets_run_from_weak_to_strong() -> None:
    atlas = small_atlas()
    buckets = emd_buckets(atlas, 1, clusters=8, seed=0)
    strength = hands(1).gather(atlas.sums(1, 1))
    means = [float(strength[buckets == bucket].mean()) for bucket in range(8)]
    assert means == sorted(means)


def test_bytes_do_not_depend_on_workers() -> None:
    one, two = (emd_buckets(small_atlas(count), 2, clusters=11, seed=5) for count in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_squared_gaps_of_curves_respect_the_order_of_bins() -> None:
    """Moving mass to the next bin is nearer than moving it across; plain histograms see no
    difference."""
    histograms = np.array([[4, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0, 4]], np.uint8)
    points = curves(histograms).astype(float)
    near, far = ((points[0] - points[other]) ** 2 for other in (1, 2))
    assert near.sum() < far.sum()


def test_preflop_histograms_count_all_run_outs_of_these_flops() -> None:
    atlas = small_atlas()
    totals = preflop_histograms(atlas)
    flops = np.array([hands(1).weight[hands(1).row == row].sum() for row in FLOPS]).sum()
    assert (totals * hands(0).weight[:, None]).sum() == pytest.approx(1081 * flops)


def test_single_precision_nearest_equals_the_plain_twin() -> None:
    generator = np.random.default_rng(2)
    for width, clusters in ((1, 2), (8, 200), (29, 33), (30, 7)):
        points = generator.random((500, width)).astype(np.float32)
        centres = generator.random((clusters, width))
        assert np.array_equal(nearest(points, centres), plain_nearest(points, centres))


def test_drawn_hands() -> None:
    weight = np.array([1.0, 0.0, 3.0, 6.0])
    every, times = draw_hands(weight, 4, seed=(0,))
    assert every.tolist() == [0, 1, 2, 3]
    assert times.tolist() == weight.tolist()
    many = np.tile(weight, 50)
    chosen, times = draw_hands(many, 100, seed=(0,))
    assert times.sum() == 100
    assert (many[chosen] > 0).all()
    assert np.array_equal(chosen, draw_hands(many, 100, seed=(0,))[0])


def test_clusters_of_river_strengths() -> None:
    counts = np.zeros(1981, np.int64)
    counts[[0, 10, 1000, 1980]] = [4, 4, 1, 9]
    assert strength_clusters(counts, 3)[[0, 10, 1000, 1980]].tolist() == [0, 0, 1, 2]
    assert (np.diff(strength_clusters(counts, 3)) >= 0).all()


def test_more_clusters_than_hands() -> None:
    with pytest.raises(DoyleError, match="170 clusters of 169 hands"):
        emd_buckets(small_atlas(), 0, clusters=170)
