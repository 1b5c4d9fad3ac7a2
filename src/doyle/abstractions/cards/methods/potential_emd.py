"""Potential-aware clusters of flop hands by earth mover's distance: imperfect recall, `paN`.

Ganzfried and Sandholm (AAAI 2014). A flop hand is its histogram over clusters of turn hands; moving
mass from one turn cluster to another costs the distance between their distributions of final strength
(the area between their mean curves). Two flop hands with the same final distribution differ here when
one learns its fate on the turn and the other on the river. The distance is the paper's heuristic: each
piece of mass goes to the nearest turn cluster with room, all pieces step by step outwards.

Departures: the clusters of `emd` start the iteration instead of random hands; means are tried in the
order of a lower bound (the distance between final distributions), which changes nothing but the time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering.kmeans import Floats
from doyle.abstractions.cards.methods import _emd_kernels as kernels
from doyle.abstractions.cards.methods.emd import draw_hands, emd_buckets, emd_clusters, hands_inside
from doyle.abstractions.cards.strength.atlas import BINS, Atlas
from doyle.abstractions.cards.strength.transitions import flop_to_turn
from doyle.base.artifacts import Stages
from doyle.base.errors import DoyleError
from doyle.base.workers import Shared, Workers, map_items, map_threads
from doyle.cards.suits.hands import HANDS, hands

TURN_CLUSTERS = 200
TRAINING_HANDS = 40_000
ITERATIONS = 8
_RIVERS = 46
_RANGES = 64

Singles = npt.NDArray[np.float32]


def potential_emd_buckets(
    atlas: Atlas, *, clusters: int, seed: int = 0, stages: Stages | None = None
) -> npt.NDArray[np.int32]:
    """int32[flop hands]: the bucket of each flop hand; -1 outside a restricted atlas."""
    inside = hands_inside(atlas, 1)
    if not 1 <= clusters <= len(inside):
        raise DoyleError(f"pa: {clusters} clusters of {len(inside)} flop hands")
    stages = stages or Stages()
    turn_clusters = min(TURN_CLUSTERS, len(hands_inside(atlas, 2)))
    turn_buckets, centres = emd_clusters(atlas, 2, clusters=turn_clusters, seed=seed, stages=stages)
    ground = Ground(centres / (_RIVERS * BINS))
    points = stages.array(
        "pa-histograms", lambda: flop_to_turn(atlas, turn_buckets, count=ground.size)
    )
    start = emd_buckets(atlas, 1, clusters=clusters, seed=seed, stages=stages)
    means = stages.array(
        f"pa-{clusters}-means", lambda: _trained(atlas, ground, points, start, clusters, seed)
    )
    found = np.full(HANDS[1], -1, np.int32)
    found[inside], _costs = ground.nearest(points[inside], means, workers=atlas.workers)
    return found


def _trained(
    atlas: Atlas,
    ground: Ground,
    points: npt.NDArray[Any],
    start: npt.NDArray[np.int32],
    clusters: int,
    seed: int,
) -> Singles:
    """Mean histograms trained on a sample from the clusters `start`, from weak to strong."""
    inside = hands_inside(atlas, 1)
    weight = hands(1).weight[inside].astype(np.float64)
    chosen, times = draw_hands(weight, TRAINING_HANDS, seed=(seed, 1))
    sample = points[inside[chosen]]
    assignment = start[inside[chosen]]
    means = np.zeros((clusters, ground.size), np.float32)
    for _ in range(ITERATIONS):
        means = _averages(sample, times, assignment, means)
        assignment, _costs = ground.nearest(sample, means, workers=atlas.workers)
    means = _averages(sample, times, assignment, means)
    strength = means @ ground.curves.sum(axis=1)
    return means[np.argsort(strength, kind="stable")[::-1]]


class Ground:
    """Turn clusters as places: their mean curves [m, d], and the distances between them."""

    def __init__(self, curves: Floats) -> None:
        self.curves = np.asarray(curves, np.float64)
        self.size = len(self.curves)
        self.distance = np.abs(self.curves[:, None, :] - self.curves[None, :, :]).sum(axis=2)
        order = np.argsort(self.distance, axis=1, kind="stable")
        self.order = order.astype(np.int32)
        self.sorted = np.take_along_axis(self.distance, order, axis=1).astype(np.float32)

    def nearest(
        self, points: npt.NDArray[Any], means: Singles, *, workers: Workers | None = None
    ) -> tuple[npt.NDArray[np.int32], Singles]:
        """The nearest mean of each histogram, and the distance."""
        task = _NearestMeans(
            self.curves,
            self.order,
            self.sorted,
            means,
            np.ascontiguousarray((means @ self.curves).T, np.float32),
        )
        edges = np.linspace(0, len(points), _RANGES + 1).astype(np.int64).tolist()
        blocks = [points[low:high] for low, high in pairwise(edges)]
        if workers is not None and workers.cluster is not None:
            shared = Shared(task)
            items = [(shared, block) for block in blocks]
            found = list(map_items(nearest_means, items, workers=workers, label="distances"))
        else:
            found = list(map_threads(task.of, blocks, workers=workers))
        assignment, costs = zip(*found, strict=True)
        return np.concatenate(assignment), np.concatenate(costs)


class _NearestMeans(NamedTuple):
    """What a search for the nearest of some means needs beside the histograms."""

    curves: Floats
    order: npt.NDArray[np.int32]
    sorted: Singles
    means: Singles
    mean_curves: Singles

    def of(self, points: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int32], Singles]:
        """The nearest mean of each histogram of a block, and the distance."""
        assignment = np.empty(len(points), np.int32)
        costs = np.empty(len(points), np.float32)
        totals = points.sum(axis=1, keepdims=True, dtype=np.float64)
        curves = (points @ self.curves / totals).astype(np.float32)
        kernels.nearest_by_distance(
            points, curves, self.means, self.mean_curves, self.order, self.sorted, assignment, costs
        )
        return assignment, costs


def nearest_means(
    item: tuple[Shared[_NearestMeans], npt.NDArray[Any]],
) -> tuple[npt.NDArray[np.int32], Singles]:
    """The nearest means of a block, on any machine."""
    task, points = item
    return task.value.of(points)


def _averages(
    points: npt.NDArray[Any], times: Floats, assignment: npt.NDArray[np.int32], means: Singles
) -> Singles:
    """The mean histogram of each cluster, as shares; a cluster without hands keeps its own."""
    sums = np.zeros(means.shape, np.float64)
    order = np.argsort(assignment, kind="stable")
    weighted = points[order] * times[order, None]
    edges = np.searchsorted(assignment[order], np.arange(len(means) + 1))
    for cluster in range(len(means)):
        sums[cluster] = weighted[edges[cluster] : edges[cluster + 1]].sum(axis=0)
    totals = sums.sum(axis=1, keepdims=True)
    filled = totals[:, 0] > 0
    found = means.copy()
    found[filled] = (sums[filled] / totals[filled]).astype(np.float32)
    return found
