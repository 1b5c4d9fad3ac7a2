"""Tables: a run's results, cell by cell beside the printed ones, with further sections and figures.

They write themselves: cells and sections as CSV files, figures as PNG and SVG, byte for byte the same on every run.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from doyle.base.artifacts.files import replacing
from doyle.experiments.papers.cell import Cell


@dataclass(frozen=True)
class Section:
    """A further table of ours, without a printed counterpart."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def document(self) -> dict[str, Any]:
        """The section for JSON."""
        rows = [list(row) for row in self.rows]
        return {"title": self.title, "columns": list(self.columns), "rows": rows}


@dataclass(frozen=True)
class Curve:
    """One line of a figure."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]


@dataclass(frozen=True)
class Figure:
    """A line plot as data."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    logarithmic_x: bool = False

    def draw(self, folder: Path) -> Iterator[Path]:
        """Write the curves as PNG and as SVG; the files."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        with matplotlib.rc_context({"svg.hashsalt": self.name}):
            plot, axes = pyplot.subplots(figsize=(7, 4.5))
            for style, curve in zip(("-", "--", "-.", ":") * 4, self.curves, strict=False):
                axes.plot(curve.xs, curve.ys, style, label=curve.label)
            axes.set(title=self.title, xlabel=self.x_label, ylabel=self.y_label)
            if self.logarithmic_x:
                axes.set_xscale("log")
            axes.grid(visible=True, alpha=0.3)
            axes.legend()
            plot.tight_layout()
            for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
                buffer = io.BytesIO()
                plot.savefig(buffer, format=kind, dpi=150, metadata=metadata)
                path = folder / f"{self.name}.{kind}"
                with replacing(path, "wb") as stream:
                    stream.write(buffer.getvalue())
                yield path
            pyplot.close(plot)


@dataclass(frozen=True)
class Result:
    """A regenerated table or figure; the registry knows its name, title and source."""

    cells: Sequence[Cell] = ()
    notes: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    equilibria: tuple[str, ...] = ()
    """Names of the equilibria that cells have values of; ours is `cfr+`."""
    game_by_row: bool = False
    """Whether every row is an abstract game of its own, with equilibria of its own."""
    tuned: str | None = None
    """A setting of the whole table that was changed after an outcome had been seen."""
    name: str = ""
    title: str = ""
    source: str = ""
    published_seconds: float | None = None
    """About how long an experiment takes at published scale; None of tables that are computed, which have one
    scale."""

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

    def write_csv(self, folder: Path) -> Iterator[Path]:
        """Write the cells and each further section into a folder, named by the table; the files."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = self.name.replace("/", "-")
        if self.cells:
            rows = [cell.document() for cell in self.cells]
            heads = list(dict.fromkeys(key for row in rows for key in row))
            lines = [[row.get(key) for key in heads] for row in rows]
            yield _write_csv(folder / f"{stem}.csv", heads, lines)
        for section in self.sections:
            name = re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-")[:60]
            yield _write_csv(folder / f"{stem}-{name}.csv", section.columns, section.rows)


def _write_csv(path: Path, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    with replacing(path, "w") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(heads)
        table.writerows(rows)
    return path


@dataclass(frozen=True)
class Printed:
    """A published table as data: the text of each cell by row and column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def text(self, row: str, column: str) -> str | None:
        """The printed text, or None."""
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
    header, *lines = read_csv(f"published/{name.replace('/', '-')}.csv")
    return Printed(tuple(header[1:]), tuple((line[0], tuple(line[1:])) for line in lines))


def read_csv(path: str) -> list[list[str]]:
    """The lines of a file of this package's data."""
    with (files("doyle.experiments.papers") / path).open(encoding="utf-8") as stream:
        return list(csv.reader(stream))


def spread(values: Sequence[float]) -> dict[str, float]:
    """The range and the mean of values computed in several ways."""
    return {"least": min(values), "most": max(values), "mean": sum(values) / len(values)}
