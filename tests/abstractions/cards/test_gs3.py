"""GS3 as published: histograms over the clusters of a hand's own bucket, and plain L2."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.cards.methods import emd
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown import gs3, potential
from doyle.abstractions.cards.methods.topdown.gs3 import make_gs3
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH
from doyle.base.artifacts import Stages
from doyle.cards import HOLES
from doyle.cards.suits.boards import FULL, HOLE_MAPS, boards, flop_turns, hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
from tests.reference import clustering_twin

STRENGTHS = FULL_STRENGTH + 1


@pytest.fixture(autouse=True)
def small_clusterings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TRAINING_HANDS", 3000)
    monkeypatch.setattr(potential, "HANDS_PER_PARENT", 300)
    monkeypatch.setattr(potential, "TURN_CLUSTERS", 12)
    monkeypatch.setattr(potential, "FLOP_CLUSTERS", 10)


def rivers(turn_row: int, hole: int) -> list[int]:
    """The strengths of a hole on the 46 rivers of a turn board, card by card."""
    board = boards(4).boards[turn_row].astype(int).tolist()
    strength, found = small_atlas().river_strength, []
    for card in range(52):
        if card in board or card in HOLES[hole]:
            continue
        row, permutation = boards(5).find((*board, card))
        found.append(int(strength[row, HOLE_MAPS[permutation, hole]]))
    return found


def random_flop(generator: np.random.Generator, buckets: int) -> np.ndarray:
    flop = np.full((len(boards(3)), len(HOLES)), -1, np.int32)
    for row in FLOPS:
        live = hands(1).index[row] >= 0
        flop[row] = np.where(live, generator.integers(0, buckets, len(HOLES)), -1)
    return flop


def test_river_histograms_use_the_bins_of_the_group() -> None:
    atlas, generator = small_atlas(), np.random.default_rng(1)
    bins = generator.integers(0, potential.RIVER_CLUSTERS, (3, STRENGTHS))
    live = [hand for row in atlas.turn_rows[::9] for hand in hands(2).index[row][::250]]
    chosen = np.unique([hand for hand in live if hand >= 0])
    groups = generator.integers(0, 3, len(chosen))
    rows, holes = hands(2).row[chosen], hands(2).hole[chosen]
    found = gs3._river_histograms(atlas, rows, holes, groups, bins)
    for row, hole, group, counts in zip(rows, holes, groups, found, strict=True):
        expected = np.bincount(bins[group][rivers(row, hole)], minlength=potential.RIVER_CLUSTERS)
        assert counts.tolist() == expected.tolist()


def test_turns_go_to_the_nearest_child_of_their_own_bucket() -> None:
    atlas, generator = small_atlas(), np.random.default_rng(2)
    flop = random_flop(generator, 3)
    bins = generator.integers(0, 5, (3, STRENGTHS))
    centroids = (generator.random((7, 5)) * 20).astype(np.float32)
    starts, numbered = np.array([0, 2, 3, 7]), flop_turns()
    rows = atlas.sequence_rows[::60]
    by_board = rows[np.argsort(numbered.turn_code[rows], kind="stable")]
    found = np.full((len(numbered), len(HOLES)), -2, np.int32)
    kernels.assign_turn_boards(
        by_board, numbered.flop_row, numbered.turn_code, flop, bins, centroids, starts,
        boards(4).boards, atlas.river_strength, FULL.next_boards(4),
        np.empty((len(HOLES), 48), np.uint16), found,
    )  # fmt: skip
    walked = list(clustering_twin.walk_turns(rows, flop))
    assert (found[rows] >= 0).sum() == len(walked)
    for row, hole, parent, _, source, mapped in walked[::37]:
        counts = np.bincount(bins[parent][rivers(source, mapped)], minlength=5)
        first, last = int(starts[parent]), int(starts[parent + 1])
        assert found[row, hole] == clustering_twin.nearest_child(counts, centroids, first, last)


def test_flop_hands_are_described_by_clusters_of_their_own_preflop_bucket() -> None:
    """What another bucket's hands do changes nothing: the passes are apart."""
    atlas = small_atlas()
    preflop = (np.arange(len(HOLES)) % 7 == 0).astype(np.int32)[hands(0).index[0]]
    other = np.where(preflop == 0, 0, 1 + (hands(0).index[0] % 2)).astype(np.int32)
    one = gs3._flop_histograms(atlas, preflop, 2, 0)
    two = gs3._flop_histograms(atlas, other, 3, 0)
    inside = np.isin(hands(1).row, FLOPS)
    same = inside & (preflop[hands(1).hole] == 0)
    assert np.array_equal(one[same], two[same])
    assert not np.array_equal(one[inside & ~same], two[inside & ~same])
    assert (one[inside].sum(axis=1) == 47).all()


def test_bytes_depend_on_the_seed_and_not_on_workers() -> None:
    one, two, other = (
        make_gs3("gs3-3-6-12-24", atlas=small_atlas(workers), seed=seed, stages=Stages())
        for workers, seed in ((1, 0), (2, 0), (1, 7))
    )
    for name in ("preflop", "flop", "turn", "river_by_strength"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert one.turn.tobytes() != other.turn.tobytes()
