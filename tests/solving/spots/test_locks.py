"""Fixed play: the other seat answers a mistake as an independently computed best response does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from doyle.cards import hole_index
from doyle.games import State
from doyle.solving.spots import Spot, solve_spot
from doyle.solving.spots.locks import Lock
from tests.reference.spot_program import Weighted
from tests.reference.spot_response import best_response

RIVER = Spot.parse(
    board="Td9d6hQc2s", ranges=("AA,KTs,QJs,87s:0.5", "KK,AQs,JTs,A5s"), pot=200, stacks=400,
    betting="fcpa",
)  # fmt: skip
POT = (Fraction(1),)


def _weighted(spot: Spot, seat: int) -> Weighted:
    hands = spot.hands[seat]
    return [
        ((int(low), int(high)), float(weight))
        for (low, high), weight in zip(hands.cards, hands.weights, strict=True)
    ]


@pytest.mark.parametrize(
    "locks",
    [
        pytest.param(("c=c", "r300=f", "r500=f"), id="always-gives-up"),
        pytest.param(("c=c", "r300=c", "r500=c"), id="never-folds"),
        pytest.param(("c=c", "r300=f:0.7,c:0.3", "r500=f:0.2,c:0.8"), id="too-often"),
    ],
)
def test_the_answer_to_fixed_play_is_a_best_response(locks: tuple[str, ...]) -> None:
    solved = solve_spot(RIVER, target_percent=0.01, locks=locks, precision="double")
    fixed = {lock.history: lock for lock in map(Lock.parse, locks)}

    def play(state: State, hole: tuple[int, int]) -> list[float]:
        start = len(RIVER.state.betting[-1])
        history = "".join(
            "fc"[action] if action < 2 else f"r{action}" for action in state.betting[-1][start:]
        )
        lock = fixed[history]
        names = {"f": 0, "c": 1}
        shares = [0.0] * len(solved.at(history).texts)
        for action, weight in zip(lock.actions, lock.weights[hole_index(*hole)], strict=True):
            shares[solved.at(history).texts.index(action)] = float(weight)
        assert set(lock.actions) <= set(names)
        return shares

    value, worth = best_response(
        RIVER.state, RIVER.board, (_weighted(RIVER, 0), _weighted(RIVER, 1)), POT, seat=0, play=play
    )
    assert solved.measurement.best_responses[0] == pytest.approx(value, abs=1e-9)
    assert solved.expected == pytest.approx(value, abs=0.04)
    root = solved.root
    for number, cards in enumerate(root.cards.tolist()):
        values = worth[(cards[0], cards[1]), repr(RIVER.state.betting)]
        assert root.action_values[number] == pytest.approx(values, abs=0.5)
        best = int(np.argmax(values))
        if sorted(values)[-1] - sorted(values)[-2] > 1.0:
            assert root.probabilities[number, best] > 0.99


def test_unlocked_the_solution_returns() -> None:
    free = solve_spot(RIVER, target_percent=0.05)
    locked = solve_spot(RIVER, target_percent=0.05, locks=["r300=f"])
    again = solve_spot(RIVER, target_percent=0.05)
    gap = free.measurement.exploitability + locked.measurement.exploitability
    assert locked.value > free.value + gap
    assert again.document() | {"seconds": 0} == free.document() | {"seconds": 0}
