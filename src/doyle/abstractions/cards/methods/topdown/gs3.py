"""GS3: potential-aware abstraction as published, `gs3-8-12-4-4` or `gs3-10-150-750-3750`.

Gilpin, Sandholm and Sorensen (AAAI 2007). Hands are histograms over clusters of the next round's
hands, compared by plain L2. Bottom-up passes are repeated for each bucket of the round before, over
"only hands that are possible children of that bucket":

1. All hands: rivers by strength, turn hands by their rivers, flop hands by their turns; preflop hands
   by their flops are the first round's buckets.
2. For each preflop bucket: its rivers, its turn hands, and its flop hands, which are clustered for
   various numbers of children; an integer program decides how many each bucket gets.
3. For each flop bucket: its rivers and its turn hands, in the same way; below each turn bucket the
   river hands by strength.

A hand before the river has one preflop bucket, so one walk over all hands describes each by the
clusters of its own bucket. Assumed: how many clusters the passes use on the way, which no paper says
(20, 50 and 50, as in `potential`). A departure: centres come from fixed samples drawn by how often
hands occur; then every hand is assigned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.abstraction import BucketTables, count_river_strengths
from doyle.abstractions.cards.clustering.kmeans import Floats, kmeans, nearest
from doyle.abstractions.cards.methods.emd import hands_inside, strength_clusters
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown import potential
from doyle.abstractions.cards.methods.topdown.division import (
    Family,
    Sizes,
    Starts,
    Table,
    divide_all,
    divide_turns,
    make_top_down,
    sample_turn_hands,
)
from doyle.abstractions.cards.strength.atlas import Atlas, each_block, flop_to_turn, preflop_to_flop
from doyle.base.artifacts import Stages
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import FULL, HANDS, boards, flop_turns, hands

Counts = npt.NDArray[Any]


def make_gs3(name: str, *, atlas: Atlas, seed: int, stages: Stages | None = None) -> BucketTables:
    """The tables of `gs3-a-b-c-d`."""
    stages = stages or Stages()
    sizes = Sizes.parse(name)
    return make_top_down(
        atlas, sizes, stages,
        preflop=lambda: _preflop(atlas, sizes.totals[0], seed),
        flop=lambda preflop: _flop(atlas, sizes, preflop, seed, stages),
        turn=lambda flop: _turn(atlas, sizes, flop, seed, stages),
    )  # fmt: skip


MAKERS = {"gs3-": make_gs3}


def _preflop(atlas: Atlas, buckets: int, seed: int) -> Table:
    """The buckets of the 1,326 holes, after a pass over all hands."""
    flop = _flop_histograms(atlas, np.zeros(HOLE_COUNT, np.int32), 1, seed)
    seeds = (seed, 1, 0)
    clusters, centroids = potential.cluster(
        atlas, 1, flop, potential.FLOP_CLUSTERS, _ordered, seed=seeds, draws=seeds
    )
    deals = preflop_to_flop(atlas, clusters, count=len(centroids)).astype(np.float64)
    histograms = deals / deals.sum(axis=1, keepdims=True)
    weight = hands(0).weight.astype(np.float64)
    found = kmeans(histograms, weights=weight, clusters=buckets, seed=seed, restarts=50)
    by_hand = nearest(histograms, _ordered(found.centroids))
    return np.asarray(by_hand[hands(0).index[0]], np.int32)


def _flop_histograms(atlas: Atlas, preflop: Table, groups: int, seed: int) -> Counts:
    """Each flop hand's turns over the turn clusters of its own preflop bucket."""
    numbered, inside = hands(2), hands_inside(atlas, 2)
    by_sequence = np.broadcast_to(preflop, (len(flop_turns()), HOLE_COUNT))
    bins = _river_bins(atlas, by_sequence, groups)
    group = preflop[numbered.hole[inside]]
    turn = np.zeros((HANDS[2], potential.RIVER_CLUSTERS), np.uint8)
    turn[inside] = _river_histograms(
        atlas, numbered.row[inside], numbered.hole[inside], group, bins
    )
    clusters = np.zeros(HANDS[2], np.int32)
    for number in range(groups):
        own = inside[group == number]
        if len(own):
            seeds = (seed, 2, number)
            clusters[own], _ = potential.cluster(
                atlas, 2, turn, potential.TURN_CLUSTERS, _ordered, seed=seeds, draws=seeds, own=own
            )
    return flop_to_turn(atlas, clusters, count=potential.TURN_CLUSTERS)


def _river_bins(atlas: Atlas, by_sequence: Counts, groups: int) -> npt.NDArray[np.int64]:
    """int64[groups, 1981]: the optimal clusters of the river strengths that each group meets."""
    counts = count_river_strengths(atlas, by_sequence, groups=np.arange(groups), count=groups)
    bins = np.zeros(counts.shape, np.int64)
    for number, row in enumerate(counts):
        if row.any():
            bins[number] = strength_clusters(row, potential.RIVER_CLUSTERS)
    return bins


def _river_histograms(
    atlas: Atlas, rows: Counts, holes: Counts, groups: Counts, bins: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint8]:
    """Rivers of each (turn row, hole) by the bins of its group; rows ascend."""
    out = np.zeros((len(rows), potential.RIVER_CLUSTERS), np.uint8)
    _ = atlas.river_strength, boards(5)  # made once, before the threads ask for them

    def work(part: npt.NDArray[np.int64]) -> None:
        matrix = np.empty((HOLE_COUNT, 48), np.uint16)
        whole = slice(part[0], part[-1] + 1)
        kernels.river_histograms(
            boards(4).boards, rows[whole], holes[whole], groups[whole], bins, atlas.river_strength,
            FULL.next_boards(4), matrix, out[whole],
        )  # fmt: skip

    each_block(atlas, np.arange(len(rows)), work, "turn to river")
    return out


def _ordered(centroids: Floats) -> Floats:
    """Centroids from weak to strong, by the mean number of the next round's ordered clusters."""
    return centroids[np.argsort(centroids @ np.arange(centroids.shape[1]), kind="stable")]


def _flop(
    atlas: Atlas, sizes: Sizes, preflop: Table, seed: int, stages: Stages
) -> tuple[Table, npt.NDArray[np.int64]]:
    features = stages.array(
        "flop-histograms", lambda: _flop_histograms(atlas, preflop, sizes.totals[0], seed)
    )
    return potential.divide_flops(
        atlas, sizes, preflop, features=features, seed=seed, stages=stages, ordered=_ordered
    )


def _turn(
    atlas: Atlas, sizes: Sizes, flop: Table, seed: int, stages: Stages
) -> tuple[Table, npt.NDArray[np.int64]]:
    numbered = flop_turns()
    bins = stages.array(
        "turn-bins", lambda: _river_bins(atlas, flop[numbered.flop_row], sizes.totals[1])
    )
    centres = stages.arrays("turn-centres", lambda: _turn_centres(atlas, sizes, flop, bins, seed))
    _ = atlas.river_strength, boards(5)

    def assign(rows: Starts, centroids: Counts, starts: Starts, turn: Table) -> None:
        by_board = rows[np.argsort(numbered.turn_code[rows], kind="stable")]
        matrix = np.empty((HOLE_COUNT, 48), np.uint16)
        kernels.assign_turn_boards(
            by_board, numbered.flop_row, numbered.turn_code, flop, bins, centroids, starts,
            boards(4).boards, atlas.river_strength, FULL.next_boards(4), matrix, turn,
        )  # fmt: skip

    return divide_turns(atlas, centres, assign)


def _turn_centres(
    atlas: Atlas, sizes: Sizes, flop: Table, bins: npt.NDArray[np.int64], seed: int
) -> tuple[npt.NDArray[Any], ...]:
    parents, numbered = sizes.totals[1], hands(2)
    sampled, masses = sample_turn_hands(
        atlas, flop, parents=parents, samples=potential.HANDS_PER_PARENT, seed=(seed, 2)
    )
    lists = [np.unique(row[row >= 0], return_counts=True) for row in sampled]
    group = np.repeat(np.arange(parents), [len(own) for own, _ in lists])
    chosen = np.concatenate([own for own, _ in lists])
    order = np.argsort(chosen, kind="stable")  # hands are numbered turn board by turn board
    features = np.empty((len(chosen), potential.RIVER_CLUSTERS), np.uint8)
    features[order] = _river_histograms(
        atlas, numbered.row[chosen[order]], numbered.hole[chosen[order]], group[order], bins
    )
    families = [
        Family(features[group == number], times.astype(np.float64), float(mass), (seed, 2, number))
        for number, ((_, times), mass) in enumerate(zip(lists, masses, strict=True))
    ]
    return divide_all(atlas, sizes, 2, families=families, ordered=_ordered)
