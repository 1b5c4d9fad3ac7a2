"""Other people's evaluators put random hands in the same order."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray
from phevaluator import evaluate_cards
from treys import Card as TreysCard
from treys import Evaluator

from doyle.cards import equity, evaluate, format_card
from tests.cards.dealing import random_hands

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 uses names that pyparsing has deprecated
    import eval7

pytestmark = pytest.mark.peer


def test_eval7_orders_hands_alike() -> None:
    hands = random_hands(20_000, 7, seed=2)
    cards = [eval7.Card(format_card(card)) for card in range(52)]
    theirs = np.array([eval7.evaluate([cards[card] for card in hand]) for hand in hands.tolist()])
    assert_same_order(evaluate(hands), theirs)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_gives_the_mirrored_rank(size: int) -> None:
    hands = random_hands(5_000, size, seed=3)
    theirs = np.array([evaluate_cards(*hand) for hand in hands.tolist()])
    assert (7463 - theirs == evaluate(hands)).all()


@pytest.mark.parametrize("size", [5, 7])
def test_treys_gives_the_mirrored_rank(size: int) -> None:
    hands = random_hands(2_000, size, seed=4)
    cards = [TreysCard.new(format_card(card)) for card in range(52)]
    evaluator = Evaluator()
    theirs = [
        evaluator.evaluate([cards[card] for card in hand[:2]], [cards[card] for card in hand[2:]])
        for hand in hands.tolist()
    ]
    assert (7463 - np.array(theirs) == evaluate(hands)).all()


def assert_same_order(ours: NDArray[np.uint16], theirs: NDArray[np.int64]) -> None:
    order = np.argsort(theirs, kind="stable")
    steps_ours = np.diff(ours[order].astype(np.int64))
    steps_theirs = np.diff(theirs[order])
    assert (steps_ours >= 0).all()
    assert ((steps_ours == 0) == (steps_theirs == 0)).all()


def test_eval7_gives_the_same_equity() -> None:
    """Its exact comparison of a hand with a range on a complete board (in single precision)."""
    villain, board = "QQ,JTs,AKo,99", "Qh7c2dJs3h"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        their_range = eval7.HandRange(villain)
    hand = [eval7.Card("As"), eval7.Card("Jd")]
    their_board = [eval7.Card(board[i : i + 2]) for i in range(0, 10, 2)]
    theirs = eval7.py_hand_vs_range_exact(hand, their_range, their_board)
    assert equity(["AsJd", villain], board).equities[0] == pytest.approx(theirs, abs=1e-7)
