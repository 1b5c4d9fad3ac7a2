"""Cells are measured once; a damaged file is measured again."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.experiments.papers.measured_cells import cell_path, kept
from doyle.statistics import Estimate


def test_cells_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path))
    calls = []

    def measure() -> Estimate:
        calls.append(1)
        return Estimate(12.5, 3.0, 40)

    first = kept({"agents": ["a", "b"], "seed": 1}, measure)
    assert first.won == Estimate(12.5, 3.0, 40)
    assert kept({"seed": 1, "agents": ["a", "b"]}, measure) == first
    assert len(calls) == 1
    kept({"agents": ["a", "b"], "seed": 2}, measure)
    assert len(calls) == 2
    cell_path({"agents": ["a", "b"], "seed": 1}).write_text('{"measured": {"ci95"')
    kept({"agents": ["a", "b"], "seed": 1}, measure)
    assert len(calls) == 3
