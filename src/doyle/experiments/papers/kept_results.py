"""Results kept as files: the facts of every cell, from which words and claims follow when they are read.

A kept result is a JSON document, one file for each name, with when and how it was made. No word is kept, so that a
rule which is changed judges all results again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_text
from doyle.base.errors import DoyleError
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.judgement import Judgement, judgement
from doyle.experiments.papers.registry import Entry
from doyle.experiments.papers.table import Result

_DIGITS = 10
"""Significant ones of kept numbers."""


def keep(result: Result, folder: Path, *, seed: int, scale: str | None = None, **made: Any) -> Path:
    """Write a result into a folder, with how it was made; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    document = result.document()
    kept = {key: document[key] for key in ("name", "title", "source")}
    kept |= {"seed": seed, "scale": scale}
    kept |= {key: document[key] for key in ("equilibria", "game_by_row", "tuned") if document[key]}
    kept["notes"] = document["notes"]
    if result.published_seconds is not None:
        kept["published_seconds"] = round(result.published_seconds)
    path = file_of(folder, result.name)
    rows = [json.dumps(_rounded(cell.facts()), ensure_ascii=False) for cell in result.cells]
    head = json.dumps(kept | {"made": made}, ensure_ascii=False, indent=1)
    lines = ",\n  ".join(rows)
    write_text(path, f'{head[:-2]},\n "rows": [\n  {lines}\n ]\n}}\n')
    return path


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_rounded(one) for one in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def file_of(folder: Path, name: str) -> Path:
    """Where the result of a table is kept."""
    return folder / f"{name.replace('/', '-')}.json"


@dataclass(frozen=True)
class Kept:
    """A table of the registry with its kept result; `document` is None if absent."""

    entry: Entry
    document: dict[str, Any] | None
    cells: tuple[Cell, ...] = ()

    @classmethod
    def read(cls, entry: Entry, folder: Path) -> Kept:
        """The table's kept result in a folder."""
        path = file_of(folder, entry.name)
        if not path.is_file():
            return cls(entry, None)
        document = read_json(path)
        rows = document.get("rows") if isinstance(document, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise DoyleError(f"{path}: field 'rows' is missing or damaged; remove the file")
        try:
            return cls(entry, document, tuple(map(Cell.of_facts, rows)))
        except (DoyleError, TypeError) as error:
            raise DoyleError(f"{path}: {error}; remove the file") from error

    def judged(self, tables: Mapping[str, Sequence[Cell]]) -> Judgement:
        """The conclusions from the cells, in the context of all tables."""
        document = self.document or {}
        return judgement(
            self.entry.name,
            {**tables, self.entry.name: self.cells},
            equilibria=document.get("equilibria", ()),
            by_row=document.get("game_by_row", False),
        )


def read_all(entries: Sequence[Entry], folder: Path) -> list[tuple[Kept, Judgement]]:
    """All tables of the registry with the conclusions from the kept ones."""
    kept = [Kept.read(entry, folder) for entry in entries]
    tables = {one.entry.name: one.cells for one in kept}
    return [(one, one.judged(tables)) for one in kept]
