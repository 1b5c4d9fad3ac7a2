"""Value functions: seat 0's winnings from a history on, summed over two ranges. Fixed beforehand.

Both are made from two models, one per seat: the known policies, and a model for an unknown player.
A wrong model costs precision, never the mean.

`ExactValues` are those of the two models in games of one hole card, by enumeration. `RoundValues` let
the models play to the end of the betting round and then everybody check and call: exact on the river.
At the start of a round there is no bet, so the value is that of calling down, and its mean over
the next cards is the value of calling down before them: chance needs no enumeration.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Protocol

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.policies import policy_rows, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.pairs import (
    Floats,
    Ranges,
    apart,
    balance,
    balance_matrix,
    mass,
)

MOST_ACTIONS = 40
"""A model with more actions at one decision is refused: every one of them is followed."""
MOST_ANSWERS = 1 << 10
"""Answers of models that are kept, each some tens of kB."""
MOST_MATRICES = 200_000
"""Exact values of more histories are not computed."""


class ValueFunction(Protocol):
    """Seat 0's winnings in chips, times the weight of the pairs of hands, on the board cards
    seen."""

    def value(self, state: State, seen: Cards, ranges: Ranges) -> float:
        """After an action, or when the hand is over; cards that are still to come are not seen."""
        ...

    def dealt(self, state: State, seen: Cards, ranges: Ranges) -> float:
        """At the start of a round, its cards seen."""
        ...

    def before_deal(self, state: State, seen: Cards, ranges: Ranges) -> float:
        """The mean of `dealt` over the cards of the round, given both hands and the cards seen."""
        ...


def final_value(state: State, seen: Cards, ranges: Ranges) -> float:
    """A hand that is over; after an all-in over all boards that may still come."""
    game = state.game
    if state.is_showdown:
        return min(state.spent) * balance(game, ranges, seen)
    return _folded(state) * mass(game, ranges)


def asked(policy: Policy, state: State, seen: Cards) -> tuple[tuple[Action, ...], Floats]:
    """A policy's answer at a decision with these cards on the board."""
    public = state.with_deal(Deal(((),) * state.game.players, seen))
    actions, shares = policy.probabilities(public)
    if len(actions) > MOST_ACTIONS:
        name = getattr(policy, "name", "policy")
        raise DoyleError(
            f"agent {name!r} has {len(actions):,} actions at one decision; "
            f"at most {MOST_ACTIONS} can be followed"
        )
    return actions, shares


def chosen(ranges: Ranges, seat: int, shares: Floats) -> Ranges:
    """The ranges after an action that a seat takes with these probabilities."""
    first, second = ranges
    return (first * shares, second) if seat == 0 else (first, second * shares)


def _folded(state: State) -> float:
    return float(state.spent[1] if state.folded[1] else -state.spent[0])


@dataclass(frozen=True)
class RoundValues:
    """The models play the betting round, then everybody checks and calls."""

    models: tuple[Policy, Policy]
    _answers: dict[tuple[tuple[Action, ...], ...], tuple[tuple[Action, ...], Floats]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Of the models before any board card: the same in every hand."""

    def value(self, state: State, seen: Cards, ranges: Ranges) -> float:
        if state.actor < 0:
            return final_value(state, seen, ranges)
        if not (ranges[0].any() and ranges[1].any()):
            return 0.0
        if state.round and len(seen) < state.game.board_ends[state.round]:
            return self.before_deal(state, seen, ranges)
        seat = state.actor
        actions, shares = self._asked(state, seen)
        return sum(
            self.value(state.apply(action), seen, chosen(ranges, seat, shares[:, column]))
            for column, action in enumerate(actions)
        )

    def _asked(self, state: State, seen: Cards) -> tuple[tuple[Action, ...], Floats]:
        model = self.models[state.actor]
        if seen:
            return asked(model, state, seen)
        if state.betting not in self._answers:
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            self._answers[state.betting] = asked(model, state, seen)
        return self._answers[state.betting]

    def dealt(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return min(state.spent) * balance(state.game, ranges, seen)

    def before_deal(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return self.dealt(state, seen, ranges)


@dataclass(frozen=True)
class ExactValues:
    """The exact values of two models in a game of one hole card."""

    game: Game
    models: tuple[Policy, Policy]
    _kept: dict[tuple[tuple[tuple[Action, ...], ...], Cards], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.game.hole_cards != 1:
            raise DoyleError(f"{self.game.name}: exact values are for games of one hole card")

    def value(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return float(ranges[0] @ self._matrix(state, seen) @ ranges[1])

    def dealt(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return self.value(state, seen, ranges)

    def before_deal(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return self.value(state, seen, ranges)

    def _matrix(self, state: State, seen: Cards) -> Floats:
        """Seat 0's winnings [its hand, hand of seat 1]; 0 for impossible pairs."""
        key = state.betting, seen
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_MATRICES:
                raise DoyleError(
                    f"{self.game.name}: has more than {MOST_MATRICES:,} histories, "
                    "too many for exact values"
                )
            found = self._kept[key] = self._computed(state, seen)
        return found

    def _computed(self, state: State, seen: Cards) -> Floats:
        if state.actor < 0:
            if state.is_showdown:
                return min(state.spent) * balance_matrix(self.game, seen)
            return np.where(self._together(seen), _folded(state), 0.0)
        if len(seen) < self.game.board_ends[state.round]:
            return self._mean_over_cards(state, seen)
        actions, shares = asked(self.models[state.actor], state, seen)
        found = np.zeros((policy_rows(self.game),) * 2)
        for column, action in enumerate(actions):
            share = shares[:, column]
            after = self._matrix(state.apply(action), seen)
            found += share[:, None] * after if state.actor == 0 else after * share
        return found

    def _mean_over_cards(self, state: State, seen: Cards) -> Floats:
        missing = self.game.board_ends[state.round] - len(seen)
        rest = [card for card in self.game.deck if card not in seen]
        total = np.zeros((policy_rows(self.game),) * 2)
        for added in combinations(rest, missing):
            total += self._matrix(state, (*seen, *added))
        return total / comb(len(rest) - 2, missing)

    def _together(self, seen: Cards) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        possible = possible_hands(self.game, seen)
        return apart(self.game) & possible[:, None] & possible[None, :]
