"""Importance sampling: one player's expected winnings, from hands that it or another policy played.

Source: Bowling, Johanson, Burch and Szafron, "Strategy evaluation in extensive games with importance
sampling", 2008; the thesis on state translation, 2009, section 2.4.3. The seat that is evaluated played
by one policy, `played`; `target` is the evaluated policy, the same one (on-policy) or another
(off-policy). A hand counts by the ratio of their probabilities of the seat's own actions.

- `basic`: the hand as it was.
- `gea`, game-ending actions: at each of its decisions the seat could have ended the hand itself, by a
  fold, or by a call that is the last decision. These hands are known too and count beside it.
- `oc`, other cards: the opponent does not see the seat's cards, so every hand that it could have held
  with the same public actions counts.
- `gea-oc`: both.

Of all hands that would have shown a given hand z, the probability is taken together: that is the
denominator, and it makes the estimate unbiased, provided that the support of `played` contains that
of `target`. Where it cannot, the mean is wrong by an unknown amount; `unsupported` is the share of
the target's play that was found missing on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from doyle.base.errors import DoyleError, FieldError
from doyle.games import CALL, FOLD, Action, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.pairs import Floats, Ranges, mass
from doyle.measuring.variance_reduction.value_functions import asked, final_value

KINDS = ("basic", "gea", "oc", "gea-oc")

HandValue = Callable[[State, Cards, Ranges], float]
"""Seat 0's winnings in a finished hand, summed over two ranges: `final_value` or `Divat.total`."""


class Sample(NamedTuple):
    """One observed hand: the seat's winnings in chips, the weight, and unsupported actions."""

    value: float
    weight: float
    unsupported: float


@dataclass(frozen=True)
class ImportanceSampling:
    """The evaluation of one seat; its value of a hand is the chips won, or another one."""

    game: Game
    seat: int
    played: Policy
    target: Policy
    kind: str = "basic"
    hand_value: HandValue = final_value

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FieldError("kind", f"expected {', '.join(KINDS)}", value=self.kind)
        if self.game.players != 2 or (self.game.hole_cards != 1 and not self.game.is_holdem):
            raise DoyleError(
                f"{self.game.name}: importance sampling is for Hold'em and games of one hole "
                "card, with two players"
            )

    def sample(self, state: State) -> Sample:
        """The contribution of one finished hand; both hands must be in the record."""
        if state.actor >= 0 or state.deal is None or not all(state.deal.hole):
            raise DoyleError("importance sampling: the hand is not over or its cards are missing")
        endings = self.kind.startswith("gea")
        other = one_hand(self.game, state.deal.hole[1 - self.seat])
        own = one_hand(self.game, state.deal.hole[self.seat])
        if self.kind.endswith("oc"):
            own = np.ones(policy_rows(self.game))
        observed, wanted = own, own
        now, seen, ended = State.start(self.game), state.deal.board[:0], False
        value = weight = unsupported = 0.0
        for action in (action for actions in state.betting for action in actions):
            if now.actor == self.seat:
                played, target = self._shares(now, seen)
                below = self._mass(observed, other)
                last = _endings(now) if endings else ()
                for ending in last:
                    share = wanted * target.get(ending, 0.0)
                    value += self._value(now.apply(ending), seen, share, other) / below
                    weight += self._mass(share, other) / below
                unsupported += self._missing(observed, wanted, other, played, target, last)
                observed = observed * played.get(action, 0.0)
                wanted = wanted * target.get(action, 0.0)
                if self._mass(observed, other) <= 0.0:
                    name = getattr(self.played, "name", "policy")
                    raise DoyleError(f"{name!r} never does this: {now.describe(action)}")
                ended = action in last
            now = now.apply(action)
            end = self.game.board_ends[now.round]
            if now.actor >= 0 and len(seen) < end:
                seen = state.deal.board[:end]
                possible = possible_hands(self.game, seen)
                observed, wanted = observed * possible, wanted * possible
        if not ended:
            below = self._mass(observed, other)
            value += self._value(now, seen, wanted, other) / below
            weight += self._mass(wanted, other) / below
        return Sample(value, weight, unsupported)

    def _shares(
        self, state: State, seen: Cards
    ) -> tuple[dict[Action, Floats], dict[Action, Floats]]:
        """The probabilities of every action, as it was played and as it is wanted."""
        answers = []
        for policy in (self.played, self.target):
            actions, shares = asked(policy, state, seen)
            answers.append({action: shares[:, k] for k, action in enumerate(actions)})
        return answers[0], answers[1]

    def _missing(
        self,
        observed: Floats,
        wanted: Floats,
        other: Floats,
        played: dict[Action, Floats],
        target: dict[Action, Floats],
        known: tuple[Action, ...],
    ) -> float:
        """The weight of the target's actions here that are never played and not known anyway."""
        missing = 0.0
        for action, shares in target.items():
            if action in known or self._mass(observed * played.get(action, 0.0), other) > 0.0:
                continue
            missing += self._mass(wanted * shares, other)
        return missing / self._mass(observed, other)

    def _value(self, state: State, seen: Cards, own: Floats, other: Floats) -> float:
        if not own.any():
            return 0.0
        found = self.hand_value(state, seen, self._ranges(own, other))
        return found if self.seat == 0 else -found

    def _mass(self, own: Floats, other: Floats) -> float:
        return mass(self.game, self._ranges(own, other))

    def _ranges(self, own: Floats, other: Floats) -> Ranges:
        return (own, other) if self.seat == 0 else (other, own)


def effective_sample_size(weights: Floats) -> float:
    """The number of hands of equal weight with the same information: (sum of weights)^2 / sum of
    squares.

    >>> effective_sample_size(np.ones(5)), effective_sample_size(np.array([1.0, 0.0, 0.0]))
    (5.0, 1.0)
    """
    squares = float(weights @ weights)
    return float(weights.sum()) ** 2 / squares if squares else 0.0


def _endings(state: State) -> tuple[Action, ...]:
    """The actions after which no decision is left."""
    found = (FOLD,) if state.can_fold else ()
    return (*found, CALL) if state.apply(CALL).actor < 0 else found


def one_hand(game: Game, hole: Cards) -> Floats:
    """The range of a player whose hand is known."""
    found = np.zeros(policy_rows(game))
    found[policy_row(game, hole)] = 1.0
    return found
