"""A workbench for building, solving, measuring and playing Texas Hold'em agents."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Public name -> home module. Names load on first use, so that `import doyle` stays light.
_HOMES: dict[str, str] = {
    "BettingModel": "doyle.betting",
    "BettingTree": "doyle.betting",
    "DoyleError": "doyle.errors",
    "Game": "doyle.games",
    "State": "doyle.games",
    "View": "doyle.games",
    "equity": "doyle.cards",
    "mapping": "doyle.translation",
    "parse_cards": "doyle.cards",
    "play_match": "doyle.matches",
    "rank_hand": "doyle.cards",
    "resolve_agent": "doyle.agents",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'doyle' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
