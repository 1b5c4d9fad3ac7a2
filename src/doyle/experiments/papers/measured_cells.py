"""Measured cells, kept: what a match of a table gave, so that an interrupted table resumes.

A cell is named by a digest of everything that decides its value. Code is not part of it: whoever changes what
a player does, or how cells are measured, raises `_FORMAT` or names the player otherwise. A file that cannot be
read is measured again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from doyle.artifacts.documents import read_json
from doyle.artifacts.files import write_json
from doyle.errors import DoyleError
from doyle.paths import cache_folder
from doyle.statistics import Estimate

_FORMAT = 1


@dataclass(frozen=True)
class Measured:
    """Thousandths of a big blind per hand, over boards or, if a match was played, deals."""

    won: Estimate
    seconds: float
    """How long the measurement took."""


def kept(key: dict[str, Any], measure: Callable[[], Estimate]) -> Measured:
    """The cell of a key: from the cache, or measured now and kept."""
    path = cell_path(key)
    found = _read(path)
    if found is not None:
        return found
    started = time.monotonic()
    won = measure()
    measured = Measured(won, round(time.monotonic() - started, 1))
    facts = {**won.document(), "boards": won.count, "seconds": measured.seconds}
    write_json(path, {"key": key, "measured": facts})
    return measured


@dataclass(frozen=True)
class MeasuredValues:
    """What every board or deal of a cell gave, and the processor seconds it took."""

    values: tuple[float, ...]
    seconds: float


def kept_values(key: dict[str, Any], measure: Callable[[], Sequence[float]]) -> MeasuredValues:
    """As `kept`, value by value, for cells that are compared on the same boards."""
    path = cell_path({**key, "values": True})
    try:
        found = read_json(path)["measured"]
        return MeasuredValues(tuple(map(float, found["values"])), float(found["seconds"]))
    except (FileNotFoundError, DoyleError, KeyError, TypeError, ValueError):
        pass
    started = time.process_time()
    values = tuple(float(value) for value in measure())
    measured = MeasuredValues(values, round(time.process_time() - started, 1))
    write_json(path, {"key": key, "measured": asdict(measured)})
    return measured


def cell_path(key: dict[str, Any]) -> Path:
    """Where the cell of a key is kept."""
    text = json.dumps({"format": _FORMAT, **key}, sort_keys=True)
    return cache_folder() / "papers" / "cells" / f"{sha256(text.encode()).hexdigest()[:24]}.json"


def _read(path: Path) -> Measured | None:
    try:
        facts = read_json(path)["measured"]
        won = Estimate(facts["mbb_per_hand"], facts["ci95"], facts["boards"])
        return Measured(won, facts["seconds"])
    except (FileNotFoundError, DoyleError, KeyError, TypeError):
        return None
