"""Potential-aware abstraction, our form: `potential-8-12-4-4`, `potential-10-150-750-3750`.

Gilpin, Sandholm and Sorensen (AAAI 2007), used by Tartanian and its successors. Two passes:

1. Bottom-up: river hands are clustered by strength; a turn hand becomes the histogram of its 46
   rivers over these clusters, and turn hands are clustered by their histograms; flop hands become
   histograms over turn clusters, preflop hands over flop clusters.
2. Top-down, with perfect recall: the preflop is clustered; then the hands of each bucket are
   clustered by their histograms for various numbers of children, and an integer program decides how
   many each bucket gets (see `topdown` for names that fix the number instead).

The published form is GS3, module `gs3`.

Departures from it. The distance is L2 between *cumulative* histograms, with clusters in order of
strength: plain L2 does not know that neighbouring clusters are alike, and puts two aces with ace-deuce.
One bottom-up pass serves all buckets, where the paper repeats it below each bucket. Centres come from
fixed samples drawn by how often hands occur; then every hand is assigned. Buckets of one parent are
numbered from weak to strong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.abstraction import BucketTables, count_river_strengths
from doyle.abstractions.cards.clustering.kmeans import Floats, kmeans, nearest
from doyle.abstractions.cards.methods.emd import (
    curves,
    draw_hands,
    hands_inside,
    strength_clusters,
    trained,
)
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.division import (
    ITERATIONS,
    Family,
    Order,
    Sizes,
    Starts,
    Table,
    divide_all,
    divide_turns,
    make_top_down,
    sample_turn_hands,
)
from doyle.abstractions.cards.strength.atlas import (
    Atlas,
    flop_to_turn,
    preflop_to_flop,
    turn_to_river,
)
from doyle.base.artifacts import Stages
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HANDS, HOLE_MAPS, boards, flop_turns, hands

RIVER_CLUSTERS = 20
TURN_CLUSTERS = 50
FLOP_CLUSTERS = 50
HANDS_PER_PARENT = 10_000

Counts = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Potential:
    """The bottom-up pass: cumulative histograms over the next round's clusters, weak to strong."""

    preflop: Floats
    flop: Counts
    turn: Counts


def make_potential(
    name: str, *, atlas: Atlas, seed: int, stages: Stages | None = None
) -> BucketTables:
    """The tables of `potential-a-b-c-d`."""
    stages = stages or Stages()
    sizes = Sizes.parse(name)
    potential = bottom_up(atlas, seed=seed, stages=stages)
    return make_top_down(
        atlas, sizes, stages,
        preflop=lambda: _preflop(potential, sizes.totals[0], seed),
        flop=lambda preflop: divide_flops(
            atlas, sizes, preflop, features=potential.flop, seed=seed, stages=stages,
            ordered=_ordered,
        ),
        turn=lambda flop: _turn(atlas, sizes, flop, potential.turn, seed, stages),
    )  # fmt: skip


MAKERS = {"potential-": make_potential}


def bottom_up(atlas: Atlas, *, seed: int, stages: Stages) -> Potential:
    """Cluster river, turn and flop hands and describe each round by the next."""

    def turn_curves() -> Counts:
        strengths = count_river_strengths(atlas, None, groups=None, count=1)[0]
        river = strength_clusters(strengths, RIVER_CLUSTERS)
        return curves(turn_to_river(atlas, river, count=RIVER_CLUSTERS))

    turn = stages.array("turn-curves", turn_curves)

    def flop_curves() -> Counts:
        clusters = stages.array(
            "turn-clusters",
            lambda: cluster(atlas, 2, turn, TURN_CLUSTERS, _ordered, seed=seed, draws=(seed, 2))[0],
        )
        return curves(flop_to_turn(atlas, clusters, count=TURN_CLUSTERS))

    flop = stages.array("flop-curves", flop_curves)

    def preflop_curves() -> Floats:
        clusters, _ = cluster(atlas, 1, flop, FLOP_CLUSTERS, _ordered, seed=seed, draws=(seed, 1))
        preflop = preflop_to_flop(atlas, clusters, count=FLOP_CLUSTERS).astype(np.float64)
        return curves(preflop / preflop.sum(axis=1, keepdims=True))

    return Potential(stages.array("preflop-curves", preflop_curves), flop, turn)


def cluster(
    atlas: Atlas,
    round: int,
    features: Counts,
    clusters: int,
    ordered: Order,
    *,
    seed: int | tuple[int, ...],
    draws: tuple[int, ...],
    own: Counts | None = None,
) -> tuple[npt.NDArray[np.int32], Floats]:
    """The cluster of every hand of a round (0 outside a restricted atlas), or of its `own` hands among
    themselves; and the centroids."""
    inside = hands_inside(atlas, round) if own is None else own
    centroids = ordered(
        trained(
            atlas, round, inside, features.__getitem__, clusters, seed=seed, draws=draws,
            iterations=ITERATIONS,
        )
    )  # fmt: skip
    found = nearest(features[inside], centroids, workers=atlas.workers)
    if own is None:
        whole = np.zeros(HANDS[round], np.int32)
        whole[inside], found = found, whole
    return found, centroids


def _ordered(centroids: Floats) -> Floats:
    """Cumulative centroids from weak to strong: the larger the sum, the more lies low."""
    return centroids[np.argsort(-centroids.sum(axis=1), kind="stable")]


def _preflop(potential: Potential, buckets: int, seed: int) -> Table:
    weight = hands(0).weight.astype(np.float64)
    found = kmeans(potential.preflop, weights=weight, clusters=buckets, seed=seed, restarts=50)
    by_hand = nearest(potential.preflop, _ordered(found.centroids))
    return np.asarray(by_hand[hands(0).index[0]], np.int32)


def divide_flops(
    atlas: Atlas,
    sizes: Sizes,
    preflop: Table,
    *,
    features: Counts,
    seed: int,
    stages: Stages,
    ordered: Order,
) -> tuple[Table, npt.NDArray[np.int64]]:
    """Flop buckets: the hands of each preflop bucket divided by features[flop hands, :]."""
    numbered, inside = hands(1), hands_inside(atlas, 1)
    parent = preflop[numbered.hole[inside]]
    members = [inside[parent == number] for number in range(sizes.totals[0])]

    def family(number: int) -> Family:
        own = members[number]
        weight = numbered.weight[own].astype(np.float64)
        chosen, times = draw_hands(weight, 2 * HANDS_PER_PARENT, seed=(seed, 1, number))
        return Family(features[own[chosen]], times, float(weight.sum()), (seed, 1, number))

    centres, counts, starts = stages.arrays(
        "flop-centres",
        lambda: divide_all(
            atlas, sizes, 1, families=list(map(family, range(len(members)))), ordered=ordered
        ),
    )
    buckets = np.full(HANDS[1], -1, np.int32)
    own_centres = np.split(centres, np.cumsum(counts)[:-1])
    for own, centroids, start in zip(members, own_centres, starts, strict=False):
        if len(own):
            buckets[own] = start + nearest(features[own], centroids, workers=atlas.workers)
    table = np.full((len(boards(3)), HOLE_COUNT), -1, np.int32)
    rows = atlas.flop_rows
    index = numbered.index[rows]
    table[rows] = np.where(index >= 0, buckets[index], -1)
    return table, starts


def _turn(
    atlas: Atlas, sizes: Sizes, flop: Table, features: Counts, seed: int, stages: Stages
) -> tuple[Table, npt.NDArray[np.int64]]:
    centres = stages.arrays(
        "turn-centres", lambda: _turn_centres(atlas, sizes, flop, features, seed)
    )
    numbered, index = flop_turns(), hands(2).index

    def assign(rows: Starts, centroids: Counts, starts: Starts, turn: Table) -> None:
        kernels.assign_turns(
            rows, numbered.flop_row, numbered.turn_code, HOLE_MAPS, flop, index, features, centroids,
            starts, turn,
        )  # fmt: skip

    return divide_turns(atlas, centres, assign)


def _turn_centres(
    atlas: Atlas, sizes: Sizes, flop: Table, features: Counts, seed: int
) -> tuple[npt.NDArray[Any], ...]:
    parents = sizes.totals[1]
    sampled, masses = sample_turn_hands(
        atlas, flop, parents=parents, samples=HANDS_PER_PARENT, seed=(seed, 2)
    )
    families = []
    for number in range(parents):
        own, times = np.unique(sampled[number][sampled[number] >= 0], return_counts=True)
        weights, mass = times.astype(np.float64), float(masses[number])
        families.append(Family(features[own], weights, mass, (seed, 2, number)))
    return divide_all(atlas, sizes, 2, families=families, ordered=_ordered)
