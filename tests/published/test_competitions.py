"""The no-limit competitions of 2007 to 2009 as printed: totals and both winner rules recomputed.

Sources, all in small bets per hand for the row's player:
- 2007: Gilpin, Sandholm, Sørensen, "A heads-up no-limit Texas Hold'em poker player" (2008), table 1,
  with standard deviations; Schnizlein, "State translation in no-limit poker"
  (thesis, 2009), table 1.1, the same to two decimals.
- 2008, 2009: the thesis, tables 6.1 and 6.2.

What the recomputation shows, each with its test below:
1. Tartanian table 1 prints -3.406 as Tartanian's own total; its row gives -3.046 (digits swapped).
   The thesis prints -3.05. All other totals, averages and mirror entries agree.
2. By table 1 alone the run-off puts Hyperborean second and Tartanian third. The printed order is the
   one after the 280 further matches among the last three, whose results the texts give.
3. Table 1's caption says chips; the same figures are small bets in the thesis and in the paper's text.
4. The thesis says that PokeMinn beat only one other agent; its row shows two (GS3 and Manitoba2).
5. The deviations printed for the totals of table 1 are not those of the mean of nine independent
   results with the deviations of the row: they are 0.88 (Milano) to 1.51 (Manitoba2) times as large.
6. The two rules give different winners in 2007 (Gomel1, BluffBot), 2008 (Tartanian2, Hyperborean08)
   and 2009 (Hyperborean-BR, Hyperborean-Eqm).
"""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.table import Result
from doyle.matches.winners import bankrolls, from_matrix, instant_runoff, total_bankroll

FOLDER = Path(str(files("doyle.experiments.papers"))) / "published"

TARTANIAN_2007 = "tartanian-table1"
THESIS_2007 = "thesis-table1.1"
THESIS_2008 = "thesis-table6.1"
THESIS_2009 = "thesis-table6.2"
TABLES = (TARTANIAN_2007, THESIS_2007, THESIS_2008, THESIS_2009)


class Printed(NamedTuple):
    """A cross-table as printed, with half a unit of each total's last digit."""

    names: list[str]
    matrix: list[list[Fraction | None]]
    totals: list[Fraction]
    rounding: list[Fraction]


def printed(table: str) -> Printed:
    with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as stream:
        heading, *rows = csv.reader(stream)
    names = heading[1:-1]
    assert [row[0] for row in rows] == names
    matrix = [[Fraction(cell) if cell else None for cell in row[1:-1]] for row in rows]
    totals = [Fraction(row[-1]) for row in rows]
    rounding = [Fraction(1, 2 * 10 ** len(row[-1].partition(".")[2])) for row in rows]
    return Printed(names, matrix, totals, rounding)


def wrong_totals(table: str) -> dict[str, tuple[Fraction, Fraction]]:
    """The totals that their own row contradicts: name -> (printed, recomputed).

    A printed entry may be off by half its last digit, and so may the mean of a row of them.
    """
    names, matrix, totals, rounding = printed(table)
    recomputed = bankrolls(from_matrix(names, matrix), among=names)
    entry = Fraction(1, 2000) if table == TARTANIAN_2007 else Fraction(1, 200)
    return {
        name: (total, recomputed[name])
        for name, total, half in zip(names, totals, rounding, strict=True)
        if abs(total - recomputed[name]) > half + entry
    }


@pytest.mark.parametrize("table", TABLES)
def test_mirror_entries_have_opposite_signs(table: str) -> None:
    names, matrix, _, _ = printed(table)
    for row in range(len(names)):
        assert matrix[row][row] is None
        for column in range(row):
            won, lost = matrix[row][column], matrix[column][row]
            assert won is not None
            assert lost is not None
            assert won == -lost


@pytest.mark.parametrize("table", [THESIS_2007, THESIS_2008, THESIS_2009])
def test_the_thesis_prints_averages_that_its_rows_give(table: str) -> None:
    assert wrong_totals(table) == {}


def test_one_total_of_tartanian_table_1_is_contradicted_by_its_row() -> None:
    (name, (stated, recomputed)), *others = wrong_totals(TARTANIAN_2007).items()
    assert not others
    assert name == "Tartanian"
    assert stated == Fraction("-3.406")
    assert round(recomputed, 3) == Fraction("-3.046")
    # With the digits in the right order all totals sum to nothing, as they must.
    _, _, totals, rounding = printed(TARTANIAN_2007)
    assert abs(sum(totals) - stated + recomputed) <= sum(rounding)
    assert abs(sum(totals)) > sum(rounding)


def test_both_prints_of_2007_agree_to_the_digits_they_share() -> None:
    detailed, short = printed(TARTANIAN_2007), printed(THESIS_2007)
    for detailed_row, short_row in zip(detailed.matrix, short.matrix, strict=True):
        for one, other in zip(detailed_row, short_row, strict=True):
            assert (one is None) == (other is None)
            if one is not None and other is not None:
                assert abs(one - other) <= Fraction(1, 200)


RANKINGS = {
    THESIS_2007: (
        "Gomel1 Gomel2 SlideRule Hyperborean07 Manitoba1 BluffBot20 Milano GS3 PokeMinn Manitoba2",
        "BluffBot20 Hyperborean07 GS3 SlideRule Gomel1 Gomel2 Milano Manitoba1 PokeMinn Manitoba2",
    ),
    THESIS_2008: (
        "Tartanian2-Beta BluffBot-3.0 Hyperborean08 Ballarat",
        "Hyperborean08 BluffBot-3.0 Tartanian2-Beta Ballarat",
    ),
    THESIS_2009: (
        "Hyperborean-BR Hyperborean-Eqm BluffBot4 Tartanian3RM Tartanian3",
        "Hyperborean-Eqm Hyperborean-BR BluffBot4 Tartanian3RM Tartanian3",
    ),
}


@pytest.mark.parametrize("table", RANKINGS)
def test_rankings_by_both_rules(table: str) -> None:
    names, matrix, _, _ = printed(table)
    tables = from_matrix([name.replace(" ", "-") for name in names], matrix)
    total, runoff = RANKINGS[table]
    assert total_bankroll(tables).names == tuple(total.split())
    assert instant_runoff(tables).names == tuple(runoff.split())
    assert total_bankroll(tables).names[0] != instant_runoff(tables).names[0]
    assert total_bankroll(tables).ties == instant_runoff(tables).ties == ()


@pytest.mark.parametrize("table", [THESIS_2008, THESIS_2009])
def test_the_official_order_follows_from_the_later_tables(table: str) -> None:
    names, matrix, _, _ = printed(table)
    tables = from_matrix(names, matrix)
    if table == THESIS_2008:  # Hyperborean08 "won the competition"; rows in the order of places
        assert instant_runoff(tables).names == tuple(names)
    else:  # "first and second in both the bankroll and equilibrium competitions"
        assert total_bankroll(tables).names[:2] == tuple(names[:2])
        assert set(instant_runoff(tables).names[:2]) == set(names[:2])


def test_the_printed_order_of_2007_needs_the_further_matches() -> None:
    names, matrix, _, _ = printed(TARTANIAN_2007)
    ranking = instant_runoff(from_matrix(names, matrix))
    assert ranking.names == ("Bluffbot", "Hyperborean", "Tartanian", *names[3:])
    # After 300 matches: Tartanian's two results (its section 7), and BluffBot over Hyperborean by
    # 380 mb/h (thesis, footnote to section 6.1.1).
    further = {
        ("Bluffbot", "Tartanian"): Fraction("0.267"),
        ("Tartanian", "Hyperborean"): Fraction("0.133"),
        ("Bluffbot", "Hyperborean"): Fraction("0.380"),
    }
    for (winner, loser), won in further.items():
        matrix[names.index(winner)][names.index(loser)] = won
        matrix[names.index(loser)][names.index(winner)] = -won
    assert instant_runoff(from_matrix(names, matrix)).names == tuple(names)


def test_statements_of_the_thesis_about_2007() -> None:
    names, matrix, totals, _ = printed(THESIS_2007)
    gs3, pokeminn = names.index("GS3"), names.index("PokeMinn")
    # "the third lowest overall average"; "the largest amount that any of the top 4 bots obtained"
    assert sorted(totals).index(totals[gs3]) == 2
    top = [abs(cell) for row in matrix[:4] for cell in row if cell is not None]
    assert max(top) == matrix[pokeminn][gs3] == Fraction("42.06")
    # "beating only one other agent": the row shows two.
    beaten = [names[i] for i, won in enumerate(matrix[pokeminn]) if won is not None and won > 0]
    assert beaten == ["GS3", "Manitoba2"]


def test_deviations_of_the_totals_are_not_those_of_independent_results() -> None:
    stated = printed(f"{TARTANIAN_2007}-deviations")
    ratios = {}
    for name, row, total in zip(stated.names, stated.matrix, stated.totals, strict=True):
        squares = [cell * cell for cell in row if cell is not None]
        ratios[name] = float(total) * len(squares) / math.sqrt(sum(squares))
    assert min(ratios, key=lambda name: ratios[name]) == "Milano"
    assert ratios["Milano"] == pytest.approx(0.876, abs=0.001)
    assert max(ratios, key=lambda name: ratios[name]) == "Manitoba2"
    assert ratios["Manitoba2"] == pytest.approx(1.511, abs=0.001)
    for row in range(len(stated.names)):
        for column in range(row):
            assert stated.matrix[row][column] == stated.matrix[column][row]


def plain_runoff(names: list[str], matrix: list[list[Fraction | None]]) -> list[str]:
    """The run-off by a plain loop: the lowest sum leaves; best first."""
    left, order = list(range(len(names))), []
    while left:
        sums = {row: sum((matrix[row][other] or 0) for other in left) for row in left}
        last = min(left, key=lambda row: sums[row])
        order.append(names[last])
        left.remove(last)
    return order[::-1]


def command(table: str) -> Result:
    paper, _, name = table.partition("-")
    return find(f"{paper}/{name}").run(Options())


def column(result: Result, name: str) -> dict[str, str]:
    return {cell.row: str(cell.ours) for cell in result.cells if cell.column == name}


@pytest.mark.parametrize("table", TABLES)
def test_the_command_recomputes_places_and_totals(table: str) -> None:
    names, matrix, totals, _ = printed(table)
    result = command(table)
    runoff = plain_runoff(names, matrix)
    assert column(result, "place by run-off") == {
        name: str(runoff.index(name) + 1) for name in names
    }
    means = [sum(cell for cell in row if cell is not None) / (len(row) - 1) for row in matrix]
    by_mean = sorted(names, key=lambda name: -means[names.index(name)])
    assert column(result, "place by bankroll") == {
        name: str(by_mean.index(name) + 1) for name in names
    }
    shown = {cell.row: cell for cell in result.cells if cell.column == "total"}
    for name, mean, total in zip(names, means, totals, strict=True):
        assert float(shown[name].ours) == pytest.approx(float(mean))
        assert Fraction(shown[name].published or "") == total
    outside = [name for name in names if shown[name].reason is not None]
    assert outside == list(wrong_totals(table))


def test_the_command_says_what_contradicts_itself() -> None:
    notes = " ".join(command(TARTANIAN_2007).notes)
    assert "-3.406" in notes
    assert "-3.046" in notes
    assert "Gomel1 by total bankroll, Bluffbot by run-off" in notes
    further = command(TARTANIAN_2007).sections[2]
    assert all(stated == ours for _, stated, ours in further.rows)
    assert "GS3 and Manitoba2" in " ".join(command(THESIS_2007).notes)


def test_ijcai_table_7_contradicts_three_of_its_averages() -> None:
    with (FOLDER / "ijcai2013-table7.csv").open(encoding="utf-8", newline="") as stream:
        heading, *rows, last = csv.reader(stream)
    assert len(rows) == 10
    averages = {
        heading[place]: sum(Fraction(row[place]) for row in rows) / len(rows)
        for place in range(1, len(heading), 2)
    }
    stated = {heading[place]: int(last[place]) for place in range(1, len(heading), 2)}
    assert len(averages) == 7
    wrong = {name for name in stated if abs(stated[name] - averages[name]) > Fraction(1, 2)}
    assert wrong == {"Det-Arith", "Rand-Arith", "Rand-psHar"}
    assert {name: round(averages[name]) for name in wrong} == {
        "Det-Arith": 603, "Rand-Arith": 574, "Rand-psHar": 572,
    }  # fmt: skip
    assert sorted(stated, key=lambda n: -stated[n]) == sorted(averages, key=lambda n: -averages[n])
    result = find("ijcai2013/table7").run(Options())
    shown = {cell.row: float(cell.ours) for cell in result.cells if cell.column == "average"}
    assert shown == pytest.approx({name: float(value) for name, value in averages.items()})
    # Section 10: the geometric mappings are significantly worse than each of the other four.
    assert len(result.sections[1].rows) == 12
