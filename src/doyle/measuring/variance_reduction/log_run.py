"""AIVAT over the hands of a record: what a player won, plain and corrected, with intervals.

The position term, by which a player's expected value in
the seat it had is replaced by the mean over both seats, is part of every hand's corrected value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.games import Game, Policy
from doyle.histories import Hand
from doyle.measuring.runs import policy_of
from doyle.measuring.variance_reduction.aivat import Aivat
from doyle.measuring.variance_reduction.records import (
    Estimate,
    deals_of,
    estimate,
    players_of,
    sd_reduction,
)
from doyle.workers import Progress

Floats = npt.NDArray[np.float64]

_INSTEAD = "AIVAT corrects nothing for it; leave it out"


@dataclass(frozen=True, eq=False)
class AivatResult:
    """What `player` won, by hand in chips: plain and corrected; `seats` and `deals` by hand."""

    game: Game
    player: str
    opponent: str
    known: tuple[str, ...]
    plain_chips: Floats
    corrected_chips: Floats
    seats: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]
    """Two hands with the same number are the two seatings of one deal."""

    @property
    def hands(self) -> int:
        return len(self.seats)

    @property
    def plain(self) -> Estimate:
        return estimate(self.game, self.plain_chips, self.seats, self.deals)

    @property
    def corrected(self) -> Estimate:
        return estimate(self.game, self.corrected_chips, self.seats, self.deals)

    @property
    def sd_reduction(self) -> float | None:
        """By which share the standard deviation of a hand fell."""
        return sd_reduction(self.plain, self.corrected)

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "method": "aivat",
            "game": self.game.name,
            "player": self.player,
            "opponent": self.opponent,
            "known": list(self.known),
            "hands": self.hands,
            "seats": [int((self.seats == seat).sum()) for seat in (0, 1)],
            "plain": self.plain.to_json(),
            "estimate": self.corrected.to_json(),
            "sd_reduction": self.sd_reduction,
        }


def run_hands(
    game: Game,
    hands: Iterable[Hand],
    agents: dict[str, str | Policy],
    *,
    what: str = "hands",
    progress: Progress | None = None,
) -> AivatResult:
    """AIVAT over hands of two players; `agents` are the policies by the names that they have there.

    The result is that of the first of them.
    """
    if not agents:
        raise DoyleError("AIVAT needs the agent of at least one player")
    every = list(hands)
    players = players_of(every, agents, what)
    policies = {name: policy_of(agent, game, instead=_INSTEAD) for name, agent in agents.items()}
    first, second = players
    known = policies.get(first), policies.get(second)
    seatings = Aivat.of(game, known), Aivat.of(game, known[::-1])
    by_seat = seatings[0].expected, -seatings[1].expected
    both = len({hand.players for hand in every}) == 2
    middle = sum(by_seat) / 2.0
    plain, corrected = np.empty(len(every)), np.empty(len(every))
    seats = np.empty(len(every), np.int64)
    for place, hand in enumerate(every):
        seat = hand.players.index(first)
        sign = 1.0 if seat == 0 else -1.0
        try:
            found = seatings[seat].corrected(hand.state).value
        except DoyleError as error:
            raise DoyleError(f"{what}, hand {hand.number}: {error}") from error
        plain[place] = float((hand.payoffs or hand.state.payoffs())[seat])
        # With one seating only there is no other seat to have a mean over.
        corrected[place] = sign * found + (middle - by_seat[seat] if both else 0.0)
        seats[place] = seat
        if progress is not None:
            progress("AIVAT", place + 1, len(every))
    deals = deals_of(every)
    return AivatResult(game, first, second, tuple(policies), plain, corrected, seats, deals)
