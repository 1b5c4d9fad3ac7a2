"""A decision of the turn or river looked at by the spot solver.

The spot is the moment of the decision. Its ranges are the policy's own: the range that each seat's
play so far implies. The player's real bet is added to the tree, and the hand held is in the
player's range with at least a small weight, so that the solver reports its play. The solver finds
an equilibrium from these ranges on, which the policy, with its buckets and few bets, only
approximates: where both disagree about a decision the strategy is coarse there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.games import CALL, Action, Policy, State
from doyle.games.histories import format_action
from doyle.games.policies import policy_row, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.solving.spots import Spot, solve_spot
from doyle.solving.spots.spot import is_spot_game

Floats = npt.NDArray[np.float64]

TURN = 2
"""The first round with spots: earlier ones would take minutes each."""
LEAST_WEIGHT = 0.01
"""Hands below this share of a range's largest weight are left out; the hand held never is."""


@dataclass(frozen=True)
class SpotLimits:
    """How a spot is solved: the model, and when the solve ends, which is never a matter of time."""

    river_betting: str = "fchpa"
    turn_betting: str = "fcpa"
    first_round: int = TURN
    target_percent: float = 0.5
    iterations: int = 200
    memory: int = 1 << 30


@dataclass(frozen=True)
class SpotCheck:
    """The solver's play with the hand, by action, and chips won from the start of the hand."""

    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...]
    exploitability_percent_of_pot: float

    def loss(self, action: Action) -> float:
        """By how much the solver's own choice is worth more than `action`, in chips."""
        mixed = sum(p * v for p, v in zip(self.probabilities, self.values, strict=True) if p > 0)
        return mixed - self.values[self.actions.index(action)]


def can_check(state: State, limits: SpotLimits) -> bool:
    """Whether a decision is solved: on the turn or river of no-limit Hold'em for two."""
    first = max(TURN, limits.first_round)
    return is_spot_game(state.game) and state.round >= first and state.actor >= 0


def check_by_spot(
    state: State, hole: Cards, taken: Action, policy: Policy, limits: SpotLimits
) -> SpotCheck:
    """Solve the moment of a decision and look up the hand; DoyleError if it takes too much memory."""
    seat, row = state.actor, policy_row(state.game, hole)
    ranges = [_range(policy, state, one) for one in (0, 1)]
    ranges[seat][row] = max(ranges[seat][row], LEAST_WEIGHT)
    betting = limits.turn_betting if state.round == TURN else limits.river_betting
    known = BettingTree.build(betting, state.game, root=state.with_deal(None)).actions_of(0)
    if taken > CALL and taken not in known:
        betting = f"{betting}+:{format_action(state.game, taken)}"
    spot = Spot.of_state(state, (ranges[0], ranges[1]), betting=betting)
    result = solve_spot(
        spot,
        target_percent=limits.target_percent,
        iterations=limits.iterations,
        memory=limits.memory,
    )
    decision = result.root
    low, high = sorted(hole)
    place = int(np.flatnonzero((decision.cards == (low, high)).all(axis=1))[0])
    assert decision.action_values is not None
    return SpotCheck(
        actions=decision.actions,
        probabilities=tuple(decision.probabilities[place].tolist()),
        values=tuple(decision.action_values[place].tolist()),
        exploitability_percent_of_pot=result.exploitability_percent_of_pot,
    )


def _range(policy: Policy, state: State, seat: int) -> Floats:
    """A seat's range implied by a policy's play so far, with the largest weight 1; all hands if it
    is empty."""
    possible = possible_hands(state.game, state.board)
    weights = np.asarray(policy.reach(state, seat), np.float64) * possible
    largest = weights.max()
    if largest <= 0:
        return possible.astype(np.float64)
    weights /= largest
    return np.where(weights >= LEAST_WEIGHT, weights, 0.0)
