"""Agents made from strategies: `NAME` or `NAME:translation=det-geo,purification=full`.

Without options a preset plays with its published translation and purification, which its strategy
file remembers.
"""

from __future__ import annotations

from typing import Any

from doyle.agents.strategy_agent import StrategyAgent
from doyle.building import find_strategy, strategy_folder
from doyle.card_abstraction.registry import build as build_abstraction
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.strategy import Purified, Strategy, TableStrategy, Thresholded
from doyle.translation.mappings import mapping, mapping_names
from doyle.translation.steps import Translation, polaris

POLARIS = {
    "hard": lambda: polaris("hard", fixes=frozenset()),
    "hard-fixed": lambda: polaris("hard"),
    "soft": lambda: polaris("soft"),
    "soft-nd": lambda: polaris("soft-nd"),
}
"""The thesis's translations by name: hard without fixes, hard with all, soft, soft-ND."""

ABSOLUTE = {"det-arith", "rand-arith", "det-geo"}
"""Mappings of agents that compare chips put in (Tartanian 2008, section 4.2), not pot fractions."""

OPTIONS = ("translation", "purification", "threshold")


def translation_names() -> list[str]:
    """Every translation an agent may be given."""
    return [*mapping_names(), *POLARIS]


def named_translation(name: str) -> Translation:
    """The translation of that name: a mapping, or one of the thesis's.

    >>> named_translation("rand-pshar").measure, named_translation("det-geo").measure
    ('real', 'contributed')
    """
    if name in POLARIS:
        return POLARIS[name]()
    if name not in mapping_names():
        raise DoyleError(f"translation {name!r}: expected one of {', '.join(translation_names())}")
    if name in ABSOLUTE:
        return Translation(mapping(name), measure="contributed")
    # Pot fractions, with a call as a bet of 0 (IJCAI 2013, section 2).
    return Translation(mapping(name), measure="real", small_bets="call", correct_pot=False)


def strategy_agent(text: str, game: Game) -> StrategyAgent | None:
    """The agent of a strategy; None if `text` names no strategy."""
    name, _, rest = text.partition(":")
    if strategy_folder(name) is None:
        return None
    options = _options(text, rest)
    strategy = find_strategy(name)
    if strategy.tree.game != game:
        raise DoyleError(
            f"agent {name!r} plays {strategy.tree.game.name}, not {game.name}: "
            "stacks, blinds or bets differ"
        )
    info = {**strategy.info, **options}
    bucketing = build_abstraction(strategy.info["cards"])
    shown = str(strategy.info.get("agent", name)) + (f":{rest}" if rest else "")
    return StrategyAgent(
        shown, _purified(strategy, info), bucketing, named_translation(str(info["translation"]))
    )


def _options(text: str, rest: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if key not in OPTIONS or not equals:
            raise DoyleError(f"agent {text!r}: option {item!r}: expected {'=, '.join(OPTIONS)}=")
        options[key] = value
    return options


def _purified(strategy: TableStrategy, info: dict[str, Any]) -> Strategy:
    kind = info.get("purification", "none")
    if kind == "none":
        return strategy
    if kind == "full":
        return Purified(strategy)
    if kind == "threshold":
        try:
            return Thresholded(strategy, float(info.get("threshold", 0.15)))
        except ValueError:
            raise DoyleError(f"threshold {info['threshold']!r}: expected a number") from None
    raise DoyleError(f"purification {kind!r}: expected none, full or threshold")
