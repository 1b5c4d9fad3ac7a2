"""Hands of persons after AIVAT equal those of `doyle evaluate`."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.agents import AlwaysCall
from doyle.apps.web.thinking.aivat import corrected
from doyle.apps.web.thinking.decisions import loaded_agent, prepare
from doyle.apps.web.thinking.requests import PlayedHand
from doyle.games import Deal, Game, State
from doyle.games.histories import Hand
from doyle.measuring.variance_reduction.log_run import run_hands

NAME = "holdem-limit-2p"


def played(seed: int, position: int) -> PlayedHand:
    """A hand of a caller in `position` against `starter`."""
    game = Game.named(NAME)
    cards = [int(card) for card in np.random.default_rng(seed).permutation(52)[:9]]
    deal = Deal(((cards[0], cards[1]), (cards[2], cards[3])), tuple(cards[4:]))
    state, agent = State.start(game, deal), loaded_agent("starter", NAME)
    keys = (b"a" * 32, b"b" * 32)
    actions = []
    while not state.is_over:
        mine = state.actor == position
        view = state.view(state.actor, dice_key=keys[state.actor])
        action = AlwaysCall().act(view) if mine else agent.act(view)
        actions.append(int(action))
        state = state.apply(int(action))
    agents = (None, "starter") if position == 0 else ("starter", None)
    return PlayedHand(NAME, agents, deal.hole, deal.board, tuple(actions), keys)


@pytest.mark.slow
def test_values_equal_those_of_a_log() -> None:
    game, digest = Game.named(NAME), prepare("starter", NAME).digest
    hands = [(played(seed, seed % 2), seed % 2, digest) for seed in range(8)]
    found = corrected(tuple(hands))
    records = [
        Hand(number, hand.states()[-1], ("me", "bot") if position == 0 else ("bot", "me"))
        for number, (hand, position, _) in enumerate(hands)
    ]
    bot = loaded_agent("starter", NAME)
    expected = run_hands(game, records, {"bot": bot})  # type: ignore[dict-item]
    assert found == pytest.approx(-expected.corrected_chips)


def test_another_strategy_is_not_the_agents() -> None:
    assert corrected(((played(1, 0), 0, "other digest"),)) == [None]
