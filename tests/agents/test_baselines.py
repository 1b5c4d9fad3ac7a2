"""What the baselines do at every kind of decision."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.agents import AlwaysAllIn, AlwaysCall, AlwaysFold, AlwaysRaise, Random, resolve_agent
from doyle.games import CALL, FOLD, Agent, Game, State, bundled_names
from doyle.matches import Dealer, as_deal

HOLDEM = Game.named("holdem-nl-200bb")
NAMES = ("always-fold", "always-call", "always-raise", "always-all-in", "random")


def test_actions_at_the_first_decision_of_holdem() -> None:
    view = State.start(HOLDEM).view(1)
    assert AlwaysFold().act(view) == FOLD
    assert AlwaysCall().act(view) == CALL
    assert AlwaysRaise().act(view) == 200
    assert AlwaysAllIn().act(view) == 20_000


def test_always_fold_checks_when_nothing_is_owed() -> None:
    assert AlwaysFold().act(State.start(HOLDEM).apply(CALL).view(0)) == CALL


def test_raisers_call_when_no_raise_is_allowed() -> None:
    all_in = State.start(HOLDEM).apply(20_000).view(0)
    assert AlwaysRaise().act(all_in) == CALL
    assert AlwaysAllIn().act(all_in) == CALL
    game = Game.named("holdem-limit-2p")
    state = State.start(game)
    while state.max_raise_to:
        assert AlwaysAllIn().act(state.view(state.actor)) == state.min_raise_to
        state = state.apply(state.min_raise_to)
    assert AlwaysRaise().act(state.view(state.actor)) == CALL


def test_random_is_even_over_kinds_and_sizes() -> None:
    state = State.start(HOLDEM)
    agent = Random()
    actions = [agent.act(state.view(1, dice_key=b"%d" % hand)) for hand in range(3000)]
    raises = [action for action in actions if action > CALL]
    for count in (actions.count(FOLD), actions.count(CALL), len(raises)):
        assert abs(count - 1000) < 100  # almost 4 standard deviations
    assert 200 <= min(raises) < 400
    assert 19_800 < max(raises) <= 20_000
    assert abs(sum(raises) / len(raises) - 10_100) < 600


def test_random_decides_by_its_view_alone() -> None:
    view = State.start(HOLDEM).view(1, dice_key=b"3")
    assert len({Random().act(view) for _ in range(5)}) == 1
    others = {
        Random().act(State.start(HOLDEM).view(1, dice_key=b"%d" % hand)) for hand in range(20)
    }
    assert len(others) > 3


@given(st.sampled_from(bundled_names()), st.sampled_from(NAMES), st.integers(0, 2**32 - 1))
@settings(max_examples=150)
def test_every_action_is_legal_to_the_end_of_the_hand(name: str, agent: str, seed: int) -> None:
    game = Game.named(name)
    player: Agent = resolve_agent(agent, game)
    assert player.name == agent
    other = Random()
    state = State.start(game, as_deal(game, Dealer(game, seed=seed).draw(1)[0]))
    while not state.is_over:
        chooser = player if state.actor == 0 else other
        action = chooser.act(state.view(state.actor, dice_key=b"%d" % seed))
        assert type(action) is int
        assert state.is_legal(action)
        state = state.apply(action)
    assert sum(state.payoffs()) == 0


@pytest.mark.parametrize("name", NAMES)
def test_baselines_are_agents(name: str) -> None:
    assert isinstance(resolve_agent(name, HOLDEM), Agent)
