"""Coaches of two strategies: when they switch, what they play, and that they are policies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from doyle.agents.completed_policy import CompletedPolicy
from doyle.agents.registry import COACHES, Coached, read_agent
from doyle.agents.resolve import check_agent_text, own_game
from doyle.agents.strategy_agent import StrategyAgent
from doyle.agents.switching.coach import LEAST_SUGGESTED, READINGS, Coach
from doyle.base.errors import DoyleError
from doyle.games import Deal, Game, State
from doyle.matches.match import play_match
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.testing import check_policy
from tests.agents.synthetic import synthetic_agent

GAME = Game.named("holdem-nl-20bb")
BOARD = (0, 17, 34, 50, 5)


def first() -> StrategyAgent:
    return synthetic_agent("det-geo", model="fcpa", game=GAME.name, seed=1)


def second() -> StrategyAgent:
    return synthetic_agent("det-geo", model="fchpa/h", game=GAME.name, seed=2)


def at(*betting: tuple[int, ...]) -> State:
    state = State.start(GAME, Deal(((), ()), BOARD))
    for actions in betting:
        for action in actions:
            state = state.apply(action)
    return state


def test_a_half_pot_bet_switches_and_a_pot_bet_does_not() -> None:
    coach = Coach("coach", first(), second())
    flop = at((1, 1))  # the pot is 4 chips, 2 from each
    assert coach.new_sizes == ({0.5}, {0.5})
    assert coach.is_new(flop, 4)  # a half of the pot
    assert coach.is_new(flop, 5)  # as near to a half as to one: the smaller
    assert not coach.is_new(flop, 6)
    assert not coach.is_new(flop, 40)
    assert not coach.is_new(
        State.start(GAME), 4
    )  # the second model has no half pot before the flop
    assert coach.switched(flop.apply(4)).all()
    assert not coach.switched(flop.apply(6)).any()


def test_it_plays_the_strategy_in_charge() -> None:
    one, two = first(), second()
    coach = Coach("coach", one, two)
    before, after = at((1, 1)).apply(6), at((1, 1)).apply(4)
    for state, agent in ((before, one), (after, two)):
        actions, shares = coach.probabilities(state)
        expected = agent.probabilities(state)
        assert actions == expected[0]
        here = agent.reach(state, state.actor) > 0
        assert shares[here] == pytest.approx(expected[1][here])
    # It stays with the second to the end of the hand, unless it is told to return.
    turn = after.apply(1)
    assert turn.round == 2
    later = turn if turn.actor == after.actor else turn.apply(1)
    assert coach.switched(later).all()
    returning = Coach("coach", one, two, returns=True)
    assert returning.switched(after).all()
    assert not returning.switched(later).any()
    actions, shares = returning.probabilities(later)
    known, expected = CompletedPolicy(one).probabilities(later)
    assert actions == known
    assert shares == pytest.approx(expected)


def test_hands_that_seldom_come_there_play_all_actions_alike() -> None:
    one, two = first(), second()
    plain, blurred = Coach("coach", one, two), Coach("coach", one, two, least_reach=0.2)
    state = at((1, 1), (1, 4))
    actions, shares = blurred.probabilities(state)
    known, expected = plain.probabilities(state)
    assert actions == known
    reach = CompletedPolicy(two).reach(state, state.actor)
    assert 0 < (reach < 0.2).sum() < len(reach)
    assert (shares[reach < 0.2] == 1 / len(actions)).all()
    assert (shares[reach >= 0.2] == expected[reach >= 0.2]).all()


def test_the_full_coach_switches_hand_by_hand() -> None:
    coach = Coach("coach", first(), second(), own_bets="made")
    flop = at((1, 1))
    chosen = coach.switched(flop)
    actions, shares = coach.second.probabilities(flop)
    assert 0 < chosen.sum() < len(chosen)
    half = shares[:, actions.index(4)]
    here = coach.second.reach(flop, flop.actor) > 0
    assert (chosen[here] == (half[here] > LEAST_SUGGESTED)).all()
    mixed = coach.probabilities(flop)
    assert mixed[1].sum(axis=1) == pytest.approx(np.ones(1326))
    assert (mixed[1][~chosen][:, mixed[0].index(4)] == 0).all()


def test_the_full_coach_returns_to_the_first_strategy_or_stays() -> None:
    one, two = first(), second()
    returns, stays = (Coach("coach", one, two, own_bets=own) for own in ("made", "stay"))
    flop = at((1, 1))
    raised = at(
        (1, 1), (4, 12)
    )  # its own half-pot bet was raised by a pot: (2) bets half the pot once a round
    assert raised.actor == flop.actor
    before = returns.switched(flop)
    assert before.any()
    assert not returns.switched(raised).any()
    assert (stays.switched(raised) == before).all()
    for coach, agent, here in ((returns, one, before), (stays, two, before)):
        actions, shares = coach.probabilities(raised)
        known, expected = CompletedPolicy(agent).probabilities(raised)
        for column, action in enumerate(known):
            ours = shares[here, actions.index(action)]
            assert ours == pytest.approx(expected[here, column])
    calls = Coach("coach", one, two, own_bets="made-or-call")
    actions, shares = calls.probabilities(raised)
    never = before & (one.reach(raised, raised.actor) == 0)
    assert never.any()
    assert (shares[never, actions.index(1)] == 1).all()
    # After a half-pot bet of the opponent neither returns.
    answered = at((1, 1), (1, 4, 1))
    assert answered.round == 2
    for coach in (returns, stays):
        assert coach.switched(answered).all()


@pytest.mark.parametrize("name", READINGS)
def test_a_coach_plays_as_its_policy_says(name: str) -> None:
    coach = READINGS[name]("coach", first(), second())
    result = play_match(GAME, [coach, first()], hands=40, seed=5, method="plain")
    again = play_match(GAME, [pickle.loads(pickle.dumps(coach)), first()], hands=40, seed=5)
    assert (result.units == again.units).all()


@pytest.mark.parametrize("name", READINGS)
def test_coaches_keep_the_contract_of_policies(name: str) -> None:
    check_policy(READINGS[name]("coach", first(), second()), GAME, hands=3)


def test_the_defensive_coach_ties_with_the_first_strategy() -> None:
    """It never switches: 0 to 1e-12 over all pairs of hands, and 0 chip for chip in duplicate."""
    one = first()
    coach = Coach("coach", one, second())
    result = play_match(GAME, [coach, one], hands=150, seed=4, method="plain")
    assert (result.units == 0).all()
    exact = run_exact_hands(GAME, (coach, one), boards=1, seed=4)
    assert np.abs(exact.values).max() < 1e-12


def test_names() -> None:
    for kind in ("defensive-coach", "full-coach-stays"):
        found = read_agent(f"{kind}:a:then:b")
        assert isinstance(found, Coached)
        assert (found.kind, found.pair) == (kind, ("a", "b"))
    assert set(READINGS) == set(COACHES)
    assert own_game("defensive-coach:tartanian:then:tartanian2") == Game.named("doyle-500bb")
    check_agent_text("full-coach:tartanian:then:tartanian2", Game.named("doyle-500bb"))
    for text in ("full-coach:tartanian", "full-coach:tartanian:then:nobody"):
        with pytest.raises(DoyleError, match="names no strategy"):
            check_agent_text(text, Game.named("doyle-500bb"))
    with pytest.raises(DoyleError, match="one game"):
        Coach("c", first(), synthetic_agent("det-geo", game="doyle-500bb"))
