"""Boundary exploration: learning from play where an opponent's hard translation changes its mind.

The opponent reads bets up to a boundary as the smaller known bet and larger ones as the bigger, and
answers each with its own mix of fold, call and raise. `responses[j, i]` counts answer j to bet i;
boundary t means that the first t bets are read as the smaller. Source: Schnizlein 2009, section 4.5.

Algorithm 1 as printed can stall: it selects the bet that would raise its confidence most if answers
kept their frequencies so far, and if all answers to that bet were equal it keeps selecting a bet
without further information. `explore` with `bayesian` does not: it weighs boundaries by their
marginal likelihood and bets next to a boundary drawn from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlogy

Counts = npt.NDArray[np.float64]
Respond = Callable[[int], int]
"""Make bet i and see the answer: 0 fold, 1 call, 2 raise."""
Method = Literal["printed", "bayesian"]

ANSWERS = 3


def likelihoods(responses: Counts) -> Counts:
    """P(S | t) of equation 4.15 for t = 1 .. n-1, as logarithms; leading axes are kept."""
    below, above = _split(responses)
    return _empirical(below) + _empirical(above)


def marginal_likelihoods(responses: Counts) -> Counts:
    """The same with the unknown mixes integrated out (uniform over mixes), as logarithms."""
    below, above = _split(responses)
    return _integrated(below) + _integrated(above)


def one_mix(responses: Counts) -> float:
    """The logarithm of the same likelihood if there is no boundary at all."""
    return float(_integrated(responses.sum(axis=-1, keepdims=True))[0])


def own_mixes(responses: Counts) -> float:
    """The same if every bet is answered by a mix of its own."""
    return float(_integrated(responses).sum())


def confidence(logarithms: Counts) -> Counts:
    """V(t, S): likelihoods normalised over the boundaries (equation 4.16)."""
    weights = np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _split(responses: Counts) -> tuple[Counts, Counts]:
    """Counts [..., answer, t] of the bets below and above each boundary."""
    sums = np.cumsum(responses, axis=-1)
    below = sums[..., :-1]
    return below, sums[..., -1:] - below


def _empirical(counts: Counts) -> Counts:
    total = counts.sum(axis=-2)
    return np.asarray(xlogy(counts, counts).sum(axis=-2) - xlogy(total, total))


def _integrated(counts: Counts) -> Counts:
    total = counts.sum(axis=-2)
    return np.asarray(gammaln(counts + 1).sum(axis=-2) - gammaln(total + ANSWERS))


def choose_bet(responses: Counts) -> int:
    """Algorithm 1, ChooseAction: the bet with the largest expected confidence, the first if equal."""
    answers, bets = responses.shape
    ahead = np.broadcast_to(responses, (bets, answers, answers, bets)).copy()
    for bet in range(bets):
        for answer in range(answers):
            ahead[bet, answer, answer, bet] += 1
    best = confidence(likelihoods(ahead)).max(axis=-1)
    expected = (responses.T * best).sum(axis=1) / responses.sum(axis=0)
    return int(np.argmax(expected))


@dataclass(frozen=True)
class Exploration:
    """The result: the boundary (the number of bets read as the smaller), and the number of
    hands."""

    boundary: int
    hands: int
    confident: bool


def explore(
    respond: Respond,
    *,
    bets: int,
    method: Method = "bayesian",
    least_confidence: float = 0.99,
    most_hands: int = 500,
    rng: np.random.Generator | None = None,
) -> Exploration:
    """Algorithm 2, EstimateBoundary, with the printed choice of bets or one that cannot stall."""
    responses = np.zeros((ANSWERS, bets))
    for bet in range(bets):
        responses[respond(bet), bet] += 1
    hands = bets
    measure = likelihoods if method == "printed" else marginal_likelihoods
    draw = rng or np.random.default_rng(0)
    while True:
        weights = confidence(measure(responses))
        if weights.max() >= least_confidence or hands >= most_hands:
            break
        bet = choose_bet(responses) if method == "printed" else _beside(weights, draw)
        responses[respond(bet), bet] += 1
        hands += 1
    return Exploration(int(np.argmax(weights)) + 1, hands, bool(weights.max() >= least_confidence))


def _beside(weights: Counts, rng: np.random.Generator) -> int:
    """A bet just below or just above a boundary drawn by its weight."""
    boundary = int(rng.choice(len(weights), p=weights)) + 1
    return boundary - int(rng.integers(2))
