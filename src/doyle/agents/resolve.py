"""From the text of an AGENT to the agent: the one resolver, over the kinds of the registry."""

from __future__ import annotations

from doyle.agents.registry import LIGHT_KINDS, find_agent, read_agent
from doyle.base.errors import DoyleError
from doyle.games import Agent, Game


def resolve_agent(text: str, game: Game | str) -> Agent:
    """The agent of `text`, ready to play a game or the game of that name.

    >>> resolve_agent("always-call", "kuhn").name
    'always-call'
    """
    return read_agent(text).make(Game.of(game))


def check_agent_text(text: str, game: Game) -> None:
    """Refuse a text that names no agent of the game; nothing is loaded or built for it.

    >>> check_agent_text("always-call", Game.named("kuhn"))
    """
    if not text.strip():
        raise DoyleError("an agent's name is empty")
    read_agent(text).check(game)


def own_game(text: str) -> Game | None:
    """The game of a strategy; None for agents that play any game. Nothing is built.

    >>> own_game("random") is None
    True
    """
    found = find_agent(text)
    return None if found is None else found.own_game()


def is_foreign(text: str) -> bool:
    """Whether a text names a foreign agent: one of another package, or a file.

    Foreign agents always play in processes of their own. They are not loaded here.

    >>> is_foreign("always-call")
    False
    """
    found = find_agent(text, kinds=LIGHT_KINDS)
    return found is not None and found.is_foreign
