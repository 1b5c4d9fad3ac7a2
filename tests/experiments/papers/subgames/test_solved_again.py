"""Blueprints with a round solved again: what they give away, by other computations of the same number."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest

from doyle.abstractions.betting import BettingModel
from doyle.cards.suits.relabelling import ALL_SUITS, SAME_SUITS, Suits
from doyle.experiments.papers.subgames.games import MODEL, Setting, leduc, short_holdem
from doyle.experiments.papers.subgames.solved_again import (
    Blueprint,
    Place,
    _Below,
    _Subgame,
    solved_again,
)
from doyle.games import Action, Deal, Game, State
from doyle.games.policies import ReachByWalking
from doyle.solving.games import outline, poker_game
from doyle.solving.vector import GUARDS, GuardName
from tests.agents.search.small_games import blueprint as searched_blueprint
from tests.agents.search.small_games import responses, searching

Floats = npt.NDArray[np.float64]

LEDUC = leduc(0)


class Played(ReachByWalking):
    """What a solver of the whole game plays, as a policy of real states; all suits apart."""

    name = "played"

    def __init__(self, played: Blueprint) -> None:
        self.game, self.solver = played.game, played.solver

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        tree = self.game.tree
        node = tree.find(state.betting)
        board, _ = self.game.boards.find([state.board] if state.board else [])
        return tuple(tree.actions_of(node).tolist()), self.solver.probabilities(node, board)


def made(setting: Setting, iterations: int, suits: tuple[Suits, ...]) -> Blueprint:
    """A blueprint with these suits alike."""
    parts = outline(BettingModel.parse(MODEL), State.start(setting.game), suits=suits)
    return setting.blueprint(poker_game(parts), iterations)


@lru_cache(maxsize=2)
def before(suits: tuple[Suits, ...] = ALL_SUITS) -> Blueprint:
    """32 iterations of no-limit Leduc."""
    return made(LEDUC, 32, suits)


@pytest.mark.parametrize("guard", GUARDS)
def test_the_vector_solver_and_the_sequence_form_agree(guard: GuardName) -> None:
    """One best response over all hands, and a walk that asks the same play at every real state."""
    agent = solved_again(before((SAME_SUITS,)), 1, guard, 20)
    np.testing.assert_allclose(agent.best_responses, responses(Played(agent)), atol=1e-9)


@pytest.mark.parametrize("guard", ["resolve", "reach-maxmargin"])
def test_guards_have_the_values_of_a_walk_of_real_states(guard: GuardName) -> None:
    """The searching agent works the same values and gifts out by asking its blueprint."""
    whole = before((SAME_SUITS,))
    _ = whole.best_responses
    game = whole.game
    agent = searching(guard, iterations=1, under=searched_blueprint(iterations=32))
    for board in (1, 4):
        below = _Below.of(game, board)
        for node in whole.starts(1):
            subgame, state = _Subgame(whole, below, Place(node, board)), whole.root
            for action in game.tree.path(node):
                state = state.apply(action)
            state = state.with_deal(Deal(((), ()), game.boards.cards[board]))
            for seat in (0, 1):
                live = below.live[1 - seat]
                own = whole.reach(Place(node, board), seat)[live]
                even = np.ones(len(live))
                weights = (own, even) if seat == 0 else (even, own)
                values = subgame._values(1 - seat, weights)
                if guard == "reach-maxmargin":
                    values = values + subgame._gifts(1 - seat)
                expected = agent._guard(state, seat, agent.range(state, seat), None)
                assert expected is not None
                np.testing.assert_allclose(values, expected.values[live], atol=1e-9)


@pytest.mark.parametrize("guard", ["resolve", "maxmargin"])
def test_safe_solving_is_never_above_its_blueprint(guard: GuardName) -> None:
    agent = solved_again(before(), 1, guard, 4000)
    for after, earlier in zip(agent.best_responses, before().best_responses, strict=True):
        assert after <= earlier + 1e-6
    assert sum(agent.best_responses) < sum(before().best_responses)


def test_unsafe_solving_may_be_above_it() -> None:
    agent = solved_again(before(), 1, "unsafe", 4000)
    assert agent.best_responses[0] > before().best_responses[0] + 0.005


@pytest.mark.parametrize("setting", [short_holdem(3, (0, 3), 0), short_holdem(2, (0, 3, 1), 0)])
def test_merged_suits_change_nothing(setting: Setting) -> None:
    """Boards that stand for copies are solved once, two rounds deep too.

    Few iterations: later ones divide regrets that are 0 but for rounding.
    """
    found = []
    for suits in (ALL_SUITS, (SAME_SUITS,)):
        whole = made(setting, 1, suits)
        found.append((*whole.best_responses, *solved_again(whole, 1, "unsafe", 2).best_responses))
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)
    assert found[0][:2] != pytest.approx(found[0][2:], abs=1e-3)


def test_the_rest_of_the_game_is_the_blueprints() -> None:
    whole = before()
    agent = solved_again(whole, 1, "resolve", 5)
    for node in whole.game.tree.decisions.tolist():
        if whole.game.tree.round[node] == 0:
            np.testing.assert_array_equal(
                agent.solver.probabilities(node), whole.solver.probabilities(node)
            )


def test_games_are_as_they_are_named() -> None:
    game = short_holdem(5, (0, 3), 1).game
    assert (len(game.deck), game.rounds, game.board_ends) == (20, 2, (0, 3))
    assert Game.parse(game.to_text(), game.name) == game
