"""Boards to come: their number, their probabilities, and which ones stand for which."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.cards import parse_cards
from doyle.cards.suits.relabelling import relabelled
from tests.solving.public_games import holdem, small


@pytest.mark.parametrize(
    ("board", "merged", "kept", "whole"),
    [
        ("Td9d6hQc", True, 48, 48),  # no two suits are alike
        ("Ts9s6s", True, None, 49 * 48),
        ("Ts9s6sQs", True, None, 48),
        ("Ts9s6sQs", False, 48, 48),
    ],
)
def test_boards_stand_for_all(board: str, merged: bool, kept: int | None, whole: int) -> None:
    boards = holdem(board, "*", "*", merged=merged).boards
    last = int((boards.level == boards.levels - 1).sum())
    assert boards.represented() == whole
    assert last == kept if kept is not None else last < whole / 2


def test_ranges_that_tell_suits_apart_keep_boards_apart() -> None:
    merged = holdem("Ts9s6sQs", "22+", "22+").boards
    apart = holdem("Ts9s6sQs", "22+,AcKc", "22+").boards
    assert len(merged) < len(apart) <= 49


def test_probabilities_of_the_boards_a_pair_can_see() -> None:
    boards = holdem("Ts9s6s", "22+", "22+").boards
    held = parse_cards("AhAdKcKd")
    chance = np.ones(len(boards))
    total = 0.0
    for board in range(1, len(boards)):
        chance[board] = chance[boards.parent[board]] * boards.weight[board]
    # Over all copies, counted one by one.
    for turn in set(range(52)) - {*boards.cards[0], *held}:
        for river in set(range(52)) - {*boards.cards[0], *held, turn}:
            total += chance[boards.find([(turn,), (river,)])[0]]
    assert total == pytest.approx(1.0)


def test_find_gives_the_relabelling() -> None:
    boards = holdem("Ts9s6s", "22+", "22+").boards
    for turn, river in (("Ac", "Kd"), ("Ah", "Ad"), ("2s", "3c"), ("7d", "7c")):
        real = parse_cards(turn + river)
        board, suits = boards.find([(real[0],), (real[1],)])
        shown = tuple(relabelled(card, suits) for card in boards.cards[board])
        assert shown[3:] == real
        assert set(shown[:3]) == set(boards.cards[0])


def test_leduc_by_rank() -> None:
    boards = small("leduc").boards
    assert [len(cards) for cards in boards.cards] == [0, 1, 1, 1]
    assert boards.represented() == 6
