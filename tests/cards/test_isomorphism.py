"""Suit isomorphism: known sizes, counts by enumeration, and index -> hand -> index."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.cards import HOLES, Indexer, canonical_boards, index_board_hands
from doyle.cards.suits._isomorphism_kernels import SCRATCH_SIZE, index_hand
from tests.cards.dealing import random_hands
from tests.reference import cards_isomorphism as reference

SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (3,): 1_755,
    (4,): 16_432,
    (5,): 134_459,
}
OTHERS = [(1,), (3, 1), (3, 1, 1), (1, 1, 1), (7,), (2, 1, 1, 1)]


@pytest.mark.parametrize(("groups", "size"), SIZES.items())
def test_known_sizes(groups: tuple[int, ...], size: int) -> None:
    assert Indexer(groups).size == size


@pytest.mark.parametrize("groups", [*SIZES, *OTHERS])
def test_sizes_by_counting_fixed_hands(groups: tuple[int, ...]) -> None:
    """Burnside's lemma: the number of classes is the mean number of hands a renaming keeps."""
    kept = 0
    for suits in itertools.permutations(range(4)):
        cycles = _cycle_lengths(suits)
        # A kept group is a union of cycles of cards; polynomials count them, group by group.
        kept += _fixed_hands(cycles, groups)
    assert Indexer(groups).size == kept // 24


def _cycle_lengths(suits: tuple[int, ...]) -> list[int]:
    """The cycles of a renaming on the 52 cards."""
    lengths, seen = [], set()
    for start in range(4):
        length, suit = 0, start
        while suit not in seen:
            seen.add(suit)
            suit = suits[suit]
            length += 1
        if length:
            lengths += [length] * 13
    return lengths


def _fixed_hands(cycles: list[int], groups: tuple[int, ...]) -> int:
    """Ways to give whole cycles to the groups (or to nobody) so that each group is full."""
    ways = {tuple(groups): 1}
    for length in cycles:
        following = dict(ways)
        for left, count in ways.items():
            for group, room in enumerate(left):
                if room >= length:
                    rest = (*left[:group], room - length, *left[group + 1 :])
                    following[rest] = following.get(rest, 0) + count
        ways = following
    return ways.get((0,) * len(groups), 0)


@pytest.mark.parametrize(("count", "classes"), [(2, 169), (3, 1_755)])
def test_classes_by_listing_every_set(count: int, classes: int) -> None:
    assert reference.count_classes(count) == (classes, math.comb(52, count))
    assert Indexer((count,)).size == classes


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_every_set_has_an_index_and_every_index_its_sets(count: int) -> None:
    """All boards (2,598,960 of five cards) by enumeration: which indices occur, and how often."""
    indexer = Indexer((count,))
    sets = np.array(list(itertools.combinations(range(52), count)), dtype=np.uint8)
    occurrences = np.bincount(indexer.index(sets), minlength=indexer.size)
    assert len(occurrences) == indexer.size
    assert (occurrences == indexer.weights()).all()


def test_every_flop_hand_by_enumeration() -> None:
    """All 25,989,600 hole cards and flops: every index occurs, as often as its weight says."""
    indexer = Indexer((2, 3))
    occurrences = np.zeros(indexer.size, dtype=np.int64)
    for first in range(50):
        flops = ((first, *others) for others in itertools.combinations(range(first + 1, 52), 2))
        indices = np.concatenate([index_board_hands(flop) for flop in flops])
        occurrences += np.bincount(indices[indices >= 0], minlength=indexer.size)
    assert (occurrences == indexer.weights()).all()


def test_index_undoes_unindex_for_every_flop_hand() -> None:
    indexer = Indexer((2, 3))
    everything = np.arange(indexer.size)
    assert (indexer.index(indexer.unindex(everything)) == everything).all()
    assert int(indexer.weights().sum()) == 1326 * math.comb(50, 3)


@pytest.mark.parametrize("groups", [(2, 4), (2, 5), (2, 3, 1), (2, 3, 1, 1), *OTHERS])
def test_index_undoes_unindex(groups: tuple[int, ...]) -> None:
    indexer = Indexer(groups)
    sample = np.random.default_rng(1).integers(0, indexer.size, 20_000)
    sample[:2] = 0, indexer.size - 1
    assert (indexer.index(indexer.unindex(sample)) == sample).all()


@pytest.mark.slow
@pytest.mark.parametrize("groups", [(2, 4), (2, 5), (2, 3, 1), (2, 3, 1, 1)])
def test_index_undoes_unindex_for_a_large_sample(groups: tuple[int, ...]) -> None:
    indexer = Indexer(groups)
    sample = np.random.default_rng(2).integers(0, indexer.size, 5_000_000)
    assert (indexer.index(indexer.unindex(sample)) == sample).all()


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 5])
def test_every_turn_and_river_hand_by_enumeration(count: int) -> None:
    """Hole cards with every class of boards, each as often as it has boards."""
    indexer = Indexer((2, count))
    occurrences = np.zeros(indexer.size, dtype=np.uint8)
    for board, boards in zip(*canonical_boards(count), strict=True):
        indices, hands = np.unique(index_board_hands(board), return_counts=True)
        occurrences[indices[1:]] += (boards * hands[1:]).astype(np.uint8)  # the first is -1
    assert np.array_equal(occurrences, indexer.weights())


@pytest.mark.slow
def test_every_ordered_turn_hand_by_enumeration() -> None:
    """Hole cards with every class of flops followed by a turn card."""
    indexer, boards = Indexer((2, 3, 1)), Indexer((3, 1))
    occurrences = np.zeros(indexer.size, dtype=np.uint8)
    everything = np.arange(boards.size)
    for board, count in zip(boards.unindex(everything), boards.weights(), strict=True):
        live = HOLES[~np.isin(HOLES, board).any(axis=1)]
        hands = np.concatenate([live, np.tile(board, (len(live), 1))], axis=1)
        indices, same = np.unique(indexer.index(hands), return_counts=True)
        occurrences[indices] += (count * same).astype(np.uint8)
    assert np.array_equal(occurrences, indexer.weights())


@pytest.mark.parametrize("groups", [*SIZES, *OTHERS])
def test_kernels_agree_with_the_twin(groups: tuple[int, ...]) -> None:
    indexer = Indexer(groups)
    tables = indexer.tables
    offsets = dict(
        zip((tuple(row) for row in tables.codes.tolist()), tables.offsets.tolist(), strict=False)
    )
    hands = random_hands(200, sum(groups), seed=3)
    indices = indexer.index(hands)
    assert indices.tolist() == [reference.index(hand, groups, offsets) for hand in hands.tolist()]
    scratch = np.zeros(SCRATCH_SIZE, dtype=np.uint64)
    flat = np.ascontiguousarray(hands).reshape(-1)
    assert index_hand(tables, flat, np.uint64(0), scratch) == indices[0]
    for hand, index, back in zip(
        hands.tolist(), indices.tolist(), indexer.unindex(indices).tolist(), strict=True
    ):
        assert reference.canonical(hand, groups) == reference.canonical(back, groups)
        assert indexer.weights(index, index + 1)[0] == reference.class_size(hand, groups)


@given(st.permutations(range(52)), st.sampled_from([*SIZES, *OTHERS]), st.randoms())
def test_names_of_suits_and_order_in_a_group_change_nothing(
    deck: list[int], groups: tuple[int, ...], random: object
) -> None:
    hand = deck[: sum(groups)]
    shuffled = []
    for group in reference.split(hand, groups):
        cards = list(group)
        random.shuffle(cards)  # type: ignore[attr-defined]
        shuffled += cards
    renamed = reference.renamings(shuffled)
    assert len(set(Indexer(groups).index([hand, *renamed]).tolist())) == 1


@given(st.permutations(range(52)), st.permutations(range(52)), st.sampled_from([(2, 3), (3, 1)]))
def test_equal_indices_mean_isomorphic_hands(
    first: list[int], second: list[int], groups: tuple[int, ...]
) -> None:
    size = sum(groups)
    one, two = Indexer(groups).index([first[:size], second[:size]]).tolist()
    isomorphic = reference.canonical(first[:size], groups) == reference.canonical(
        second[:size], groups
    )
    assert (one == two) == isomorphic


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_all_holes_of_a_board_at_once(size: int) -> None:
    indexer = Indexer((2, size))
    for board in random_hands(40, size, seed=4):
        indices = index_board_hands(board.tolist())
        live = ~np.isin(HOLES, board).any(axis=1)
        hands = np.concatenate([HOLES[live], np.tile(board, (live.sum(), 1))], axis=1)
        assert (indices[live] == indexer.index(hands)).all()
        assert (indices[~live] == -1).all()


@pytest.mark.parametrize("count", [3, 4, 5])
def test_canonical_boards(count: int) -> None:
    boards, multiplicities = canonical_boards(count)
    assert len(boards) == SIZES[(count,)]
    assert int(multiplicities.sum(dtype=np.int64)) == math.comb(52, count)
    assert (np.diff(boards.astype(int), axis=1) > 0).all()


@pytest.mark.parametrize("groups", [(), (0, 2), (8,), (2, 3, 3), (-1,)])
def test_impossible_groups_are_refused(groups: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError):
        Indexer(groups)


def test_impossible_hands_and_indices_are_refused() -> None:
    indexer = Indexer((2, 3))
    with pytest.raises(DoyleError, match=r"row 1 .* repeats a card"):
        indexer.index([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]])
    with pytest.raises(DoyleError):
        indexer.index([[0, 1, 2, 3]])
    with pytest.raises(DoyleError):
        indexer.index([[0, 1, 2, 3, 52]])
    with pytest.raises(DoyleError):
        indexer.unindex([indexer.size])
    with pytest.raises(DoyleError):
        indexer.unindex([-1])
    with pytest.raises(DoyleError):
        indexer.weights(5, 3)
    with pytest.raises(DoyleError):
        index_board_hands([0, 0, 1])
    with pytest.raises(DoyleError):
        index_board_hands([])
