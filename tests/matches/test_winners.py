"""Both winner rules, on results small enough to rank by hand and on random ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.matches.winners import CrossTable, bankrolls, from_matrix, instant_runoff, total_bankroll

# a beats everybody narrowly, b crushes c and loses to a: the two rules disagree.
BULLY = from_matrix(
    ["a", "b", "c"],
    [[None, 1, 1], [-1, None, 50], [-1, -50, None]],
)


def test_total_bankroll_rewards_beating_the_weak() -> None:
    assert total_bankroll(BULLY).names == ("b", "a", "c")
    assert dict(total_bankroll(BULLY).bankrolls) == {"a": 1, "b": Fraction(49, 2), "c": -25.5}


def test_instant_runoff_rewards_not_losing_to_the_strong() -> None:
    ranking = instant_runoff(BULLY)
    assert ranking.names == ("a", "b", "c")
    assert [step.leaving for step in ranking.eliminations] == [("c",)]
    assert dict(ranking.bankrolls) == {"a": 1, "b": -1}


def test_ties_share_a_place_and_leave_together() -> None:
    tables = from_matrix(
        ["a", "b", "c", "d"],
        [[None, 1, 1, 1], [-1, None, 0, 0], [-1, 0, None, 0], [-1, 0, 0, None]],
    )
    for ranking in (total_bankroll(tables), instant_runoff(tables)):
        assert ranking.places == (("a",), ("b", "c", "d"))
        assert ranking.ties == (("b", "c", "d"),)


def test_when_all_are_equal_all_share_the_first_place() -> None:
    tables = from_matrix(["a", "b", "c"], [[None, 1, -1], [-1, None, 1], [1, -1, None]])
    assert instant_runoff(tables).places == (("a", "b", "c"),)
    assert total_bankroll(tables).places == (("a", "b", "c"),)


def test_three_player_tables_end_the_runoff_at_three() -> None:
    tables: CrossTable = {
        ("a", "b", "c"): (2, -1, -1),
        ("a", "b", "d"): (-9, 5, 4),
        ("a", "c", "d"): (-9, 5, 4),
        ("b", "c", "d"): (4, 4, -8),
    }
    assert total_bankroll(tables).places == (("b", "c"), ("d",), ("a",))
    ranking = instant_runoff(tables)
    assert [step.leaving for step in ranking.eliminations] == [("a",)]
    assert ranking.places == (("b", "c"), ("d",), ("a",))
    assert dict(ranking.bankrolls) == {"b": 4, "c": 4, "d": -8}


def test_missing_results_are_refused() -> None:
    with pytest.raises(ValueError, match="no result of a and b"):
        from_matrix(["a", "b"], [[None, None], [1, None]])
    with pytest.raises(ValueError, match="at least one table"):
        total_bankroll({})


@st.composite
def leagues(draw: st.DrawFn) -> CrossTable:
    count = draw(st.integers(2, 6))
    names = [f"p{i}" for i in range(count)]
    small = st.integers(-5, 5)
    return {pair: (won, -won) for pair in combinations(names, 2) for won in [draw(small)]}


@given(leagues())
def test_rankings_hold_every_player_once_and_follow_the_bankrolls(tables: CrossTable) -> None:
    names = {name for players in tables for name in players}
    total = total_bankroll(tables)
    assert sorted(total.names) == sorted(names)
    amounts = [dict(total.bankrolls)[name] for name in total.names]
    assert amounts == sorted(amounts, reverse=True)
    assert sum(amounts) == 0
    assert sorted(instant_runoff(tables).names) == sorted(names)


@given(leagues())
def test_each_elimination_removes_the_lowest_of_those_left(tables: CrossTable) -> None:
    remaining = list(dict.fromkeys(name for players in tables for name in players))
    for step in instant_runoff(tables).eliminations:
        current = bankrolls(tables, among=remaining)
        assert dict(step.bankrolls) == current
        lowest = min(current.values())
        assert set(step.leaving) == {name for name in remaining if current[name] == lowest}
        remaining = [name for name in remaining if name not in step.leaving]


@given(leagues())
def test_who_beats_everybody_wins_the_runoff(tables: CrossTable) -> None:
    names = list(dict.fromkeys(name for players in tables for name in players))
    for name in names:
        won = [result[pair.index(name)] for pair, result in tables.items() if name in pair]
        if all(amount > 0 for amount in won):
            assert instant_runoff(tables).names[0] == name
