"""Bets as letters and letters as bets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents.case_bases.features.bets import (
    SPREAD_STEPS,
    bet_share,
    read_hard,
    read_soft,
    spoken,
)
from doyle.games import CALL, Game, State

GAME = Game.named("holdem-nl-200bb")
LETTERS = "fcqhipdvta"
SHARES = st.floats(0.01, 40)


def test_figure_6() -> None:
    read = [read_hard(bet / 20, 400 / 20, "fcpa", distance="absolute") for bet in (200, 220)]
    assert read == ["p", "a"]


def test_equation_3_is_the_geometric_middle() -> None:
    # Between q and h the middle is sqrt(0.125).
    middle = 0.125**0.5
    assert read_hard(middle - 1e-9, 30, LETTERS) == "q"
    assert read_hard(middle + 1e-9, 30, LETTERS) == "h"


def test_equations_4_and_5() -> None:
    (low, to_low), (high, to_high) = read_soft(1.5, 30, LETTERS)
    x, y, b = 1.0, 2.0, 1.5
    p, q = (x / b - x / y) / (1 - x / y), (b / y - x / y) / (1 - x / y)
    assert (low, high) == ("p", "d")
    assert to_low == pytest.approx(p / (p + q))
    assert to_low + to_high == pytest.approx(1)


@given(share=SHARES, all_in=SHARES)
def test_readings_are_next_to_the_bet(share: float, all_in: float) -> None:
    soft = read_soft(share, all_in, LETTERS)
    assert sum(weight for _, weight in soft) == pytest.approx(1)
    assert read_hard(share, all_in, LETTERS) in {letter for letter, _ in soft}
    if share >= all_in:
        assert soft == (("a", 1.0),)


def test_bets_outside_the_letters() -> None:
    assert read_hard(0.1, 30, LETTERS) == "q"
    assert read_hard(0.1, 0.2, LETTERS) == "q"
    assert read_hard(29, 30, LETTERS) == "a"
    assert read_hard(29, 30, "fcqhipdvt") == "t"
    assert read_soft(29, 30, "fcqhipdvt") == (("t", 1.0),)


def test_letters_are_spoken_as_read() -> None:
    state = State.start(GAME).apply(CALL).apply(CALL)
    for letter in "hipdvt":
        (action,) = spoken(state, letter)
        assert read_hard(bet_share(state, action), 99, LETTERS) == letter
    assert spoken(state, "a", spread=0.3) == (20_000,)
    assert spoken(state, "f") == (CALL,)


def test_equation_6_spreads_bets() -> None:
    state = State.start(GAME).apply(CALL).apply(500).apply(CALL)
    actions = spoken(state, "p", spread=0.3)
    assert len(actions) == SPREAD_STEPS
    assert (min(actions), max(actions)) == (500 + 700, 500 + 1300)
    assert 1500 in actions
