"""Schnizlein 2009, table 4.1: at most 4% errors within 500 hands at each of the five boundaries.

The thesis's opponent was another, so its values stand beside ours and none counts as agreeing.
"""

from __future__ import annotations

import pytest

from doyle.experiments.papers.cell import Word
from doyle.experiments.papers.registry import Options, find


@pytest.mark.slow
def test_table_4_1() -> None:
    result = find("thesis/table4.1").run(Options())
    rates = [float(cell.ours) for cell in result.cells if cell.row == "Error Rate"]
    assert len(rates) == 5
    assert all(cell.published is not None for cell in result.cells)
    assert {cell.word for cell in result.cells} == {Word.NOT_COMPARABLE}
    # The mean of a hundred random runs has an interval, unless all runs gave the same.
    for cell in result.cells:
        assert cell.ci95 is None or cell.ci95 > 0
        assert cell.ci95 is not None or (cell.row, cell.ours) == ("Average Error", 0.0)
    assert "5.5.5.5" in result.notes[0]
    assert max(rates) <= 0.04
    stalled = next(row for row in result.sections[0].rows if row[0] == "stalled")
    assert min(stalled[1:]) > 0.05
