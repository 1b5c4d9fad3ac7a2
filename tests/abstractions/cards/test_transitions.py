"""Counts of the next round's clusters, against dealing every next card."""

from __future__ import annotations

import numpy as np

from doyle.abstractions.cards.strength.atlas import flop_to_turn, preflop_to_flop, turn_to_river
from doyle.cards import HOLES
from doyle.cards.suits.boards import HANDS, HOLE_MAPS, boards, hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas


def next_cards(row: int, size: int, hole: int) -> list[tuple[int, int]]:
    """Row and column of a hand on every board with one more card."""
    board = [int(card) for card in boards(size).boards[row]]
    taken = {*board, *(int(card) for card in HOLES[hole])}
    found = []
    for card in sorted(set(range(52)) - taken):
        after, permutation = boards(size + 1).find((*board, card))
        found.append((after, int(HOLE_MAPS[permutation, hole])))
    return found


def test_rivers_of_turn_hands() -> None:
    atlas = small_atlas()
    clusters = np.arange(1981) % 7
    found = turn_to_river(atlas, clusters, count=7)
    numbered = hands(2)
    inside = np.flatnonzero(np.isin(numbered.row, atlas.turn_rows))
    assert (found[inside].sum(axis=1) == 46).all()
    for hand in inside[::40_000]:
        places = next_cards(int(numbered.row[hand]), 4, int(numbered.hole[hand]))
        strengths = [int(atlas.river_strength[place]) for place in places]
        expected = np.bincount(clusters[strengths], minlength=7)
        assert found[hand].tolist() == expected.tolist()


def test_turns_of_flop_hands() -> None:
    clusters = (np.arange(HANDS[2]) % 5).astype(np.int32)
    found = flop_to_turn(small_atlas(), clusters, count=5)
    numbered = hands(1)
    for hand in np.flatnonzero(np.isin(numbered.row, FLOPS))[::150]:
        places = next_cards(int(numbered.row[hand]), 3, int(numbered.hole[hand]))
        turns = [int(hands(2).index[place]) for place in places]
        assert found[hand].tolist() == np.bincount(clusters[turns], minlength=5).tolist()


def test_flops_of_preflop_hands() -> None:
    clusters = np.arange(HANDS[1]) % 3
    found = preflop_to_flop(small_atlas(), clusters, count=3)
    numbered, preflop = hands(1), hands(0)
    expected = np.zeros((169, 3), np.int64)
    for row in FLOPS:
        for hole in np.flatnonzero(numbered.index[row] >= 0):
            cluster = clusters[numbered.index[row, hole]]
            expected[preflop.index[0, hole], cluster] += int(boards(3).weights[row])
    assert (found == expected // preflop.weight[:, None]).all()
