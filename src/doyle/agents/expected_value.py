"""`ev`: a player that maximises the expected value of its next action, looking no further.

It assumes random hands of all opponents, regardless of their actions. With E the chance to beat
all opponents still in (its equity against one random hand, to the power of their number), c the
chips it must add to call and P the pot after that call, it values

    fold                         0
    call                         E * P - c                    no further betting
    raise by b over the call     max(0, E - f) * (P + 2b) - c

The last is the value of a raise if the opponent folds the worst f = b / (P + b) of its hands, which
makes a bluff break even, and calls with the rest: the folds pay for the calls that beat it, and of
the callers it beats E - f. Without limits on b the best raise is b = P / sqrt(2 (1 - E)) - P when E
is above one half; in no-limit games this size, clamped to the legal ones, is the raise considered.
An action replaces a less aggressive one only if it is worth strictly more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from doyle.games import CALL, FOLD, Action, Game, State, View
from doyle.games.policies import Floats, ReachByWalking, check_decision

if TYPE_CHECKING:
    from doyle.agents.compiled import CompiledPlayer


class ExpectedValue(ReachByWalking):
    """The expected-value player `ev`; in Hold'em the first one made builds the strength atlas."""

    name = "ev"

    def __init__(self, game: Game) -> None:
        # Imported here because it imports compiled code, which other agents do not need.
        from doyle.agents import equity

        equity.prepare(game)
        self._equity, self._equities = equity.equity, equity.equities

    def act(self, view: View) -> Action:
        return self.choose(view.state, self._equity(view.state.game, view.hole, view.board))

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """The one action of every hand; hands that collide with the board have no equity."""
        check_decision(state)
        distinct, places = np.unique(self._equities(state.game, state.board), return_inverse=True)
        chosen = np.array([self.choose(state, equity) for equity in distinct.tolist()])
        actions = tuple(sorted(set(chosen.tolist())))
        return actions, (chosen[places.reshape(-1), None] == actions).astype(np.float64)

    def compiled(self) -> CompiledPlayer:
        """Its equities for kernels, which know this model of the others alone."""
        from doyle.agents.compiled import ValuePlayer

        return ValuePlayer(self)

    def choose(self, state: State, equity: float) -> Action:
        """The action with this equity against one random hand."""
        return best_action(state, equity)


def best_action(state: State, equity: float) -> Action:
    """The action worth most to the actor with this equity against one random hand."""
    chance = equity ** (state.folded.count(False) - 1)
    best, value = (FOLD, 0.0) if state.can_fold else (CALL, chance * state.pot)
    for action in (CALL, raise_size(state, chance)):
        worth = action_value(state, action, chance) if action else -math.inf
        if worth > value:
            best, value = action, worth
    return best


def action_value(state: State, action: Action, chance: float) -> float:
    """The chips an action is worth to the actor, over folding; `chance` is E of the module."""
    if action == FOLD:
        return 0.0
    cost = state.to_call
    pot = state.pot + cost
    if action == CALL:
        return chance * pot - cost
    added = action - state.largest
    folds = added / (pot + added)
    return max(0.0, chance - folds) * (pot + 2 * added) - cost


def raise_size(state: State, chance: float) -> Action:
    """The raise to consider: the best size as if there were no limits, clamped; 0 for none."""
    if not state.max_raise_to:
        return 0
    pot = state.pot + state.to_call
    if chance <= 0.5:
        added = 0.0
    elif chance < 1:
        added = pot / math.sqrt(2 * (1 - chance)) - pot
    else:
        added = math.inf
    wanted = min(state.largest + added, float(state.max_raise_to))
    return max(state.min_raise_to, round(wanted))
