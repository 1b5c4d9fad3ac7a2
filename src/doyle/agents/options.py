"""Agents made from strategies: `NAME` or `NAME:translation=det-geo,purification=full`.

Without options a preset plays with its published translation and purification, which its strategy
file remembers. A threshold alone means purification by that threshold.
"""

from __future__ import annotations

from typing import Any

from doyle.agents.equity import is_holdem
from doyle.agents.strategy_agent import StrategyAgent
from doyle.building import find_strategy, strategy_folder
from doyle.card_abstraction.registry import build as build_abstraction
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.strategy import purified
from doyle.translation.mappings import mapping, mapping_names
from doyle.translation.steps import Translation, polaris

POLARIS = {
    "hard": lambda: polaris("hard", fixes=frozenset()),
    "hard-fixed": lambda: polaris("hard"),
    "soft": lambda: polaris("soft"),
    "soft-nd": lambda: polaris("soft-nd"),
}
"""The thesis's translations by name: hard without fixes, hard with all, soft, soft-ND."""

ABSOLUTE = frozenset({"det-arith", "det-arith-strict", "rand-arith", "det-geo"})
"""Mappings of agents that compare chips put in (Tartanian 2008, section 4.2), not pot fractions."""

OPTIONS = ("translation", "purification", "threshold")
PURIFICATIONS = ("none", "full", "threshold")


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


def strategy_agent(text: str, game: Game | None = None) -> StrategyAgent | None:
    """The agent of a strategy, in its own game unless one is given; None if no strategy is named.

    A preset that has not been built is built.
    """
    name, _, rest = text.partition(":")
    if strategy_folder(name) is None:
        return None
    options = parse_options(text, rest)
    translation = _translation(text, options)
    strategy = find_strategy(name)
    own = strategy.tree.game
    if game is not None and own != game:
        raise DoyleError(
            f"agent {name!r} plays {own.name}, not {game.name}: stacks, blinds or bets differ"
        )
    if not is_holdem(own) or "cards" not in strategy.info:
        raise DoyleError(f"agent {name!r}: its strategy names no card abstraction of Hold'em")
    return StrategyAgent(
        str(strategy.info.get("agent", name)) + (f":{rest}" if rest else ""),
        purified(strategy, {**strategy.info, **options}),
        bucketing=build_abstraction(strategy.info["cards"]),
        translation=translation or named_translation(str(strategy.info["translation"])),
    )


def parse_options(text: str, rest: str) -> dict[str, Any]:
    """The options after the colon of an agent's text, checked.

    >>> parse_options("default:threshold=0.2", "threshold=0.2")
    {'threshold': 0.2, 'purification': 'threshold'}
    """
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if key not in OPTIONS or not equals or not value:
            raise DoyleError(f"agent {text!r}: option {item!r}: expected {'=, '.join(OPTIONS)}=")
        if key in options:
            raise DoyleError(f"agent {text!r}: option {key!r} is given twice")
        options[key] = value
    if options.get("purification", "none") not in PURIFICATIONS:
        raise DoyleError(
            f"agent {text!r}: purification {options['purification']!r}: "
            f"expected {', '.join(PURIFICATIONS)}"
        )
    if "threshold" in options:
        options["threshold"] = _threshold(text, options["threshold"])
        if options.setdefault("purification", "threshold") != "threshold":
            raise DoyleError(
                f"agent {text!r}: a threshold goes with purification=threshold, "
                f"not {options['purification']}"
            )
    return options


def _threshold(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise DoyleError(f"agent {text!r}: threshold {value!r}: expected a number from 0 to 1")
    return number


def _translation(text: str, options: dict[str, Any]) -> Translation | None:
    """The translation that was asked for; looked up before anything is built."""
    if "translation" not in options:
        return None
    try:
        return named_translation(options["translation"])
    except DoyleError as error:
        raise DoyleError(f"agent {text!r}: {error}") from None
