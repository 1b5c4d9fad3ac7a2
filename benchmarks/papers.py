"""How long the papers' tables take, against the time a reader is meant to wait for them."""

from __future__ import annotations

import time
from typing import Any

from doyle.papers.registry import ENTRIES, Options
from doyle.workers import parse_workers

PLAYED = tuple(
    entry.name for entry in ENTRIES if entry.is_experiment and not entry.name.startswith("sartre/")
)
"""At small scale, with agents that are built first if the cache has none."""

COMPUTED = tuple(entry.name for entry in ENTRIES if not entry.is_experiment)

GROUPS = (
    ("IJCAI 2013 tables 1 to 5", tuple(f"ijcai2013/table{number}" for number in range(1, 6)), 30.0),
    ("IJCAI 2013 table 6, over 20 equilibria", ("ijcai2013/table6",), 20 * 60.0),
    ("tables that are played in Hold'em", PLAYED, 60 * 60.0),
    ("every computed table and figure", COMPUTED, 30 * 60.0),
)
"""(name, entries, seconds allowed on two cores)."""


def measurements() -> list[dict[str, Any]]:
    """Seconds of each group as a share of what is allowed; entries are computed once."""
    options = Options(workers=parse_workers(None))
    seconds: dict[str, float] = {}
    for entry in (one for one in ENTRIES if one.name in PLAYED + COMPUTED):
        started = time.perf_counter()
        entry.run(options)
        seconds[entry.name] = time.perf_counter() - started
    return [
        {
            "name": name,
            "ours": (total := sum(seconds[entry] for entry in entries)),
            "other": allowed,
            "unit": "s",
            "ratio": total / allowed,
            "target": "<= 1",
            "note": "by the clock, in one process with its workers",
        }
        for name, entries, allowed in GROUPS
    ]
