"""Schnizlein 2009 and IJCAI 2013 table 6: the no-limit Leduc cells, by exact best response.

Tolerance of tables 4.4 and 4.7: 0.10 antes per hand for at least 26 of the 32 hard and soft cells
(the strategies off the equilibrium path are not published), and at least 40 of all 48 inside the
range over nine equilibria. 3.4: the order of the fixes, and all cells inside that range. Table 6:
at least 20 equilibria, and the printed averages inside their range but for Det-Arith.
"""

from __future__ import annotations

import pytest

from doyle.experiments.papers.judgement import judgement
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.table import Result


def run(name: str) -> Result:
    return find(name).run(Options())


def test_table_3_4_fixes() -> None:
    result = run("thesis/table3.4")
    assert all(cell.in_range for cell in result.cells)
    cells = result.cells
    found = {cell.column: float(cell.ours) for cell in cells}
    # The published order. AA,EC and All come out equal within the accuracy of the solve, 0.2.
    ordered = [cell for cell in cells if cell.column not in ("All", "AA")]
    by_ours, by_print = (
        sorted(ordered, key=key)
        for key in (lambda cell: cell.ours, lambda cell: float(cell.published))
    )
    assert by_ours == by_print
    assert found["All"] == pytest.approx(found["AA,EC"], abs=1)
    # Without reading own actions again the order is another.
    remembering = {cell.column: cell.more["remembering_own_actions"] for cell in cells}
    assert remembering["EC,CisC"] < remembering["EC"]
    assert found["CisC"] < 0.6 * found["Unfixed"]
    assert found["AA,CisC"] < 0.6 * found["Unfixed"]
    assert found["AA"] == pytest.approx(found["Unfixed"], rel=1e-6)
    assert found["EC,CisC"] > found["CisC"]
    assert found["AA,CisC"] == min(found.values())


def test_table_3_5_real_is_worse_than_abstract() -> None:
    result = run("thesis/table3.5")
    assert all(cell.in_range for cell in result.cells)
    found = {cell.column: float(cell.ours) for cell in result.cells}
    assert found["Real"] > 1.2 * found["Abstract"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["thesis/table4.4", "thesis/table4.7"])
def test_tables_4_4_and_4_7(name: str) -> None:
    result = run(name)
    plain = [cell for cell in result.cells if not cell.column.startswith("SoftND")]
    assert len(plain) == 32
    assert result.sections[0].rows[0][0] >= 26
    found = judgement(name, {name: result.cells}, equilibria=result.equilibria, by_row=True)
    assert found.in_range[1] == len(result.cells) == 48
    assert found.in_range[0] >= 40
    # One equilibrium for a whole row reproduces far fewer cells than ranges hold.
    assert len(found.nearest) == 1 + 8
    assert sum(one.reproduced for one in found.nearest[1:]) < 24


@pytest.mark.slow
def test_table_6() -> None:
    result = run("ijcai2013/table6")
    assert len(result.cells) == 21
    assert len(result.equilibria) == len(result.cells[0].equilibria) == 22
    assert len(result.sections[1].rows) >= 20
    outside = {cell.row for cell in result.cells if not cell.in_range}
    assert outside <= {"Det-Arith", "Det-psHar"}
    average, second = result.sections[0].rows[0]
    assert average >= 18
    assert second >= 15
