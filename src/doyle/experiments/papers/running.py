"""Running tables: one, or several side by side, each kept as a document.

Small tables keep one core busy and start many short pieces of work, so several run faster side by side, each with
one worker, than one after the other with all of them. Players that several tables need are built first, and the
longest tables are started first, so that no long one runs alone at the end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers, map_items
from doyle.experiments.papers.claims import CLAIMS
from doyle.experiments.papers.judgement import Judgement, judgement
from doyle.experiments.papers.kept_results import Kept, keep
from doyle.experiments.papers.registry import ENTRIES, Entry, Options
from doyle.experiments.papers.table import Result


@dataclass(frozen=True)
class Ran:
    """The outcome of a table: its result file, an error, or neither if it was not started in
    time."""

    name: str
    path: Path | None = None
    error: str | None = None


@dataclass(frozen=True)
class Regenerated:
    """A table that was run now, with its conclusions, and its result file."""

    result: Result
    judged: Judgement
    seed: int
    scale: str | None
    path: Path | None = None

    def document(self) -> dict[str, Any]:
        """For JSON."""
        found = self.result.document() | self.judged.document() | {"seed": self.seed}
        return found if self.scale is None else found | {"scale": self.scale}


def run_table(entry: Entry, options: Options, folder: Path | None = None) -> Regenerated:
    """Run one table; it is kept in the folder, if there is one, with how long it took and the day.

    Claims that compare tables find the others in the folder.
    """
    started = time.monotonic()
    result = entry.run(options)
    seconds = round(time.monotonic() - started, 1)
    scale, path, tables = options.scale if entry.is_experiment else None, None, {}
    if folder is not None:
        today = datetime.now(UTC).date().isoformat()
        path = keep(result, folder, seed=options.seed, scale=scale, made=today, seconds=seconds)
        others = ENTRIES if entry.name in CLAIMS else ()
        tables = {one.name: Kept.read(one, folder).cells for one in others}
    judged = judgement(
        result.name,
        {**tables, result.name: result.cells},
        equilibria=result.equilibria,
        by_row=result.game_by_row,
    )
    return Regenerated(result, judged, options.seed, scale, path)


def run_tables(
    entries: Sequence[Entry], options: Options, folder: Path, *, minutes: float | None = None
) -> Iterator[Ran]:
    """Run and keep the tables; no table is begun after so many minutes.

    At small scale as many tables run at once as there are local workers, the longest first; otherwise one after the
    other in their order.
    """
    ends = None if minutes is None else time.time() + 60 * minutes
    if minutes is None:  # else tables that come first would wait for the players of the others
        from doyle.experiments.papers.thesis.holdem.preparation import prepare

        prepare((entry.name for entry in entries), options)
    at_once = 1 if options.workers.cluster is not None else min(options.workers.count, len(entries))
    if at_once < 2 or options.scale != "small":
        for entry in entries:
            yield _ran(entry, options=options, folder=folder, ends=ends)
        return
    alone = replace(options, workers=Workers(1), progress=None)
    yield from map_items(
        partial(_ran, options=alone, folder=folder, ends=ends),
        sorted(entries, key=lambda entry: -entry.seconds),
        workers=options.workers,
        progress=options.progress,
        label="tables",
    )


def _ran(entry: Entry, *, options: Options, folder: Path, ends: float | None) -> Ran:
    if ends is not None and time.time() > ends:
        return Ran(entry.name)
    if not entry.is_experiment:
        options = replace(options, scale=Options.scale, hands=None)
    try:
        return Ran(entry.name, path=run_table(entry, options, folder).path)
    except DoyleError as error:
        return Ran(entry.name, error=str(error))
