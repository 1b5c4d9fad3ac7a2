"""Boards, sequences and hands up to suits: counts, representatives, lookups, another numbering."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.cards import HOLES, hole_index
from doyle.cards.suits.boards import (
    CARD_MAPS,
    COMPOSITIONS,
    HANDS,
    HOLE_MAPS,
    Deck,
    boards,
    flop_turns,
    hands,
)
from tests.reference import card_abstraction_twin as twin
from tests.reference.cards_isomorphism import canonical, class_size

COUNTS = {3: 1755, 4: 16_432, 5: 134_459}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_rows_stand_for_every_board(size: int) -> None:
    numbered = boards(size)
    assert len(numbered) == COUNTS[size]
    assert numbered.weights.sum() == comb(52, size)
    generator = np.random.default_rng(size)
    for row in generator.integers(len(numbered), size=50):
        cards = [int(card) for card in numbered.boards[row]]
        assert tuple(cards) == twin.least_board(cards)
        assert numbered.weights[row] == class_size(cards, (size,))


@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]))
def test_a_board_is_found_through_its_permutation(deck: list[int], size: int) -> None:
    board = deck[:size]
    row, permutation = boards(size).find(board)
    assert set(twin.renamed(board, permutation)) == set(boards(size).boards[row].tolist())
    assert tuple(boards(size).boards[row].tolist()) == twin.least_board(board)


@given(st.permutations(range(52)))
def test_a_sequence_is_found_through_its_permutation(deck: list[int]) -> None:
    board = deck[:4]
    row, permutation = flop_turns().find(board)
    image, found = twin.renamed(board, permutation), flop_turns().cards(row)
    assert set(image[:3]) == set(found[:3])
    assert image[3] == found[3]
    turn_row, turn_permutation = divmod(int(flop_turns().turn_code[row]), 32)
    assert set(twin.renamed(found, turn_permutation)) == set(boards(4).boards[turn_row].tolist())


def test_sequences_count_every_flop_and_card() -> None:
    assert len(flop_turns()) == 63_193
    assert flop_turns().weights.sum() == comb(52, 3) * 49


def test_permutations_compose_and_invert() -> None:
    for second in range(24):
        for first in range(24):
            both = COMPOSITIONS[second, first]
            assert (CARD_MAPS[both] == CARD_MAPS[second][CARD_MAPS[first]]).all()
    full = Deck(13, 4)
    assert (COMPOSITIONS[full.inverses, np.arange(24)] == 0).all()
    assert full.suit_maps[0].tolist() == [0, 1, 2, 3]
    for permutation in (1, 7, 23):
        for hole in (0, 77, 1325):
            image = twin.renamed([int(card) for card in HOLES[hole]], permutation)
            assert HOLE_MAPS[permutation, hole] == hole_index(*image)


@pytest.mark.parametrize("board", [(1, 2), (1, 1, 2), (1, 2, 52), (-1, 2, 3)])
def test_boards_that_are_none_are_refused(board: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError, match="expected 3 different cards"):
        boards(3).find(board)


@pytest.mark.parametrize(("round", "deals"), [(0, 1326), (1, 1326 * comb(50, 3))])
def test_hands_count_every_deal(round: int, deals: int) -> None:
    numbered = hands(round)
    assert len(numbered) == HANDS[round]
    assert numbered.weight.sum() == deals
    spread = numbered.spread(np.arange(len(numbered)))
    assert (spread == numbered.index).all()
    assert (numbered.gather(spread) == np.arange(len(numbered))).all()


@settings(max_examples=50)
@given(st.permutations(range(52)))
def test_the_weight_of_a_hand_is_the_size_of_its_class(deck: list[int]) -> None:
    hole, flop = deck[:2], deck[2:5]
    row, permutation = boards(3).find(flop)
    hand = hands(1).index[row, HOLE_MAPS[permutation, hole_index(*hole)]]
    assert hands(1).weight[hand] == class_size(deck[:5], (2, 3))
    assert canonical(deck[:5], (2, 3)) == canonical(
        (*HOLES[hands(1).hole[hand]].tolist(), *boards(3).boards[row].tolist()), (2, 3)
    )
