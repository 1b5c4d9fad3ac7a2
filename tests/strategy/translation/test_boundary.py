"""Boundary exploration: likelihoods against plain formulas, the stall, and an estimator without it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import beta

from doyle.strategy.translation.boundary import (
    choose_bet,
    confidence,
    explore,
    likelihoods,
    marginal_likelihoods,
)

POT, ALL_IN = (0.3, 0.5, 0.2), (0.7, 0.3, 0.0)


def test_likelihoods_are_equation_4_15() -> None:
    counts = np.array([[1.0, 0, 2], [3, 1, 0], [0, 2, 1]])
    expected = []
    for boundary in (1, 2):
        total = 1.0
        for part in (counts[:, :boundary], counts[:, boundary:]):
            sums = part.sum(axis=1)
            total *= math.prod((s / sums.sum()) ** s for s in sums)
        expected.append(math.log(total))
    np.testing.assert_allclose(likelihoods(counts), expected)


def test_marginal_likelihood_of_two_answers_is_a_beta_function() -> None:
    counts = np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    # Dirichlet(1,1,1): 2! 1! 0! / 5!, and nothing seen above costs the constant 1 / 2!.
    assert marginal_likelihoods(counts)[0] == pytest.approx(math.log(2 / 120 / 2))
    assert beta(3, 2) == pytest.approx(2 * 1 / 24)


def test_confidence_sums_to_one() -> None:
    assert confidence(np.array([-1000.0, -1001.0, -990.0])).sum() == pytest.approx(1.0)


def test_printed_choice_asks_for_the_most_promising_bet() -> None:
    counts = np.array([[5.0, 1, 0, 0], [0, 0, 0, 5], [0, 0, 1, 0]])
    plain = []
    for bet in range(4):
        value = 0.0
        for answer in range(3):
            ahead = counts.copy()
            ahead[answer, bet] += 1
            value += counts[answer, bet] * confidence(likelihoods(ahead)).max()
        plain.append(value / counts[:, bet].sum())
    assert choose_bet(counts) == int(np.argmax(plain))


def rates(method: str, share: float, trials: int = 50) -> tuple[int, int]:
    """(errors, stalls) in so many explorations."""
    errors = stalls = 0
    boundary = 1 + int(19 * share)
    for trial in range(trials):
        rng = np.random.default_rng((7, trial))

        def respond(bet: int, rng: np.random.Generator = rng) -> int:
            return int(rng.choice(3, p=POT if bet < boundary else ALL_IN))

        found = explore(respond, bets=20, method=method, rng=rng)  # type: ignore[arg-type]
        errors += not found.confident or found.boundary != boundary
        stalls += not found.confident
    return errors, stalls


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_estimator_finds_the_boundary(share: float) -> None:
    errors, _ = rates("bayesian", share)
    assert errors <= 2


def test_algorithm_1_as_printed_stalls() -> None:
    _, stalls = rates("printed", 0.5, trials=16)
    assert stalls >= 1
