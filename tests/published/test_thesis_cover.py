"""Schnizlein 2009, appendix A and table 5.1: the cover set and the players that switch over it.

Source rows: tables A.1 (172 games, in order) and A.2 (15 of them), to all printed digits. Table 5.1
depends on equilibria that are not published; what is tested is that ours are measured and plausible.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from doyle.agents.switching.cover_games import CoverGame, cover_game, full_cover, sub_cover
from doyle.agents.switching.cover_player import cover_tree
from doyle.experiments.papers.cell import Word
from doyle.experiments.papers.registry import Options, find
from doyle.games import Game


def test_all_172_games_in_the_printed_order() -> None:
    result = find("thesis/tableA1").run(Options())
    assert [cell.word for cell in result.cells] == [Word.REPRODUCED] * 2 * 172
    assert len(full_cover(Game.named("leduc-nl12"))) == 172


def test_the_sub_cover_is_a_subset() -> None:
    games = full_cover(Game.named("leduc-nl12"))
    assert len(sub_cover(games)) == 15
    result = find("thesis/tableA2").run(Options())
    assert [cell.is_reproduced for cell in result.cells] == [True] * 30
    assert {cell.word for cell in result.cells} == {None}  # they are looked up by what is printed


def test_antes_make_bets_and_stacks_whole() -> None:
    """1/8 of the pot after three bets: 101 is the first ante that divides."""
    made = cover_game(bets=3, pot=8, fraction=Fraction(1, 8), stack=12)
    assert made == CoverGame(101, 588, Fraction(1, 8))


def test_a_cover_tree_matches_the_abstract_game_it_stands_for() -> None:
    """At stack 12 and a bet of the pot it is the fcpa tree of Leduc itself."""
    tree = cover_tree(CoverGame(100, 1200, Fraction(1)))
    assert len(tree) == 121
    assert tree.leaf_chips(0).max() == 12.0


@pytest.mark.slow
def test_table_5_1() -> None:
    cells = {
        (cell.row, cell.column): float(cell.ours)
        for cell in find("thesis/table5.1").run(Options()).cells
    }
    assert cells["Equilibrium", "P1"] == pytest.approx(-0.07, abs=0.005)
    assert cells["Equilibrium", "P2"] == pytest.approx(0.07, abs=0.005)
    assert cells["Equilibrium", "Average"] < 0.002
    for player in ("Full Cover", "Sub Cover"):
        assert 0.3 < cells[player, "Average"] < 1.2
    assert len([row for row, column in cells if row.startswith("Sample") and column == "P1"]) == 10


def test_kuhn_switching_example_is_exactly_two_eighteenths() -> None:
    cells = {cell.row: cell for cell in find("thesis/section5.3").run(Options()).cells}
    assert Fraction(cells["switching"].more["exact_fraction"]) == Fraction(-2, 18)
    assert Fraction(cells["equilibrium"].more["exact_fraction"]) == Fraction(-1, 18)
