"""Opponent-cluster hand strength (OCHS): river hands by their strength against each kind of opponent.

Preflop hands are put into eight opponent clusters by the distribution of their final strength; a
river hand is then the vector of its exact HS against a uniform hand of each cluster, with card
removal, and k-means clusters the vectors (Johanson, Burch, Valenzano and Bowling 2013). Two hands of
equal HS differ when one beats the strong holdings that the other loses to. Centres come from a fixed
sample of boards, drawn by how often they occur; then every hand of every board is assigned.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.artifacts import Stages
from doyle.card_abstraction import _ochs_kernels as kernels
from doyle.card_abstraction.atlas import Atlas
from doyle.card_abstraction.boards import boards
from doyle.card_abstraction.emd import emd_buckets
from doyle.card_abstraction.hands import hands
from doyle.card_abstraction.kmeans import Floats, kmeans, scorer
from doyle.cards._strength_kernels import BoardScratch, board_scratch
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.ranking import rank_tables
from doyle.errors import DoyleError
from doyle.workers import map_threads

OPPONENT_CLUSTERS = kernels.LANES
TRAINING_BOARDS = 400
ITERATIONS = 30
_BLOCKS = 64


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
        rank_tables(7), np.asarray(board, np.uint8), cluster_of, *_scratch(), strength
    )
    return strength.astype(np.float64)


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
            rank_tables(7), river.boards, rows, cluster_of, *_scratch(), strength,
            *ready, found,
        )  # fmt: skip

    blocks = [rows for rows in np.array_split(atlas.river_rows, _BLOCKS) if len(rows)]
    for _ in map_threads(
        work, blocks, workers=atlas.workers, progress=atlas.progress, label="ochs buckets"
    ):
        pass
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
    return found.centroids[np.argsort(found.centroids.mean(axis=1), kind="stable")]


def _scratch() -> tuple[BoardScratch, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    lanes = kernels.LANES
    return board_scratch(), np.empty((2, lanes), np.int32), np.empty((2, 52, lanes), np.int32)
