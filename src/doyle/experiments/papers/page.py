"""The page of all results as Markdown: published, ours, interval and word; null scores; claims that fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from doyle.base.display import duration
from doyle.experiments.papers.cell import NULLS, Cell, Word
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.judgement import Judgement, Score
from doyle.experiments.papers.kept_results import Kept, read_all
from doyle.experiments.papers.registry import UNAVAILABLE, Entry

MOST_ROWS = 60
"""Of a table on the page; of a longer one only the cells that are not reproduced are shown."""

Judged = Sequence[tuple[Kept, Judgement]]

_HEAD = """# Results: every table of the papers

Published, ours, the half width of our 95% interval, and one word:

- `reproduced`: to the printed digit; of what is sampled, the printed value within our interval, and 0 not, in the
  paper's own experiment;
- `same sign, decided` and `opposite, decided`: our interval excludes 0; beside it ours by the printed value. Of a quantity
  that cannot be negative the sign is no evidence;
- `undecided`: our interval holds 0 or is not known, or 0 is printed;
- `not comparable`: other agents, other logs, smaller games, whatever comes out; the sign stands behind the word.

Mirrored cells, an agent against itself and numbers recomputed from the print alone are not counted. A null score is the
number of cells that would be reproduced or of the same sign if all of ours were 0, or had the other sign, with our
intervals kept. The papers' claims in words are rows that can fail. `doyle.experiments.papers.cell` and `claims` have the
rules. This page is generated from kept results:

```text
{commands}
```

Experiments are at small scale unless it says otherwise.
"""


def page(entries: Sequence[Entry], folder: Path, *, commands: Sequence[str] = ()) -> str:
    """The page; `commands` are the commands that generate it."""
    tables = read_all(entries, folder)
    parts = [_HEAD.format(commands="\n".join(commands)), _summary(tables), _failing(tables)]
    parts += [_section(kept, found) for kept, found in tables if kept.document is not None]
    return "\n".join([*parts, _absent()])


def totals(tables: Judged) -> Counter[Word]:
    """How many cells of all tables have each word."""
    return sum((found.words for _, found in tables), Counter[Word]())


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(_plain(str(cell)) for cell in line)} |" for line in lines]


def _summary(tables: Judged) -> str:
    heads = ("table", "", *Word, "not counted", "passing", *(f"if {name}" for name in NULLS),
             *(f"claims: {finding}" for finding in Finding))  # fmt: skip
    rows = list[tuple[Any, ...]]()
    for kept, found in tables:
        if kept.document is None:
            rows.append((f"`{kept.entry.name}`", kept.entry.title, "not run", *[""] * 11))
            continue
        scores = [one.cells for one in found.scores.values()] if found.numbers else ["–"] * 3
        rows.append(
            (f"`{kept.entry.name}`", kept.entry.title, *(found.words[word] for word in Word),
             found.uncounted, *scores, *map(found.count, Finding))
        )  # fmt: skip
    words = totals(tables)
    sums = [sum(found.scores[name].cells for _, found in tables) for name in ("ours", *NULLS)]
    claims = [sum(found.count(finding) for _, found in tables) for finding in Finding]
    uncounted = sum(found.uncounted for _, found in tables)
    rows.append(("all", "", *(words[word] for word in Word), uncounted, *sums, *claims))
    unsigned = sum(found.unsigned for _, found in tables)
    lines = _table(heads, rows)
    return "\n".join(
        [
            *lines,
            "",
            f"Of the {words[Word.SAME_SIGN]} of the same sign {unsigned} are of quantities that cannot be negative. "
            "Passing are comparable numbers that are reproduced or of the same sign.",
            "",
        ]
    )


def _failing(tables: Judged) -> str:
    rows = [
        (f"`{kept.entry.name}`", claim.text, claim.detail)
        for kept, found in tables
        for claim in found.claims
        if claim.finding is Finding.FAILS
    ]
    opposite = [
        (
            f"`{kept.entry.name}`",
            f"{cell.row}, {cell.column}",
            cell.published,
            _ours(cell),
            cell.other or "",
        )
        for kept, _ in tables
        for cell in kept.cells
        if cell.counts and cell.sign is Word.OPPOSITE
    ]
    return "\n".join(
        [
            "## Claims that fail", "", *_table(("table", "claim", "by ours"), rows), "",
            "## Cells of the opposite sign", "",
            *_table(("table", "cell", "published", "ours", "not comparable"), opposite), "",
        ]
    )  # fmt: skip


def _ours(cell: Cell) -> str:
    return _number(cell.ours) + ("" if cell.ci95 is None else f" ± {_number(cell.ci95)}")


def _section(kept: Kept, found: Judgement) -> str:
    document = kept.document or {}
    lines = [f"## {kept.entry.name}", "", f"{document['title']}. {document['source']}.", ""]
    if document.get("tuned"):
        lines += [f"**Changed after an outcome was seen:** {_plain(document['tuned'])}", ""]
    shown: Sequence[Cell] = kept.cells
    if len(shown) > MOST_ROWS:
        shown = [cell for cell in shown if cell.word not in (None, Word.REPRODUCED)][:MOST_ROWS]
        count = found.words[Word.REPRODUCED]
        lines += [f"{count} of {len(kept.cells)} cells are reproduced; shown are others.", ""]
    if shown:
        heads = ("row", "column", "published", "ours", "±", "word", "ratio", "")
        lines += [*_table(heads, map(line_of, shown)), ""]
    lines += _claims(found, len(document.get("equilibria", ())))
    lines += [f"- {_plain(note)}" for note in (*scores(found), *(document.get("notes") or ()))]
    return "\n".join([*lines, "", _made(document), ""])


def line_of(cell: Cell) -> tuple[str, ...]:
    """Row, column, published, ours, half width, word, ratio and remarks."""
    word, ratio = "–", ""
    if cell.published is not None:
        word = cell.word or f"not counted: {cell.uncounted}"
        if cell.uncounted == "recomputed" and not cell.is_reproduced:
            word += ", not to the digit"
        if cell.word is Word.NOT_COMPARABLE:
            word += f" ({cell.sign})"
        if cell.ratio is not None and cell.word not in (None, Word.REPRODUCED):
            value, half = cell.ratio
            ratio = f"{value:.3g}" + (f" ± {half:.2g}" if half else "")
    width = "unknown" if cell.is_sampled and cell.ci95 is None else _number(cell.ci95)
    return (cell.row, cell.column, cell.published or "–", _number(cell.ours), width, word, ratio,
            " ".join(_remarks(cell)))  # fmt: skip


def _remarks(cell: Cell) -> list[str]:
    remarks = []
    if cell.equilibria:
        low, high = min(cell.equilibria), max(cell.equilibria)
        inside = {True: "inside", False: "outside"}[bool(cell.in_range)]
        remarks.append(f"{low:.4g} to {high:.4g} over equilibria, print {inside}.")
    if cell.other is not None:
        remarks.append(f"{cell.other}.")
    if cell.rebuilt:
        remarks.append("Own agents.")
    if cell.tuned is not None:
        remarks.append(f"Changed after an outcome was seen: {cell.tuned}")
    return [*remarks, *([cell.reason] if cell.reason else [])]


def _claims(found: Judgement, equilibria: int) -> list[str]:
    if not found.claims:
        return []
    heads, rows = ["claim", "", "by ours"], [[c.text, c.finding, c.detail] for c in found.claims]
    if equilibria:
        heads.append("holds in")
        for row, count in zip(rows, found.holding, strict=True):
            row.append(f"{count} of {equilibria} equilibria")
    return [*_table(heads, rows), ""]


def scores(found: Judgement) -> list[str]:
    """The null score of a table and its closest equilibria, a sentence each."""
    notes = []
    if found.numbers or found.claims:
        how = ("Passing", "if all of ours were 0", "if turned")
        parts = "; ".join(
            f"{text}: {_passing(found, one)}"
            for text, one in zip(how, found.scores.values(), strict=True)
        )
        notes.append(f"{parts}.")
    if found.in_range[1]:
        notes.append(
            "{} of {} printed values lie in the range over equilibria.".format(*found.in_range)
        )
    notes += [
        f"Closest to {one.where} of all single equilibria is {one.equilibrium}: {one.distance:.3g} from the print on "
        f"average, {one.reproduced} of {one.of} to the digit."
        for one in found.nearest
    ]
    return notes


def _passing(found: Judgement, score: Score) -> str:
    """The numbers of passing cells and claims, with their totals."""
    parts = [(score.cells, found.numbers, "cells"), (score.claims, len(found.claims), "claims")]
    return " and ".join(f"{count} of {of} {what}" for count, of, what in parts if of)


def _made(document: dict[str, Any]) -> str:
    made = document.get("made") or {}
    parts = [f"seed {document['seed']}"] if document.get("seed") is not None else []
    parts += [f"scale {document['scale']}"] if document.get("scale") else []
    parts += [f"{key} {value}" for key, value in made.items()]
    if document.get("published_seconds") is not None:
        parts.append(f"published scale about {duration(document['published_seconds'])}")
    return f"*{', '.join(parts)}.*" if parts else ""


def _absent() -> str:
    lines = _table(("what", "where", "why", "instead"), UNAVAILABLE)
    return "\n".join(["## What cannot be had", "", *lines, ""])


def _number(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    """Text with Markdown's special characters escaped."""
    for sign in ("|", "*", "_", "<", "["):
        text = text.replace(sign, f"\\{sign}")
    return text
