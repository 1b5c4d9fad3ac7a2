"""The three re-use policies."""

from __future__ import annotations

import numpy as np

from doyle.cases.reuse import decide, mean_outcomes

COUNTS, OUTCOMES = np.array([6.0, 3.0, 0.0]), np.array([-12.0, 9.0, 0.0])


def test_policies() -> None:
    assert decide(COUNTS, OUTCOMES, "probabilistic").tolist() == [2 / 3, 1 / 3, 0.0]
    assert decide(COUNTS, OUTCOMES, "max-frequency").tolist() == [1.0, 0.0, 0.0]
    assert decide(COUNTS, OUTCOMES, "best-outcome").tolist() == [0.0, 1.0, 0.0]


def test_unknown_outcomes_are_minus_infinity_and_never_chosen() -> None:
    assert mean_outcomes(COUNTS, OUTCOMES).tolist() == [-2.0, 3.0, -np.inf]
    lost = decide(np.array([0.0, 5.0, 0.0]), np.array([0.0, -500.0, 0.0]), "best-outcome")
    assert lost.tolist() == [0.0, 1.0, 0.0]


def test_nothing_retrieved_calls() -> None:
    for policy in ("probabilistic", "max-frequency", "best-outcome"):
        assert decide(np.zeros(3), np.zeros(3), policy).tolist() == [0.0, 1.0, 0.0]
