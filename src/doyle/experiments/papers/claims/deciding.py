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

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell


class Finding(StrEnum):
    """The finding for a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


def finding(number: Estimate) -> Finding:
    """Whether a number is positive; exact numbers are never undecided: 0 is not positive."""
    if number.ci95 is None:
        return Finding.UNDECIDED
    low, high = number.ends
    if low > 0:
        return Finding.HOLDS
    return Finding.FAILS if high < 0 or number.ci95 == 0 else Finding.UNDECIDED


def shown(number: Estimate) -> str:
    """A number with its interval, if it has one.

    >>> shown(Estimate.exact(2.5)), shown(Estimate(16.0, 5.0)), shown(Estimate(1.0, None))
    ('2.5', '16 ± 5', '1 ± inf')
    """
    exact = f"{float(number.mean):.4g}"
    width = math.inf if number.ci95 is None else number.ci95
    return f"{exact} ± {width:.3g}" if width else exact


def alike(one: Estimate, other: Estimate, *, within: float) -> Estimate:
    """Positive if two numbers are no further apart than that.

    >>> shown(alike(Estimate(10.0, 3.0), Estimate(14.0, 4.0), within=20.0))
    '16 ± 5'
    """
    apart = one - other
    return within - replace(apart, mean=abs(float(apart.mean)))


@dataclass(frozen=True)
class View:
    """The cells of a table, by the beginnings of their names, and those of other tables."""

    name: str
    tables: Mapping[str, Sequence[Cell]]
    value: Callable[[Cell], Estimate | None] = field(default=lambda cell: _ours(cell))

    def __call__(self, row: str, column: str, *, table: str | None = None) -> Estimate:
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

        def value(cell: Cell) -> Estimate | None:
            found = self.value(cell)
            return None if found is None else replace(found, mean=change(float(found.mean)))

        return replace(self, value=value)

    def of_equilibrium(self, number: int) -> View:
        """With the values of one equilibrium, where cells have them."""
        return replace(
            self,
            value=lambda cell: (
                Estimate.exact(cell.equilibria[number]) if cell.equilibria else _ours(cell)
            ),
        )


def _ours(cell: Cell) -> Estimate | None:
    if isinstance(cell.ours, str):
        return None
    return Estimate(cell.ours, cell.ci95) if cell.is_sampled else Estimate.exact(cell.ours)


Numbers = Callable[[View], Iterable[Estimate]]


@dataclass(frozen=True)
class Decided:
    """The finding for a claim, and its numbers."""

    text: str
    finding: Finding
    numbers: tuple[Estimate, ...] = ()

    @property
    def detail(self) -> str:
        """The number, or how many there are of each."""
        if not self.numbers:
            return "not measured"
        if len(self.numbers) == 1:
            return shown(self.numbers[0])
        found = [finding(number) for number in self.numbers]
        counts = ", ".join(f"{found.count(one)} {one}" for one in Finding)
        along = sum(number.mean > 0 for number in self.numbers)
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
    """The number in the paper; for "almost every", the count in its own numbers."""

    def decide(self, view: View) -> Decided:
        """The finding by the cells of the view; undecided if one of them is missing."""
        try:
            numbers = tuple(self.numbers(view))
        except KeyError:
            return Decided(self.text, Finding.UNDECIDED)
        found = [finding(number) for number in numbers]
        decided = Finding.UNDECIDED
        if found.count(Finding.FAILS) > self.exceptions:
            decided = Finding.FAILS
        elif found and found.count(Finding.HOLDS) >= len(found) - self.exceptions:
            decided = Finding.HOLDS
        return Decided(self.text, decided, numbers)
