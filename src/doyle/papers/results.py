"""Results kept as files, and the page of all of them: published, ours, interval and one word.

A kept result is the JSON document of a table with when and how it was made, one file for each name. The
word of a cell is the one it carries (`verdict`), or follows from it: `agrees` to the printed digit,
`explained` where the result states why ours is another number (`reason`, `not_compared`, or a printed value
within our range), else `differs`. A cell without a printed value has none. A table `differs` if one of its
cells does, and else is `explained` if one of them is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doyle.artifacts.documents import read_json
from doyle.artifacts.files import write_text
from doyle.errors import DoyleError
from doyle.papers.registry import Entry
from doyle.papers.unavailable import UNAVAILABLE

WORDS = ("agrees", "differs", "explained")
MOST_ROWS = 40
"""Of a table on the page; of a longer one only the cells that do not agree are shown."""

_KEPT = ("row", "column", "published", "ours", "ci95", "mbb_per_hand", "agrees", "in_range",
         "not_compared", "verdict", "reason")  # fmt: skip


def word_of(row: dict[str, Any]) -> str | None:
    """The word of a cell, from its JSON object.

    >>> word_of({"published": "0.2", "ours": 0.2, "agrees": True})
    'agrees'
    >>> word_of({"published": None, "ours": 0.2, "agrees": None}) is None
    True
    """
    if row.get("verdict") in WORDS:
        return str(row["verdict"])
    if row.get("published") is None:
        return None
    if row.get("agrees"):
        return "agrees"
    if row.get("agrees") is None and _covers(row):
        return "agrees"
    stated = row.get("reason") or row.get("not_compared") or row.get("in_range")
    return "explained" if stated else "differs"


def _covers(row: dict[str, Any]) -> bool:
    """Whether the printed number lies within our interval, if that is no wider than the number."""
    try:
        printed, width = float(row["published"]), float(row["ci95"])
        return abs(float(row["ours"]) - printed) <= width <= abs(printed)
    except (KeyError, TypeError, ValueError):
        return False


def table_word(words: Iterable[str | None]) -> str:
    """The word of a table from those of its cells; a dash if none has one."""
    found = set(words) - {None}
    for word in ("differs", "explained", "agrees"):
        if word in found:
            return word
    return "–"


def keep(document: dict[str, Any], folder: Path, **made: Any) -> Path:
    """Write a table's document into a folder, with how it was made; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {key: row[key] for key in _KEPT if row.get(key) is not None} for row in document["rows"]
    ]
    kept = {key: document.get(key) for key in ("name", "title", "source", "seed", "scale", "notes")}
    if document.get("published_seconds") is not None:
        kept["published_seconds"] = round(document["published_seconds"])
    path = file_of(folder, document["name"])
    lines = ",\n  ".join(json.dumps(_rounded(row), ensure_ascii=False) for row in rows)
    head = json.dumps(kept | {"made": made}, ensure_ascii=False, indent=1)
    write_text(path, f'{head[:-2]},\n "rows": [\n  {lines}\n ]\n}}\n')
    return path


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: float(f"{value:.6g}") if isinstance(value, float) else value
        for key, value in row.items()
    }


def file_of(folder: Path, name: str) -> Path:
    """Where the result of a table is kept."""
    return folder / f"{name.replace('/', '-')}.json"


@dataclass(frozen=True)
class Kept:
    """A table of the registry with what is kept of it; `document` is None if nothing is."""

    entry: Entry
    document: dict[str, Any] | None

    @classmethod
    def read(cls, entry: Entry, folder: Path) -> Kept:
        path = file_of(folder, entry.name)
        if not path.is_file():
            return cls(entry, None)
        document = read_json(path)
        rows = document.get("rows") if isinstance(document, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise DoyleError(f"{path}: field 'rows' is missing or damaged; remove the file")
        return cls(entry, document)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [] if self.document is None else list(self.document["rows"])

    @property
    def word(self) -> str:
        if self.document is None:
            return "not run"
        return table_word(map(word_of, self.rows))


def page(entries: Sequence[Entry], folder: Path, *, commands: Sequence[str] = ()) -> str:
    """The page as Markdown; `commands` are those that make it."""
    tables = [Kept.read(entry, folder) for entry in entries]
    parts = [_HEAD.format(commands="\n".join(commands)), _summary(tables)]
    parts += [_section(table) for table in tables if table.document is not None]
    parts.append(_absent())
    return "\n".join(parts)


_HEAD = """# Results: every table of the papers

Published, ours, the half width of our 95% interval, and one word: `agrees`, `differs`, or `explained` (another
number for a stated reason). This page is generated from kept results:

```text
{commands}
```

Experiments are at small scale unless it says otherwise.
"""


def _summary(tables: Sequence[Kept]) -> str:
    lines = ["| table | | agrees | differs | explained | word |", "|---|---|---|---|---|---|"]
    for table in tables:
        counts = Counter(map(word_of, table.rows))
        numbers = " | ".join(str(counts[word]) for word in WORDS)
        lines.append(f"| `{table.entry.name}` | {table.entry.title} | {numbers} | {table.word} |")
    return "\n".join([*lines, ""])


def _section(table: Kept) -> str:
    document = table.document or {}
    lines = [f"## {table.entry.name}", "", f"{document['title']}. {document['source']}.", ""]
    judged: list[tuple[dict[str, Any], str | None]] = [(row, word_of(row)) for row in table.rows]
    shown: Sequence[tuple[dict[str, Any], str | None]] = judged
    if len(judged) > MOST_ROWS:
        shown = [(row, word) for row, word in judged if word not in (None, "agrees")][:MOST_ROWS]
        agreeing = sum(word == "agrees" for _, word in judged)
        lines += [f"{agreeing} of {len(judged)} cells agree; shown are others.", ""]
    if shown:
        lines += [
            "| row | column | published | ours | ± | word | |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_line(row, word) for row, word in shown]
        lines.append("")
    lines += [f"- {_plain(note)}" for note in document.get("notes") or ()]
    lines += ["", _made(document), ""]
    return "\n".join(lines)


def _line(row: dict[str, Any], word: str | None) -> str:
    ours = _number(row.get("ours"))
    if "mbb_per_hand" in row:
        ours += f" ({_number(row['mbb_per_hand'])} mbb/h)"
    why = row.get("reason") or row.get("not_compared") or ""
    cells = (row["row"], row["column"], row.get("published") or "–", ours,
             _number(row.get("ci95")), word or "–", why)  # fmt: skip
    return f"| {' | '.join(_plain(str(cell)) for cell in cells)} |"


def _made(document: dict[str, Any]) -> str:
    made = document.get("made") or {}
    parts = [f"seed {document['seed']}"] if document.get("seed") is not None else []
    parts += [f"scale {document['scale']}"] if document.get("scale") else []
    parts += [f"{key} {value}" for key, value in made.items()]
    if document.get("published_seconds") is not None:
        parts.append(f"published scale about {duration(document['published_seconds'])}")
    return f"*{', '.join(parts)}.*" if parts else ""


def duration(seconds: float) -> str:
    """A time in words, to two digits.

    >>> duration(42), duration(2500), duration(12_345)
    ('42 seconds', '42 minutes', '3.4 hours')
    """
    for unit, size in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 1.5 * size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds:.2g}'):g} seconds"


def _absent() -> str:
    lines = ["## What cannot be had", "", "| what | where | why | instead |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(map(_plain, one))} |" for one in UNAVAILABLE]
    return "\n".join([*lines, ""])


def _number(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing of its own."""
    for sign in ("|", "*", "_", "<", "["):
        text = text.replace(sign, f"\\{sign}")
    return text
