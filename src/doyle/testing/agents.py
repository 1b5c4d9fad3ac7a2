"""`check_agent`: the contract of agents.

It has a name, and returns a legal action as an int at every decision, the same one for repeated
calls with the same view: agents are pure functions of the view. A stateful agent is started before
each seating, receives the result of each hand, and is queried once.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from doyle.games import Action, Agent, Game, RememberingAgent, State, View
from doyle.testing.contract import ContractError, random_action, random_deal, require


def check_agent(
    agent: Agent | str, game: Game | str | Path, *, hands: int = 20, seed: int = 0
) -> int:
    """Play the agent in every seat against random actions; return how many decisions it made.

    >>> check_agent("always-call", "kuhn", hands=1) > 0
    True
    """
    rules = Game.of(game)
    if isinstance(agent, str):
        from doyle.agents import resolve_agent

        agent = resolve_agent(agent, rules)
    if not isinstance(agent.name, str) or not agent.name:
        raise ContractError(f"agent {agent!r}: its name must be a text that is not empty")
    decisions = 0
    for position in range(rules.players):
        rng = np.random.default_rng((seed, position))
        if isinstance(agent, RememberingAgent):
            agent.start(rules, np.random.default_rng((seed, position, 1)))
        for number in range(hands):
            state = State.start(rules, random_deal(rules, rng))
            key = f"{seed} {position} {number}".encode()
            while (seat := state.actor) >= 0:
                if seat != position:
                    state = state.apply(random_action(state, rng))
                    continue
                where = f"agent {agent.name}, {rules.name}, deal {number}, betting {state.betting}"
                view = state.view(seat, dice_key=key)
                state = state.apply(_checked(agent, state, view, where=where))
                decisions += 1
            if isinstance(agent, RememberingAgent):
                agent.hand_over(state.view(position, dice_key=key))
    return decisions


def _checked(agent: Agent, state: State, view: View, *, where: str) -> Action:
    """The agent's action at one decision, if it keeps to the contract."""
    action = agent.act(view)
    require(type(action) is int, f"{where}: returned {action!r}, which is not an int")
    require(state.is_legal(action), f"{where}: illegal action, {state.describe(action)}")
    again = agent.act(view)
    require(again == action, f"{where}: returned {action}, then {again} for the same view")
    return action
