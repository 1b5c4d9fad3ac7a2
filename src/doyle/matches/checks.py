"""What every agent must keep to, as a check that anybody can run on their own."""

from __future__ import annotations

from doyle.agents import Random
from doyle.errors import DoyleError
from doyle.games import Action, Agent, Game, RememberingAgent, State, View
from doyle.matches.chance import Chance
from doyle.matches.dealing import as_deal
from doyle.matches.play import seatings


def check_agent(agent: Agent, game: Game, *, hands: int = 20, seed: int = 0) -> int:
    """Play the agent in every seat against `random`; return how many decisions it made.

    DoyleError names the first decision at which it does not return a legal action as an int, or
    returns another one when asked again with the same view: agents are pure functions of the view.
    One that remembers is started before each seating and told how each hand ended.

    >>> from doyle.agents import AlwaysCall
    >>> check_agent(AlwaysCall(), Game.named("kuhn"), hands=1) > 0
    True
    """
    if not isinstance(agent.name, str) or not agent.name:
        raise DoyleError(f"agent {agent!r}: its name must be a text that is not empty")
    opponent = Random()
    chance = Chance.repeatable(seed)
    deals, dice = chance.dealer(game).draw(hands), chance.dice(game)
    decisions = 0
    for index, seating in enumerate(seatings(game.players)):
        position = seating.index(0)
        if isinstance(agent, RememberingAgent):
            agent.start(game, dice.match_rng(position, seating=index))
        for number, row in enumerate(deals):
            state = State.start(game, as_deal(game, row))
            keys = [dice.hand_key(seat, deal=number, seating=index) for seat in range(game.players)]
            while (seat := state.actor) >= 0:
                view = state.view(seat, dice_key=keys[seat])
                if seat != position:
                    state = state.apply(opponent.act(view))
                    continue
                where = f"agent {agent.name}, {game.name}, deal {number}, betting {state.betting}"
                state = state.apply(_checked(agent, state, view, where=where))
                decisions += 1
            if isinstance(agent, RememberingAgent):
                agent.hand_over(state.view(position, dice_key=keys[position]))
    return decisions


def _checked(agent: Agent, state: State, view: View, *, where: str) -> Action:
    """The agent's action at one decision, if it keeps to the contract."""
    action = agent.act(view)
    if type(action) is not int:
        raise DoyleError(f"{where}: returned {action!r}, which is not an int")
    if not state.is_legal(action):
        raise DoyleError(f"{where}: illegal action, {state.describe(action)}")
    again = agent.act(view)
    if again != action:
        raise DoyleError(f"{where}: returned {action}, then {again} for the same view")
    return action
