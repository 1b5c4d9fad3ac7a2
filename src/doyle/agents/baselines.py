"""Baseline agents: players so simple that their winnings can be checked by hand.

Each is a policy that ignores its cards, and plays any game.
"""

from __future__ import annotations

import numpy as np

from doyle.games import CALL, FOLD, Action, State, View
from doyle.games.policies import CardBlind, Floats, ReachByWalking, check_decision, policy_rows


class AlwaysFold(CardBlind):
    """Folds as soon as it can, and checks when nothing is owed."""

    name = "always-fold"

    def choose(self, state: State) -> Action:
        return FOLD if state.can_fold else CALL


class AlwaysCall(CardBlind):
    """Calls every bet and never makes one."""

    name = "always-call"

    def choose(self, state: State) -> Action:
        return CALL


class AlwaysRaise(CardBlind):
    """Makes the least legal raise, and calls when no raise is allowed."""

    name = "always-raise"

    def choose(self, state: State) -> Action:
        return state.min_raise_to or CALL


class AlwaysAllIn(CardBlind):
    """Makes the largest legal raise, and calls when no raise is allowed."""

    name = "always-all-in"

    def choose(self, state: State) -> Action:
        return state.max_raise_to or CALL


class Random(ReachByWalking):
    """Folds, calls or raises with equal chances among the legal ones; sizes are uniform."""

    name = "random"

    def act(self, view: View) -> Action:
        state = view.state
        rng = view.rng()
        kinds = [CALL]
        if state.can_fold:
            kinds.append(FOLD)
        if state.max_raise_to:
            kinds.append(state.max_raise_to)
        kind = kinds[rng.integers(len(kinds))]
        if kind <= CALL:
            return kind
        return int(rng.integers(state.min_raise_to, state.max_raise_to, endpoint=True))

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """One row, shown for every private state; it cannot be written to."""
        check_decision(state, needs_board=False)
        actions = state.legal_actions()
        kinds = 1 + state.can_fold + (state.max_raise_to > 0)
        sizes = state.max_raise_to - state.min_raise_to + 1
        row = np.full(len(actions), 1 / (kinds * sizes))
        row[: 1 + state.can_fold] = 1 / kinds
        return actions, np.broadcast_to(row, (policy_rows(state.game), len(actions)))
