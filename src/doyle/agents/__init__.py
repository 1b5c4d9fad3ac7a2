"""Agents: objects that choose an action from a view; baselines, and the one resolver of agent
names.

An agent is anything with a `name` and `act(view)`; a policy also reports the probabilities of all
hands at a public history and their reach. The agents of this package are both, and pure functions
of the view, except those that remember: their chance comes from `view.rng()`. Other packages offer
theirs as entry points of `doyle.agents`.

In reading order:

`baselines`       always-fold, always-call, always-raise, always-all-in, random
`expected_value`  `ev`: the best next action against a random hand; with `equity` as its input
`scripted`        players with one fixed trick
`strategy_agent`  a strategy, a translation and a card abstraction, as agent and policy
`by_seat`         a policy of its own for each seat
`search`          the rest of a hand solved during play: `search:AGENT`
`compiled`        forms of agents that kernels read
`starter`         the strategy that comes with the package: it needs no build and no compilation
`exploiters`      players that use how a strategy agent reads bets: `size-tell:AGENT` and others
`switching`       players that switch between strategies within a hand
`adaptive`        players that model their opponent during a match
`named_strategy`  parsing of agent texts: tables, and how they are played
`case_bases`      decisions remembered from logs, found by similarity and re-used
`cases`           agents that play by them: one base, several, growing ones, switching
`agent_file`      agents from a file of one's own, `./agent.py:Class`
`registry`        the kinds of agents: how a text is parsed, its requirements, the inputs of its
    play
`resolve`         the agent of a text
`identity`        all inputs of an agent's play, the key of kept results
`explanation`     the reasons for a strategy agent's action with one hand
`completed_policy`  its play after histories with zero own reach
"""

from doyle.agents.baselines import AlwaysAllIn, AlwaysCall, AlwaysFold, AlwaysRaise, Random
from doyle.agents.expected_value import ExpectedValue
from doyle.agents.registry import agent_names
from doyle.agents.resolve import (
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
