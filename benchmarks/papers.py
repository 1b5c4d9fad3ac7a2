"""How long the papers' tables take, against the time a reader is meant to wait for them.

`python -m benchmarks papers:played` times those that are played in Hold'em as `doyle papers played` runs them, from an
empty cache (compiled kernels may be kept), `papers:computed` the others.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from doyle.base.errors import DoyleError
from doyle.base.workers import parse_workers
from doyle.experiments.papers.registry import ENTRIES, Options
from doyle.experiments.papers.running import run_tables

PLAYED = tuple(
    entry for entry in ENTRIES if entry.is_experiment and not entry.name.startswith("sartre/")
)
"""At small scale."""
PLAYED_SECONDS = 60 * 60.0
"""Allowed on two cores."""

COMPUTED = tuple(entry.name for entry in ENTRIES if not entry.is_experiment)

GROUPS = (
    ("IJCAI 2013 tables 1 to 5", tuple(f"ijcai2013/table{number}" for number in range(1, 6)), 30.0),
    ("IJCAI 2013 table 6, over 20 equilibria", ("ijcai2013/table6",), 20 * 60.0),
    ("every computed table and figure", COMPUTED, 30 * 60.0),
)
"""(name, entries, seconds allowed on two cores)."""


def measurements(*wanted: str) -> list[dict[str, Any]]:
    """Seconds of each group as a share of what is allowed: `computed`, `played`, or both."""
    unknown = sorted({*wanted} - {"computed", "played"})
    if unknown:
        raise DoyleError(f"papers: no {unknown[0]!r}; there are computed and played")
    options = Options(workers=parse_workers(None))
    rows = _computed(options) if not wanted or "computed" in wanted else []
    return rows + (_played(options) if not wanted or "played" in wanted else [])


def _computed(options: Options) -> list[dict[str, Any]]:
    seconds: dict[str, float] = {}
    for entry in (one for one in ENTRIES if one.name in COMPUTED):
        started = time.perf_counter()
        entry.run(options)
        seconds[entry.name] = time.perf_counter() - started
    return [
        _row(name, sum(seconds[entry] for entry in entries), allowed, "one after the other")
        for name, entries, allowed in GROUPS
    ]


def _played(options: Options) -> list[dict[str, Any]]:
    before = os.environ.get("DOYLE_CACHE")
    with TemporaryDirectory() as folder:
        os.environ["DOYLE_CACHE"] = str(Path(folder) / "cache")
        started = time.perf_counter()
        try:
            for ran in run_tables(PLAYED, options, Path(folder) / "results"):
                if ran.error is not None:
                    raise DoyleError(f"{ran.name}: {ran.error}")
        finally:
            del os.environ["DOYLE_CACHE"]
            if before is not None:
                os.environ["DOYLE_CACHE"] = before
        total = time.perf_counter() - started
    return [_row("tables that are played in Hold'em", total, PLAYED_SECONDS, "from an empty cache")]


def _row(name: str, seconds: float, allowed: float, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": seconds,
        "other": allowed,
        "unit": "s",
        "ratio": seconds / allowed,
        "target": "<= 1",
        "note": f"by the clock, {note}",
    }
