"""Suit isomorphism: known sizes, and counts by enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from doyle.cards import canonical_boards, hole_index
from doyle.cards.suits.boards import HOLE_MAPS, boards, hands
from doyle.cards.suits.relabelling import orbit_counts
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
    assert orbit_counts(13, 4, groups)[-1] == size


@pytest.mark.parametrize("groups", [*SIZES, *OTHERS])
def test_sizes_by_counting_fixed_hands(groups: tuple[int, ...]) -> None:
    """Burnside's lemma: the number of classes is the mean number of hands a renaming keeps."""
    kept = 0
    for suits in itertools.permutations(range(4)):
        cycles = _cycle_lengths(suits)
        # A kept group is a union of cycles of cards; polynomials count them, group by group.
        kept += _fixed_hands(cycles, groups)
    assert orbit_counts(13, 4, groups)[-1] == kept // 24


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
    assert orbit_counts(13, 4, (count,)) == (classes,)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_every_set_has_a_row_and_every_row_its_sets(count: int) -> None:
    """All boards (2,598,960 of five cards): which rows occur, and how often."""
    numbered = boards(count)
    occurrences = np.bincount(numbered.table >> 5, minlength=len(numbered))
    assert len(occurrences) == len(numbered)
    assert (occurrences == numbered.weights).all()


def test_every_flop_hand_by_enumeration() -> None:
    """All 25,989,600 hole cards and flops: every hand occurs, as often as its weight says."""
    numbered = hands(1)
    occurrences = np.zeros(len(numbered), dtype=np.int64)
    for code in boards(3).table.tolist():
        found = numbered.index[code >> 5, HOLE_MAPS[code & 31]]
        np.add.at(occurrences, found[found >= 0], 1)
    assert (occurrences == numbered.weight).all()


def test_names_of_suits_change_nothing() -> None:
    """Hands share a number just when some renaming of suits makes one of the other."""
    numbers: dict[object, int] = {}
    for cards in random_hands(4_000, 5, 1).tolist():
        row, permutation = boards(3).find(cards[2:])
        number = int(hands(1).index[row, HOLE_MAPS[permutation, hole_index(*cards[:2])]])
        assert numbers.setdefault(reference.canonical(cards, (2, 3)), number) == number
    assert len(set(numbers.values())) == len(numbers)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_canonical_boards(count: int) -> None:
    cards, multiplicities = canonical_boards(count)
    assert len(cards) == SIZES[(count,)]
    assert int(multiplicities.sum(dtype=np.int64)) == math.comb(52, count)
    assert (np.diff(cards.astype(int), axis=1) > 0).all()
