"""Public buckets: clusters of boards by how hands move between strength buckets on them.

For each board a transition table has the probability of going from each bucket of the round before
to each bucket of this round, over the hands that the board allows; k-means over these tables gives
the clusters (Schnizlein 2009, section 2.3.2). The thesis leaves open which abstraction the tables
are of: here it is 8 percentiles of E[HS^2] on every round, without recall. Turn boards are (flop,
turn card) and are clustered within each public bucket of the flop that is remembered.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.clustering.kmeans import kmeans
from doyle.abstractions.cards.methods import _percentile_kernels as kernels
from doyle.abstractions.cards.methods.percentile import Population, divide, percentile_thresholds
from doyle.abstractions.cards.strength.atlas import Atlas, largest_sum
from doyle.abstractions.cards.tables import collisions
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns

BASE_BUCKETS = 8
_POWER = 2
_RESTARTS = 3

Clusters = NDArray[np.int64]


def public_flops(atlas: Atlas, *, clusters: int, seed: int) -> Clusters:
    """The public bucket of each of the atlas's flops."""
    rows = atlas.flop_rows
    preflop, flop = base_buckets(atlas, 0), base_buckets(atlas, 1)
    points = transition_tables(preflop, np.zeros(len(rows), np.int64), flop, rows * 32)
    return _clustered(points, boards(3).weights[rows], clusters, seed, atlas)


def public_turns(atlas: Atlas, *, within: Clusters, clusters: int, seed: int) -> Clusters:
    """The public bucket of each of the atlas's (flop, turn card) sequences.

    `within[flop]` is what is remembered of each of the atlas's flops; each such group of boards is
    clustered by itself.
    """
    rows, numbered = atlas.sequence_rows, flop_turns()
    flop, turn = base_buckets(atlas, 1), base_buckets(atlas, 2)
    points = transition_tables(
        flop,
        numbered.flop_row[rows].astype(np.int64),
        turn,
        numbered.turn_code[rows].astype(np.int64),
    )
    group = within[np.searchsorted(atlas.flop_rows, numbered.flop_row[rows])]
    found = np.empty(len(rows), np.int64)
    for number in np.unique(group):
        chosen = np.flatnonzero(group == number)
        weights = numbered.weights[rows[chosen]]
        found[chosen] = _clustered(points[chosen], weights, clusters, seed, atlas)
    return found


def base_buckets(atlas: Atlas, round: int) -> NDArray[np.int32]:
    """The buckets whose transitions are compared: [rows, 1326], -1 on collisions."""
    if round == 0:
        rows, weights = np.zeros(1, np.int64), np.ones(1, np.int64)
        hit = np.zeros((1, HOLE_COUNT), bool)
    else:
        rows = atlas.flop_rows if round == 1 else atlas.turn_rows
        weights = boards(round + 2).weights[rows]
        hit = collisions(boards(round + 2).boards[rows])
    population = Population(np.where(hit, -1, 0).astype(np.int32), rows * 32, weights)
    values = atlas.sums(round, _POWER)
    thresholds = percentile_thresholds(
        population,
        values,
        codes=1,
        buckets=BASE_BUCKETS,
        largest=largest_sum(round, _POWER),
        workers=atlas.workers,
    )
    divide(population, values, thresholds=thresholds, workers=atlas.workers)
    table = np.full((1 if round == 0 else len(boards(round + 2)), HOLE_COUNT), -1, np.int32)
    table[rows] = population.codes
    return table


def transition_tables(
    before: NDArray[np.int32],
    before_rows: NDArray[np.int64],
    after: NDArray[np.int32],
    after_codes: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The transition table of each board, in one row: float64[boards, 8 * 8].

    A bucket that the board leaves empty has a row of zeros.
    """
    counts = np.zeros((len(before_rows), BASE_BUCKETS, BASE_BUCKETS), np.int64)
    kernels.count_transitions(before, before_rows, after, after_codes, HOLE_MAPS, counts)
    leaving = counts.sum(axis=2, keepdims=True)
    return np.asarray((counts / np.maximum(leaving, 1)).reshape(len(counts), -1), np.float64)


def _clustered(
    points: NDArray[np.float64],
    weights: NDArray[np.int64],
    clusters: int,
    seed: int,
    atlas: Atlas,
) -> Clusters:
    found = kmeans(
        points,
        weights=weights.astype(np.float64),
        clusters=clusters,
        seed=seed,
        restarts=_RESTARTS,
        workers=atlas.workers,
    )
    return found.assignment.astype(np.int64)
