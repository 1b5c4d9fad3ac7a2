"""Tables of a result as CSV files, one for the cells and one for each further section."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

from doyle.artifacts.files import replacing
from doyle.experiments.papers.result import Result


def write_tables(result: Result, folder: Path) -> list[Path]:
    """Write them into a folder, named by the table; say which files."""
    folder.mkdir(parents=True, exist_ok=True)
    stem, written = result.name.replace("/", "-"), []
    if result.cells:
        rows = [cell.document() for cell in result.cells]
        heads = list(dict.fromkeys(key for row in rows for key in row))
        path = folder / f"{stem}.csv"
        _write(path, heads, [[row.get(key) for key in heads] for row in rows])
        written.append(path)
    for section in result.sections:
        name = re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-")[:60]
        path = folder / f"{stem}-{name}.csv"
        _write(path, list(section.columns), [list(row) for row in section.rows])
        written.append(path)
    return written


def _write(path: Path, heads: list[str], rows: list[list[Any]]) -> None:
    with replacing(path, "w") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(heads)
        table.writerows(rows)
