"""Clusters of hands by the distribution of their river strength: imperfect recall, `emdN`.

A hand before the river is the histogram of its final HS over all run-outs (the atlas has 30 bins).
Between histograms on a line the earth mover's distance is the area between their cumulative curves
(Johanson, Burch, Valenzano and Bowling 2013 cluster by it). Here the curves themselves are points and
k-means runs on them, so the distance is the root of the summed *squares* of the gaps, not their sum:
it keeps the order of bins that plain histograms lose, has the mean curve as its exact centre, and
needs no solver. On the river the distribution is one point, and clusters are optimal on the line.

Centres come from a fixed sample of hands, drawn by how often they occur; then every hand is assigned.
Buckets are numbered from weak to strong.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering.kmeans import Floats, cluster_line, kmeans, nearest
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, Atlas
from doyle.base.artifacts import Stages
from doyle.base.errors import DoyleError
from doyle.cards.suits.boards import boards
from doyle.cards.suits.hands import HANDS, hands

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
    weight = hands(round).weight[inside].astype(np.float64)
    histograms = _histograms(atlas, round)
    chosen, pull = draw_hands(weight, TRAINING_HANDS, seed=(seed, round, clusters))
    trained = kmeans(
        curves(histograms[inside[chosen]]),
        weights=pull,
        clusters=clusters,
        seed=seed,
        iterations=ITERATIONS,
        restarts=10 if round == 0 else 1,
        workers=atlas.workers,
    )
    # The area above the curve is the expected strength.
    return trained.centroids[np.argsort(trained.centroids.sum(axis=1), kind="stable")[::-1]]


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
