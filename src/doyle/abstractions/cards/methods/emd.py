"""Clusters of hands by the distribution of their river strength: imperfect recall, `emdN` and `paN`.

A hand before the river is the histogram of its final HS over all run-outs (the atlas has 30 bins).
Between histograms on a line the earth mover's distance is the area between their cumulative curves
(Johanson, Burch, Valenzano and Bowling 2013 cluster by it). Here the curves themselves are points and
k-means runs on them, so the distance is the root of the summed *squares* of the gaps, not their sum:
it keeps the order of bins that plain histograms lose, has the mean curve as its exact centre, and
needs no solver. On the river the distribution is one point, and clusters are optimal on the line.

Centres come from a fixed sample of hands, drawn by how often they occur; then every hand is assigned.
Buckets are numbered from weak to strong.

`paN` are potential-aware clusters of flop hands (Ganzfried and Sandholm, AAAI 2014). A flop hand is its
histogram over clusters of turn hands; moving mass from one turn cluster to another costs the distance
between their distributions of final strength (the area between their mean curves). Two flop hands with
the same final distribution differ here when one learns its fate on the turn and the other on the river.
The distance is the paper's heuristic: each piece of mass goes to the nearest turn cluster with room,
all pieces step by step outwards.

Departures: the clusters of `emdN` start the iteration instead of random hands; means are tried in the
order of a lower bound (the distance between final distributions), which changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering import _kmeans_kernels as kernels
from doyle.abstractions.cards.clustering.kmeans import Floats, cluster_line, kmeans, nearest
from doyle.abstractions.cards.strength.atlas import BINS, FULL_STRENGTH, Atlas, flop_to_turn
from doyle.base.artifacts import Stages
from doyle.base.errors import DoyleError
from doyle.base.workers import Shared, Workers, map_items, map_threads
from doyle.cards.suits.boards import HANDS, boards, hands

TRAINING_HANDS = 200_000
ITERATIONS = 30
_BLOCK = 1 << 20


def emd_buckets(
    atlas: Atlas, round: int, *, clusters: int, seed: int = 0, stages: Stages | None = None
) -> npt.NDArray[np.int32]:
    """int32[hands]: the bucket of each hand of round 0, 1 or 2; -1 outside a restricted atlas."""
    found, _ = emd_clusters(atlas, round, clusters=clusters, seed=seed, stages=stages)
    return found


def emd_clusters(
    atlas: Atlas, round: int, *, clusters: int, seed: int = 0, stages: Stages | None = None
) -> tuple[npt.NDArray[np.int32], Floats]:
    """The bucket of each hand, and the mean cumulative curve of each bucket [clusters, 30]."""
    inside = hands_inside(atlas, round)
    if not 1 <= clusters <= len(inside):
        raise DoyleError(f"emd: {clusters} clusters of {len(inside)} hands on round {round}")
    stages = stages or Stages()
    name = f"emd-round{round}-{clusters}"
    centres = stages.array(f"{name}-centres", lambda: _centres(atlas, round, clusters, seed))
    found = stages.array(name, lambda: _assigned(atlas, round, centres))
    return found, centres


def _centres(atlas: Atlas, round: int, clusters: int, seed: int) -> Floats:
    """Mean curves trained on a sample, from weak to strong."""
    inside = hands_inside(atlas, round)
    histograms = _histograms(atlas, round)
    found = trained(
        atlas, round, inside, lambda chosen: curves(histograms[chosen]), clusters, seed=seed,
        draws=(seed, round, clusters), restarts=10 if round == 0 else 1,
    )  # fmt: skip
    # The area above the curve is the expected strength.
    return found[np.argsort(found.sum(axis=1), kind="stable")[::-1]]


def trained(
    atlas: Atlas,
    round: int,
    own: npt.NDArray[np.int64],
    points: Callable[[npt.NDArray[np.int64]], npt.NDArray[Any]],
    clusters: int,
    *,
    seed: int | tuple[int, ...],
    draws: tuple[int, ...],
    iterations: int = ITERATIONS,
    restarts: int = 1,
) -> Floats:
    """Centroids of `points` of a sample of some hands, drawn by `draws` as often as they occur."""
    weight = hands(round).weight[own].astype(np.float64)
    chosen, times = draw_hands(weight, TRAINING_HANDS, seed=draws)
    found = kmeans(
        points(own[chosen]), weights=times, clusters=clusters, seed=seed, iterations=iterations,
        restarts=restarts, workers=atlas.workers,
    )  # fmt: skip
    return found.centroids


def _assigned(atlas: Atlas, round: int, centres: Floats) -> npt.NDArray[np.int32]:
    """The nearest curve of each hand; -1 outside a restricted atlas."""
    inside, histograms = hands_inside(atlas, round), _histograms(atlas, round)
    found = np.full(HANDS[round], -1, np.int32)
    for start in range(0, len(inside), _BLOCK):
        block = inside[start : start + _BLOCK]
        found[block] = nearest(curves(histograms[block]), centres, workers=atlas.workers)
        if atlas.progress is not None:
            done = min(start + _BLOCK, len(inside))
            atlas.progress(f"emd clusters, round {round}", done, len(inside))
    return found


def _histograms(atlas: Atlas, round: int) -> npt.NDArray[Any]:
    return preflop_histograms(atlas) if round == 0 else atlas.histograms(round)


def draw_hands(
    weight: Floats, count: int, *, seed: tuple[int, ...]
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Places drawn `count` times in proportion to their weight, each once, and how often it came.

    Where there are no more than `count`, all of them with their weights.
    """
    if len(weight) <= count:
        return np.arange(len(weight)), weight
    cumulative = np.cumsum(weight)
    draws = np.sort(np.random.default_rng(seed).random(count)) * cumulative[-1]
    places = np.minimum(np.searchsorted(cumulative, draws, side="right"), len(weight) - 1)
    unique, times = np.unique(places, return_counts=True)
    return unique, times.astype(np.float64)


def curves(histograms: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Histograms [n, bins] as cumulative counts, without the last, which is the same for all."""
    return np.ascontiguousarray(np.cumsum(histograms[:, :-1], axis=1, dtype=histograms.dtype))


def preflop_histograms(atlas: Atlas) -> Floats:
    """[169, 30]: run-outs by final strength of each preflop hand, over the atlas's flops."""
    flop, inside = hands(1), hands_inside(atlas, 1)
    preflop = hands(0).index[0][flop.hole[inside]]
    weight = flop.weight[inside].astype(np.float64)
    values = atlas.histograms(1)[inside]
    columns = [
        np.bincount(preflop, weights=weight * values[:, bin], minlength=HANDS[0])
        for bin in range(values.shape[1])
    ]
    totals = np.stack(columns, axis=1)
    if not totals.sum(axis=1).all():
        raise DoyleError("atlas: these flops leave some preflop hand without a run-out")
    return np.asarray(totals / hands(0).weight[:, None])


def hands_inside(atlas: Atlas, round: int) -> npt.NDArray[np.int64]:
    """The numbers of the hands whose boards the atlas holds."""
    if round == 0 or atlas.flops is None:
        return np.arange(HANDS[round])
    rows = atlas.flop_rows if round == 1 else atlas.turn_rows
    held = np.zeros(len(boards(round + 2)), bool)
    held[rows] = True
    return np.flatnonzero(held[hands(round).row])


def strength_clusters(counts: npt.NDArray[np.int64], clusters: int) -> npt.NDArray[np.int32]:
    """int32[1981]: optimal clusters of river strengths that occur counts[1981] times.

    Strengths that never occur go with the next that does.
    """
    present = np.flatnonzero(counts)
    line = cluster_line(
        present / FULL_STRENGTH, weights=counts[present].astype(np.float64), clusters=clusters
    )
    assignment = line.assignment(min(clusters, len(present)))
    places = np.searchsorted(present, np.arange(len(counts)))
    return np.asarray(assignment[np.minimum(places, len(present) - 1)], np.int32)


TURN_CLUSTERS = 200
FLOP_HANDS = 40_000
PASSES = 8
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
    chosen, times = draw_hands(weight, FLOP_HANDS, seed=(seed, 1))
    sample = points[inside[chosen]]
    assignment = start[inside[chosen]]
    means = np.zeros((clusters, ground.size), np.float32)
    for _ in range(PASSES):
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
