"""Schnizlein 2009, table 4.1: at most 4% errors within 500 hands at each of the five boundaries."""

from __future__ import annotations

import pytest

from doyle.papers.registry import Options, find


@pytest.mark.slow
def test_table_4_1() -> None:
    result = find("thesis/table4.1").run(Options())
    rates = [float(cell.ours) for cell in result.cells if cell.row == "Error Rate"]
    assert len(rates) == 5
    # The published opponent is another: nothing is counted, whatever the digits.
    assert (result.compared, result.agreeing) == (0, 0)
    assert {cell.agrees for cell in result.cells} == {None}
    assert max(rates) <= 0.04
    stalled = next(row for row in result.sections[0].rows if row[0] == "stalled")
    assert min(stalled[1:]) > 0.05
