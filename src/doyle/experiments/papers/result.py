"""Results: what a run computed, beside what the paper prints.

A `Cell` holds one published value (as printed, so that its digits are known), ours, and the facts from which
`doyle.experiments.papers.verdicts` decides its word. Cells without a published value are shown and have none.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from doyle.errors import DoyleError
from doyle.experiments.papers.verdicts import Compared, Uncounted, Value, Word, rounds_to
from doyle.statistics import Estimate

_FACTS = (
    *("row", "column", "published", "ours", "ci95", "sampled", "rebuilt", "other", "uncounted"),
    *("digits", "unsigned", "equilibria", "tuned", "reason"),
)
"""The fields of a cell that are kept: everything that words and claims are made of."""


@dataclass(frozen=True)
class Cell:
    """One value of a table: where it stands, what is printed there, and what comes out here."""

    row: str
    column: str
    published: str | None
    ours: Value
    ci95: float | None = None
    """Half the width of the 95% interval; None of what is exact, and of what is `sampled` without one."""
    sampled: bool = False
    rebuilt: bool = False
    """Whether agents that we built from the paper's description repeat its experiment."""
    other: str | None = None
    """Why ours is not the published quantity, such as another opponent; None where it is."""
    uncounted: Uncounted | None = None
    digits: int | None = None
    """To how many digits the print is known, if to more than it shows."""
    unsigned: bool = False
    """Whether the quantity cannot be negative, so that its sign is no evidence."""
    equilibria: tuple[float, ...] = ()
    """Ours for each of the table's equilibria."""
    tuned: str | None = None
    """Which setting was changed after an outcome had been seen, and what came out before."""
    reason: str | None = None
    """What is known of why ours is another number; it decides nothing."""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def compared(self) -> Compared | None:
        """The printed value beside ours; None if nothing is printed."""
        if self.published is None:
            return None
        return Compared(
            self.published,
            self.ours,
            ci95=self.ci95,
            is_exact=not self.is_sampled,
            is_own=not self.rebuilt,
            label=self.other,
            uncounted=self.uncounted,
            digits=self.digits,
        )

    @property
    def is_sampled(self) -> bool:
        """Whether ours is an average over chance."""
        return self.sampled or self.ci95 is not None

    @property
    def word(self) -> Word | None:
        """The word; None where nothing is printed, or what is printed does not count."""
        return None if self.compared is None else self.compared.word

    @property
    def is_reproduced(self) -> bool | None:
        """Whether ours is what is printed, whether or not that counts; None if nothing is printed."""
        return None if self.compared is None else self.compared.is_reproduced

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
        """What is kept of the cell: its fields that say something."""
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
        """The cell for JSON: its facts, and what follows from them."""
        compared = self.compared
        found: dict[str, Any] = {"published": None, **self.facts(), "word": self.word}
        if compared is not None:
            found["sign"] = compared.sign
            if compared.ratio is not None:
                found["ratio"], found["ratio_ci95"] = compared.ratio
        if self.equilibria:
            found |= {"least": min(self.equilibria), "most": max(self.equilibria)}
            found["in_range"] = self.in_range
        return {**found, "difference": self.difference, **self.more}


def measured(
    row: str, column: str, won: Estimate, published: str | None = None, **more: Any
) -> Cell:
    """A sampled value of ours, beside the printed number if the paper has one."""
    return Cell(row, column, published, float(won.mean), ci95=won.ci95, sampled=True, **more)


@dataclass(frozen=True)
class Section:
    """A further table of ours, for which the paper prints nothing."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def document(self) -> dict[str, Any]:
        """The section for JSON."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
        }


@dataclass(frozen=True)
class Curve:
    """One line of a figure."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]


@dataclass(frozen=True)
class Figure:
    """A line plot as data; `doyle.experiments.papers.figures.draw` makes the files."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    logarithmic_x: bool = False


@dataclass(frozen=True)
class Result:
    """A regenerated table or figure."""

    name: str
    title: str
    source: str
    cells: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    equilibria: tuple[str, ...] = ()
    """Names of the equilibria that cells have values of; ours is `cfr+`."""
    game_by_row: bool = False
    """Whether every row is an abstract game of its own, with equilibria of its own."""
    tuned: str | None = None
    """A setting of the whole table that was changed after an outcome had been seen."""
    published_seconds: float | None = None
    """About how long an experiment takes at published scale, from the times of this run; None of tables that
    are computed, which have one scale."""

    def document(self) -> dict[str, Any]:
        """The result for JSON; `rows` are the cells."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "equilibria": list(self.equilibria),
            "game_by_row": self.game_by_row,
            "tuned": self.tuned,
            "rows": [cell.document() for cell in self.cells],
            "sections": [section.document() for section in self.sections],
            "notes": list(self.notes),
            "published_seconds": self.published_seconds,
        }


@dataclass(frozen=True)
class Printed:
    """A published table as data: the text of each cell by row and column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def text(self, row: str, column: str) -> str | None:
        """What is printed there, or None."""
        for label, values in self.rows:
            if label == row and column in self.columns:
                return values[self.columns.index(column)] or None
        return None

    @property
    def row_names(self) -> tuple[str, ...]:
        """The rows in printed order."""
        return tuple(label for label, _ in self.rows)


def printed(name: str) -> Printed:
    """Read the published numbers of a table from the package's data."""
    path = files("doyle.experiments.papers") / "published" / f"{name.replace('/', '-')}.csv"
    with path.open(encoding="utf-8") as stream:
        header, *lines = list(csv.reader(stream))
    return Printed(tuple(header[1:]), tuple((line[0], tuple(line[1:])) for line in lines))


def spread(values: Sequence[float]) -> dict[str, float]:
    """The range and the mean of values computed in several ways."""
    return {"least": min(values), "most": max(values), "mean": sum(values) / len(values)}
