"""Why: the inputs of an agent's decisions in a hand. Runs in a thinking process.

For an agent that plays a strategy: how it read the betting (abstract histories and weights), its bucket,
its action probabilities, and its range as a grid. For an agent that plays cases: those it retrieved, their
similarity by feature, and the action vector. For any other policy probabilities and range; for an agent that
only acts, its actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.agents.explanation import explain
from doyle.agents.search import SearchAgent
from doyle.agents.search.explanation import explain_search
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.web.thinking.decisions import loaded_agent, remembering_agent
from doyle.apps.web.thinking.requests import PlayedHand
from doyle.base.display import colours_of
from doyle.cards import hole_index
from doyle.games import Action, Agent, Policy, State, remembers
from doyle.games.histories import format_action, format_betting
from doyle.strategy import PlaceView

MOST_HISTORIES = 6


def explain_hand(hand: PlayedHand, before: tuple[PlayedHand, ...] = ()) -> list[dict[str, Any]]:
    """The decisions of all agents of a hand, in order; `before` is for stateful agents."""
    agents = [
        None if text is None else _agent(text, hand, position, before)
        for position, text in enumerate(hand.agents)
    ]
    return [
        _decision(agents[state.actor], state, action, hand.dice_keys[state.actor])
        for state, action in zip(hand.states(), hand.actions, strict=False)
        if agents[state.actor] is not None
    ]


def _agent(text: str, hand: PlayedHand, position: int, before: tuple[PlayedHand, ...]) -> Agent:
    """The agent as it was when it played the hand."""
    agent = loaded_agent(text, hand.game)
    if not remembers(agent):
        return agent
    return remembering_agent(text, hand.game, dice_key=hand.dice_keys[position], before=before)


def _decision(agent: Any, state: State, action: Action, dice_key: bytes) -> dict[str, Any]:
    position = state.actor
    document: dict[str, Any] = {
        "position": position,
        "round": state.round,
        "betting": format_betting(state),
        "action": format_action(state.game, action),
        "agent": agent.name,
    }
    if isinstance(agent, StrategyAgent):
        view = state.view(position, dice_key=dice_key)
        document |= explain(agent, view).document()
        del document["histories"][MOST_HISTORIES:]
    if isinstance(agent, SearchAgent):
        document["search"] = explain_search(agent, state.view(position, dice_key=dice_key))
    if hasattr(agent, "letter_row"):
        # Imported only for case-based agents: it takes longer than the rest of an answer.
        from doyle.apps.web.thinking.case_explanations import retrieved

        document["retrieved"] = retrieved(agent, state.view(position, dice_key=dice_key))
    if isinstance(agent, Policy):
        document |= _range(agent, state)
    return document


def _range(policy: Policy, state: State) -> dict[str, Any]:
    """Probabilities of the hand and of the whole range, as a 13x13 grid by starting hand."""
    game, position = state.game, state.actor
    assert state.deal is not None
    own = state.deal.hole[position]
    if not game.is_holdem:
        return {}
    place = PlaceView.of_policy(policy, state)
    # The likeliest class of hands fills its cell; others are filled in proportion.
    cells = place.cells / max(float(place.fill.max()), 1e-300)
    total = float(place.weights.sum())
    overall = place.frequencies if total > 0 else place.probabilities.mean(axis=0)
    names, row = list(place.names), place.probabilities[hole_index(*own)]
    return {
        "actions": [
            {"action": format_action(game, action), "name": name, "probability": round(share, 4)}
            for action, name, share in zip(place.actions, names, row.tolist(), strict=True)
        ],
        "range": {
            "names": names,
            "colours": colours_of(names),
            "overall": [round(share, 4) for share in overall.tolist()],
            "hands": round(total, 1),
            "cells": np.round(100 * cells).astype(int).tolist(),
        },
    }
