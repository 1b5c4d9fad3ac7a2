"""A named strategy: parses an agent text such as `default:threshold=0.2` into a strategy and its
play options.

`NAME` or `NAME:translation=det-geo,purification=full`, where NAME is a preset, a description, the
folder of a build, or a folder that `doyle solve` saved. The same text is played in matches, shown by
`doyle strategy show`, explained by `doyle explain` and measured by `doyle exploitability`, and it
means the same strategy to all of them: the tables with purification and threshold applied. The file
holds the defaults, options replace them, and a threshold alone implies purification by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.agents import equity
from doyle.agents.registry import find_agent, split_text
from doyle.agents.strategy_agent import Equities, StrategyAgent
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.base.workers.local import available_cores
from doyle.building import load_agent_strategy, named_build, strategy_folder
from doyle.games import Game
from doyle.solving.games.small_games import SmallDeckBuckets
from doyle.strategy import PUBLISHED_THRESHOLD, PURIFICATIONS, Strategy, TableStrategy, purified
from doyle.strategy.translation.named_translations import canonical_name, named_translation
from doyle.strategy.translation.steps import Translation

OPTIONS = ("translation", "purification", "threshold")

DEFAULT_TRANSLATION = "rand-pshar"
"""Translation of strategies whose file names none: the default of builds."""


@dataclass(frozen=True)
class NamedStrategy:
    """The tables that a text names, and how they are played."""

    text: str
    name: str
    tables: TableStrategy
    options: dict[str, Any]

    @property
    def game(self) -> Game:
        return self.tables.tree.game

    @property
    def cards(self) -> str | None:
        """The name of its card abstraction; None if all cards are distinguished."""
        return self.tables.info.cards

    @property
    def purification(self) -> str:
        return str(self._chosen("purification") or "none")

    @property
    def threshold(self) -> float | None:
        """Lower probabilities are not played; None unless purified by a threshold."""
        if self.purification != "threshold":
            return None
        found = self._chosen("threshold")
        return PUBLISHED_THRESHOLD if found is None else float(found)

    @property
    def translation_name(self) -> str:
        """The canonical text of its translation, independent of the order of flags in the file."""
        try:
            return canonical_name(str(self._chosen("translation") or DEFAULT_TRANSLATION))
        except DoyleError as error:
            raise DoyleError(f"{self._field('translation')}: {error}") from None

    @cached_property
    def translation(self) -> Translation:
        return named_translation(self.translation_name)

    @cached_property
    def played(self) -> Strategy:
        """The strategy as it is played; ties that purification leaves are played evenly."""
        return purified(self.tables, self.purification, self.threshold)

    @cached_property
    def bucketing(self) -> CardAbstraction | SmallDeckBuckets:
        """Which row of the tables each hand reads, checked against their sizes."""
        if self.cards is None:
            return self._small_rows()
        field = self._field("cards")
        if not self.game.is_holdem:
            raise DoyleError(f"{field} is {self.cards!r}, but {self.game.name} is not Hold'em")
        try:
            abstraction = build_abstraction(self.cards, workers=Workers(available_cores()))
        except DoyleError as error:
            raise DoyleError(f"{field}: {error}") from None
        counts = tuple(abstraction.bucket_count(number) for number in range(self.game.rounds))
        if counts != self.tables.bucket_counts:
            raise DoyleError(
                f"{field} is {self.cards!r}, which has {counts} buckets by round; "
                f"the tables have {self.tables.bucket_counts}"
            )
        return abstraction

    def agent(self) -> StrategyAgent:
        """The agent that plays it, in its own game."""
        defends = self.translation.defend != "never"
        return StrategyAgent(
            self.name,
            self.played,
            bucketing=self.bucketing,
            translation=self.translation,
            equities=_equities(self.game) if defends else None,
        )

    def played_document(self) -> dict[str, Any]:
        """How it is played, as commands report it."""
        return {"purification": self.purification, "threshold": self.threshold}

    def _small_rows(self) -> SmallDeckBuckets:
        if self.game.is_holdem:
            raise DoyleError(f"{self._field('cards')}: names no card abstraction of Hold'em")
        try:
            return SmallDeckBuckets(self.game, self.tables.bucket_counts)
        except DoyleError as error:
            raise DoyleError(f"{self._field('game_definition')}: {error}") from None

    def _chosen(self, field: str) -> Any:
        return self.options.get(field, getattr(self.tables.info, field))

    def _field(self, name: str) -> str:
        """The location of a field, for messages."""
        origin = self.tables.origin
        return f"{origin.manifest if origin else self.name}: field 'metadata.{name}'"


def named_strategy(
    text: str, *, check: Callable[[Game], object] | None = None
) -> NamedStrategy | None:
    """The strategy that `text` names; None if it names no strategy. Nothing is built for it.

    `check` is called with the game of a build first, even if it is not built yet.
    """
    checked = checked_text(text, check=check)
    if checked is None:
        return None
    name, rest, options = checked
    tables = load_agent_strategy(name)
    called = tables.info.agent or Path(name).name
    return NamedStrategy(text, called + (f":{rest}" if rest else ""), tables, options)


def checked_text(
    text: str, *, check: Callable[[Game], object] | None = None
) -> tuple[str, str, dict[str, Any]] | None:
    """The name, the options as text and as values; None if no strategy is named.

    Nothing is built; `check` is called with the game that a build is for.
    """
    name, rest = split_text(text)
    if strategy_folder(name) is None:
        return None
    description = named_build(name)
    if check is not None and description is not None:
        check(Game.named(description.game.value))
    options = parse_options(text, rest)
    if "translation" in options:
        try:
            written = canonical_name(options["translation"])
        except DoyleError as error:
            raise DoyleError(f"agent {text!r}: {error}") from None
        rest = rest.replace(f"translation={options['translation']}", f"translation={written}")
        options["translation"] = written
    return name, rest, options


def required_strategy(
    text: str, *, purpose: str, check: Callable[[Game], object] | None = None
) -> NamedStrategy:
    """As `named_strategy`, but raises an error with the reason that `purpose` is impossible."""
    found = named_strategy(text, check=check)
    if found is None:
        why = f"has no strategy to {purpose}" if find_agent(text) else "no such agent"
        raise DoyleError(
            f"agent {text!r}: {why}; expected a preset, a .toml description or a strategy folder"
        )
    return found


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
                f"agent {text!r}: a threshold requires purification=threshold, "
                f"not {options['purification']}"
            )
    return options


def _equities(game: Game) -> Equities:
    """The equities of a game; in Hold'em the strength atlas is built if it is not there."""
    equity.prepare(game)
    return partial(equity.equities, game)


def _threshold(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise DoyleError(f"agent {text!r}: threshold {value!r}: expected a number from 0 to 1")
    return number
