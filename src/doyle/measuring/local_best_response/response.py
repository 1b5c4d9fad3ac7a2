"""Local best response: an opponent who looks one action ahead, with the policy's range in mind.

It knows the policy, keeps for every hand the probability that the policy would have acted as it did,
and takes the action that would be best if from then on everybody checked and called down (Lisy and
Bowling 2017, "Equilibrium approximation quality of current no-limit poker bots"). With wp the
probability to win that way against the policy's range, `pot` the chips in the middle, `asked` those to
call and fp the probability that the policy folds to a raise by a,

    U(call)    = wp pot - (1 - wp) asked
    U(raise a) = fp pot + (1 - fp) (wp' (pot + a) - (1 - wp') (asked + a))

where wp' is against the hands that do not fold. It folds if no value is above 0 and there is a bet
to call. Its winnings are a lower bound on those of a best response; a negative result proves
nothing.

The policy is queried as it plays. A hand is scored by the expectation over the policy's range, and
after an all-in over the boards still to come, so only the policy's actions and the cards are left
to chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError, FieldError
from doyle.games import CALL, FOLD, Action, Deal, Game, Policy, State
from doyle.games.policies import possible_hands
from doyle.measuring.hand_equity import Cards, win_probabilities

Floats = npt.NDArray[np.float64]

ACTION_SETS = ("fc", "fcpa", "56", "all")
FIRST_ROUNDS = {"all": 0, "late": 2, "river": 3}
"""The round from which on the responder bets, by the name of a set of rounds; it calls before."""

_SIZES = {
    "fcpa": ((1, 1),),
    # 0.05 times 1.15 to the k.
    "56": tuple((23**k, 20 ** (k + 1)) for k in range(55)),
    # With all-in 18 sizes; for late responders.
    "18": tuple(
        (percent, 100)
        for percent in (
            10,
            20,
            33,
            50,
            67,
            80,
            100,
            125,
            150,
            200,
            250,
            300,
            400,
            500,
            700,
            1000,
            1500,
        )
    ),
}
"""Shares of the pot, as numerator and denominator."""
_MOST_LEGAL = 1000
"""`all` queries the policy about every legal raise, which is impractical for thousands of
raises."""


def default_actions(game: Game) -> str:
    """`all` in limit games and where cards and raises are few, `fcpa` in no-limit Hold'em.

    >>> default_actions(Game.named("leduc")), default_actions(Game.named("holdem-nl-20bb"))
    ('all', 'fcpa')
    """
    few = not game.is_holdem and max(game.stacks) <= _MOST_LEGAL
    return "all" if game.is_limit or few else "fcpa"


def raises(actions: str, state: State) -> list[Action]:
    """The raises of an action set that are legal, as totals, ascending.

    A raise by x pots is x times the pot after the call, rounded to chips (a half up).

    >>> state = State.start(Game.named("holdem-nl-20bb"))
    >>> raises("fcpa", state), raises("56", state)[:4]
    ([6, 40], [4, 5, 6, 7])
    """
    low, high = state.min_raise_to, state.max_raise_to
    if not high or actions == "fc":
        return []
    if actions == "all":
        if high - low > _MOST_LEGAL:
            raise FieldError(
                "actions",
                f"{high - low + 1:,} raises are legal, at most {_MOST_LEGAL:,} are looked at; "
                "take 56 or fcpa",
                value=actions,
            )
        return list(range(low, high + 1))
    pot = state.pot + state.to_call
    totals = {state.largest + bet for bet in _bets(actions, pot)}
    return sorted({total for total in totals if low <= total <= high} | {high})


@lru_cache(maxsize=1 << 12)
def _bets(actions: str, pot: int) -> tuple[int, ...]:
    """The sizes of an action set in chips."""
    return tuple((2 * pot * share + whole) // (2 * whole) for share, whole in _SIZES[actions])


@dataclass(frozen=True, eq=False)
class Holding:
    """The responder's own cards with a whole board, and values derived from them.

    `opponent` [rows of a policy] are the hands that the policy may hold at the start; None selects
    all.
    """

    game: Game
    hole: Cards
    board: Cards
    opponent: Floats | None = None

    def possible(self, round_: int) -> Floats:
        """The weight of each hand of the policy that the cards seen in a round leave possible."""
        found = self._possible.get(round_)
        if found is None:
            visible = self.board[: self.game.board_ends[round_]]
            found = possible_hands(self.game, (*self.hole, *visible)).astype(np.float64)
            if self.opponent is not None:
                found *= self.opponent
            self._possible[round_] = found
        return found

    def wins(self, round_: int) -> Floats:
        """The probability to win against each hand of the policy by calling down."""
        found = self._wins.get(round_)
        if found is None:
            visible = self.board[: self.game.board_ends[round_]]
            found = self._wins[round_] = win_probabilities(self.game, self.hole, visible)
        return found

    @cached_property
    def _possible(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _wins(self) -> dict[int, Floats]:
        return {}


@dataclass(frozen=True)
class LocalBestResponse:
    """The responder to one policy in one game, with its action set and rounds."""

    game: Game
    policy: Policy
    actions: str
    rounds: str = "all"

    def __post_init__(self) -> None:
        if self.game.players != 2:
            raise DoyleError(f"{self.game.name}: local best response plays two-player games")
        if self.game.hole_cards > 2 or (self.game.hole_cards == 2 and len(self.game.deck) < 52):
            raise DoyleError(f"{self.game.name}: local best response knows no such hole cards")
        for name, value, known in (
            ("actions", self.actions, ACTION_SETS),
            ("rounds", self.rounds, tuple(FIRST_ROUNDS)),
        ):
            if value not in known:
                raise FieldError(name, f"expected {', '.join(known)}", value=value)

    def value(
        self, holding: Holding, *, seat: int, rng: np.random.Generator | None = None
    ) -> float:
        """Chips that the responder in `seat` wins with these cards.

        With `rng` the policy's actions are drawn; without, all of them are followed.
        """
        return sum(part for _, part in self.outcomes(holding, seat=seat, rng=rng))

    def outcomes(
        self, holding: Holding, *, seat: int, rng: np.random.Generator | None = None
    ) -> Iterator[tuple[State, float]]:
        """The followed ends of the hand, each with its contribution to the value."""
        nobody = Deal(hole=((),) * 2, board=holding.board)
        state = State.start(self.game, nobody)
        start = np.ones_like(holding.possible(0))
        return self._outcomes(state, start, holding, seat, rng, round_=0, weight=1.0)

    def _outcomes(
        self,
        state: State,
        reach: Floats,
        holding: Holding,
        seat: int,
        rng: np.random.Generator | None,
        *,
        round_: int,
        weight: float,
    ) -> Iterator[tuple[State, float]]:
        """The outcomes from `state` on; `round_` is the last round with an action."""
        while state.actor == seat:
            round_ = state.round
            state = state.apply(self.choose(state, reach, holding))
        if state.actor < 0:
            yield state, weight * self._score(state, reach, holding, seat, round_)
            return
        actions, probabilities = self.policy.probabilities(state.public())
        # Cards are dealt beforehand: hands that the whole board leaves possible act here.
        range_ = reach * holding.possible(self.game.rounds - 1)
        weights = range_ @ probabilities
        shares = weights / weights.sum()

        following = [state.apply(action) for action in actions]

        def after(column: int, share: float) -> Iterator[tuple[State, float]]:
            return self._outcomes(
                following[column],
                reach * probabilities[:, column],
                holding,
                seat,
                rng,
                round_=state.round,
                weight=weight * share,
            )

        if rng is None:
            for column in np.flatnonzero(shares > 0).tolist():
                yield from after(column, float(shares[column]))
            return
        # Step 1: actions that end the policy's part in the hand are followed at no cost.
        for column, next_state in enumerate(following):
            if shares[column] > 0 and _is_last(next_state):
                yield from after(column, float(shares[column]))
                shares[column] = 0.0
        # Step 2: of the rest one action is drawn, or none where the rest hardly matters. Time spent
        # on a rest of weight r is best spent in proportion to its standard deviation, so it goes on
        # with probability sqrt(r) and then counts r / sqrt(r).
        going_on = sqrt(shares.sum())
        if rng.random() < going_on:
            yield from after(_drawn(shares, rng.random()), going_on)

    def choose(self, state: State, reach: Floats, holding: Holding) -> Action:
        """The action that is best if everybody checks and calls from then on."""
        if state.round < FIRST_ROUNDS[self.rounds]:
            return CALL
        weights = reach * holding.possible(state.round)
        wins = holding.wins(state.round)
        best, chosen = self._utility(state, weights, wins, CALL), CALL
        for raise_to in raises(self.actions, state):
            utility = self._utility(state, weights, wins, raise_to)
            if utility > best:
                best, chosen = utility, raise_to
        return FOLD if best <= 0.0 and state.can_fold else chosen

    def _utility(self, state: State, weights: Floats, wins: Floats, action: Action) -> float:
        """U of a call or a raise, times the weight of the policy's range."""
        seat = state.actor
        spent, stacks = state.spent, self.game.stacks
        bet = state.largest if action == CALL else action
        matched = min(bet, *stacks)
        gain, loss = spent[seat] + matched, matched - spent[seat]
        if action == CALL:
            won = float(weights @ wins)
            return won * gain - (float(weights.sum()) - won) * loss
        actions, probabilities = self.policy.probabilities(state.apply(action).public())
        total = float(weights.sum())
        if FOLD in actions:
            weights = weights * (1.0 - probabilities[:, actions.index(FOLD)])
        staying, won = float(weights.sum()), float(weights @ wins)
        return (total - staying) * state.pot + won * gain - (staying - won) * loss

    def _score(
        self, state: State, reach: Floats, holding: Holding, seat: int, round_: int
    ) -> float:
        """The responder's winnings in a finished hand, over the policy's range and further
        boards."""
        if not state.is_showdown:
            return float(state.payoffs()[seat])
        first = min(FIRST_ROUNDS[self.rounds], self.game.rounds - 1)
        if 0 < round_ < first:
            # More board cards are as good on average, and their win probabilities are used anyway.
            round_ = first
        weights = reach * holding.possible(round_)
        share = float(weights @ holding.wins(round_)) / float(weights.sum())
        return (2.0 * share - 1.0) * min(state.spent)


def _is_last(state: State) -> bool:
    """Whether the policy has no further decision: the hand is over, or it is all-in."""
    return state.actor < 0 or (not state.max_raise_to and state.apply(CALL).actor < 0)


def _drawn(shares: Floats, number: float) -> int:
    """The column in which a number from 0 to 1 falls; never one of share 0."""
    bounds = np.cumsum(shares)
    column = int(np.searchsorted(bounds, number * bounds[-1], side="right"))
    return min(column, int(np.flatnonzero(shares)[-1]))
