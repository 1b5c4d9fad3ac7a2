"""Agents: whoever chooses an action from a view; baselines, and the one resolver of agent names."""

from doyle.agents.baselines import AlwaysAllIn, AlwaysCall, AlwaysFold, AlwaysRaise, Random
from doyle.agents.expected_value import ExpectedValue
from doyle.agents.resolve import (
    agent_names,
    check_agent_text,
    is_foreign,
    own_game,
    resolve_agent,
)

__all__ = [
    "AlwaysAllIn",
    "AlwaysCall",
    "AlwaysFold",
    "AlwaysRaise",
    "ExpectedValue",
    "Random",
    "agent_names",
    "check_agent_text",
    "is_foreign",
    "own_game",
    "resolve_agent",
]
