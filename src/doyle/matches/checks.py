"""What every agent must keep to, as a check that anybody can run on their own."""

from __future__ import annotations

from doyle.agents import Random
from doyle.errors import DoyleError
from doyle.games import Agent, Game, State
from doyle.matches.dealing import Dealer, as_deal
from doyle.matches.play import hand_seed, seatings


def check_agent(agent: Agent, game: Game, *, hands: int = 20, seed: int = 0) -> int:
    """Play the agent in every seat against `random`; return how many decisions it made.

    DoyleError names the first decision at which it does not return a legal action as an int, or
    returns another one when asked again with the same view: agents are pure functions of the view.

    >>> from doyle.agents import AlwaysCall
    >>> check_agent(AlwaysCall(), Game.named("kuhn"), hands=1) > 0
    True
    """
    if not isinstance(agent.name, str) or not agent.name:
        raise DoyleError(f"agent {agent!r}: its name must be a text that is not empty")
    opponent = Random()
    decisions = 0
    for number, row in enumerate(Dealer(game, seed=seed).draw(hands)):
        deal = as_deal(game, row)
        for index, seating in enumerate(seatings(game.players)):
            state = State.start(game, deal)
            while state.actor >= 0:
                view = state.view(state.actor, hand_seed(seed, number, index))
                if seating[state.actor] != 0:
                    state = state.apply(opponent.act(view))
                    continue
                action = agent.act(view)
                where = f"agent {agent.name}, {game.name}, deal {number}, betting {state.betting}"
                if type(action) is not int:
                    raise DoyleError(f"{where}: returned {action!r}, which is not an int")
                if not state.is_legal(action):
                    raise DoyleError(f"{where}: illegal action, {state.describe(action)}")
                again = agent.act(view)
                if again != action:
                    raise DoyleError(f"{where}: returned {action}, then {again} for the same view")
                decisions += 1
                state = state.apply(action)
    return decisions
