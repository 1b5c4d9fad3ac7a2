"""Coaches by name: `defensive-coach:FIRST:then:SECOND`, where both are any texts of strategies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from doyle.agents.options import strategy_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.agents.switching.coach import SELDOM, Coach
from doyle.errors import DoyleError
from doyle.games import Game

READINGS: dict[str, Callable[..., Coach]] = {
    "defensive-coach": Coach,
    "defensive-coach-returns": partial(Coach, returns=True),
    "defensive-coach-untrained": partial(Coach, least_reach=SELDOM),
    "full-coach": partial(Coach, own_bets="made"),
    "full-coach-calls": partial(Coach, own_bets="made-or-call"),
    "full-coach-stays": partial(Coach, own_bets="stay"),
}
"""Coaches by name: how each reads the paper's definition."""


def coach(kind: str, first: str, second: str, game: Game | None = None) -> Coach:
    """The coach of two strategies, in their own game unless one is given."""
    agents = [_strategy(kind, text, game) for text in (first, second)]
    name = f"{kind}:{agents[0].name}:then:{agents[1].name}"
    return READINGS[kind](name, agents[0], agents[1])


def _strategy(kind: str, text: str, game: Game | None) -> StrategyAgent:
    found = strategy_agent(text, game)
    if found is None:
        raise DoyleError(f"agent {kind!r}: {text!r} names no strategy; coaches need two")
    return found
