"""Bet-for-value in Hold'em: values of a baseline that bets its good hands on the turn and the river.

The thesis on state translation made "a simple no-limit bet-for-value strategy" and prints neither its bets
nor its thresholds (section 2.4.2), so these are assumed: once a round the pot is bet with a strength of at
least `BET_FROM`, a bet is called with at least `FOLD_BELOW`, and there are no raises. The strength
is E[HS], the win probability against all hands over all cards to come.

Every deal of cards has a term of its own with mean 0, so the terms may have different baselines. The hole
cards and the flop are valued by calling down: bets on the flop would need the mean over C(48,3) · 45 · 44 =
34,246,080 orders of the board for each pair of hands. A turn needs the 45 · 44 orders that a flop leaves,
and these share 1,176 boards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from doyle.agents import AlwaysCall
from doyle.cards import HOLES
from doyle.cards.evaluation import boards_strength, evaluate
from doyle.games import CALL, State
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.pairs import Floats, Ranges
from doyle.measuring.variance_reduction.value_functions import RoundValues

BET_FROM = 0.5
"""The strength (win probability against all hands) from which bet-for-value bets."""
FOLD_BELOW = 0.25
"""The strength below which it folds to a bet."""

OPPONENTS = 990
FLOP, TURN, RIVER = 3, 4, 5
DECK = 52

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Stakes:
    """A seat's chips in the pot at the start of a round, and after a bet and a call; the seat that
    acts first."""

    first: int
    stake: int
    called: int | None
    """None if no bet is possible."""

    @classmethod
    def of(cls, state: State) -> Stakes:
        """Those of a state at the start of a round, or after an all-in."""
        stake = min(state.spent)
        if state.actor < 0 or not state.max_raise_to:
            return cls(max(state.actor, 0), stake, None)
        after = after_bet(state)
        return cls(state.actor, stake, min(after.spent))

    def played(
        self, first: Floats, other: Floats, checked: Floats, called: Floats | None
    ) -> Floats:
        """The first seat's winnings by the strengths of both, if a round ends by checks or by a
        call."""
        if called is None or self.called is None:
            return checked
        bets = np.where(other < FOLD_BELOW, self.stake, called)
        is_bet_into = np.where(first < FOLD_BELOW, -self.stake, called)
        checks = np.where(other >= BET_FROM, is_bet_into, checked)
        return np.where(first >= BET_FROM, bets, checks)


def after_bet(state: State) -> State:
    """The state after the first seat of a round bets the pot, or the nearest legal size, and is
    called."""
    pot_raise = 3 * min(state.spent)
    bet = min(max(pot_raise, state.min_raise_to), state.max_raise_to)
    return state.apply(bet).apply(CALL)


@dataclass(frozen=True, eq=False)
class Pairs:
    """One hand against some others on all complete boards that extend the cards seen.

    `sign` [board, other hand] is 1 where the hand `own` wins and 0 where cards collide, which `possible` tells.
    """

    boards: npt.NDArray[np.uint8]
    strength: Floats
    """Of all 1,326 hands [board, hand]."""
    own: int
    others: Rows
    possible: npt.NDArray[np.bool_]
    sign: Floats

    @classmethod
    def of(cls, seen: Cards, own: int, others: Rows) -> Pairs:
        """The hand `own` against `others`, which are rows of a policy."""
        rest = [card for card in range(DECK) if card not in seen]
        added = list(combinations(rest, RIVER - len(seen)))
        boards = np.array([(*seen, *cards) for cards in added], np.uint8)
        win, tie, _ = boards_strength(boards)
        strength = (2 * win + tie) / (2.0 * OPPONENTS)
        hands = np.concatenate([HOLES[[own]], HOLES[others]])
        ranks = _ranks(boards, hands)
        meets = (hands[:1, :, None] == hands[1:, None, :]).any(axis=(1, 2))
        possible = (ranks[:, :1] > 0) & (ranks[:, 1:] > 0) & ~meets
        sign = np.sign(ranks[:, :1].astype(np.int32) - ranks[:, 1:])
        return cls(boards, strength, own, others, possible, np.where(possible, sign, 0.0))

    def in_order(self, strength: Floats, *, own_is_first: bool) -> tuple[Floats, Floats]:
        """The strengths of the first and of the other seat [board or turn, other hand]."""
        mine, theirs = strength[:, [self.own]], strength[:, self.others]
        return (mine, theirs) if own_is_first else (theirs, mine)

    def on_rivers(self, stakes: Stakes, *, own_is_first: bool) -> Floats:
        """The first seat's winnings on every board [board, other hand]; 0 where cards collide."""
        first, other = self.in_order(self.strength, own_is_first=own_is_first)
        sign = self.sign if own_is_first else -self.sign
        called = None if stakes.called is None else stakes.called * sign
        return np.where(
            self.possible, stakes.played(first, other, stakes.stake * sign, called), 0.0
        )


def _ranks(boards: npt.NDArray[np.uint8], hands: npt.NDArray[np.integer]) -> npt.NDArray[np.uint16]:
    """The rank of each hand on each board [board, hand]; 0 where they share a card."""
    free = ~(boards[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    board, hand = np.nonzero(free)
    found = np.zeros(free.shape, np.uint16)
    found[board, hand] = evaluate(np.concatenate([boards[board], hands[hand]], axis=1))
    return found


@dataclass(frozen=True)
class LateValueBets:
    """The value function of the baseline: calling down before the turn, value bets from there on."""

    calls: RoundValues = field(default_factory=lambda: RoundValues((AlwaysCall(), AlwaysCall())))

    def value(self, state: State, seen: Cards, ranges: Ranges) -> float:
        return self.calls.value(state, seen, ranges)

    def dealt(self, state: State, seen: Cards, ranges: Ranges) -> float:
        if len(seen) < TURN:
            return self.calls.dealt(state, seen, ranges)
        return self._summed(state, seen, ranges, dealt=True)

    def before_deal(self, state: State, seen: Cards, ranges: Ranges) -> float:
        if len(seen) < FLOP:
            return self.calls.before_deal(state, seen, ranges)
        return self._summed(state, seen, ranges, dealt=False)

    def _summed(self, state: State, seen: Cards, ranges: Ranges, *, dealt: bool) -> float:
        """Over all pairs of hands, one seat's hands one by one: the seat that has fewer."""
        rows = [np.flatnonzero(weights) for weights in ranges]
        seat = int(len(rows[1]) < len(rows[0]))
        total = 0.0
        for own in rows[seat].tolist():
            pairs = Pairs.of(seen, own, rows[1 - seat])
            won = _won_by_first(state, pairs, dealt=dealt, own_is_first=state.actor == seat)
            share = ranges[1 - seat][rows[1 - seat]] @ won
            total += float(ranges[seat][own]) * float(share)
        return total if state.actor == 0 else -total


def _won_by_first(
    state: State, pairs: Pairs, *, dealt: bool, own_is_first: bool
) -> npt.NDArray[np.float64]:
    """Winnings of the seat that acts first against each other hand, from the start of a round on.

    On the dealt turn and river, or averaged over them.
    """
    rivers = 44.0
    if len(pairs.boards) == 1 or (len(pairs.boards) == DECK - TURN and not dealt):
        won = pairs.on_rivers(Stakes.of(state), own_is_first=own_is_first)
        return np.asarray(won.sum(axis=0) / (1.0 if dealt else rivers))
    stakes = Stakes.of(state)
    ends = [state.apply(CALL).apply(CALL)]
    if stakes.called is not None:
        ends.append(after_bet(state))
    on_rivers = [pairs.on_rivers(Stakes.of(end), own_is_first=own_is_first) for end in ends]
    turns = _turns(pairs.boards, dealt=dealt)
    strength = np.stack([pairs.strength[turn].sum(axis=0) / 46.0 for turn in turns])
    possible = np.stack([pairs.possible[turn].any(axis=0) for turn in turns])
    means = [np.stack([won[turn].sum(axis=0) / rivers for turn in turns]) for won in on_rivers]
    first, other = pairs.in_order(strength, own_is_first=own_is_first)
    won = stakes.played(first, other, means[0], means[1] if len(means) > 1 else None)
    return np.asarray(np.where(possible, won, 0.0).sum(axis=0) / (1.0 if dealt else 45.0))


def _turns(boards: npt.NDArray[np.uint8], *, dealt: bool) -> list[Rows]:
    """The boards of each turn: one turn that was dealt, or all that a flop leaves."""
    if dealt:
        return [np.arange(len(boards))]
    later = boards[:, FLOP:]
    return [np.flatnonzero((later == card).any(axis=1)) for card in np.unique(later).tolist()]
