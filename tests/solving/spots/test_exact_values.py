"""Spots against linear programs built from the rules alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from doyle.solving.games import poker_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.spots import Spot, solve_spot
from tests.reference.hand_matrices import matrices_of
from tests.reference.spot_program import exact_value

HALF, POT = Fraction(1, 2), Fraction(1)

SPOTS = [
    pytest.param(
        "Td9d6hQc2s", ("AA,KTs,QJs,87s:0.5", "KK,AQs,JTs"), 900, "fchpa", (HALF, POT), id="river"
    ),
    pytest.param(
        "2c3c4c5c7d", ("AcKs,AsKs,6s6h:0.25", "Ac6d,KcKd,9s8s"), 150, "fcpa", (POT,), id="shallow"
    ),
    pytest.param(
        "Td9d6hQc", ("AhAd,8h7h:0.5,JsJh", "KcKd,KsJs,Tc6d"), 900, "fcpa", (POT,), id="turn",
        marks=pytest.mark.slow,
    ),
    pytest.param("Ts9s6hQc", ("AsAd,8s7s", "KcKd,QsJs"), 150, "fca", (), id="turn-all-in"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "ranges", "stacks", "betting", "fractions"), SPOTS)
def test_value_is_that_of_an_independent_program(
    board: str, ranges: tuple[str, str], stacks: int, betting: str, fractions: tuple[Fraction, ...]
) -> None:
    spot = Spot.parse(
        board=board, ranges=ranges, pot=200, stacks=stacks, betting=betting, isomorphism=False
    )
    hands = tuple(
        [
            ((int(low), int(high)), float(weight))
            for (low, high), weight in zip(one.cards, one.weights, strict=True)
        ]
        for one in spot.hands
    )
    independent = exact_value(spot.state, spot.board, (hands[0], hands[1]), fractions)
    ours = solve_linear_program(SequenceForm(matrices_of(poker_game(spot.outline()))))
    assert ours.value == pytest.approx(independent, abs=1e-9 * spot.pot)
    for precision in ("single", "double"):
        result = solve_spot(spot, target_percent=0.01, iterations=50_000, precision=precision)
        assert result.exploitability_percent_of_pot <= 0.01
        # Both best responses bound the exact value; `value` is the middle of that interval.
        assert (
            abs(result.value - independent) <= result.measurement.exploitability + 1e-9 * spot.pot
        )
        assert abs(result.expected - independent) <= 2 * result.measurement.exploitability


def test_all_hands_of_a_river() -> None:
    spot = Spot.parse(board="Td9d6hQc2s", ranges=("*", "*"), pot=200, stacks=900, betting="fchpa")
    result = solve_spot(spot, target_percent=0.1)
    assert result.exploitability_percent_of_pot <= 0.1
    assert result.solver.memory_bytes < 1_000_000
    assert len(result.root.cards) == 1081


@pytest.mark.slow
def test_all_hands_of_a_turn() -> None:
    spot = Spot.parse(board="Td9d6hQc", ranges=("*", "*"), pot=200, stacks=900, betting="fcpa")
    result = solve_spot(spot, target_percent=0.3)
    assert result.exploitability_percent_of_pot <= 0.3


def test_a_tiny_flop() -> None:
    spot = Spot.parse(
        board="Ts9s6s", ranges=("AA,87s", "KK,QJs"), pot=200, stacks=300, betting="fcpa"
    )
    result = solve_spot(spot, target_percent=0.3, iterations=2_000)
    assert result.exploitability_percent_of_pot <= 0.3
    assert result.solver.game.boards.levels == 3
    river = result.at("cc/cc/", "Ts9s6s2d2h")
    assert river.frequencies.sum() == pytest.approx(1.0)
