"""Searching agents by text: `search:AGENT` and its options."""

from __future__ import annotations

from doyle.agents.search.agent import SearchAgent
from doyle.agents.search.settings import check_search_game, parse_settings
from doyle.errors import DoyleError
from doyle.games import Agent, Game, Policy, remembers


def searching_agent(text: str, options: str, blueprint: Agent, game: Game) -> SearchAgent:
    """The agent of a text with these search options, over its blueprint."""
    check_search_game(text, game)
    settings = parse_settings(text, options)
    if not isinstance(blueprint, Policy) or remembers(blueprint):
        raise DoyleError(
            f"agent {text!r}: {blueprint.name} has no probabilities and reach to search from"
        )
    name = f"search:{blueprint.name}" + (f":{options}" if options else "")
    return SearchAgent(
        name,
        blueprint,
        game,
        settings,
        models=settings.models(),
        first_round=settings.first_round,
    )
