"""Claims: a sentence of a paper as numbers that are all positive if it is true.

A number holds if its 95% interval lies above 0, fails if it lies below, and is undecided otherwise. Intervals of
different cells are taken to be independent; where a table has a paired difference as a cell of its own, that is used.
A claim holds if all its numbers do, but for its `exceptions`; it fails if more than these fail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from doyle.experiments.papers.cell import Cell


class Finding(StrEnum):
    """What becomes of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Number:
    """A value with half the width of its interval: 0 of what is exact, infinite of what is unknown."""

    value: float
    ci95: float = 0.0

    def __sub__(self, other: Number | float) -> Number:
        if isinstance(other, Number):
            return Number(self.value - other.value, math.hypot(self.ci95, other.ci95))
        return Number(self.value - other, self.ci95)

    def __rsub__(self, other: float) -> Number:
        return Number(other - self.value, self.ci95)

    def __mul__(self, factor: float) -> Number:
        return Number(self.value * factor, self.ci95 * abs(factor))

    def __neg__(self) -> Number:
        return self * -1.0

    @property
    def is_positive(self) -> Finding:
        if self.value - self.ci95 > 0:
            return Finding.HOLDS
        # What is exact cannot be undecided: 0 is not positive.
        if self.value + self.ci95 < 0 or self.ci95 == 0:
            return Finding.FAILS
        return Finding.UNDECIDED

    def __str__(self) -> str:
        exact = f"{self.value:.4g}"
        return exact if self.ci95 == 0 else f"{exact} ± {self.ci95:.3g}"


def alike(one: Number, other: Number, *, within: float) -> Number:
    """Positive if two numbers are no further apart than that.

    >>> str(alike(Number(10.0, 3.0), Number(14.0, 4.0), within=20.0))
    '16 ± 5'
    """
    apart = one - other
    return Number(within - abs(apart.value), apart.ci95)


@dataclass(frozen=True)
class View:
    """The cells of a table, by the beginnings of their names, and those of other tables."""

    name: str
    tables: Mapping[str, Sequence[Cell]]
    value: Callable[[Cell], Number | None] = field(default=lambda cell: _ours(cell))

    def __call__(self, row: str, column: str, *, table: str | None = None) -> Number:
        """The number of a cell; a row that begins with its number, as in `(1) fcpa`, is named by that."""
        for cell in self.tables.get(table or self.name, ()):
            own = cell.row.split(" ")[0] if cell.row.startswith("(") else cell.row
            found = self.value(cell) if (own, cell.column) == (row, column) else None
            if found is not None:
                return found
        raise KeyError(f"{table or self.name}: {row}, {column}")

    def rows(self, column: str) -> list[str]:
        """The rows with a cell in that column."""
        return [cell.row for cell in self.tables.get(self.name, ()) if cell.column == column]

    def of(self, change: Callable[[float], float]) -> View:
        """With other values in the place of ours, and the intervals kept."""

        def value(cell: Cell) -> Number | None:
            found = self.value(cell)
            return None if found is None else replace(found, value=change(found.value))

        return replace(self, value=value)

    def of_equilibrium(self, number: int) -> View:
        """With the values of one equilibrium, where cells have them."""
        return replace(
            self,
            value=lambda cell: Number(cell.equilibria[number]) if cell.equilibria else _ours(cell),
        )

    def of_print(self) -> View:
        """With what is printed in the place of ours."""
        return replace(self, value=_published)


def _ours(cell: Cell) -> Number | None:
    if isinstance(cell.ours, str):
        return None
    return Number(
        cell.ours, math.inf if cell.is_sampled and cell.ci95 is None else cell.ci95 or 0.0
    )


def _published(cell: Cell) -> Number | None:
    return None if cell.published is None else Number(float(cell.published))


Numbers = Callable[[View], Iterable[Number]]


@dataclass(frozen=True)
class Decided:
    """What became of a claim, and its numbers."""

    text: str
    finding: Finding
    numbers: tuple[Number, ...] = ()

    @property
    def detail(self) -> str:
        """The number, or how many there are of each."""
        if not self.numbers:
            return "not measured"
        if len(self.numbers) == 1:
            return str(self.numbers[0])
        found = [number.is_positive for number in self.numbers]
        counts = ", ".join(f"{found.count(one)} {one}" for one in Finding)
        along = sum(number.value > 0 for number in self.numbers)
        return f"of {len(found)}: {counts}; {along} along"

    def document(self) -> dict[str, str]:
        """The claim for JSON."""
        return {"claim": self.text, "result": self.finding, "detail": self.detail}


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and the numbers that are positive if it is true."""

    text: str
    numbers: Numbers
    exceptions: int = 0
    """How many the paper makes; where it says "almost every", as many as its own numbers have."""

    def decide(self, view: View) -> Decided:
        """What becomes of it by the cells of the view; undecided if one of them is missing."""
        try:
            numbers = tuple(self.numbers(view))
        except KeyError:
            return Decided(self.text, Finding.UNDECIDED)
        found = [number.is_positive for number in numbers]
        finding = Finding.UNDECIDED
        if found.count(Finding.FAILS) > self.exceptions:
            finding = Finding.FAILS
        elif found and found.count(Finding.HOLDS) >= len(found) - self.exceptions:
            finding = Finding.HOLDS
        return Decided(self.text, finding, numbers)
