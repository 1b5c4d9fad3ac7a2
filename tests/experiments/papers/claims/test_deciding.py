"""Claims: what becomes of numbers with intervals, and every claim by the printed numbers themselves."""

from __future__ import annotations

import pytest

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.claims import CLAIMS, decided_claims
from doyle.experiments.papers.claims.deciding import Claim, Finding, View, finding
from doyle.experiments.papers.registry import ENTRIES, find
from doyle.experiments.papers.table import printed

HOLDS, FAILS, UNDECIDED = Finding


@pytest.mark.parametrize(
    ("number", "decided"),
    [
        (Estimate(5.0, 4.0), HOLDS),
        (Estimate(-5.0, 4.0), FAILS),
        (Estimate(5.0, 6.0), UNDECIDED),
        (Estimate(5.0, None), UNDECIDED),
        (Estimate.exact(0.1), HOLDS),
        (Estimate.exact(0.0), FAILS),  # what is exact cannot be undecided
    ],
)
def test_a_number_is_decided_by_its_interval(number: Estimate, decided: Finding) -> None:
    assert finding(number) is decided
    view = View("t", {})
    assert Claim("more", lambda _: [number]).decide(view).finding is decided


def test_cells_are_independent_of_each_other() -> None:
    def parts(number: Estimate) -> tuple[float, float | None]:
        return float(number.mean), number.ci95

    assert parts(Estimate(5.0, 3.0) - Estimate(1.0, 4.0)) == (4.0, 5.0)
    assert parts(7.0 - Estimate(5.0, 3.0)) == (2.0, 3.0)
    assert parts(Estimate(5.0, 3.0) * -2.0) == (-10.0, 6.0)
    assert parts(Estimate(5.0, None) - 1.0) == (4.0, None)
    assert parts(Estimate(5.0, None) - Estimate(1.0, 4.0)) == (4.0, None)


def test_exceptions_are_those_that_the_paper_makes() -> None:
    view = View("t", {})
    numbers = [*map(Estimate.exact, (1.0, 2.0, -1.0)), Estimate(3.0, 9.0)]

    def found(count: int, exceptions: int) -> Finding:
        return Claim("most", lambda _: numbers[:count], exceptions).decide(view).finding

    assert (found(3, 0), found(3, 1), found(4, 0), found(4, 1), found(4, 2)) == (
        FAILS, HOLDS, FAILS, UNDECIDED, HOLDS,
    )  # fmt: skip


def test_what_is_not_measured_is_undecided() -> None:
    cell = Cell("a", "b", "1", 1.0, sampled=True)  # no interval
    view = View("t", {"t": [cell]})
    assert Claim("a", lambda v: [v("a", "b")]).decide(view).finding is UNDECIDED
    missing = Claim("a", lambda v: [v("a", "c")]).decide(view)
    assert (missing.finding, missing.detail) == (UNDECIDED, "not measured")


def test_the_best_strategy_of_table_3_3_fails_by_one_cell() -> None:
    rows = printed("thesis/table3.3").row_names
    cells = [
        Cell(rows[0], f"({place})", str(10 * place), ours, ci95=10.0, sampled=True, rebuilt=True)
        for place, ours in ((2, 52.0), (3, -29.0), (4, 144.0), (5, 170.0), (6, 277.0))
    ]
    best, pace, *_ = decided_claims("thesis/table3.3", {"thesis/table3.3": cells})
    assert (best.finding, pace.finding) == (FAILS, HOLDS)
    assert best.detail == "of 5: 4 holds, 1 fails, 0 undecided; 4 along"


def _printed_cells(name: str) -> list[Cell]:
    """A table as if ours were what is printed, to the digit."""
    source = name.removesuffix("-holdem")
    table = printed(source)
    return [
        Cell(row, column, text, float(text))
        for row in table.row_names
        for column in table.columns
        if (text := table.text(row, column)) and not column.endswith("±")
    ]


BY_PRINT = [
    *(
        "thesis/table2.1",
        "thesis/table2.2",
        "thesis/table2.3",
        "thesis/table3.1",
        "thesis/table3.2",
    ),
    *("thesis/table3.3", "thesis/table3.4", "thesis/table3.5", "thesis/table3.4-holdem"),
    *("thesis/table3.5-holdem", "thesis/section3.3.3", "thesis/table4.1", "thesis/table4.2"),
    *(
        "thesis/table4.3",
        "thesis/table4.4",
        "thesis/table4.5",
        "thesis/table4.6",
        "thesis/table4.7",
    ),
    *("thesis/table5.1", "thesis/table5.2", "ijcai2013/table6"),
]


@pytest.mark.parametrize("name", BY_PRINT)
def test_a_claim_holds_by_what_the_paper_prints(name: str) -> None:
    """Else the claim is not the paper's."""
    tables = {one: _printed_cells(one) for one in BY_PRINT}
    assert CLAIMS[name]
    for found in decided_claims(name, tables):
        if found.detail != "not measured":
            assert found.finding is HOLDS, (found.text, found.detail)


@pytest.mark.parametrize("name", BY_PRINT)
def test_a_claim_fails_if_everything_is_turned(name: str) -> None:
    tables = {one: _printed_cells(one) for one in BY_PRINT}
    view = View(name, tables).of(lambda value: -value)
    kept = {"AA alone has no effect", "Rand-psHar is not the least exploitable: P1", "convergence is quick: within 250 of 500 hands on average",
            "accuracy is high: at most one run in ten fails"}  # fmt: skip
    for claim in CLAIMS[name]:
        if "within" not in claim.text and "at most" not in claim.text and claim.text not in kept:
            assert claim.decide(view).finding is not HOLDS, claim.text


def test_every_played_table_has_claims_and_every_claim_a_table() -> None:
    assert {*CLAIMS} <= {entry.name for entry in ENTRIES}
    assert {entry.name for entry in ENTRIES if entry.is_experiment} <= {*CLAIMS}
    assert find("thesis/table2.3").name in CLAIMS
