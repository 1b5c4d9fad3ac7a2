"""Rows of tables in small games: what solvers wrote is what a hand reads."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.policies import policy_row, policy_rows
from doyle.solving.games.small_games import CardStates, SmallDeckBuckets
from doyle.solving.sampling.deals import SmallDeals

LEDUC = Game.named("leduc")
TWO_HOLES = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 6 6
blind = 2 1
firstPlayer = 2 1
numSuits = 2
numRanks = 4
numHoleCards = 2
numBoardCards = 0 1
END GAMEDEF
"""


def states_of(game: Game) -> tuple[int, ...]:
    return tuple(len(keys) for keys in CardStates.of(game).keys)


@pytest.mark.parametrize("game", [Game.named("kuhn"), LEDUC, Game.parse(TWO_HOLES)])
def test_rows_of_a_walk_are_states_up_to_suits(game: Game) -> None:
    rows, states = SmallDeckBuckets(game, states_of(game)), CardStates.of(game)
    assert rows.lossless
    for number in range(game.rounds):
        board = game.deck[: game.board_ends[number]]
        found = rows.buckets(board)
        assert len(found) == policy_rows(game)
        for first in game.deck:
            for second in game.deck:
                hole = (first,) if game.hole_cards == 1 else (first, second)
                if len(set(hole)) < game.hole_cards:
                    continue
                taken = bool(set(hole) & set(board))
                expected = -1 if taken else states.state(number, hole, board)
                assert found[policy_row(game, hole)] == expected


def test_rows_of_sampling_are_cards() -> None:
    counts = SmallDeals(LEDUC).bucket_counts
    rows = SmallDeckBuckets(LEDUC, counts)
    assert not rows.lossless
    board = LEDUC.deck[2:3]
    expected = [
        -1 if card in board else SmallDeals(LEDUC).bucket(card, board, 1) for card in LEDUC.deck
    ]
    np.testing.assert_array_equal(rows.buckets(board), expected)
    # A card cannot be dealt twice, so of 36 rows 30 can occur.
    assert len(list(rows.hands(1))) == 30
    np.testing.assert_array_equal(copy.copy(rows).buckets(board), expected)


def test_hands_have_each_row_once() -> None:
    rows = SmallDeckBuckets(LEDUC, states_of(LEDUC))
    for number, count in enumerate(rows.bucket_counts):
        assert sorted(row for _, row in rows.hands(number)) == list(range(count))


def test_other_tables_are_refused() -> None:
    with pytest.raises(DoyleError, match=r"tables of \(4, 9\) rows by round; leduc has \(3, 9\)"):
        SmallDeckBuckets(LEDUC, (4, 9))
