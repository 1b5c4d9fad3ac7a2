"""Potential-aware abstraction, our form: `potential-8-12-4-4`, `potential-10-150-750-3750`.

Gilpin, Sandholm and Sorensen (AAAI 2007), used by Tartanian and its successors. Two passes:

1. Bottom-up: river hands are clustered by strength; a turn hand becomes the histogram of its 46
   rivers over these clusters, and turn hands are clustered by their histograms; flop hands become
   histograms over turn clusters, preflop hands over flop clusters.
2. Top-down, with perfect recall: the preflop is clustered; then the hands of each bucket are
   clustered by their histograms for various numbers of children, and an integer program decides how
   many each bucket gets (see `topdown` for names that fix the number instead).

The published form is GS3, module `gs3`.

Departures from it. The distance is L2 between *cumulative* histograms, with clusters in order of strength:
plain L2 does not know that neighbouring clusters are alike, and puts two aces with ace-deuce. One
bottom-up pass serves all buckets, where the paper repeats it below each bucket. Centres come from
fixed samples drawn by how often hands occur; then every hand is assigned. Buckets of one parent are
numbered from weak to strong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering.kmeans import Floats, kmeans, nearest
from doyle.abstractions.cards.methods.emd import curves, draw_hands, hands_inside, strength_clusters
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.division import (
    ITERATIONS,
    Family,
    Order,
    Sizes,
    Table,
    assemble,
    divide_all,
    each_turn,
    padded,
    sample_turn_hands,
)
from doyle.abstractions.cards.strength.atlas import (
    Atlas,
    flop_to_turn,
    preflop_to_flop,
    turn_to_river,
)
from doyle.abstractions.cards.tables import BucketTables, count_river_strengths
from doyle.base.artifacts import Stages
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HANDS, HOLE_MAPS, boards, flop_turns, hands

RIVER_CLUSTERS = 20
TURN_CLUSTERS = 50
FLOP_CLUSTERS = 50
TRAINING_HANDS = 200_000
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
    preflop = stages.array("preflop", lambda: _preflop(potential, sizes.totals[0], seed))
    flop, flop_starts = stages.arrays(
        "flop",
        lambda: divide_flops(
            atlas,
            sizes,
            preflop,
            features=potential.flop,
            seed=seed,
            stages=stages,
            ordered=_ordered,
        ),
    )
    turn, turn_starts = stages.arrays(
        "turn", lambda: _turn(atlas, sizes, flop, potential.turn, seed, stages)
    )
    return assemble(
        atlas, sizes, preflop=preflop, flop=flop, turn=turn, starts=[flop_starts, turn_starts],
        stages=stages,
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
            "turn-clusters", lambda: _cluster(atlas, 2, turn, TURN_CLUSTERS, seed)
        )
        return curves(flop_to_turn(atlas, clusters, count=TURN_CLUSTERS))

    flop = stages.array("flop-curves", flop_curves)

    def preflop_curves() -> Floats:
        clusters = _cluster(atlas, 1, flop, FLOP_CLUSTERS, seed)
        preflop = preflop_to_flop(atlas, clusters, count=FLOP_CLUSTERS).astype(np.float64)
        return curves(preflop / preflop.sum(axis=1, keepdims=True))

    return Potential(stages.array("preflop-curves", preflop_curves), flop, turn)


def _cluster(
    atlas: Atlas, round: int, features: Counts, clusters: int, seed: int
) -> npt.NDArray[np.int32]:
    """The cluster of every hand of a round; 0 outside a restricted atlas."""
    inside = hands_inside(atlas, round)
    weight = hands(round).weight[inside].astype(np.float64)
    chosen, times = draw_hands(weight, TRAINING_HANDS, seed=(seed, round))
    trained = kmeans(
        features[inside[chosen]],
        weights=times,
        clusters=clusters,
        seed=seed,
        iterations=ITERATIONS,
        workers=atlas.workers,
    )
    found = np.zeros(HANDS[round], np.int32)
    found[inside] = nearest(features[inside], _ordered(trained.centroids), workers=atlas.workers)
    return found


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
    centres, counts, starts = stages.arrays(
        "turn-centres", lambda: _turn_centres(atlas, sizes, flop, features, seed)
    )
    centroids = padded(centres, counts, starts)
    numbered = flop_turns()
    turn = np.full((len(numbered), HOLE_COUNT), -1, np.int32)

    def work(rows: npt.NDArray[np.int64]) -> None:
        kernels.assign_turns(
            rows, numbered.flop_row, numbered.turn_code, HOLE_MAPS, flop, hands(2).index, features,
            centroids, starts, turn,
        )  # fmt: skip

    each_turn(atlas, work, "turn buckets")
    return turn, starts


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
