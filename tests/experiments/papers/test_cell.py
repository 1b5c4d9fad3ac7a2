"""Words of cells: an invented cell for every word, and what no cell may get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import doyle.experiments.papers
from doyle.experiments.papers.cell import Cell, Word


def exact(published: str, ours: float | str, **more: object) -> Cell:
    return Cell("a", "b", published, ours, **more)  # type: ignore[arg-type]


def sampled(published: str, ours: float, ci95: float | None, **more: object) -> Cell:
    return Cell("a", "b", published, ours, ci95=ci95, sampled=True, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        (exact("0.23", 0.2349), Word.REPRODUCED),
        (exact("0.23", 0.2351), Word.SAME_SIGN),
        (exact("0.75", 0.7504, digits=3), Word.REPRODUCED),  # known to be 0.750
        (exact("0.75", 0.7506, digits=3), Word.SAME_SIGN),
        (exact("0.35", 0.342, digits=1), Word.SAME_SIGN),  # never by fewer digits than are printed
        (exact("0.23", -0.23), Word.OPPOSITE),
        (exact("0", 0.0), Word.REPRODUCED),
        (exact("0", 0.7), Word.UNDECIDED),  # a printed 0 has no sign
        (exact("yes", "yes"), Word.REPRODUCED),
        (exact("yes", "no"), Word.OPPOSITE),
        (sampled("28", 20.0, 10.0), Word.REPRODUCED),
        (sampled("28", 40.0, 10.0), Word.SAME_SIGN),
        (sampled("28", -28.0, 10.0), Word.OPPOSITE),
        (sampled("28", 5.0, 10.0), Word.UNDECIDED),
        (sampled("28", 20.0, 500.0), Word.UNDECIDED),  # wide enough for everything
        (sampled("0", 3.0, 10.0), Word.UNDECIDED),
        (sampled("0", 30.0, 10.0), Word.UNDECIDED),
        (sampled("28", 28.0, None), Word.UNDECIDED),  # without an interval nothing is decided
        (sampled("28", 28.0, 10.0, rebuilt=True), Word.SAME_SIGN),
        (sampled("28", -28.0, 10.0, rebuilt=True), Word.OPPOSITE),
        (sampled("28", 28.0, 10.0, other="other agents"), Word.NOT_COMPARABLE),
        (sampled("28", -28.0, 10.0, other="other agents"), Word.NOT_COMPARABLE),
        (exact("28", 28.0, other="other logs"), Word.NOT_COMPARABLE),
        (exact("0", 0.0, uncounted="itself"), None),
        (sampled("-28", 28.0, 10.0, uncounted="mirrored"), None),
        (exact("1.58", 1.58, uncounted="recomputed"), None),
    ],
)  # fmt: skip
def test_an_invented_cell_of_every_word(cell: Cell, word: Word | None) -> None:
    assert cell.word is word
    # What is known of a difference decides nothing, and neither does a setting.
    assert Cell.of_facts({**cell.facts(), "reason": "few buckets", "tuned": "longer"}).word is word


def test_there_are_five_words() -> None:
    assert [word.value for word in Word] == [
        "reproduced", "same sign, decided", "opposite, decided", "undecided", "not comparable",
    ]  # fmt: skip


def test_behind_a_label_the_sign_is_compared_all_the_same() -> None:
    one, other = (sampled("28", ours, 10.0, other="other agents") for ours in (28.0, -28.0))
    assert one.document()["sign"] == Word.SAME_SIGN
    assert other.document()["sign"] == Word.OPPOSITE


def test_the_ratio_has_its_interval() -> None:
    document = sampled("-50", -100.0, 25.0, rebuilt=True).document()
    assert (document["ratio"], document["ratio_ci95"]) == (2.0, 0.5)
    assert "ratio" not in sampled("-50", -20.0, 25.0, rebuilt=True).document()


def test_the_cell_of_the_thesis_that_was_filed_as_agreement() -> None:
    assert sampled("28", -27.7586, 9.76467, rebuilt=True).word is Word.OPPOSITE


@given(st.integers(-20_000, 20_000), st.floats(-20_000, 20_000), st.floats(0, 40_000))
def test_nothing_with_0_in_its_interval_passes(published: int, ours: float, width: float) -> None:
    for rebuilt in (False, True):
        word = sampled(str(published), ours, width, rebuilt=rebuilt).word
        if abs(ours) <= width:
            assert word is Word.UNDECIDED
        elif ours * published < 0:
            turned = sampled(str(published), -ours, width, rebuilt=rebuilt).word
            assert turned in (Word.SAME_SIGN, Word.REPRODUCED)
            assert word is Word.OPPOSITE or not rebuilt


def test_no_other_module_says_a_word() -> None:
    folder = Path(doyle.experiments.papers.__file__).parent
    said = re.compile(
        r'"(reproduced|same sign, decided|opposite, decided|agrees|differs|explained)"'
    )
    modules = [path for path in folder.rglob("*.py") if said.search(path.read_text())]
    # The JSON object of the closest equilibrium counts what is reproduced.
    assert {path.name for path in modules} <= {"cell.py", "judgement.py"}
