"""Verdicts: signs and orders of magnitude of played tables, digits of computed ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.papers.result import Cell
from doyle.papers.verdicts import judged, verdict, verdict_of


@pytest.mark.parametrize(
    ("published", "ours", "ci95", "word"),
    [
        ("12252", 13124.0, 604.0, "agrees"),
        ("12252", 1000.0, 604.0, "differs"),  # an order of magnitude less
        ("12252", -7347.0, 2220.0, "differs"),  # another sign
        ("-2753", -900.0, 200.0, "agrees"),  # the interval reaches a third of it
        ("451", 4000.0, 100.0, "differs"),
        ("30", 150.0, 60.0, "agrees"),  # small, and ours may be small
        ("30", 250.0, 60.0, "differs"),
        ("0", 0.0, 0.0, "agrees"),
    ],
)
def test_words(published: str, ours: float, ci95: float, word: str) -> None:
    assert verdict(published, ours, ci95, least=100) == word
    explained = verdict(published, ours, ci95, least=100, reason="measured")
    assert explained == ("agrees" if word == "agrees" else "explained")


@given(st.integers(-20_000, 20_000), st.floats(0, 1000))
def test_a_value_agrees_with_itself_and_wider_intervals_agree_more(
    value: int, width: float
) -> None:
    assert verdict(str(value), float(value), 0.0, least=100) == "agrees"
    if verdict(str(value), value / 2, 0.0, least=50) == "agrees":
        assert verdict(str(value), value / 2, width, least=50) == "agrees"


def test_cells() -> None:
    cell = judged("a", "b", "500", 10.0, ci95=5.0, least=100, other="own", reason="few buckets")
    document = cell.document()
    assert document["verdict"] == verdict_of(cell) == "explained"
    assert document["reason"] == "few buckets"
    assert cell.agrees is None  # digits are not compared
    agreeing = judged("a", "b", "500", 480.0, ci95=5.0, least=100, other="own", reason="unused")
    assert "reason" not in agreeing.more
    unprinted = judged("a", "b", None, 480.0, ci95=5.0, least=100, other="own")
    assert verdict_of(unprinted) is None
    assert verdict_of(Cell("a", "b", "0.23", 0.231)) == "agrees"
    assert verdict_of(Cell("a", "b", "0.23", 0.25)) == "differs"
    assert verdict_of(Cell("a", "b", "0.23", 0.25, more={"reason": "x"})) == "explained"
    assert verdict_of(Cell("a", "b", None, 0.25)) is None
