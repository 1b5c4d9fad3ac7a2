"""`StrategyInfo`: the metadata of a strategy file, and `Point`, one measurement of its solve.

In a file it is the `metadata` of the manifest, a table of JSON. Every field may be missing there,
and all of them are validated: a manifest is editable text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from doyle.base.errors import DoyleError

PURIFICATIONS = ("none", "full", "threshold")

_WRITTEN_NULL = ("cards", "exploitability", "exploitability_note")
"""Fields for which "unknown" is an answer; other fields without a value are left out of files."""


@dataclass(frozen=True)
class Point:
    """One measurement: after `iteration`, `seconds` of solving left this `exploitability`.

    Sampling solvers know a bound on the mean regret; where exploitability is not known it is NaN.
    """

    iteration: int
    seconds: float
    exploitability: float
    regret_bound: float | None = None

    @property
    def measure(self) -> tuple[str, float]:
        """The known values, by name."""
        if math.isnan(self.exploitability) and self.regret_bound is not None:
            return "regret_bound", self.regret_bound
        return "exploitability", self.exploitability

    def document(self) -> dict[str, float]:
        """The form of strategy files and checkpoints: known values only."""
        entry: dict[str, float] = {"iterations": self.iteration, "seconds": self.seconds}
        if not math.isnan(self.exploitability):
            entry["exploitability"] = self.exploitability
        if self.regret_bound is not None:
            entry["regret_bound"] = self.regret_bound
        return entry

    @classmethod
    def of(cls, entry: Mapping[str, float]) -> Point:
        """From `document`.

        >>> Point.of({"iterations": 5, "seconds": 1.0, "regret_bound": 0.5}).measure
        ('regret_bound', 0.5)
        """
        bound = entry.get("regret_bound")
        return cls(
            iteration=int(_number(entry["iterations"])),
            seconds=_number(entry["seconds"]),
            exploitability=_number(entry.get("exploitability", math.nan)),
            regret_bound=None if bound is None else _number(bound),
        )


@dataclass(frozen=True)
class ExploitabilityRecord:
    """Chips per hand that each player's strategy loses to a best response, and their mean."""

    players: tuple[float, float]
    total: float

    def document(self) -> dict[str, Any]:
        return {"players": list(self.players), "total": self.total}

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> ExploitabilityRecord:
        first, second = entry["players"]
        return cls((_number(first), _number(second)), _number(entry["total"]))


@dataclass(frozen=True)
class ChosenField:
    """A field of a build's description: its value, and where that comes from."""

    field: str
    value: str | int | float
    source: str = "given"
    note: str = ""

    def document(self) -> dict[str, Any]:
        return {"field": self.field, "value": self.value, "source": self.source, "note": self.note}

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> ChosenField:
        value = entry["value"]
        if not isinstance(value, str | int | float):
            raise TypeError(value)
        return cls(_text(entry["field"]), value, _text(entry["source"]), _text(entry["note"]))


@dataclass(frozen=True)
class StrategyInfo:
    """How a strategy was made, how it is played and how good it is known to be.

    >>> StrategyInfo(cards="169.1.1.1", iterations=7).document()["iterations"]
    7
    """

    agent: str | None = None
    cards: str | None = None
    """The card abstraction; None if all cards are distinguished."""
    solver: str | None = None
    seed: int | None = None
    bucket_counts: tuple[int, ...] | None = None
    translation: str | None = None
    purification: str | None = None
    threshold: float | None = None
    fields: tuple[ChosenField, ...] = ()
    iterations: int | None = None
    seconds: float | None = None
    deterministic: bool | None = None
    infosets: tuple[int, ...] | None = None
    sequences: tuple[int, ...] | None = None
    table_bytes: int | None = None
    value: float | None = None
    """For the seat that acts first, in chips per hand."""
    exploitability: ExploitabilityRecord | None = None
    exploitability_as_played: ExploitabilityRecord | None = None
    exploitability_note: str | None = None
    """Why it is not known."""
    regret_bound: tuple[float, ...] | None = None
    history: tuple[Point, ...] = ()

    def document(self) -> dict[str, Any]:
        """As a strategy file holds it."""
        document: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None or one.name in _WRITTEN_NULL:
                document[one.name] = _plain(value)
        return document

    @classmethod
    def of(cls, document: Mapping[str, Any], *, where: str | Path) -> StrategyInfo:
        """From `document`; an error names `where` it is and the field. Unknown fields are
        skipped."""
        found: dict[str, Any] = {}
        for name, (expected, read) in _READERS.items():
            value = document.get(name)
            if value is None:
                continue
            try:
                found[name] = read(value)
            except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
                raise DoyleError(
                    f"{where}: field 'metadata.{name}' is {value!r}: expected {expected}"
                ) from None
        return cls(**found)


def _plain(value: Any) -> Any:
    """A field's value as JSON holds it."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.document() if hasattr(value, "document") else value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise TypeError(value)
    return float(value)


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _purification(value: Any) -> str:
    if value not in PURIFICATIONS:
        raise ValueError(value)
    return str(value)


def _probability(value: Any) -> float:
    if not 0 <= _number(value) <= 1:
        raise ValueError(value)
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _each(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError(value)
        return tuple(read(one) for one in value)

    return read_all


_COUNT = ("a whole number from 0", _count)
_COUNTS = ("a list of whole numbers from 0", _each(_count))
_EXPLOITABILITY = ("a table with players and total", ExploitabilityRecord.of)

_READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "agent": ("text", _text),
    "cards": ("the name of a card abstraction, or null", _text),
    "solver": ("the name of a solver", _text),
    "seed": _COUNT,
    "bucket_counts": _COUNTS,
    "translation": ("the name of a translation", _text),
    "purification": (f"one of {', '.join(PURIFICATIONS)}", _purification),
    "threshold": ("a number from 0 to 1", _probability),
    "fields": ("a list of tables with field, value, source and note", _each(ChosenField.of)),
    "iterations": _COUNT,
    "seconds": ("a number", _number),
    "deterministic": ("true or false", _flag),
    "infosets": _COUNTS,
    "sequences": _COUNTS,
    "table_bytes": _COUNT,
    "value": ("a number", _number),
    "exploitability": _EXPLOITABILITY,
    "exploitability_as_played": _EXPLOITABILITY,
    "exploitability_note": ("text", _text),
    "regret_bound": ("a list of numbers", _each(_number)),
    "history": ("a list of tables of numbers", _each(Point.of)),
}
