"""The table of guards: its cells, what is printed beside them, and claims that can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doyle.apps.cli import main
from doyle.experiments.papers.cell import Cell, Word
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.subgames import guards
from doyle.experiments.papers.subgames.games import leduc, short_holdem
from doyle.solving.vector import GUARDS

COLUMNS = (guards.NO_SEARCH, *GUARDS)


def test_every_game_blueprint_and_guard_has_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    small = (replace(leduc(10), blueprints=(8, 32)), short_holdem(2, (0, 3), 2, (8,)))
    monkeypatch.setitem(guards.SETTINGS, "small", small)
    result = find(guards.NAME).run(Options())
    rows = [guards.row(one, count) for one in small for count in one.blueprints]
    assert [(cell.row, cell.column) for cell in result.cells] == [
        (row, column) for row in rows for column in COLUMNS
    ]
    printed = {cell.column: cell.published for cell in result.cells if cell.published}
    assert printed == {"blueprint": "91.3", "unsafe": "5.51", "reach-maxmargin": "22.6"}
    assert {cell.word for cell in result.cells} == {None, Word.NOT_COMPARABLE}
    assert all(cell.unsigned and not cell.is_sampled for cell in result.cells)
    leduc_8 = result.cells[0]
    assert leduc_8.ours == pytest.approx(761, abs=1)  # docs/lab/search.md


def test_hands_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", guards.NAME, "--hands", "10"]) == 2
    error = capsys.readouterr().err
    assert "is exact" in error
    assert error.count("\n") == 1


def decided(**values: float) -> dict[str, Finding]:
    """What becomes of the claims if one row has these values."""
    names = {name.replace("-", "_"): name for name in COLUMNS}
    cells = [Cell("a game", names[name], None, value) for name, value in values.items()]
    found = decided_claims(guards.NAME, {guards.NAME: cells})
    return {claim.text: claim.finding for claim in found}


def test_claims_hold_and_fail() -> None:
    good = decided(blueprint=9.0, unsafe=10.0, resolve=8.0, maxmargin=7.0, reach_maxmargin=6.0)
    assert {*good.values()} == {Finding.HOLDS}
    bad = decided(blueprint=5.0, unsafe=4.0, resolve=6.0, maxmargin=7.0, reach_maxmargin=8.0)
    assert {*bad.values()} == {Finding.FAILS}


def test_iterations_are_a_table_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    run = guards.Run(replace(leduc(0), blueprints=(8,)), ("resolve",), (1, 500))
    monkeypatch.setattr(guards, "RUNS", (run,))
    cells = find(guards.ITERATIONS).run(Options()).cells
    columns = [guards.NO_SEARCH, "resolve, 1 iterations", "resolve, 500 iterations"]
    assert [cell.column for cell in cells] == columns
    assert all(cell.published is None for cell in cells)
    claims = decided_claims(guards.ITERATIONS, {guards.ITERATIONS: cells})
    assert [claim.finding for claim in claims] == [Finding.HOLDS] * 2
    turned = [replace(cell, ours=-float(cell.ours)) for cell in cells]
    claims = decided_claims(guards.ITERATIONS, {guards.ITERATIONS: turned})
    assert [claim.finding for claim in claims] == [Finding.FAILS] * 2
