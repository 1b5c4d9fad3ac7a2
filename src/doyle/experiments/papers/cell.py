"""Cells: a printed value beside ours, and the verdict on it, decided only here by rules fixed in
advance.

A value that is exact is compared by its printed digits. One that is sampled reproduces the print only in the paper's
own experiment, if the printed value lies within our 95% interval and 0 does not: an interval that
contains 0 is too wide to decide. What is not reproduced is compared by its sign, which is decided
if the interval excludes 0; a printed 0 has none, so beside it nothing is decided. Agents that we
build from the paper's description repeat its experiment: their signs are compared, but they
reproduce nothing. Behind a label (other agents, other logs, smaller games) a value is not
comparable, whatever it is; its sign is compared all the same and shown beside the label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate

Value = float | str

Uncounted = Literal["mirrored", "itself", "recomputed"]
"""Why a printed value is no evidence: another cell with its sign turned or once more, an agent against itself, or a
number that follows from the print alone."""

_ROUNDING_SLACK = 1e-9


class Word(StrEnum):
    """All words that there are."""

    REPRODUCED = "reproduced"
    SAME_SIGN = "same sign, decided"
    OPPOSITE = "opposite, decided"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True)
class Cell:
    """One value of a table: its position, the printed value, and ours.

    Cells without a published value are shown and have no word.

    >>> Cell("a", "b", "0.23", 0.225).word.value, Cell("a", "b", "0.22", 0.2251).word.value
    ('reproduced', 'same sign, decided')
    >>> Cell("a", "b", "28", -28.0, ci95=10.0, rebuilt=True).word.value
    'opposite, decided'
    """

    row: str
    column: str
    published: str | None
    """As printed, so that its digits are known."""
    ours: Value
    ci95: float | None = None
    """Half the width of the 95% interval; None for exact values, and for `sampled` ones without an
    interval."""
    sampled: bool = False
    rebuilt: bool = False
    """Whether agents that we built from the paper's description repeat its experiment."""
    other: str | None = None
    """The reason that ours is not the published quantity, such as another opponent; None if it
    is."""
    uncounted: Uncounted | None = None
    digits: int | None = None
    """To how many digits the print is known, if to more than it shows."""
    unsigned: bool = False
    """Whether the quantity cannot be negative, so that its sign is no evidence."""
    equilibria: tuple[float, ...] = ()
    """Ours for each of the table's equilibria."""
    tuned: str | None = None
    """The setting that was changed after an outcome had been seen, and the earlier outcome."""
    reason: str | None = None
    """The known reason for a different number; it does not affect the verdict."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further facts that are shown and not kept."""

    @property
    def is_sampled(self) -> bool:
        """Whether ours is an average over chance."""
        return self.sampled or self.ci95 is not None

    @property
    def counts(self) -> bool:
        """Whether it is evidence: something is printed, and does not follow from other cells."""
        return self.published is not None and self.uncounted is None

    @property
    def word(self) -> Word | None:
        """The verdict; None if no value is printed, or the printed one does not count."""
        if not self.counts:
            return None
        if self.other is not None:
            return Word.NOT_COMPARABLE
        return Word.REPRODUCED if self.is_reproduced else self.sign

    @property
    def sign(self) -> Word | None:
        """Whether the signs are the same, opposite or undecided, with or without a label; None
        without a printed value."""
        if self.published is None:
            return None
        if isinstance(self.ours, str):
            return Word.SAME_SIGN if self.ours == self.published else Word.OPPOSITE
        product = self.ours * float(self.published)
        if product == 0.0 or not self._excludes_zero:
            return Word.UNDECIDED
        return Word.SAME_SIGN if product > 0 else Word.OPPOSITE

    @property
    def ratio(self) -> tuple[float, float] | None:
        """Ours by the printed value, and half the width of its interval; None if the sign is undecided."""
        if self.published is None or isinstance(self.ours, str) or self.sign is Word.UNDECIDED:
            return None
        printed = float(self.published)
        return self.ours / printed, (self.ci95 or 0.0) / abs(printed)

    @property
    def is_reproduced(self) -> bool | None:
        """Whether ours equals the printed value, whether or not it counts; None without a printed
        value."""
        if self.published is None:
            return None
        if isinstance(self.ours, str):
            return self.ours == self.published
        if not self.is_sampled:
            return rounds_to(self.published, self.ours, digits=self.digits)
        within = self.ci95 is not None and abs(self.difference or 0.0) <= self.ci95
        return not self.rebuilt and within and self._excludes_zero

    @property
    def _excludes_zero(self) -> bool:
        if not self.is_sampled:
            return True
        return self.ci95 is not None and abs(float(self.ours)) > self.ci95

    @property
    def difference(self) -> float | None:
        """Ours minus the printed value, where both are numbers."""
        if self.published is None or isinstance(self.ours, str):
            return None
        return self.ours - float(self.published)

    @property
    def in_range(self) -> bool | None:
        """Whether the printed value, to its digits, lies within the range over equilibria; None without both."""
        if self.published is None or not self.equilibria:
            return None
        low, high = min(self.equilibria), max(self.equilibria)
        nearest = min(max(float(self.published), low), high)
        return rounds_to(self.published, nearest, digits=self.digits)

    def facts(self) -> dict[str, Any]:
        """The stored form of the cell: its non-empty fields, from which verdicts and claims
        follow."""
        found = {name: getattr(self, name) for name in _FACTS}
        return {
            key: value
            for key, value in found.items()
            if not (value is None or value is False or (isinstance(value, tuple) and not value))
        }

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Cell:
        """The cell of `facts`."""
        if unknown := facts.keys() - {*_FACTS}:
            raise DoyleError(f"cell: unknown field {min(unknown)!r}")
        equilibria = tuple(facts.get("equilibria", ()))
        return cls(**{"published": None, **facts, "equilibria": equilibria})

    def document(self) -> dict[str, Any]:
        """The cell for JSON: its facts, and their conclusions."""
        found: dict[str, Any] = {"published": None, **self.facts(), "word": self.word}
        if self.published is not None:
            found["sign"] = self.sign
            if self.ratio is not None:
                found["ratio"], found["ratio_ci95"] = self.ratio
        if self.equilibria:
            found |= {"least": min(self.equilibria), "most": max(self.equilibria)}
            found["in_range"] = self.in_range
        return {**found, "difference": self.difference, **self.more}


_FACTS = tuple(one.name for one in fields(Cell) if one.name != "more")


def measured(
    row: str, column: str, won: Estimate, published: str | None = None, **more: Any
) -> Cell:
    """A sampled value of ours, beside the printed number if the paper has one."""
    return Cell(row, column, published, float(won.mean), ci95=won.ci95, sampled=True, **more)


def rounds_to(published: str, ours: float, *, digits: int | None = None) -> bool:
    """Whether `ours` rounds to `published` at its printed digits, or at `digits` if these are more.

    A value exactly between two roundings rounds to both.

    >>> rounds_to("0.23", 0.225), rounds_to("0.22", 0.225), rounds_to("0.22", 0.2251)
    (True, True, False)
    """
    places = max(len(published.partition(".")[2]), digits or 0)
    return bool(abs(ours - float(published)) <= 0.5 * 10.0**-places + _ROUNDING_SLACK)


NULLS: dict[str, Callable[[float], float]] = {"zero": lambda _: 0.0, "turned": lambda ours: -ours}
"""Substitutes for our values, with the same intervals: verdicts that also pass for these are no
evidence."""
