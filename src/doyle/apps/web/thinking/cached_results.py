"""The cache's contents besides agents: convergence of builds, report cards and leagues.

Report cards and leagues are the JSON documents of `doyle report`, `doyle build` and `doyle league`, which
they keep in the folder `results` of the cache.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from doyle.base.artifacts.documents import read_json
from doyle.base.errors import DoyleError
from doyle.base.paths import results_folder

MOST_FILES = 40
LARGEST_FILE = 4 << 20


def builds(agents: list[str]) -> list[dict[str, Any]]:
    """How each build was made and converged; runs in a thinking process."""
    from doyle.building import load_agent_strategy

    found = []
    for agent in agents:
        try:
            info = load_agent_strategy(agent).info
        except DoyleError:
            continue  # `starter` and others without a folder of their own
        points = [
            (point.iteration, point.seconds, *point.measure)
            for point in info.history
            if math.isfinite(point.measure[1])
        ]
        found.append(
            {
                "agent": agent,
                "solver": info.solver or "",
                "cards": info.cards or "all cards",
                "iterations": info.iterations,
                "seconds": info.seconds,
                "points": points,
                "exploitability": None
                if info.exploitability is None
                else info.exploitability.total,
            }
        )
    return found


def saved_results(folder: Path | None = None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Report cards and leagues among the JSON files of the cache's folder, each with its `file`."""
    cards: list[dict[str, Any]] = []
    leagues: list[dict[str, Any]] = []
    place = folder or results_folder()
    if not place.is_dir():
        return cards, leagues
    for path in sorted(place.glob("*.json"))[:MOST_FILES]:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_FILE:
            continue
        try:
            document = read_json(path)
        except (DoyleError, OSError):
            continue
        if not isinstance(document, dict):
            continue
        document = {**document, "file": path.stem}
        if isinstance(document.get("lbr"), list) and isinstance(document.get("matches"), list):
            cards.append(document)
        elif isinstance(document.get("cross_table"), dict):
            leagues.append(document)
    return cards, leagues
