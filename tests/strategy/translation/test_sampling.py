"""Sampled translation: the same hand is read the same way, and hands together are the exact form."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Game, State
from doyle.strategy.translation import mapping
from doyle.strategy.translation.defence import Order
from doyle.strategy.translation.named_translations import named_translation, polaris_names
from doyle.strategy.translation.steps import Translation
from doyle.strategy.translation.walk import TranslationCache, Walker, normalised
from tests.reference.sampled_player import SampledPlayer
from tests.reference.translated_strategy import TranslatedStrategy

GAME = Game.named("leduc-nl12")
NAMES = [name for name in polaris_names() if "-nd" not in name]
TREE = BettingTree.build(BettingModel.parse("fcpa"), GAME)


def table(node: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A strategy that differs by node and state, all rows positive."""
    rng = np.random.default_rng(node)
    return rng.dirichlet(np.ones(int(TREE.child_count[node])), size=9)


def sampled(translation: Translation, seed: int, seat: int = 1) -> SampledPlayer:
    return SampledPlayer(TranslatedStrategy(translation, TREE, table), seat, (seed,), (2, 4))


def walker(translation: Translation) -> Walker:
    return Walker(TranslationCache(translation, TREE), lambda node: table(node).T)


@given(st.integers(0, 10**6), st.sampled_from(NAMES))
@settings(max_examples=150)
def test_a_hand_is_consistent_and_legal(seed: int, name: str) -> None:
    """Play a hand; every earlier reading is a prefix of the later ones' replay."""
    translation = named_translation(name)
    me = sampled(translation, seed)
    rng = np.random.default_rng(seed)
    state = State.start(GAME)
    while not state.is_over:
        if state.actor == me.seat:
            action = me.act(state)
            assert state.is_legal(action)
            assert action == sampled(translation, seed).act(state)
        else:
            action = int(rng.choice(state.legal_actions()))
        state = state.apply(action)
        assert me.branch(state) == sampled(translation, seed).branch(state)


def test_hands_together_are_the_exact_form() -> None:
    translation = Translation(mapping("rand-pshar"), measure="real", small_bets="check")
    player = walker(translation)
    state = State.start(GAME).apply(6)
    position = player.after(player.start(np.ones(9)), 6, own=False)
    actions, exact = normalised(player.joint(position), 9)
    hands = 3000
    counts = dict.fromkeys(actions, 0)
    for seed in range(hands):
        counts[sampled(translation, seed).act(state)] += 1
    for column, action in enumerate(actions):
        expected = exact[2, column]
        assert counts[action] / hands == pytest.approx(expected, abs=4 * (0.25 / hands) ** 0.5)


def test_what_is_read_again_is_drawn_again() -> None:
    """An own pot bet that a too small pot makes a bet between two known ones: over the hands in
    which it is made, the reading of it is as likely as in the exact form."""
    translation = named_translation("polaris-soft+cisc+reread")
    player = walker(translation)
    state, position = State.start(GAME), player.start(np.ones(9))
    # The opponent's bet of 1 is read as 2; the answer to it aims at the abstract total of 9.
    for action in (2, 9):
        position = player.after(position, action, own=state.actor == 1)
        before, state = state, state.apply(action)
    total = float(position.reach()[2])
    exact = {branch: float(weights[2]) / total for branch, weights in position.beliefs.items()}
    assert len(exact) == 2
    hands = [me for me in map(partial(sampled, translation), range(6000)) if me.act(before) == 9]
    assert len(hands) > 500
    for branch, share in exact.items():
        found = sum(me.branch(state) == branch for me in hands) / len(hands)
        assert found == pytest.approx(share, abs=4 * (0.25 / len(hands)) ** 0.5)


def test_a_defence_cannot_be_sampled() -> None:
    translation = named_translation("rand-pshar+defend")
    player = TranslatedStrategy(translation, TREE, table, lambda state: Order.of(np.zeros(9)))
    with pytest.raises(DoyleError, match="one hand is sampled"):
        SampledPlayer(player, 0, (1,), (0, 0))


def test_only_the_actor_may_act() -> None:
    with pytest.raises(DoyleError, match="not to act"):
        sampled(named_translation("polaris-hard"), 1).act(State.start(GAME))
