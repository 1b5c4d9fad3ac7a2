"""Top-down abstractions: names, refinement, allocation, bytes; and the kernels against twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.cards.abstraction import BucketTables
from doyle.abstractions.cards.methods import emd
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown import potential
from doyle.abstractions.cards.methods.topdown.division import Sizes, divide_lines, sample_turn_hands
from doyle.abstractions.cards.methods.topdown.gs2 import make_gs2
from doyle.abstractions.cards.methods.topdown.gs3 import make_gs3
from doyle.abstractions.cards.methods.topdown.potential import make_potential
from doyle.abstractions.cards.registry import describe, kept_name
from doyle.base.errors import ParseError
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns, hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
from tests.reference import clustering_twin


@pytest.fixture(autouse=True)
def small_clusterings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TRAINING_HANDS", 3000)
    monkeypatch.setattr(potential, "HANDS_PER_PARENT", 300)
    monkeypatch.setattr(potential, "TURN_CLUSTERS", 12)
    monkeypatch.setattr(potential, "FLOP_CLUSTERS", 10)


def test_published_names() -> None:
    tartanian = Sizes.parse("potential-10-150-750-3750")
    assert tartanian == Sizes("potential", (10, 150, 750, 3750), fixed=False)
    assert Sizes.parse("potential-12-25-6-6").totals == (12, 300, 1800, 10800)
    assert Sizes.parse("potential-8-12-4-4").totals == (8, 96, 384, 1536)
    assert Sizes.parse("potential-8-4-3-3") == Sizes("potential", (8, 32, 96, 288), fixed=False)
    assert Sizes.parse("gs3-fixed-8-4-3-3") == Sizes("gs3", (8, 32, 96, 288), fixed=True)


@given(
    st.sampled_from(["potential", "gs2", "gs3"]),
    st.sampled_from(["", "mean-", "fixed-"]),
    st.lists(st.integers(1, 30), min_size=4, max_size=4),
)
def test_kept_names_mean_what_they_were_made_from(
    method: str, word: str, numbers: list[int]
) -> None:
    sizes = Sizes.parse(f"{method}-{word}{'-'.join(map(str, numbers))}")
    assert Sizes.parse(str(sizes)) == sizes
    assert str(Sizes.parse(str(sizes))) == str(sizes)
    assert sizes.fixed == (word == "fixed-")


def test_branching_factors_are_kept_under_another_name_than_they_were() -> None:
    # Solves of the time when every bucket had exactly as many children name them so.
    assert describe("potential-8-12-4-4") == describe("potential-8-96-384-1536")
    assert kept_name("potential-8-12-4-4") == "potential-8-96-384-1536"
    assert kept_name("gs2-8-4-3-3") == "gs2-8-32-96-288"
    for name in ("potential-fixed-8-12-4-4", "potential-10-150-750-3750", "ir169.64.8.8"):
        assert kept_name(name) == name


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("potential-8-12-4", 16),
        ("potential-8-12-4-4-4", 18),
        ("potential-8-x-4-4", 12),
        ("potential-0-12-4-4", 10),
        ("potential-8--4-4", 12),
        ("potential-200-12-4-4", 10),
        ("potential-8-9999999999-4-4", 12),
        ("potential-fixed-8-12-4", 22),
        ("potential-fixed-8-x-4-4", 18),
        ("potential-other-8-12-4-4", 10),
        ("potential-fixed", 10),
        ("gs3-mean-170-2-2-2", 9),
    ],
)
def test_broken_names_point_at_the_character(name: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        Sizes.parse(name)
    assert caught.value.position == position


def refines(tables: BucketTables) -> None:
    """Every hand's bucket is a child of the bucket it had a round before."""
    numbered = flop_turns()
    flop_parents, turn_parents, river_parents = tables.parents[1:]
    assert flop_parents is not None
    assert turn_parents is not None
    assert river_parents is not None
    for row in FLOPS:
        live = tables.flop[row] >= 0
        assert np.array_equal(flop_parents[tables.flop[row][live]], tables.preflop[live])
    rows = small_atlas().sequence_rows
    turn, above = tables.turn[rows], tables.flop[numbered.flop_row[rows]]
    live = turn >= 0
    assert live.sum(axis=1).min() == 48 * 47 // 2
    assert np.array_equal(turn_parents[turn[live]], above[live])
    rule = river_parents[tables.river_by_strength]
    assert np.array_equal(rule, np.broadcast_to(np.arange(tables.counts[2])[:, None], rule.shape))


MAKERS = {"potential": make_potential, "gs2": make_gs2, "gs3": make_gs3}


@pytest.mark.parametrize("name", ["3-3-2-2", "fixed-3-3-2-2", "3-8-17-40"])
@pytest.mark.parametrize("method", MAKERS)
def test_perfect_recall_and_sizes(method: str, name: str) -> None:
    make = MAKERS[method]
    tables = make(f"{method}-{name}", atlas=small_atlas(), seed=1)
    refines(tables)
    assert tables.counts == Sizes.parse(f"{method}-{name}").totals
    # A hole meets 47 turn cards on each flop, and 46 rivers on each turn.
    flops, turns, rivers = (int(np.sum(tables.masses[place])) for place in (1, 2, 3))
    assert turns == 47 * flops
    assert rivers == 46 * turns
    children = [np.bincount(np.asarray(parents)) for parents in tables.parents[1:]]
    if name.startswith("fixed-"):
        assert [sorted(set(counts.tolist())) for counts in children] == [[3], [2], [2]]
    elif name == "3-3-2-2":
        # The same totals, but shared where they help.
        assert any(len(set(counts.tolist())) > 1 for counts in children)


def test_bytes_depend_on_the_seed_and_not_on_workers() -> None:
    one, two, other = (
        make_potential("potential-3-6-12-24", atlas=small_atlas(workers), seed=seed)
        for workers, seed in ((1, 0), (2, 0), (1, 7))
    )
    for name in ("preflop", "flop", "turn", "river_by_strength"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert one.turn.tobytes() != other.turn.tobytes()


def test_divided_lines_are_optimal_together() -> None:
    """Two parents share five children: every split of the budget and every cut is tried."""
    counts = np.zeros((2, 11), np.int64)
    counts[0, [0, 1, 5, 9, 10]] = [5, 1, 2, 1, 5]
    counts[1, [2, 3, 4]] = [1, 9, 1]
    sizes = Sizes("gs2", (2, 5, 6, 7), fixed=False)
    rule, starts = divide_lines(counts, sizes, round=1)

    def error(parent: int) -> float:
        total = 0.0
        for bucket in range(starts[parent], starts[parent + 1]):
            values = np.flatnonzero((rule[parent] == bucket) & (counts[parent] > 0))
            weights = counts[parent, values]
            if len(values):
                total += float(weights @ (values - np.average(values, weights=weights)) ** 2)
        return total

    from tests.reference.kmeans_twin import least_line_error

    def least(parent: int, children: int) -> float:
        values = np.flatnonzero(counts[parent]).astype(float)
        weights = counts[parent][counts[parent] > 0].astype(float)
        return least_line_error(values, weights, children)

    best = min(least(0, k) + least(1, 5 - k) for k in (2, 3, 4))
    assert error(0) + error(1) == pytest.approx(best)


def test_turn_kernels_against_twins() -> None:
    atlas, generator = small_atlas(), np.random.default_rng(0)
    numbered, index = flop_turns(), hands(2).index
    flop = np.full((len(boards(3)), 1326), -1, np.int32)
    for row in FLOPS:
        flop[row] = np.where(hands(1).index[row] >= 0, generator.integers(0, 3, 1326), -1)
    rows = atlas.sequence_rows[::40]
    features = generator.integers(0, 46, (len(hands(2)), 4)).astype(np.uint8)
    centroids = (generator.random((7, 4)) * 46).astype(np.float32)
    starts = np.array([0, 2, 3, 7])
    values = generator.integers(0, 9, index.shape).astype(np.uint16)
    rule = generator.integers(0, 5, (3, 9)).astype(np.int32)

    nearest = np.full((len(numbered), 1326), -2, np.int32)
    kernels.assign_turns(
        rows, numbered.flop_row, numbered.turn_code, HOLE_MAPS, flop, index, features, centroids,
        starts, nearest,
    )  # fmt: skip
    by_value = np.full((len(numbered), 1326), -2, np.int32)
    kernels.assign_turn_values(
        rows, numbered.flop_row, numbered.turn_code, HOLE_MAPS, flop, values, index, rule, by_value
    )
    counts = np.zeros((3, 9), np.int64)
    kernels.count_turn_values(
        rows, numbered.flop_row, numbered.turn_code, numbered.weights, HOLE_MAPS, flop, values,
        index, counts,
    )  # fmt: skip
    expected = np.zeros_like(counts)
    live = 0
    for row, hole, parent, hand, source, mapped in clustering_twin.walk_turns(rows, flop):
        live += 1
        start, stop = int(starts[parent]), int(starts[parent + 1])
        child = clustering_twin.nearest_child(features[hand], centroids, start, stop)
        assert nearest[row, hole] == child
        assert by_value[row, hole] == rule[parent, values[source, mapped]]
        expected[parent, values[source, mapped]] += numbered.weights[row]
    assert np.array_equal(counts, expected)
    assert (nearest[rows] >= 0).sum() == (by_value[rows] >= 0).sum() == live


def test_sampled_turn_hands_follow_their_weights() -> None:
    atlas = small_atlas()
    flop = np.full((len(boards(3)), 1326), -1, np.int32)
    for row in FLOPS:
        # By hand and not by hole: buckets do not change with the names of suits.
        flop[row] = np.where(hands(1).index[row] >= 0, hands(1).index[row] % 2, -1)
    found, mass = sample_turn_hands(atlas, flop, parents=2, samples=2000, seed=(0,))
    deals: list[dict[int, int]] = [{}, {}]
    for row, _, parent, hand, _, _ in clustering_twin.walk_turns(atlas.sequence_rows, flop):
        weight = int(flop_turns().weights[row])
        deals[parent][hand] = deals[parent].get(hand, 0) + weight
    for parent in range(2):
        assert mass[parent] == sum(deals[parent].values())
        drawn, times = np.unique(found[parent], return_counts=True)
        assert set(drawn.tolist()) <= set(deals[parent])
        # Draws are sorted in the order of the walk, so no hand can come much too often.
        share = np.array([deals[parent][hand] for hand in drawn.tolist()]) / mass[parent]
        assert (times <= 2000 * share + 12).all()
