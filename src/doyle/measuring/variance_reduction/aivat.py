"""AIVAT: the value of a played hand with the luck of cards and of known choices taken out.

Source: Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games", 2018. Given a value function that was fixed before
the hands were seen, the chips won are corrected by

    mean of the values over all possible outcomes - value of the actual outcome

at the seating, at the deal, at the cards of every round, and at every decision of a player whose policy
is known. Each of these terms has mean 0, so the estimate is unbiased for any value function.
Decisions of an unknown player have no term. Probabilities of cards are conditional on all
cards dealt.

Both the chips won and the terms are means over all hands that the known players might have held,
weighted by their reach: the other player cannot distinguish these. The hand of an unknown player
must be in the record; the hands of known players are not used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Action, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.pairs import Floats, Ranges, mass
from doyle.measuring.variance_reduction.planned_hands import PlannedHands
from doyle.measuring.variance_reduction.value_functions import (
    ExactValues,
    RoundValues,
    ValueFunction,
    asked,
    chosen,
    final_value,
)

MOST_OPENINGS = 1 << 12
"""Terms before the first board cards that are kept; they depend on few things and recur."""

Held = tuple[int | None, int | None]
"""The hand of each unknown player, as a row of a policy; None for known players."""


Betting = tuple[tuple[Action, ...], ...]
"""The actions of every round."""


class Corrected(NamedTuple):
    """Seat 0's winnings in a hand, in chips: the mean over ranges, and the correction terms."""

    base: float
    deal: float
    board: float
    choices: float

    @property
    def value(self) -> float:
        return self.base + self.deal + self.board + self.choices


def value_function(game: Game, models: tuple[Policy, Policy]) -> ValueFunction:
    """The best value function of a game that is cheap enough."""
    return ExactValues(game, models) if game.hole_cards == 1 else RoundValues(models)


@dataclass(frozen=True)
class Aivat:
    """Two seats, of which at least one has a known policy, and a value function."""

    game: Game
    known: tuple[Policy | None, Policy | None]
    values: ValueFunction
    _deals: dict[Held, float] = field(default_factory=dict, repr=False, compare=False)
    _openings: dict[tuple[Held, Betting, Action], tuple[Ranges, float]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        game = self.game
        if game.players != 2 or (game.hole_cards != 1 and not game.is_holdem):
            raise DoyleError(
                f"{game.name}: AIVAT is for Hold'em and games of one hole card, with two players"
            )
        if game.board_ends[0]:
            raise DoyleError(f"{game.name}: AIVAT needs a first round without board cards")
        if self.known == (None, None):
            raise DoyleError("AIVAT needs the policy of at least one player")

    @classmethod
    def of(cls, game: Game, known: tuple[Policy | None, Policy | None]) -> Aivat:
        """The value function is that of the known policies; a lone one also plays the other seat."""
        first, second = known[0] or known[1], known[1] or known[0]
        if first is None or second is None:
            raise DoyleError("AIVAT needs the policy of at least one player")
        return cls(game, known, value_function(game, (first, second)))

    @cached_property
    def expected(self) -> float:
        """The value function before the deal: seat 0's mean winnings."""
        everything = np.ones(policy_rows(self.game))
        return self._mean(self._root(), (), (everything, everything))

    @cached_property
    def _planned(self) -> PlannedHands | None:
        """The faster way, if one player is known and also the model of the other one."""
        known = [(seat, policy) for seat, policy in enumerate(self.known) if policy is not None]
        if len(known) != 1 or not isinstance(self.values, RoundValues):
            return None
        ((seat, policy),) = known
        if any(model is not policy for model in self.values.models):
            return None
        return PlannedHands.of(self.game, policy, seat)

    def corrected(self, state: State) -> Corrected:
        """The corrected value of a finished hand."""
        if state.actor >= 0 or state.deal is None:
            raise DoyleError("AIVAT: the hand is not over or has no cards")
        ranges, held = self._ranges(state), self._held(state)
        now, seen, done = self._root(), Cards(), 0
        deal = board = choices = 0.0
        if self._planned is not None:
            now, seen, ranges, done, start, board, choices = self._planned.followed(state)
            self._deals.setdefault(held, self.expected - start)
        if None in self.known:
            deal = self._deal_term(held, ranges)
        for action in islice(chain.from_iterable(state.betting), done, None):
            ranges, term = (
                self._after(now, seen, ranges, action)
                if seen
                else self._opening(held, now, ranges, action)
            )
            choices += term
            now = now.apply(action)
            end = self.game.board_ends[now.round]
            if now.actor >= 0 and len(seen) < end:
                before = self.values.before_deal(now, seen, ranges) / mass(self.game, ranges)
                seen = state.deal.board[:end]
                if len(seen) < end:
                    raise DoyleError("AIVAT: the record of the hand lacks board cards")
                ranges = self._without(ranges, seen)
                after = self.values.dealt(now, seen, ranges) / mass(self.game, ranges)
                board += before - after
        self._check_played(state, ranges)
        # The value of an all-in is its mean over the cards to come: the terms of those cards would
        # cancel their contribution.
        base = final_value(now, seen, ranges) / mass(self.game, ranges)
        return Corrected(base, deal, board, choices)

    def _deal_term(self, held: Held, ranges: Ranges) -> float:
        """The term of the deal, which depends on the hands held alone."""
        if held not in self._deals:
            self._deals[held] = self.expected - self._mean(self._root(), (), ranges)
        return self._deals[held]

    def _opening(
        self, held: Held, state: State, ranges: Ranges, action: Action
    ) -> tuple[Ranges, float]:
        """`_after` before any board card, where it depends on the hands held and the betting alone."""
        key = held, state.betting, action
        found = self._openings.get(key)
        if found is None:
            if len(self._openings) >= MOST_OPENINGS:
                self._openings.clear()
            found = self._openings[key] = self._after(state, (), ranges, action)
        return found

    def _held(self, state: State) -> Held:
        assert state.deal is not None
        first, second = (
            None if policy is not None else policy_row(self.game, hole)
            for policy, hole in zip(self.known, state.deal.hole, strict=True)
        )
        return first, second

    def _after(
        self, state: State, seen: Cards, ranges: Ranges, action: Action
    ) -> tuple[Ranges, float]:
        """The ranges after an action, and the term of a known player's choice."""
        seat = state.actor
        policy = self.known[seat]
        if policy is None:
            return ranges, 0.0
        actions, shares = asked(policy, state, seen)
        total, taken, left = 0.0, 0.0, ranges
        for column, other in enumerate(actions):
            after = chosen(ranges, seat, shares[:, column])
            if not after[seat].any():
                continue
            value = self.values.value(state.apply(other), seen, after)
            total += value
            if other == action:
                taken, left = value, after
        weight = mass(self.game, left) if action in actions else 0.0
        if left is ranges or weight <= 0.0:
            name = getattr(policy, "name", "policy")
            raise DoyleError(f"{name!r} never does this: {state.describe(action)}")
        return left, total / mass(self.game, ranges) - taken / weight

    def _root(self) -> State:
        return State.start(self.game)

    def _mean(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return self.values.value(state, seen, ranges) / mass(self.game, ranges)

    def _ranges(self, state: State) -> Ranges:
        """All hands of a known player, the hand held by an unknown one."""
        assert state.deal is not None
        ranges: list[Floats] = []
        for policy, hole in zip(self.known, state.deal.hole, strict=True):
            everything = np.ones(policy_rows(self.game))
            if policy is None:
                if not hole:
                    raise DoyleError("the hand of a player whose policy is not known is missing")
                everything[:] = 0.0
                everything[policy_row(self.game, hole)] = 1.0
            ranges.append(everything)
        return ranges[0], ranges[1]

    def _without(self, ranges: Ranges, seen: Cards) -> Ranges:
        possible = possible_hands(self.game, seen)
        return ranges[0] * possible, ranges[1] * possible

    def _check_played(self, state: State, ranges: Ranges) -> None:
        """Refuse a hand that a known player would never have played so with the cards it held."""
        assert state.deal is not None
        for policy, hole, reach in zip(self.known, state.deal.hole, ranges, strict=True):
            if policy is not None and hole and reach[policy_row(self.game, hole)] <= 0.0:
                name = getattr(policy, "name", "policy")
                raise DoyleError(f"{name!r} never plays its cards like this")
