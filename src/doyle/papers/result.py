"""Results: what a run computed, beside what the paper prints.

A `Cell` holds one published value (as printed, so that its digits are known) and ours, computed in
this run. A cell agrees if ours rounds to the printed digits; a value exactly between two roundings
agrees with both. Cells without a published value, and cells that measure something else than the
paper did (`other`), are shown but not counted.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

Value = float | str

_ROUNDING_SLACK = 1e-9


@dataclass(frozen=True)
class Cell:
    """One value of a table: where it stands, what is printed there, and what comes out here."""

    row: str
    column: str
    published: str | None
    ours: Value
    digits: int | None = None
    other: str | None = None
    """Why ours is not the published quantity, such as another opponent; None where it is."""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def is_compared(self) -> bool:
        """Whether the paper prints this quantity."""
        return self.published is not None and self.other is None

    @property
    def agrees(self) -> bool | None:
        """Whether ours rounds to the printed value; None where there is nothing to compare with."""
        if not self.is_compared or self.published is None:
            return None
        if isinstance(self.ours, str):
            return self.ours == self.published
        return agrees(self.published, self.ours, digits=self.digits)

    @property
    def difference(self) -> float | None:
        """Ours minus the printed value, where both are numbers."""
        if self.published is None or isinstance(self.ours, str):
            return None
        return self.ours - float(self.published)

    @property
    def in_range(self) -> bool | None:
        """Whether the printed value lies within our range; None without both."""
        if self.published is None or not {"least", "most"} <= self.more.keys():
            return None
        return bool(self.more["least"] <= float(self.published) <= self.more["most"])

    def document(self) -> dict[str, Any]:
        """The cell for JSON."""
        return {
            "row": self.row,
            "column": self.column,
            "published": self.published,
            "ours": self.ours,
            "difference": self.difference,
            "agrees": self.agrees,
            **({} if self.in_range is None else {"in_range": self.in_range}),
            **({} if self.other is None else {"not_compared": self.other}),
            **self.more,
        }


def agrees(published: str, ours: float, *, digits: int | None = None) -> bool:
    """Whether `ours` rounds to `published` at its printed digits, or at `digits` if given.

    >>> agrees("0.23", 0.225), agrees("0.22", 0.225), agrees("0.22", 0.2251)
    (True, True, False)
    """
    if digits is None:
        digits = len(published.partition(".")[2])
    return abs(ours - float(published)) <= 0.5 * 10.0**-digits + _ROUNDING_SLACK


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
    """A line plot as data; `doyle.papers.figures.draw` makes the files."""

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
    published_seconds: float | None = None
    """About how long an experiment takes at published scale, from the times of this run; None of tables that
    are computed, which have one scale."""

    @property
    def compared(self) -> int:
        """How many cells have a published value of the same quantity."""
        return sum(cell.is_compared for cell in self.cells)

    @property
    def agreeing(self) -> int:
        """How many of them agree."""
        return sum(bool(cell.agrees) for cell in self.cells)

    @property
    def ranged(self) -> tuple[int, int] | None:
        """How many printed values lie within our range, of how many with one; None without ranges."""
        found = [cell.in_range for cell in self.cells if cell.in_range is not None]
        return (sum(found), len(found)) if found else None

    @property
    def verdicts(self) -> dict[str, int]:
        """How many played cells have each verdict (`doyle.papers.verdicts`)."""
        return dict(Counter(cell.more["verdict"] for cell in self.cells if "verdict" in cell.more))

    def document(self) -> dict[str, Any]:
        """The result for JSON: `cells` and `agree` are counts, `rows` the cells themselves."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "cells": self.compared,
            "agree": self.agreeing,
            "in_range": None if self.ranged is None else self.ranged[0],
            "verdicts": self.verdicts,
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
    path = files("doyle.papers") / "published" / f"{name.replace('/', '-')}.csv"
    with path.open(encoding="utf-8") as stream:
        header, *lines = list(csv.reader(stream))
    return Printed(tuple(header[1:]), tuple((line[0], tuple(line[1:])) for line in lines))


def spread(values: Sequence[float]) -> dict[str, float]:
    """The range and the mean of values computed in several ways."""
    return {"least": min(values), "most": max(values), "mean": sum(values) / len(values)}
