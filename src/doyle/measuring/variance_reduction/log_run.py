"""AIVAT over the hands of a record: a player's winnings, plain and corrected, with intervals.

The position term, by which a player's expected value in
the seat it had is replaced by the mean over both seats, is part of every hand's corrected value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import Game, Policy
from doyle.games.histories import Hand
from doyle.measuring.runs import policy_of
from doyle.measuring.variance_reduction.aivat import Aivat
from doyle.measuring.variance_reduction.records import (
    HandMean,
    ReducedResult,
    chips_of,
    deals_of,
    players_of,
)

Floats = npt.NDArray[np.float64]

HANDS_TOGETHER = 64
"""Hands of one work item."""

Known = tuple[str | Policy | None, str | Policy | None]
"""The agents of the first player and of the other one."""

_INSTEAD = "AIVAT corrects nothing for it; leave it out"


@dataclass(frozen=True, eq=False)
class AivatResult(ReducedResult):
    """Winnings of `player`, by hand in chips: plain and corrected; `seats` by hand."""

    METHOD = "aivat"
    known: tuple[str, ...]
    plain_chips: Floats
    corrected_chips: Floats
    seats: npt.NDArray[np.int64]

    def details(self) -> dict[str, Any]:
        seats = [int((self.seats == seat).sum()) for seat in (0, 1)]
        return {"known": list(self.known), "seats": seats}

    def notes(self) -> list[str]:
        return [f"known: {', '.join(self.known)}"]


def run_hands(
    game: Game,
    hands: Iterable[Hand],
    agents: dict[str, str | Policy],
    *,
    what: str = "hands",
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> AivatResult:
    """AIVAT over hands of two players; `agents` are the policies by the names that they have there.

    The result is that of the first of them. Agents that are not texts are evaluated in this process.
    """
    if not agents:
        raise DoyleError("AIVAT needs the agent of at least one player")
    every = list(hands)
    players = players_of(every, agents, what)
    first, second = players
    known = agents.get(first), agents.get(second)
    seatings = _seatings(game, known)
    by_seat = seatings[0].expected, -seatings[1].expected
    both = len({hand.players for hand in every}) == 2
    middle = sum(by_seat) / 2.0
    seats = np.array([hand.players.index(first) for hand in every], np.int64)
    plain = chips_of(every, seats.tolist())
    batches = [
        _Batch(game, known, first, what, tuple(every[start : start + HANDS_TOGETHER]))
        for start in range(0, len(every), HANDS_TOGETHER)
    ]
    here = not all(isinstance(agent, str) for agent in agents.values())
    found = map_items(
        _corrected, batches, workers=None if here else workers, progress=progress, label="AIVAT"
    )
    # With one seating only there is no other seat to have a mean over.
    moved = middle - np.array(by_seat)[seats] if both else np.zeros(len(every))
    corrected = np.concatenate(list(found)) + moved
    deals = deals_of(every)
    return AivatResult(
        game,
        first,
        second,
        len(seats),
        HandMean.of(game, plain, seats, deals),
        HandMean.of(game, corrected, seats, deals),
        tuple(agents),
        plain,
        corrected,
        seats,
    )


@dataclass(frozen=True)
class _Batch:
    """Hands of one record, a pure work item."""

    game: Game
    known: Known
    first: str
    what: str
    hands: tuple[Hand, ...]


@lru_cache(maxsize=1)
def _seatings(game: Game, known: Known) -> tuple[Aivat, Aivat]:
    """AIVAT with the first player in seat 0 and in seat 1; kept with their values between batches."""
    first, second = (
        None if agent is None else policy_of(agent, game, instead=_INSTEAD) for agent in known
    )
    return Aivat.of(game, (first, second)), Aivat.of(game, (second, first))


def _corrected(batch: _Batch) -> Floats:
    """The corrected value of every hand for the first player."""
    seatings, found = _seatings(batch.game, batch.known), np.empty(len(batch.hands))
    for place, hand in enumerate(batch.hands):
        seat = hand.players.index(batch.first)
        try:
            value = seatings[seat].corrected(hand.state).value
        except DoyleError as error:
            raise DoyleError(f"{batch.what}, hand {hand.number}: {error}") from error
        found[place] = value if seat == 0 else -value
    return found
