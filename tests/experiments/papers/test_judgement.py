"""Judgements: words counted, null scores, the closest equilibrium, settings changed afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.experiments.papers.cell import Cell, Word
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.judgement import judgement, nearest
from doyle.experiments.papers.kept_results import read_all
from doyle.experiments.papers.registry import ENTRIES

KEPT = Path(__file__).parents[3] / "docs" / "results"


def rebuilt(row: str, column: str, published: str, ours: float, **more: object) -> Cell:
    return Cell(row, column, published, ours, ci95=10.0, sampled=True, rebuilt=True, **more)  # type: ignore[arg-type]


def test_null_scores_are_of_the_same_cells() -> None:
    cells = [
        rebuilt("(1) a", "(2)", "20", 30.0),
        rebuilt("(1) a", "(3)", "66", -30.0),
        rebuilt("(2) b", "(3)", "43", 5.0),
        rebuilt("(2) b", "(1)", "-20", -30.0, uncounted="mirrored"),
        rebuilt("x", "y", "5", 50.0, other="other agents"),
        Cell("exact", "z", "0.00", 0.001),
    ]
    found = judgement("thesis/table3.1", {"thesis/table3.1": cells})
    assert found.words == {
        Word.SAME_SIGN: 1, Word.OPPOSITE: 1, Word.UNDECIDED: 1, Word.NOT_COMPARABLE: 1,
        Word.REPRODUCED: 1,
    }  # fmt: skip
    assert found.uncounted == 1
    assert found.signs == {Word.SAME_SIGN: 1}
    assert found.numbers == 4  # what is not comparable passes nowhere
    scores = {name: (one.cells, one.claims) for name, one in found.scores.items()}
    # (1) beats (2) and nothing else; turned, it beats (3), and by more than (2) does.
    assert scores == {"ours": (2, 1), "zero": (1, 0), "turned": (2, 2)}
    assert found.count(Finding.HOLDS) == 1


def test_the_closest_equilibrium_is_one_for_the_whole_table() -> None:
    """Each printed value is inside its range; no equilibrium has both."""
    cells = [
        Cell("a", "P1", "0.40", 0.9, equilibria=(0.9, 0.4, 0.6)),
        Cell("b", "P1", "0.70", 0.7, equilibria=(0.7, 0.2, 0.6)),
    ]
    (whole,) = nearest(cells, ("cfr+", "one", "two"))
    assert (whole.equilibrium, whole.reproduced, whole.of) == ("two", 0, 2)
    assert whole.distance == pytest.approx(0.15)
    by_row = nearest(cells, ("cfr+", "one", "two"), by_row=True)
    assert [(one.where, one.equilibrium, one.reproduced) for one in by_row[1:]] == [
        ("a", "one", 1), ("b", "cfr+", 1),
    ]  # fmt: skip


def test_ranges_say_whether_the_print_is_inside() -> None:
    inside = Cell("a", "b", "0.66", 0.5, equilibria=(0.4, 0.665))
    outside = Cell("a", "c", "0.68", 0.5, equilibria=(0.4, 0.665))
    found = judgement(
        "x", {"x": [inside, outside, Cell("a", "d", "1", 1.0)]}, equilibria=("e", "f")
    )
    assert found.in_range == (1, 2)
    # Being inside does not change the word.
    assert inside.word is outside.word is Word.SAME_SIGN


def test_the_kept_results() -> None:
    """What is known of them: ten cells that were filed as agreement or explained have the opposite sign."""
    judged = {kept.entry.name: (kept, found) for kept, found in read_all(ENTRIES, KEPT)}
    opposite = {
        (name, cell.row.split(" ")[0], cell.column)
        for name, (kept, _) in judged.items()
        for cell in kept.cells
        if cell.counts and cell.sign is Word.OPPOSITE
        if cell.is_sampled
    }
    assert opposite >= {
        ("thesis/table3.2", "(2)", "(3)"), ("thesis/table3.3", "(1)", "(3)"),
        ("thesis/table3.3", "(2)", "(3)"), ("thesis/table4.2", "naivePA", "Soft ND"),
        ("thesis/table4.2", "+-", "Soft ND"), ("thesis/table4.2", "-1+1", "Soft ND"),
        ("thesis/table4.5", "-1+1", "Soft ND"), ("thesis/table4.6", "fc75pa", "Hard"),
        ("sartre/evolution-limit", "sartre-2009", "bankroll"),
        ("sartre/evolution-no-limit", "sartre-nl-2010", "bankroll"),
    }  # fmt: skip
    for name, (kept, found) in judged.items():
        assert kept.document is not None, name
        if found.numbers and any(cell.is_sampled for cell in kept.cells):
            # Nothing that is sampled passes if ours are 0.
            assert found.scores["zero"].cells == 0, name
    best = judged["thesis/table3.3"][1].claims[0]
    assert best.finding is Finding.FAILS
    noisier, much_noisier = judged["thesis/table2.3"][1].claims[1:]
    assert noisier.finding is not Finding.HOLDS
    assert much_noisier.finding is Finding.FAILS


def test_settings_changed_after_an_outcome_are_named_beside_the_number() -> None:
    judged = {kept.entry.name: kept for kept, _ in read_all(ENTRIES, KEPT)}
    for name in ("thesis/table3.1", "thesis/table3.2", "thesis/table3.3", "thesis/table5.2"):
        assert any(cell.tuned for cell in judged[name].cells)
    (cell,) = [c for c in judged["thesis/table3.1"].cells if c.column == "(2)" and c.word]
    assert "233 ± 11, 51 ± 10 and 5 ± 10" in str(cell.tuned)
    assert (judged["ijcai2013/table3"].document or {})["tuned"]
