"""A workbench for building, solving, measuring and playing Texas Hold'em agents.

>>> import doyle
>>> round(doyle.solve("kuhn", solver="lp").value, 9)
-0.055555556
>>> doyle.translate(0.7, (0.5, 1.0), mapping="rand-pshar").probability_of_lower
0.5294117647058825

The names below load when they are first used, so that `import doyle` stays light. `doyle.apps.front` says
what each of them does; `docs/architecture.md` is the map of the packages behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from doyle.base.version import __version__

if TYPE_CHECKING:
    from doyle.abstractions.betting import BettingModel, BettingTree
    from doyle.agents import resolve_agent
    from doyle.apps.front.agents import build, exploitability, load
    from doyle.apps.front.loaded import LoadedAgent
    from doyle.apps.front.situations import spot
    from doyle.apps.front.solves import SolveResult, solve
    from doyle.apps.front.tools import TranslatedBet, abstraction, read_hands, translate
    from doyle.base.errors import DoyleError
    from doyle.cards import Range, equity, parse_cards, rank_hand
    from doyle.games import Game, State, View
    from doyle.matches import MatchResult, play_match
    from doyle.strategy import PlaceView
    from doyle.strategy.translation import mapping

_HOMES: dict[str, str] = {
    "BettingModel": "doyle.abstractions.betting",
    "BettingTree": "doyle.abstractions.betting",
    "DoyleError": "doyle.base.errors",
    "Game": "doyle.games",
    "LoadedAgent": "doyle.apps.front.loaded",
    "MatchResult": "doyle.matches",
    "PlaceView": "doyle.strategy",
    "Range": "doyle.cards",
    "SolveResult": "doyle.apps.front.solves",
    "State": "doyle.games",
    "TranslatedBet": "doyle.apps.front.tools",
    "View": "doyle.games",
    "abstraction": "doyle.apps.front.tools",
    "build": "doyle.apps.front.agents",
    "equity": "doyle.cards",
    "exploitability": "doyle.apps.front.agents",
    "load": "doyle.apps.front.agents",
    "mapping": "doyle.strategy.translation",
    "parse_cards": "doyle.cards",
    "play_match": "doyle.matches",
    "rank_hand": "doyle.cards",
    "read_hands": "doyle.apps.front.tools",
    "resolve_agent": "doyle.agents",
    "solve": "doyle.apps.front.solves",
    "spot": "doyle.apps.front.situations",
    "translate": "doyle.apps.front.tools",
}
"""Public name -> home module."""

__all__ = [
    "BettingModel",
    "BettingTree",
    "DoyleError",
    "Game",
    "LoadedAgent",
    "MatchResult",
    "PlaceView",
    "Range",
    "SolveResult",
    "State",
    "TranslatedBet",
    "View",
    "__version__",
    "abstraction",
    "build",
    "equity",
    "exploitability",
    "load",
    "mapping",
    "parse_cards",
    "play_match",
    "rank_hand",
    "read_hands",
    "resolve_agent",
    "solve",
    "spot",
    "translate",
]

if not TYPE_CHECKING:  # a type checker sees the imports above, and refuses every other name

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module 'doyle' has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
