"""States of small decks: counts, probabilities, and equal values with and without merging."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.gameshrink.shrinking import shrink
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.small_games import CardStates, small_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from tests.reference.shrunk_game import shrunk_game

RHODE_ISLAND = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 5 5
raiseSize = 10 20 20
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = {suits}
numRanks = {ranks}
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""


def reduced_rhode_island(ranks: int, suits: int) -> Game:
    return Game.parse(RHODE_ISLAND.format(ranks=ranks, suits=suits), "rhode-island-reduced")


def counts(game: Game, *, lossless: bool) -> list[int]:
    return [states.count(0) for states in CardStates.of(game, lossless=lossless).rounds]


def test_leduc_by_card_and_by_rank() -> None:
    game = Game.named("leduc")
    assert counts(game, lossless=False) == [6, 30]
    assert counts(game, lossless=True) == [3, 9]
    assert small_game(game, lossless=False).information_sets() == (468, 468)


def test_rhode_island_up_to_suits() -> None:
    # Three cards in order: ranks all different with any of 5 patterns of suits; one pair in any of
    # 3 places, the third card of the first's suit, the second's or another; three of a kind.
    different, pairs = 13 * 12 * 11, 13 * 12
    third_round = different * 5 + pairs * 3 * 3 + 13
    assert counts(Game.named("rhode-island"), lossless=True) == [13, 13 + 2 * pairs, third_round]


@pytest.mark.parametrize("lossless", [True, False])
def test_probabilities_of_each_round_are_those_of_dealing(lossless: bool) -> None:
    states = CardStates.of(reduced_rhode_island(3, 2), lossless=lossless)
    for round in states.rounds:
        assert round.joint.values.sum() == pytest.approx(1.0)
        assert np.abs(round.showdown.values).sum() <= 1.0 + 1e-12
        assert np.allclose(round.joint.dense(), round.joint.dense().T)
        assert np.allclose(round.showdown.dense(), -round.showdown.dense().T)


@pytest.mark.parametrize(("ranks", "suits"), [(3, 2), (2, 3)])
def test_merged_states_keep_the_value_of_rhode_island(ranks: int, suits: int) -> None:
    game = reduced_rhode_island(ranks, suits)
    values = []
    for lossless in (True, False):
        form = SequenceForm(small_game(game, lossless=lossless))
        values.append(solve_linear_program(form).value)
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_a_state_is_found_from_any_relabelling_of_its_cards() -> None:
    game = Game.named("rhode-island")
    states = CardStates.of(game)
    spades = states.state(2, (51,), (47, 42))  # As | Ks Qh
    clubs = states.state(2, (48,), (44, 41))  # Ac | Kc Qd
    offsuit = states.state(2, (48,), (47, 42))  # Ac | Ks Qh
    assert spades == clubs != offsuit


def test_full_decks_are_refused_with_advice() -> None:
    with pytest.raises(DoyleError, match="card abstraction"):
        CardStates.of(Game.named("holdem-limit-2p"))


def test_three_players_are_refused() -> None:
    with pytest.raises(DoyleError, match="two players"):
        CardStates.of(Game.named("holdem-limit-3p"))


@pytest.mark.parametrize(("ranks", "suits"), [(3, 2), (2, 3)])
def test_shrunk_rhode_island_has_the_value_of_the_whole_game(ranks: int, suits: int) -> None:
    game = reduced_rhode_island(ranks, suits)
    whole = SequenceForm(small_game(game, lossless=False))
    shrunk = SequenceForm(shrunk_game(shrink(game)))
    assert sum(shrunk.sizes) < sum(whole.sizes)
    value = solve_linear_program(whole).value
    assert solve_linear_program(shrunk).value == pytest.approx(value, abs=1e-9)


def test_shrunk_leduc_is_leduc_by_rank() -> None:
    form = SequenceForm(shrunk_game(shrink(Game.named("leduc"))))
    assert form.game.information_sets() == (144, 144)
    assert [len(states.joint) for states in form.game.private_states] == [1, 3]
    assert solve_linear_program(form).value == pytest.approx(-0.0856064, abs=1e-7)


def test_published_size_of_rhode_island_counts_the_linear_program() -> None:
    """Rows: the sequences of one seat and, plus one, the information sets of the other.

    Gilpin and Sandholm 2007: 91,224,226 before and 1,237,238 after GameShrink.
    """
    game = Game.named("rhode-island")
    tree = BettingTree.build(BettingModel.parse("full"), game)
    actions, decisions = np.zeros(3, int), np.zeros(3, int)
    for node in tree.decisions[tree.actor[tree.decisions] == 0]:
        actions[tree.round[node]] += tree.child_count[node]
        decisions[tree.round[node]] += 1

    def rows(states: tuple[int, ...]) -> int:
        return int((1 + actions @ states) + (1 + decisions @ states))

    assert rows((52, 52 * 51, 52 * 51 * 50)) == 91_224_226
    assert rows(shrink(game, relation="matching").counts) == 1_237_238
