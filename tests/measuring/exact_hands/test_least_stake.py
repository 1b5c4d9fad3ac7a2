"""Exact hands with histories that are followed at random: the same mean from fewer histories."""

from __future__ import annotations

import numpy as np

from doyle.agents import Random
from doyle.games import Action, Game, State
from doyle.games.policies import Floats
from doyle.measuring.exact_hands.evaluators import Outcome, PolicyEvaluator
from doyle.measuring.exact_hands.run import run_exact_hands

LEDUC = Game.named("leduc")


class Counting(Random):
    """Counts the histories at which it is asked; good hands raise more often."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        self.asked += 1
        actions, found = super().probabilities(state)
        tilted = found * (1 + np.arange(len(found))[:, None] * np.array(actions) % 7)
        return actions, tilted / tilted.sum(axis=1, keepdims=True)


def outcomes(least_stake: float, times: int) -> tuple[list[Outcome], float]:
    """Outcomes on one board, and how many histories were asked for one of them."""
    policies = (Counting(), Counting())
    evaluator = PolicyEvaluator(LEDUC, policies, least_stake=least_stake)
    rngs = (np.random.default_rng((5, number)) for number in range(times))
    found = [evaluator.outcome((LEDUC.deck[3],), rng) for rng in rngs]
    return found, sum(policy.asked for policy in policies) / times


def test_the_mean_stays_and_fewer_histories_are_asked() -> None:
    (exact,), every = outcomes(0.0, 1)
    drawn, asked = outcomes(2.0, 1500)
    assert asked < 0.6 * every
    for column in range(2):
        values = np.array([outcome[column] for outcome in drawn])
        error = float(values.std(ddof=1)) / len(values) ** 0.5
        assert error < 0.02 * exact.square
        assert abs(float(values.mean()) - exact[column]) < 4 * error


def test_without_chance_every_history_is_followed() -> None:
    whole, drawn = (
        run_exact_hands(LEDUC, [Counting(), Counting()], least_stake=stake) for stake in (0.0, 5.0)
    )
    assert whole.values.tolist() == drawn.values.tolist()
