"""Betting models by street and seat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel
from doyle.base.errors import ParseError
from doyle.solving.spots import Spot
from doyle.solving.spots.spot import parse_street_models

MODELS = ("fcpa", "fca", "fchpa", "fc50,100,pa", "fc33,66pa", "fcpa|fca", "fcha/h", "fch")


def _spot(betting: str, board: str = "Ks7h4d") -> Spot:
    return Spot.parse(board=board, ranges=("AA", "KK"), pot=200, stacks=900, betting=betting)


def _totals(spot: Spot, *actions: int) -> list[int]:
    tree = spot.outline().tree
    return [int(action) for action in tree.actions_of(tree.find(actions))]


def test_each_street_has_its_sizes() -> None:
    spot = _spot("flop=fcpa,turn=fchpa,river=fc25,50pa")
    assert _totals(spot) == [1, 300, 1000]
    assert _totals(spot, 1, 1) == [1, 200, 300, 1000]
    assert _totals(spot, 1, 1, 1, 1) == [1, 150, 200, 1000]


def test_a_model_in_front_serves_the_other_streets() -> None:
    spot = _spot("fcpa,river=fc")
    assert _totals(spot) == _totals(spot, 1, 1) == [1, 300, 1000]
    assert _totals(spot, 1, 1, 1, 1) == [1]


def test_seats_differ_by_street() -> None:
    spot = _spot("turn=fcpa|fca,river=fca|fcha", "Ks7h4d2c")
    assert _totals(spot) == [1, 300, 1000]
    assert _totals(spot, 1) == [1, 1000]
    assert _totals(spot, 1, 1) == [1, 1000]
    assert _totals(spot, 1, 1, 1) == [1, 200, 1000]


@given(st.sampled_from(MODELS))
def test_the_same_model_on_all_streets_is_that_model(model: str) -> None:
    by_street = _spot(f"flop={model},turn={model},river={model}").outline().tree
    plain = _spot(model).outline().tree
    assert by_street.action.tolist() == plain.action.tolist()
    assert by_street.parent.tolist() == plain.parent.tolist()
    assert parse_street_models(model) == BettingModel.parse(model)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("turn=fcpa", "no model for the flop"),
        ("fcpa,preflop=fcpa", "no street 'preflop'; there are flop, turn, river at character 6"),
        ("fcpa,turn=fcxa", "at character 13"),
        ("turn=fcpa,turn=fca", "turn is there twice at character 11"),
        ("fcpa,turn=limit", "cannot be of one street at character 11"),
        ("fcpa,turn=fcpa@3", "caps must be the same"),
        ("fcpa+c:r300,turn=fcpa", "a bet at one place"),
        ("fcpa,turn=", "empty"),
    ],
)
def test_errors_name_the_position(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as found:
        _spot(text)
    assert "\n" not in str(found.value)


def test_a_street_before_the_spot_is_refused() -> None:
    with pytest.raises(ParseError, match="starts after the flop at character 1"):
        _spot("flop=fcpa,turn=fcpa,river=fcpa", "Ks7h4d2c")
