"""Games: the rules as data (`Game`), one moment of a hand (`State`), and who plays (`Agent`)."""

from __future__ import annotations

from doyle.games.deal import Deal, check_deal
from doyle.games.definition import bundled_names
from doyle.games.game import UNLIMITED_STACK, Game
from doyle.games.payoffs import showdown_ranks
from doyle.games.state import CALL, FOLD, Action, State
from doyle.games.view import Agent, Policy, RememberingAgent, View, remembers

__all__ = [
    "CALL",
    "FOLD",
    "UNLIMITED_STACK",
    "Action",
    "Agent",
    "Deal",
    "Game",
    "Policy",
    "RememberingAgent",
    "State",
    "View",
    "bundled_names",
    "check_deal",
    "remembers",
    "showdown_ranks",
]
