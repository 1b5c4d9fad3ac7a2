"""DIVAT: the chips won in a hand minus the cards' value to a baseline strategy.

Source: Zinkevich, Bowling, Bard, Kan and Billings, "Optimal unbiased estimators for evaluating agent
performance", 2006; the thesis on state translation, 2009, section 2.4.2. Round by round the value
of the actual actions is compared with the value of the baseline's actions, both rolled out with the
baseline: the sum of these differences is the score. It is the same as the chips won, corrected at
every deal of cards with the values of the baseline. No policy of a player is needed, both hands
are.

The baseline's mean before the deal is added, so that the score has the mean of the chips won in every
seat (for always-call it is 0). Bet-for-value raises with the better half of the hands it may hold and
folds the worst to a raise; in games of one hole card its values are exact, in Hold'em it bets on the turn
and the river (`late_value_bets`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from doyle.agents import AlwaysCall
from doyle.base.errors import DoyleError, FieldError
from doyle.games import CALL, FOLD, Action, Game, State
from doyle.games.policies import ReachByWalking, check_decision, policy_rows, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.late_value_bets import (
    BET_FROM,
    FOLD_BELOW,
    LateValueBets,
)
from doyle.measuring.variance_reduction.pairs import Floats, Ranges, balance_matrix, mass
from doyle.measuring.variance_reduction.value_functions import (
    ExactValues,
    RoundValues,
    ValueFunction,
    final_value,
)

BASELINES = ("always-call", "bet-for-value")


class BetForValue(ReachByWalking):
    """Raises the least with good hands, once a round; folds bad ones to a raise; else calls."""

    name = "bet-for-value"

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """One action with certainty for every hand."""
        check_decision(state)
        strength = strengths(state.game, state.board)
        raised = any(action > CALL for action in state.betting[-1])
        raises = bool(state.max_raise_to) and not raised
        actions = [CALL]
        taken = np.zeros(len(strength), np.int64)
        if raises:
            actions.append(state.min_raise_to)
            taken[strength >= BET_FROM] = 1
        elif raised and state.can_fold:
            actions.insert(0, FOLD)
            taken[strength >= FOLD_BELOW] = 1
        return tuple(actions), np.eye(len(actions))[taken]


def strengths(game: Game, seen: Cards) -> Floats:
    """The win probability of every hand against all others, a tie as a half; small games."""
    possible = possible_hands(game, seen)
    others = max(int(possible.sum()) - 1, 1)
    return np.asarray((balance_matrix(game, seen).sum(axis=1) / others + 1.0) / 2.0)


@dataclass(frozen=True)
class Divat:
    """DIVAT with the values of one baseline."""

    game: Game
    values: ValueFunction
    baseline: str = "always-call"

    @classmethod
    def of(cls, game: Game, baseline: str = "always-call") -> Divat:
        """DIVAT with a named baseline."""
        if game.players != 2 or (game.hole_cards != 1 and not game.is_holdem):
            raise DoyleError(
                f"{game.name}: DIVAT is for Hold'em and games of one hole card, with two players"
            )
        if baseline not in BASELINES:
            raise FieldError("baseline", f"expected {', '.join(BASELINES)}", value=baseline)
        if baseline == "bet-for-value":
            if game.hole_cards != 1:
                return cls(game, LateValueBets(), baseline)
            return cls(game, ExactValues(game, (BetForValue(), BetForValue())), baseline)
        return cls(game, RoundValues((AlwaysCall(), AlwaysCall())))

    @cached_property
    def expected(self) -> float:
        """Seat 0's mean winnings if both play the baseline."""
        everything = np.ones(policy_rows(self.game))
        ranges = everything, everything
        return self.values.value(State.start(self.game), (), ranges) / mass(self.game, ranges)

    def total(self, state: State, seen: Cards, ranges: Ranges) -> float:
        """Scores of seat 0 in a finished hand, summed over two ranges on the cards seen."""
        now = State.start(self.game)
        found = final_value(state, seen, ranges)
        found += self.expected * mass(self.game, ranges) - self.values.value(now, (), ranges)
        shown = 0
        for action in (action for actions in state.betting for action in actions):
            now = now.apply(action)
            end = self.game.board_ends[now.round]
            if now.actor >= 0 and shown < end:
                found += self.values.before_deal(now, seen[:shown], ranges)
                shown = end
                found -= self.values.dealt(now, seen[:shown], ranges)
        return found
