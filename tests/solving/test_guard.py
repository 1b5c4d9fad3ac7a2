"""Guards: a first decision of the other seat, hand by hand, between a value and entering."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.solving.games import PublicGame
from doyle.solving.vector import GUARDS, Guard, VectorSolver
from tests.solving.public_games import holdem


@pytest.fixture(scope="module")
def river() -> PublicGame:
    return holdem("Ks7h4d2cJs", "AA,KQs,JTs,87s,65s:0.5,T9s", "KK,QQ,AJs,98s,76s,A5s", "fcpa")


def solved(game: PublicGame, guard: Guard | None, iterations: int) -> VectorSolver:
    solver = VectorSolver(game, guard=guard, precision="double")
    solver.advance(iterations)
    return solver


def hand_values(solver: VectorSolver, seat: int) -> np.ndarray:
    """Chips that a best response wins with each hand."""
    game = solver.game
    met = game.meeting(seat, game.hands[1 - seat].weights)
    return solver.root_values(seat, best=True) / met


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["resolve", "maxmargin"])
def test_a_guarded_game_is_solved(river: PublicGame, name: str, seat: int) -> None:
    """What best responses win in the guarded game goes to zero, for any values."""
    rng = np.random.default_rng(5)
    free = hand_values(solved(river, None, 500), seat)
    guard = Guard.of(name, seat, free + rng.normal(0.0, 30.0, len(free)))  # type: ignore[arg-type]
    early, late = (solved(river, guard, count).exploitability() for count in (50, 3000))
    assert 0 <= late < 0.3
    assert late < early


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["resolve", "maxmargin", "reach-maxmargin"])
def test_no_hand_wins_more_than_its_value(river: PublicGame, name: str, seat: int) -> None:
    """Values that some strategy keeps (here 2 chips more than an equilibrium) are kept."""
    values = hand_values(solved(river, None, 3000), seat) + 2.0
    guarded = solved(river, Guard.of(name, seat, values), 3000)  # type: ignore[arg-type]
    assert (hand_values(guarded, seat) <= values + 0.1).all()


def test_maxmargin_makes_the_least_margin_largest(river: PublicGame) -> None:
    """`resolve` only keeps the values; the least margin of `maxmargin` is larger."""
    values = (
        hand_values(solved(river, None, 3000), 0)
        + np.linspace(0.0, 60.0, 100)[: len(river.hands[0])]
    )
    margins = {
        name: (values - hand_values(solved(river, Guard.of(name, 0, values), 3000), 0)).min()  # type: ignore[arg-type]
        for name in ("resolve", "maxmargin")
    }
    assert margins["maxmargin"] > margins["resolve"] - 0.05


def test_low_values_are_entered_and_high_ones_taken(river: PublicGame) -> None:
    high = solved(river, Guard.of("resolve", 1, np.full(len(river.hands[1]), 1e4)), 50)
    low = solved(river, Guard.of("resolve", 1, np.full(len(river.hands[1]), -1e4)), 50)
    assert np.allclose(high.arrays()["guard_reach"], 0.0)
    entering = low.arrays()["guard_reach"][: len(river.hands[1])]
    assert np.allclose(entering, river.hands[1].weights)


def test_a_guarded_solve_resumes(river: PublicGame) -> None:
    guard = Guard.of("maxmargin", 0, np.zeros(len(river.hands[0])))
    whole, part = solved(river, guard, 40), solved(river, guard, 15)
    resumed = VectorSolver(river, guard=guard, precision="double")
    resumed.restore({name: array.copy() for name, array in part.arrays().items()})
    resumed.iteration = 15
    resumed.advance(25)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, resumed.arrays()[name])


def test_threads_change_nothing() -> None:
    turn = holdem("Td9d6hQc", "AA,KTs,87s:0.5", "KK,AQs,JTs")
    guard = Guard.of("resolve", 1, np.zeros(len(turn.hands[1])))
    alone, together = (VectorSolver(turn, guard=guard, workers=count) for count in (1, 2))
    for solver in (alone, together):
        solver.advance(20)
    for name, array in alone.arrays().items():
        np.testing.assert_array_equal(array, together.arrays()[name])


def test_what_is_refused(river: PublicGame) -> None:
    with pytest.raises(DoyleError, match="expected unsafe, resolve"):
        Guard.of("safe", 0, np.zeros(3))  # type: ignore[arg-type]
    with pytest.raises(DoyleError, match="finite"):
        VectorSolver(river, guard=Guard("resolve", 0, np.zeros(3)))
    with pytest.raises(DoyleError, match="finite"):
        VectorSolver(river, guard=Guard("resolve", 0, np.full(len(river.hands[0]), np.nan)))
    assert Guard.of("unsafe", 0, np.zeros(3)) is None
    assert GUARDS[0] == "unsafe"
