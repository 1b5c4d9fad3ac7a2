"""Opponent-cluster hand strength (OCHS): hands by their strength against each kind of opponent.

Preflop hands are put into eight opponent clusters by the distribution of their final strength; a
river hand is then the vector of its exact HS against a uniform hand of each cluster, with card
removal, and k-means clusters the vectors (Johanson, Burch, Valenzano and Bowling 2013). Two hands of
equal HS differ when one beats the strong holdings that the other loses to. A flop or turn hand is the
mean of its vectors over all run-outs. Centres come from a fixed sample of river boards, or of hands,
drawn by how often they occur; then every hand is assigned.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering.kmeans import Floats, kmeans, nearest, scorer
from doyle.abstractions.cards.methods import _ochs_kernels as kernels
from doyle.abstractions.cards.methods.emd import ITERATIONS, emd_buckets, hands_inside, trained
from doyle.abstractions.cards.strength import _atlas_kernels as atlas_kernels
from doyle.abstractions.cards.strength.atlas import RUNOUTS, Atlas, each_block
from doyle.base.artifacts import Stages
from doyle.base.errors import DoyleError
from doyle.cards._strength_kernels import board_scratch
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import FULL, HANDS, boards, hands

OPPONENT_CLUSTERS = kernels.LANES
TRAINING_BOARDS = 400
_HANDS_IN_BLOCK = 1 << 20

Sums = npt.NDArray[np.uint32]


def opponent_clusters(
    atlas: Atlas, *, seed: int = 0, stages: Stages | None = None
) -> npt.NDArray[np.int32]:
    """int32[1326]: the opponent cluster, 0 (weak) to 7 (strong), of each hole."""
    by_hand = emd_buckets(atlas, 0, clusters=OPPONENT_CLUSTERS, seed=seed, stages=stages)
    return np.asarray(by_hand[hands(0).index[0]], np.int32)


def board_features(board: npt.NDArray[np.uint8], cluster_of: npt.NDArray[np.int32]) -> Floats:
    """[1326, 8]: HS of each hole against each opponent cluster; NaN where it shares a card, and the
    HS against all opponents where card removal leaves none of a cluster."""
    strength = np.full((HOLE_COUNT, kernels.LANES), np.nan, np.float32)
    kernels.cluster_strength(
        rank_tables(7), np.asarray(board, np.uint8), cluster_of, _scratch(), strength
    )
    return strength.astype(np.float64)


def ochs_buckets(
    atlas: Atlas, round: int, *, clusters: int, seed: int = 0, stages: Stages | None = None
) -> npt.NDArray[np.int32]:
    """int32[hands]: the bucket of each flop or turn hand, weak to strong; -1 outside a restricted
    atlas."""
    inside = hands_inside(atlas, round)
    if round not in (1, 2) or not 1 <= clusters <= len(inside):
        raise DoyleError(f"ochs: {clusters} clusters of {len(inside)} hands on round {round}")
    stages = stages or Stages()
    sums = strength_sums(atlas, round, seed=seed, stages=stages)

    def points(chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return (sums[chosen] / (kernels.UNIT * RUNOUTS[round])).astype(np.float32)

    def centres() -> Floats:
        draws = (seed, round, clusters)
        return _ordered(trained(atlas, round, inside, points, clusters, seed=seed, draws=draws))

    found_centres = stages.array(f"ochs-round{round}-{clusters}-centres", centres)
    found = np.full(HANDS[round], -1, np.int32)
    for start in range(0, len(inside), _HANDS_IN_BLOCK):
        block = inside[start : start + _HANDS_IN_BLOCK]
        found[block] = nearest(points(block), found_centres, workers=atlas.workers)
    return found


def strength_sums(atlas: Atlas, round: int, *, seed: int = 0, stages: Stages | None = None) -> Sums:
    """uint32[hands, 8]: strengths against each opponent cluster, summed over the run-outs of each
    flop (1,081) or turn (46) hand, in parts of `UNIT`."""
    stages = stages or Stages()
    if round == 2:
        cluster_of = opponent_clusters(atlas, seed=seed, stages=stages)
        return stages.array("ochs-turn-strengths", lambda: _turn_sums(atlas, cluster_of))
    turn = strength_sums(atlas, 2, seed=seed, stages=stages)
    return stages.array("ochs-flop-strengths", lambda: _flop_sums(atlas, turn))


def _turn_sums(atlas: Atlas, cluster_of: npt.NDArray[np.int32]) -> Sums:
    numbered = hands(2)
    out = np.zeros((HANDS[2], kernels.LANES), np.uint32)

    def work(rows: npt.NDArray[np.int64]) -> None:
        strength = np.empty((HOLE_COUNT, kernels.LANES), np.float32)
        kernels.sum_over_rivers(
            rank_tables(7), boards(4).boards, rows, numbered.index, numbered.hole, cluster_of,
            _scratch(), strength, out,
        )  # fmt: skip

    each_block(atlas, atlas.turn_rows, work, "turn strengths by opponent")
    return out


def _flop_sums(atlas: Atlas, turn: Sums) -> Sums:
    numbered, turn_index = hands(1), hands(2).index
    out = np.zeros((HANDS[1], kernels.LANES), np.uint32)

    def work(rows: npt.NDArray[np.int64]) -> None:
        atlas_kernels.flop_histograms(
            boards(3).boards, rows, numbered.starts, numbered.hole, turn_index, turn,
            FULL.next_boards(3), out,
        )  # fmt: skip

    each_block(atlas, atlas.flop_rows, work, "flop strengths by opponent")
    return out


def ochs_table(
    atlas: Atlas, *, clusters: int, seed: int = 0, stages: Stages | None = None
) -> npt.NDArray[np.uint16]:
    """uint16[134459, 1326]: the bucket of each hole on each river board, weak to strong."""
    if not 1 <= clusters < 1 << 16:
        raise DoyleError(f"ochs: {clusters} clusters; expected 1 to 65535")
    stages = stages or Stages()
    cluster_of = opponent_clusters(atlas, seed=seed, stages=stages)
    centres = stages.array(
        f"ochs-{clusters}-centres", lambda: _centres(atlas, cluster_of, clusters, seed)
    )
    return stages.array(f"ochs-{clusters}", lambda: _assigned(atlas, cluster_of, centres))


def _assigned(
    atlas: Atlas, cluster_of: npt.NDArray[np.int32], centres: Floats
) -> npt.NDArray[np.uint16]:
    """The nearest centre of each hole on each of the atlas's river boards."""
    ready = scorer(centres)
    river = boards(5)
    found = np.zeros((len(river), HOLE_COUNT), np.uint16)

    def work(rows: npt.NDArray[np.int64]) -> None:
        strength = np.empty((HOLE_COUNT, kernels.LANES), np.float32)
        kernels.nearest_on_boards(
            rank_tables(7), river.boards, rows, cluster_of, _scratch(), strength,
            *ready, found,
        )  # fmt: skip

    each_block(atlas, atlas.river_rows, work, "ochs buckets")
    return found


def _centres(atlas: Atlas, cluster_of: npt.NDArray[np.int32], clusters: int, seed: int) -> Floats:
    """Centres trained on the hands of sampled boards, ordered by mean strength."""
    river, rows = boards(5), atlas.river_rows
    generator = np.random.default_rng((seed, clusters))
    share = river.weights[rows] / river.weights[rows].sum()
    chosen = np.sort(generator.choice(rows, size=TRAINING_BOARDS, p=share))
    features = [board_features(river.boards[row].astype(np.uint8), cluster_of) for row in chosen]
    points = np.concatenate([rows[~np.isnan(rows[:, 0])] for rows in features]).astype(np.float32)
    found = kmeans(
        points, clusters=clusters, seed=seed, iterations=ITERATIONS, workers=atlas.workers
    )
    return _ordered(found.centroids)


def _ordered(centroids: Floats) -> Floats:
    """Centroids by mean strength, weak to strong."""
    return centroids[np.argsort(centroids.mean(axis=1), kind="stable")]


def _scratch() -> kernels.ClusterScratch:
    counts = np.empty((53, 2, kernels.LANES), np.int32)
    return kernels.ClusterScratch(board_scratch(), counts[52], counts[:52].reshape(2, 52, -1))
