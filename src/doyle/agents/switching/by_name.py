"""Coaches by name: `defensive-coach:FIRST:then:SECOND`, where both are any texts of strategies."""

from __future__ import annotations

from doyle.agents.options import strategy_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.agents.switching.coach import Coach, OwnBets
from doyle.errors import DoyleError
from doyle.games import Game

OWN_BETS: dict[str, OwnBets] = {
    "defensive-coach": "ignored",
    "full-coach": "made",
    "full-coach-calls": "made-or-call",
    "full-coach-stays": "stay",
}
"""What each coach makes of the new bets that its second strategy suggests."""


def coach(kind: str, first: str, second: str, game: Game | None = None) -> Coach:
    """The coach of two strategies, in their own game unless one is given."""
    agents = [_strategy(kind, text, game) for text in (first, second)]
    name = f"{kind}:{agents[0].name}:then:{agents[1].name}"
    return Coach(name, agents[0], agents[1], own_bets=OWN_BETS[kind])


def _strategy(kind: str, text: str, game: Game | None) -> StrategyAgent:
    found = strategy_agent(text, game)
    if found is None:
        raise DoyleError(f"agent {kind!r}: {text!r} names no strategy; coaches need two")
    return found
