"""The best response to a policy from a moment of a hand on, with the real cards of every hand.

The responder may raise to given totals; the policy is queried at every real state, including states
after bets outside any tree. Values are by hand, in the order of a policy's rows: chips from the
start of the hand times the weight of the policy's hands that the hand meets. Boards still to come
are averaged exactly, so the walk suits the last two rounds of Hold'em and whole small games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.cards import live_hands
from doyle.games import CALL, FOLD, Action, Deal, Game, Policy, State
from doyle.games.policies import policy_cards
from doyle.solving.games._evaluator_kernels import Evaluator
from doyle.solving.games.chance import Boards
from doyle.solving.games.evaluators import compare
from doyle.solving.games.poker import showdown
from doyle.solving.games.public_game import Hands

Floats = npt.NDArray[np.float64]
Cards = tuple[int, ...]
Raises = Callable[[State], Sequence[Action]]
"""The raises that a responder considers at its decisions, as totals."""

_EVALUATORS_KEPT = 256


class PolicyResponse:
    """Best responses to one policy in one game of two seats."""

    def __init__(self, policy: Policy, game: Game, raises: Raises) -> None:
        self.policy, self.game, self.raises = policy, game, raises
        self.cards = policy_cards(game)
        self._evaluator = lru_cache(_EVALUATORS_KEPT)(self._made_evaluator)

    def values(self, state: State, seat: int, reach: Floats) -> Floats:
        """Winnings of every hand of `seat` against the policy's `reach` [hands] at `state`; see the
        module."""
        live = live_hands(self.cards, state.board)
        return self._walked(state, state.board, seat, np.where(live, reach, 0.0)) * live

    def met(self, reach: Floats) -> Floats:
        """The weight of the hands that each hand can meet."""
        sums = np.zeros(len(self.game.deck) if self.cards.shape[1] == 1 else 52)
        if self.cards.shape[1] == 1:
            return np.asarray(reach.sum() - reach)
        for column in self.cards.T:
            sums += np.bincount(column, reach, 52)
        return np.asarray(reach.sum() - sums[self.cards].sum(axis=1) + reach)

    def _walked(self, state: State, board: Cards, seat: int, reach: Floats) -> Floats:
        if state.actor < 0:
            return self._ended(state, board, seat, reach)
        if len(board) < self.game.board_ends[state.round]:
            return self._dealt(state, board, seat, reach)
        if state.actor == seat:
            found = [self._walked(one, board, seat, reach) for one in self._options(state)]
            return np.asarray(np.max(found, axis=0))
        seen = state.with_deal(Deal(((),) * 2, board))
        actions, shares = self.policy.probabilities(seen)
        total = np.zeros(len(reach))
        for column, action in enumerate(actions):
            after = reach * shares[:, column]
            if after.any():
                total += self._walked(state.apply(action), board, seat, after)
        return total

    def _options(self, state: State) -> list[State]:
        """The successors of a decision of the responder."""
        actions = [FOLD, CALL] if state.can_fold else [CALL]
        raises = [total for total in self.raises(state) if state.is_legal(total)]
        return [state.apply(action) for action in (*actions, *raises)]

    def _ended(self, state: State, board: Cards, seat: int, reach: Floats) -> Floats:
        if not state.is_showdown:
            chips = -state.spent[seat] if state.folded[seat] else state.spent[1 - seat]
            return np.asarray(chips * self.met(reach))
        if len(board) < self.game.board_ends[-1]:
            return self._dealt(state, board, seat, reach)
        difference, _ = compare(self._evaluator(board), 0, seat, reach, len(reach))
        return np.asarray(min(state.spent) * difference)

    def _dealt(self, state: State, board: Cards, seat: int, reach: Floats) -> Floats:
        """The mean over the cards of the next round that misses."""
        game = self.game
        ends = game.board_ends
        round_ = next(number for number, end in enumerate(ends) if end > len(board))
        count = ends[round_] - len(board)
        rest = [card for card in game.deck if card not in board]
        total = np.zeros(len(reach))
        for new in combinations(rest, count):
            live = live_hands(self.cards, new)
            total += self._walked(state, (*board, *new), seat, reach * live) * live
        return total / comb(len(rest) - 2 * game.hole_cards, count)

    def _made_evaluator(self, board: Cards) -> Evaluator:
        hands = Hands(self.cards, np.ones(len(self.cards)))
        return showdown(self.game, Boards.one(board), (hands, hands)).arrays
