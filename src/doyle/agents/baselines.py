"""Baseline agents: players so simple that what they win can be checked by hand.

Each is a pure function of the view and plays any game.
"""

from __future__ import annotations

from doyle.games import CALL, FOLD, Action, View


class AlwaysFold:
    """Folds as soon as it can, and checks when nothing is owed."""

    name = "always-fold"

    def act(self, view: View) -> Action:
        return FOLD if view.state.can_fold else CALL


class AlwaysCall:
    """Calls every bet and never makes one."""

    name = "always-call"

    def act(self, view: View) -> Action:
        return CALL


class AlwaysRaise:
    """Makes the least legal raise, and calls when no raise is allowed."""

    name = "always-raise"

    def act(self, view: View) -> Action:
        return view.state.min_raise_to or CALL


class AlwaysAllIn:
    """Makes the largest legal raise, and calls when no raise is allowed."""

    name = "always-all-in"

    def act(self, view: View) -> Action:
        return view.state.max_raise_to or CALL


class Random:
    """Folds, calls or raises with equal chances, of those that are legal; sizes are uniform."""

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
