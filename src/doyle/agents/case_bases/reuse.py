"""Re-use: from retrieved action and outcome vectors to what is played (section 5.2.5).

Probabilistic plays actions in proportion to their counts, max-frequency the most frequent one, and
best-outcome the one whose hands won most on average; the outcome of an action that was never taken
is unknown and is not chosen. Ties go to the letter that comes first (fold, call, then small bets
before large ones). Nothing retrieved means a check, or else a call.

Several imitators vote (section 5.4.3): where they decide purely, most votes win; where they mix, the vote
is the mean of their mixtures.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Reuse

Vector = NDArray[np.float64]

CALL_PLACE = 1
"""The place of check or call among the letters of every architecture."""


def mean_outcomes(counts: Vector, outcomes: Vector) -> Vector:
    """Chips won on average by action; minus infinity where the action was never taken.

    >>> mean_outcomes(np.array([0.0, 2.0]), np.array([0.0, 9.0])).tolist()
    [-inf, 4.5]
    """
    return np.where(counts > 0, outcomes / np.maximum(counts, 1), -np.inf)


def decide(counts: Vector, outcomes: Vector, policy: Reuse) -> Vector:
    """The probability of each letter.

    >>> decide(np.array([1.0, 3.0, 0.0]), np.array([5.0, 3.0, 0.0]), "probabilistic").tolist()
    [0.25, 0.75, 0.0]
    >>> decide(np.array([1.0, 3.0, 0.0]), np.array([5.0, 3.0, 0.0]), "best-outcome").tolist()
    [1.0, 0.0, 0.0]
    """
    chosen = np.zeros(len(counts))
    total = counts.sum()
    if not total:
        chosen[CALL_PLACE] = 1.0
    elif policy == "probabilistic":
        chosen[:] = counts / total
    elif policy == "max-frequency":
        chosen[int(np.argmax(counts))] = 1.0
    else:
        chosen[int(np.argmax(mean_outcomes(counts, outcomes)))] = 1.0
    return chosen


def decide_all(counts: Vector, outcomes: Vector, policy: Reuse) -> Vector:
    """As `decide` for many rows [n, letters] at once."""
    chosen = np.zeros_like(counts)
    totals = counts.sum(axis=1)
    known = totals > 0
    chosen[~known, CALL_PLACE] = 1.0
    if policy == "probabilistic":
        chosen[known] = counts[known] / totals[known, None]
        return chosen
    values = counts if policy == "max-frequency" else mean_outcomes(counts, outcomes)
    chosen[known, np.argmax(values, axis=1)[known]] = 1.0
    return chosen


def voted(solutions: Sequence[tuple[Vector, Vector]], policy: Reuse) -> Vector:
    """What imitators with these counts and outcomes [n, letters] play together; one plays by itself.

    Of letters with equally many votes the one that the counts favour wins, then the first.
    """
    rows = [decide_all(counts, outcomes, policy) for counts, outcomes in solutions]
    if len(rows) == 1:
        return rows[0]
    if policy == "probabilistic":
        return np.asarray(np.mean(rows, axis=0))
    votes = np.sum(rows, axis=0)
    favour = np.sum(
        [decide_all(counts, outcomes, "probabilistic") for counts, outcomes in solutions], axis=0
    )
    favour[votes < votes.max(axis=1, keepdims=True)] = -1.0
    chosen: Vector = np.zeros(votes.shape)
    chosen[np.arange(len(votes)), np.argmax(favour, axis=1)] = 1.0
    return chosen
