"""Cells that are kept board by board."""

from __future__ import annotations

from pathlib import Path

from doyle.experiments.papers.measured_cells import cell_path, kept_values


def test_values_are_measured_once(fresh_cache: Path) -> None:
    asked: list[int] = []

    def measure() -> list[float]:
        asked.append(1)
        return [0.5, -1.25]

    first, again = (kept_values({"boards": 2}, measure) for _ in range(2))
    assert first == again
    assert first.values == (0.5, -1.25)
    assert len(asked) == 1
    kept_values({"boards": 3}, measure)
    cell_path({"boards": 2, "values": True}).write_text("{")
    assert kept_values({"boards": 2}, measure).values == first.values
    assert len(asked) == 3
