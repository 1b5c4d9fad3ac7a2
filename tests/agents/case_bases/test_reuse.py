"""The three re-use policies."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents.case_bases.reuse import decide, decide_all, mean_outcomes, voted

COUNTS, OUTCOMES = np.array([6.0, 3.0, 0.0]), np.array([-12.0, 9.0, 0.0])


def test_policies() -> None:
    assert decide(COUNTS, OUTCOMES, "probabilistic").tolist() == [2 / 3, 1 / 3, 0.0]
    assert decide(COUNTS, OUTCOMES, "max-frequency").tolist() == [1.0, 0.0, 0.0]
    assert decide(COUNTS, OUTCOMES, "best-outcome").tolist() == [0.0, 1.0, 0.0]


def test_unknown_outcomes_are_minus_infinity_and_never_chosen() -> None:
    assert mean_outcomes(COUNTS, OUTCOMES).tolist() == [-2.0, 3.0, -np.inf]
    assert mean_outcomes(np.array([1.0]), np.array([4.0])).tolist() == [4.0]
    lost = decide(np.array([0.0, 5.0, 0.0]), np.array([0.0, -500.0, 0.0]), "best-outcome")
    assert lost.tolist() == [0.0, 1.0, 0.0]


def test_nothing_retrieved_calls() -> None:
    for policy in ("probabilistic", "max-frequency", "best-outcome"):
        assert decide(np.zeros(3), np.zeros(3), policy).tolist() == [0.0, 1.0, 0.0]


@given(
    counts=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6),
    policy=st.sampled_from(["probabilistic", "max-frequency", "best-outcome"]),
    seed=st.integers(0, 9),
)
def test_many_rows_are_decided_as_one(counts: list[list[int]], policy: Any, seed: int) -> None:
    table = np.array(counts, np.float64)
    outcomes = np.random.default_rng(seed).integers(-9, 9, size=table.shape) * (table > 0.0)
    rows = decide_all(table, outcomes, policy)
    for row, one, won in zip(rows, table, outcomes, strict=True):
        assert row.tolist() == decide(one, won, policy).tolist()


def rows(*counts: tuple[float, ...]) -> list[tuple[Any, Any]]:
    """Imitators with one decision each; every outcome is zero."""
    return [(np.array([row]), np.zeros((1, len(row)))) for row in counts]


def test_tied_votes_go_to_the_letter_that_the_counts_favour_then_to_the_first() -> None:
    tied = rows((6.0, 4.0, 0.0), (0.0, 9.0, 1.0))  # a vote each; call is favoured 1.3 to 0.6
    assert voted(tied, "max-frequency").tolist() == [[0.0, 1.0, 0.0]]
    tied = rows((0.0, 4.0, 6.0), (1.0, 9.0, 0.0))  # call again, now before the other letter
    assert voted(tied, "max-frequency").tolist() == [[0.0, 1.0, 0.0]]
    equal = rows((0.0, 7.0, 0.0), (0.0, 0.0, 2.0))
    assert voted(equal, "max-frequency").tolist() == [[0.0, 1.0, 0.0]]


def test_most_votes_win_whatever_the_counts_favour() -> None:
    most = rows((0.0, 51.0, 49.0), (0.0, 51.0, 49.0), (0.0, 0.0, 9.0))
    assert voted(most, "max-frequency").tolist() == [[0.0, 1.0, 0.0]]


def test_mixed_votes_are_the_mean_and_one_imitator_plays_by_itself() -> None:
    mixed = rows((1.0, 3.0, 0.0), (0.0, 1.0, 1.0))
    assert voted(mixed, "probabilistic").tolist() == [[0.125, 0.625, 0.25]]
    assert voted(mixed[:1], "probabilistic").tolist() == [[0.25, 0.75, 0.0]]
