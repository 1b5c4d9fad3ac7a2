"""What leaves pay: the evaluators against pairs of hands one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from doyle.abstractions.betting import FOLD_LEAF
from doyle.cards import parse_cards, parse_range, rank_hand
from doyle.cards.equities import equity
from doyle.solving.games import Hands, PublicGame
from doyle.solving.games.evaluators import compare
from tests.solving.public_games import holdem, small


def meeting_matrices(game: PublicGame, board: int) -> tuple[np.ndarray, np.ndarray]:
    """Who can meet and who wins, for seat 0, as the evaluator has it: one vector for each hand."""
    hands = [len(hands) for hands in game.hands]
    show, fold = compare(game.evaluator, board, 0, np.eye(hands[1]), hands[0])
    return fold.T, show.T


def plain_matrices(game: PublicGame, board: int) -> tuple[np.ndarray, np.ndarray]:
    public = game.boards.cards[board]
    fold = np.zeros((len(game.hands[0]), len(game.hands[1])))
    show = np.zeros_like(fold)
    for i, first in enumerate(game.hands[0].cards.tolist()):
        for j, second in enumerate(game.hands[1].cards.tolist()):
            cards = [*first, *second, *public]
            if len(set(cards)) == len(cards):
                fold[i, j] = 1.0
                ranks = rank_hand((*first, *public)), rank_hand((*second, *public))
                show[i, j] = (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
    return fold, show


@pytest.mark.parametrize(
    ("board", "first", "second"),
    [
        ("Td9d6hQc2s", "AA,KTs,QJs,87s,22,A2o", "KK,AQs,JTs,T9s,22:0.5"),
        ("2c3c4c5c6c", "A7s,KQo,77", "*"),  # the board plays for many
        ("AsAhAdAcKs", "22+,KQo", "QQ,72o"),
    ],
)
def test_river_leaves_against_pairs(board: str, first: str, second: str) -> None:
    game = holdem(board, first, second)
    fold, show = meeting_matrices(game, 0)
    plain = plain_matrices(game, 0)
    assert np.array_equal(fold, plain[0])
    assert np.array_equal(show, plain[1])


def test_leaves_of_every_river_of_a_turn() -> None:
    game = holdem("Td9d6hQc", "AA,KTs,87s", "KK,AQs,T9s", merged=False)
    for board in range(0, len(game.boards), 7):
        fold, show = meeting_matrices(game, board)
        plain = plain_matrices(game, board)
        assert np.array_equal(fold, plain[0])
        if board:  # on the turn nobody shows
            assert np.array_equal(show, plain[1])


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_small_decks(name: str) -> None:
    game = small(name, merged=False)
    last = int(game.boards.level.max())
    for board in np.flatnonzero(game.boards.level == last):
        fold, show = meeting_matrices(game, int(board))
        plain = plain_matrices(game, int(board))
        assert np.array_equal(fold, plain[0])
        assert np.array_equal(show, plain[1])


def test_weight_of_pairs_that_meet() -> None:
    game = holdem("Td9d6hQc2s", "AA,KTs,87s:0.5", "AA,KTs,T8o:0.25")
    expected = game.hands[0].weights @ plain_matrices(game, 0)[0] @ game.hands[1].weights
    assert game.mass == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Ts9s6s"])
def test_equity_is_that_of_the_cards(board: str) -> None:
    game = holdem(board, "AsAh,KhTh", "QQ,T9s,87s:0.5")
    found = game.equities(0, game.hands[1].weights, board=game.root)
    for hand, cards in enumerate(game.hands[0].cards.tolist()):
        weights = np.zeros(1326)
        weights[cards[1] * (cards[1] - 1) // 2 + cards[0]] = 1.0
        exact = equity([weights, parse_range("QQ,T9s,87s:0.5")], parse_cards(board))
        assert found[hand] == pytest.approx(exact.equities[0], abs=1e-12)


def test_permuted_hands() -> None:
    hands = Hands(np.array([[0, 4], [1, 5], [0, 5]], np.int32), np.array([1.0, 1.0, 0.5]))
    assert not hands.allow((1, 0, 2, 3))  # the third hand has no image
    assert hands.allow((0, 1, 3, 2))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(lambda: small("leduc-nl12", merged=False), id="leduc-nl12"),
        pytest.param(
            lambda: holdem("Td9d6hQc", "AA,KTs,87s", "KK:0.5,AQs", merged=False), id="turn"
        ),
    ],
)
def test_leaves_of_the_first_round_are_worth_what_pairs_of_hands_win(
    game: Callable[[], PublicGame],
) -> None:
    """An all-in before the last round is paid over all boards that may follow."""
    made = game()
    boards = made.boards
    chance = np.ones(len(boards))
    for board in range(1, len(boards)):
        chance[board] = boards.weight[board] * chance[boards.parent[board]]
    last = np.flatnonzero(boards.level == boards.levels - 1).tolist()
    shown = sum(chance[board] * plain_matrices(made, board)[1] for board in last)
    meeting = plain_matrices(made, 0)[0]
    leaves = [leaf for leaf in made.tree.leaves if made.tree.round[leaf] == made.tree.round[0]]
    kinds = set()
    for leaf in leaves:
        matrix = meeting if made.tree.kind[leaf] == FOLD_LEAF else shown
        for seat, sign in ((0, 1.0), (1, -1.0)):
            paid = made.evaluate(int(leaf), seat, made.weights(1 - seat))
            chips = float(made.tree.leaf_chips(0)[leaf])
            expected = sign * chips * (matrix if seat == 0 else matrix.T) @ made.weights(1 - seat)
            assert paid == pytest.approx(expected, abs=1e-9)
        kinds.add(int(made.tree.kind[leaf]))
    assert len(kinds) == 2
