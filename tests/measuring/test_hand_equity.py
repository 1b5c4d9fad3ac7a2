"""Win probabilities of one hand: against plain counting, known figures and the strength atlas's idea."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.cards import HOLES, board_strength, hole_index, parse_cards
from doyle.games import Game
from doyle.games.policies import possible_hands
from doyle.measuring.hand_equity import _points_of, win_probabilities
from tests.reference.hand_equity import win_probability

HOLDEM = Game.named("holdem-nl-200bb")


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(parse_cards(text)))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_equals_plain_counting_after_the_flop(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(3):
        dealt = rng.permutation(52).tolist()
        hole, board = tuple(sorted(dealt[:2])), tuple(dealt[2 : 2 + size])
        found = win_probabilities(HOLDEM, hole, board)
        for other in (tuple(sorted(dealt[7:9])), tuple(sorted(dealt[9:11]))):
            assert found[hole_index(*other)] == win_probability(hole, other, board)
        possible = possible_hands(HOLDEM, (*hole, *board))
        assert (found[~possible] == 0).all()
        assert possible.sum() == (50 - size) * (49 - size) // 2


def test_equals_board_strength_on_the_river() -> None:
    board = cards("2c7dTh5s6c")
    win, tie, _ = board_strength(board)
    for place in (0, 400, 1325):
        hole = tuple(HOLES[place].tolist())
        if set(hole) & set(board):
            continue
        found = win_probabilities(HOLDEM, hole, board)
        assert found.sum() == win[place] + tie[place] / 2


@pytest.mark.slow
def test_preflop_table() -> None:
    # Counted once, about a minute; the figures are those of every odds calculator.
    kings = hole_index(*cards("KdKc"))
    assert win_probabilities(HOLDEM, cards("AsAh"), ())[kings] == pytest.approx(0.812555, abs=1e-6)
    found = win_probabilities(HOLDEM, cards("AcKc"), ())
    other = win_probabilities(HOLDEM, cards("QdQs"), ())
    both = found[hole_index(*cards("QdQs"))] + other[hole_index(*cards("AcKc"))]
    assert both == pytest.approx(1.0, abs=1e-12)


def test_points_are_symmetric_under_suits() -> None:
    # A board that is its own image under all relabellings would be counted 24 times: the sum over
    # relabellings divides by it.
    rng = np.random.default_rng(1)
    values = rng.integers(-5, 5, (1326, 1326)) * 24
    points = _points_of(np.tril(values, -1))
    assert (points == 2 * 1_712_304 - points.T)[points > 0].all()


def test_small_games_are_enumerated() -> None:
    game = Game.named("leduc")
    king, queen = game.deck[-1], game.deck[-3]
    found = win_probabilities(game, (king,), ())
    # Against the other king a tie; a queen wins with the other queen on the board, one card in four.
    assert found[game.deck.index(game.deck[-2])] == 0.5
    assert found[game.deck.index(queen)] == 0.75
    assert found[game.deck.index(king)] == 0.0
