"""Importance sampling and DIVAT over the hands of a record, with intervals and warnings.

Both need the cards of both players. Off-policy the effective sample size measures the information
of the weights, and `warning` marks unreliable results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.games import Game, Policy
from doyle.games.histories import Hand
from doyle.measuring.runs import policy_of
from doyle.measuring.variance_reduction.divat import Divat
from doyle.measuring.variance_reduction.importance_sampling import (
    ImportanceSampling,
    effective_sample_size,
    one_hand,
)
from doyle.measuring.variance_reduction.records import (
    Floats,
    HandMean,
    ReducedResult,
    chips_of,
    deals_of,
    players_of,
)
from doyle.measuring.variance_reduction.value_functions import final_value

LEAST_EFFECTIVE_SHARE = 0.1
"""Below this share of the hands an effective sample size is warned about."""

_INSTEAD = "importance sampling needs its probabilities"


@dataclass(frozen=True, eq=False)
class SamplingResult(ReducedResult):
    """A player's winnings under the target policy; `weights` by hand."""

    METHOD = "importance"
    kind: str
    target: str
    values: Floats
    """The contribution of each hand, in chips."""
    weights: Floats
    unsupported: float
    """The mean share of the target's play that the policy which played lacks."""

    @property
    def effective_hands(self) -> float:
        return effective_sample_size(self.weights)

    @property
    def warning(self) -> str | None:
        hands = self.hands
        if self.unsupported > 0.0:
            return (
                f"the target does what was never played ({self.unsupported:.1%} of the time found "
                f"missing): the mean is not right; {hands:,} hands are worth "
                f"{self.effective_hands:.1f} of equal weight"
            )
        if self.effective_hands < LEAST_EFFECTIVE_SHARE * hands:
            return f"{hands:,} hands are worth only {self.effective_hands:.1f} of equal weight"
        return None

    def details(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "target": self.target,
            "effective_hands": self.effective_hands,
            "unsupported": self.unsupported,
            "warning": self.warning,
        }

    def notes(self) -> list[str]:
        return [
            f"{self.kind}, evaluated: {self.target}",
            f"worth {self.effective_hands:,.0f} hands of equal weight",
        ]


@dataclass(frozen=True, eq=False)
class DivatResult(ReducedResult):
    """The chips that a player won, and its DIVAT score."""

    METHOD = "divat"
    baseline: str

    def details(self) -> dict[str, Any]:
        return {"baseline": self.baseline}

    def notes(self) -> list[str]:
        return [f"baseline {self.baseline}"]


def run_importance_sampling(
    game: Game,
    hands: Iterable[Hand],
    player: str,
    played: str | Policy,
    target: str | Policy | None = None,
    *,
    kind: str = "gea-oc",
    divat: Divat | None = None,
    what: str = "hands",
    progress: Progress | None = None,
) -> SamplingResult:
    """Evaluate `target` (default: `played` itself) from the hands in which `player` played `played`.

    The value of a hand is the chips won, or its DIVAT score.
    """
    every = list(hands)
    first, other = players_of(every, [player], what)
    policy = policy_of(played, game, instead=_INSTEAD)
    wanted = policy if target is None else policy_of(target, game, instead=_INSTEAD)
    value = final_value if divat is None else divat.total
    samplings = [
        ImportanceSampling(game, seat, policy, wanted, kind=kind, hand_value=value)
        for seat in (0, 1)
    ]
    seats = np.array([hand.players.index(first) for hand in every])
    found = np.empty((len(every), 3))
    for place, (hand, seat) in enumerate(zip(every, seats.tolist(), strict=True)):
        try:
            found[place] = samplings[seat].sample(hand.state)
        except DoyleError as error:
            raise DoyleError(f"{what}, hand {hand.number}: {error}") from error
        if progress is not None:
            progress("importance sampling", place + 1, len(every))
    if not found[:, 1].any():
        raise DoyleError(
            f"{what}: the target would have played none of the {len(every):,} hands so, which leaves "
            "an effective sample size of 0"
        )
    deals = deals_of(every)
    return SamplingResult(
        game,
        first,
        other,
        len(every),
        HandMean.of(game, chips_of(every, seats.tolist()), seats, deals),
        HandMean.of(game, found[:, 0], seats, deals),
        kind,
        _name(played if target is None else target),
        found[:, 0],
        found[:, 1],
        float(found[:, 2].mean()),
    )


def _name(agent: str | Policy) -> str:
    return agent if isinstance(agent, str) else str(getattr(agent, "name", "policy"))


def run_divat(
    game: Game,
    hands: Iterable[Hand],
    player: str,
    divat: Divat,
    *,
    what: str = "hands",
    progress: Progress | None = None,
) -> DivatResult:
    """Score every hand of a player."""
    every = list(hands)
    first, other = players_of(every, [player], what)
    seats = [hand.players.index(first) for hand in every]
    scores = divat_chips(every, seats, divat, what=what, progress=progress)
    places, deals = np.array(seats), deals_of(every)
    plain = HandMean.of(game, chips_of(every, seats), places, deals)
    found = HandMean.of(game, scores, places, deals)
    return DivatResult(game, first, other, len(every), plain, found, divat.baseline)


def divat_chips(
    hands: list[Hand],
    seats: list[int],
    divat: Divat,
    *,
    what: str = "hands",
    progress: Progress | None = None,
) -> Floats:
    """The DIVAT score in the given seat of every hand."""
    scores = np.empty(len(hands))
    for place, (hand, seat) in enumerate(zip(hands, seats, strict=True)):
        deal = hand.state.deal
        if deal is None or not all(deal.hole):
            raise DoyleError(f"{what}, hand {hand.number}: DIVAT needs the cards of both players")
        ranges = one_hand(divat.game, deal.hole[0]), one_hand(divat.game, deal.hole[1])
        # After an all-in the cards that came count as their mean.
        score = divat.total(hand.state, seen_by_actors(hand), ranges)
        scores[place] = score if seat == 0 else -score
        if progress is not None:
            progress("DIVAT", place + 1, len(hands))
    return scores


def seen_by_actors(hand: Hand) -> tuple[int, ...]:
    """The board cards that were there at the last decision."""
    state = hand.state
    last = max(round_ for round_, actions in enumerate(state.betting) if actions or not round_)
    return () if state.deal is None else state.deal.board[: state.game.board_ends[last]]
