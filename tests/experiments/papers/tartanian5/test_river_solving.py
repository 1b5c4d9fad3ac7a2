"""Tartanian5's rivers, looked up and solved: the cells and what the paired one is."""

from __future__ import annotations

import pytest

from doyle.base.workers import Workers
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.claims.tartanian import AS_PLAYED, RIVERS_SOLVED, SOLVED_GAIN
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.tartanian5 import river_solving

NAME = "tartanian5/river-solving"


def test_the_same_hands_are_measured_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(river_solving, "museum_agent", lambda name, options: "starter")
    monkeypatch.setattr(river_solving, "ACTIONS", ("fcpa",))
    result = river_solving.river_solving(Options(seed=3, hands=6, workers=Workers(1)))
    cells = {cell.row: cell for cell in result.cells}
    assert list(cells) == [AS_PLAYED, RIVERS_SOLVED, SOLVED_GAIN]
    played, solved, apart = (float(cells[row].ours) for row in cells)
    assert apart == pytest.approx(played - solved)
    assert cells[AS_PLAYED].reason == cells[RIVERS_SOLVED].reason
    assert all(cell.is_sampled and cell.published is None for cell in result.cells)


def test_the_claim_can_fail() -> None:
    for value, finding in ((5.0, Finding.HOLDS), (-5.0, Finding.FAILS)):
        cells = [
            Cell(SOLVED_GAIN, actions, None, value, ci95=1.0) for actions in river_solving.ACTIONS
        ]
        (claim,) = decided_claims(NAME, {NAME: cells})
        assert claim.finding is finding
