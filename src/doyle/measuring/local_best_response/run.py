"""Runs of the local best response: sampled hands with an interval, or every deal of a small game.

Hand n draws its cards and samples from a generator of (seed, n) and is played in seat n modulo 2,
so the result depends neither on the workers nor on the number of later hands, and two policies
measured with the same seed meet the same cards. The estimate is the mean of the two seats' means;
the interval is Student's, from the variances within the seats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.base.artifacts import Store
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import Game, Policy
from doyle.measuring.hand_equity import Cards, make_preflop_points
from doyle.measuring.local_best_response.origins import (
    FirstRaise,
    first_raise,
    origins_document,
)
from doyle.measuring.local_best_response.response import Holding, LocalBestResponse
from doyle.measuring.runs import (
    MISSING_POLICY,
    MOST_ENUMERATED,
    MOST_SAMPLED,
    Measured,
    count_boards,
    drawn_cards,
    every_board,
    forget_policies,
    kept_policy,
)

Floats = npt.NDArray[np.float64]

_BATCH_HANDS = 32
_ORIGINS_SHOWN = 6
_LABEL = "local best response"
_INSTEAD = f"local best response needs a strategy or a baseline: {MISSING_POLICY}"


@dataclass(frozen=True, eq=False)
class LbrResult(Measured):
    """Winnings of the local best response; `values` are chips by hand (or by deal and seat)."""

    game: Game
    name: str
    actions: str
    rounds: str
    values: Floats
    seed: int | None
    """None if every deal was played."""
    origins: Mapping[FirstRaise | None, float] = field(default_factory=dict)
    """Thousandths of a big blind won per hand, by the responder's first raise; the sum is the result."""

    @property
    def hands(self) -> int:
        return len(self.values)

    @property
    def seats(self) -> tuple[float, float]:
        """Thousandths of a big blind won per hand in each seat."""
        unit = 1000.0 / self.game.big_blind
        return float(self.values[0::2].mean()) * unit, float(self.values[1::2].mean()) * unit

    @property
    def won(self) -> Estimate:
        if self.seed is None:
            return Estimate.exact(sum(self.seats) / 2.0, self.hands)
        return Estimate.of_strata(self.values[0::2], self.values[1::2]).in_mbb(self.game.big_blind)

    @property
    def reading(self) -> str:
        """The interpretation of the number, in one sentence."""
        if self.won.is_significant and self.won.mean > 0:
            exact = "a best response wins at least this much on average"
            return exact if self.seed is None else f"{exact}, up to the interval"
        return (
            "a result that is not above zero by more than its interval proves nothing: "
            "a best response may win much more"
        )

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "agent": self.name,
            "game": self.game.name,
            "actions": self.actions,
            "rounds": self.rounds,
            **self.won.document(),
            "hands": self.hands,
            "method": "enumerated" if self.seed is None else "sampled",
            "seed": self.seed,
            "seats_mbb_per_hand": list(self.seats),
            "by_first_raise": origins_document(self.origins),
            "reading": self.reading,
        }

    def text(self) -> Text:
        """The result with its largest parts."""
        how = "every deal" if self.seed is None else f"{self.hands:,} hands, seed {self.seed}"
        yield f"agent       {self.name} in {self.game.name}"
        yield f"responder   actions {self.actions}, rounds {self.rounds}, {how}"
        yield f"wins        {self.won.text()}"
        yield f"by seat     {', '.join(f'{value:.1f}' for value in self.seats)} mbb/h"
        yield "first raise mbb/h of the result, by the responder's first raise of the hand"
        largest = sorted(self.origins.items(), key=lambda entry: -abs(entry[1]))[:_ORIGINS_SHOWN]
        for kind, value in largest:
            yield f"            {value:8.1f}  {'no raise' if kind is None else kind}"
        yield f"meaning     {self.reading}"


@dataclass(frozen=True)
class _Batch:
    """Some hands; the policy is given by the text of its agent, or as it is."""

    game: Game
    policy: str | Policy
    actions: str
    rounds: str
    seed: int
    hands: range


class _Won(NamedTuple):
    """Chips won by hand, and by (seat, first raise) together."""

    values: Floats
    origins: dict[tuple[int, FirstRaise | None], float]

    def add(
        self,
        place: int,
        lbr: LocalBestResponse,
        holding: Holding,
        *,
        seat: int,
        rng: np.random.Generator | None = None,
    ) -> None:
        """Play one hand and record its winnings."""
        self.values[place] = 0.0
        for state, chips in lbr.outcomes(holding, seat=seat, rng=rng):
            self.values[place] += chips
            self.origins[seat, first_raise(state, seat)] += chips


def run_lbr(
    game: Game,
    policy: str | Policy,
    *,
    actions: str,
    rounds: str = "all",
    hands: int = 2000,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> LbrResult:
    """Measure a policy, given as the text of an agent or as an object.

    Small games are enumerated: then `hands` and `seed` do not matter.
    """
    forget_policies()
    if not 2 <= hands <= MOST_SAMPLED:
        raise DoyleError(f"local best response needs 2 to {MOST_SAMPLED:,} hands, not {hands:,}")
    lbr = LocalBestResponse(game, kept_policy(policy, game, instead=_INSTEAD), actions, rounds)
    name = str(getattr(lbr.policy, "name", "policy"))
    if deals(game) <= MOST_ENUMERATED:
        return _result(lbr, name, [_enumerated(lbr)], seed=None)
    if game.is_holdem and (rounds == "all" or not game.is_limit):
        make_preflop_points(Store(), workers=workers, progress=progress)  # for all workers
    batches = [
        _Batch(game, policy, actions, rounds, seed, range(start, min(start + _BATCH_HANDS, hands)))
        for start in range(0, hands, _BATCH_HANDS)
    ]
    found = map_items(
        _play, batches, workers=workers, progress=_by_hands(progress, hands), label=_LABEL
    )
    return _result(lbr, name, list(found), seed=seed)


def enumerate_lbr(lbr: LocalBestResponse) -> Floats:
    """Chips won with every hole and board, in seat 0 and seat 1 in turn; all are equally likely."""
    return _enumerated(lbr).values


def _enumerated(lbr: LocalBestResponse) -> _Won:
    won = _Won(np.empty(2 * deals(lbr.game)), defaultdict(float))
    for number, (hole, board) in enumerate(every_deal(lbr.game)):
        for seat in (0, 1):
            won.add(2 * number + seat, lbr, Holding(lbr.game, hole, board), seat=seat)
    return won


def _result(lbr: LocalBestResponse, name: str, found: list[_Won], *, seed: int | None) -> LbrResult:
    values = np.concatenate([won.values for won in found])
    hands = len(values[0::2]), len(values[1::2])
    origins: dict[FirstRaise | None, float] = defaultdict(float)
    for won in found:
        for (seat, kind), chips in won.origins.items():
            origins[kind] += chips / hands[seat] * 500.0 / lbr.game.big_blind
    return LbrResult(lbr.game, name, lbr.actions, lbr.rounds, values, seed, dict(origins))


def deals(game: Game) -> int:
    """How many ways there are to deal one hole and the whole board."""
    holes = comb(len(game.deck), game.hole_cards)
    return holes * count_boards(game, dead=game.hole_cards)


def every_deal(game: Game) -> Iterator[tuple[Cards, Cards]]:
    """Every hole with every board."""
    for hole in combinations(game.deck, game.hole_cards):
        for board in every_board(game, dead=hole):
            yield hole, board


def _play(batch: _Batch) -> _Won:
    game = batch.game
    lbr = LocalBestResponse(
        game, kept_policy(batch.policy, game, instead=_INSTEAD), batch.actions, batch.rounds
    )
    won = _Won(np.empty(len(batch.hands)), defaultdict(float))
    for place, number in enumerate(batch.hands):
        rng = np.random.default_rng((batch.seed, number))
        dealt = drawn_cards(game, rng, game.hole_cards + game.board_ends[-1])
        hole, board = tuple(sorted(dealt[: game.hole_cards])), dealt[game.hole_cards :]
        won.add(place, lbr, Holding(game, hole, board), seat=number % 2, rng=rng)
    return won


def _by_hands(progress: Progress | None, hands: int) -> Progress | None:
    """Progress in hands, where batches are counted."""
    if progress is None:
        return None
    report = progress
    return lambda label, done, _: report(label, min(done * _BATCH_HANDS, hands), hands)
