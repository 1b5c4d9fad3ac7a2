"""AIVAT over the hands of an ACPC log: what a player won, plain and corrected, with intervals.

The estimate is the mean over both seats, each counted as one half, whatever the log has more of. The
two seatings of one deal are one observation. The position term, by which a player's expected value in
the seat it had is replaced by the mean over both seats, is part of every hand's corrected value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.games import Game, Policy
from doyle.histories import Hand, read_hands
from doyle.measuring.runs import half_width, policy_of
from doyle.measuring.variance_reduction.aivat import Aivat
from doyle.workers import Progress

Floats = npt.NDArray[np.float64]

_INSTEAD = "AIVAT corrects nothing for it; leave it out"


@dataclass(frozen=True)
class Estimate:
    """A mean in thousandths of a big blind per hand; `sd` is of single hands."""

    mbb_per_hand: float
    ci95: float | None
    sd: float

    def to_json(self) -> dict[str, Any]:
        return {"mbb_per_hand": self.mbb_per_hand, "ci95": self.ci95, "sd_mbb": self.sd}


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
        return self._estimate(self.plain_chips)

    @property
    def corrected(self) -> Estimate:
        return self._estimate(self.corrected_chips)

    @property
    def sd_reduction(self) -> float | None:
        """By which share the standard deviation of a hand fell."""
        before = self.plain.sd
        return 1.0 - self.corrected.sd / before if before else None

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "game": self.game.name,
            "player": self.player,
            "opponent": self.opponent,
            "known": list(self.known),
            "hands": self.hands,
            "seats": [int((self.seats == seat).sum()) for seat in (0, 1)],
            "plain": self.plain.to_json(),
            "aivat": self.corrected.to_json(),
            "sd_reduction": self.sd_reduction,
        }

    def _estimate(self, chips: Floats) -> Estimate:
        unit = 1000.0 / self.game.big_blind
        strata = self._strata(chips)
        width = half_width(*strata)
        mean = sum(float(part.mean()) for part in strata) / len(strata)
        spread = float(chips.std(ddof=1)) if len(chips) > 1 else 0.0
        return Estimate(mean * unit, None if width is None else width * unit, spread * unit)

    def _strata(self, chips: Floats) -> list[Floats]:
        """Independent observations: deals if they were played in both seatings, else hands by seat."""
        twice = np.bincount(self.deals) == 2
        if twice.any():
            return [np.bincount(self.deals, weights=chips)[twice] / 2.0]
        return [chips[self.seats == seat] for seat in (0, 1) if (self.seats == seat).any()]


def run_log(
    game: Game,
    log: Path,
    agents: dict[str, str | Policy],
    *,
    most_hands: int | None = None,
    progress: Progress | None = None,
) -> AivatResult:
    """AIVAT over a log; `agents` are the policies by the names that the players have in the log.

    The result is that of the first of them.
    """
    if not agents:
        raise DoyleError("AIVAT needs the agent of at least one player")
    hands: list[Hand] = []
    for hand in read_hands(log, game):
        if most_hands is not None and len(hands) >= most_hands:
            break
        hands.append(hand)
    return run_hands(game, hands, agents, what=str(log), progress=progress)


def run_hands(
    game: Game,
    hands: Iterable[Hand],
    agents: dict[str, str | Policy],
    *,
    what: str = "hands",
    progress: Progress | None = None,
) -> AivatResult:
    """AIVAT over hands of two players; see `run_log`."""
    every = list(hands)
    players = _players(every, agents, what)
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
    deals = _deals(every)
    return AivatResult(game, first, second, tuple(policies), plain, corrected, seats, deals)


def _deals(hands: list[Hand]) -> npt.NDArray[np.int64]:
    """The deal of every hand: both seatings of a duplicate match have the same."""
    half = len(hands) // 2
    places = np.arange(len(hands))
    together = [(2 * k, 2 * k + 1) for k in range(half)]
    seating_by_seating = [(k, k + half) for k in range(half)]
    if half and all(_same_deal(hands[a], hands[b]) for a, b in together):
        return places // 2
    if (
        half
        and len(hands) % 2 == 0
        and all(_same_deal(hands[a], hands[b]) for a, b in seating_by_seating)
    ):
        return places % half
    return places


def _same_deal(first: Hand, second: Hand) -> bool:
    """Whether two hands have the same cards and the players have changed seats."""
    one, other = first.state.deal, second.state.deal
    if one is None or other is None or not all(one.hole):
        return False
    return one.hole == other.hole and first.players == second.players[::-1]


def _players(hands: list[Hand], agents: dict[str, str | Policy], what: str) -> tuple[str, str]:
    """The player of the result and the other one; all hands must be theirs."""
    if not hands:
        raise DoyleError(f"{what}: has no hands")
    pair = hands[0].players
    if len(set(pair)) != 2:
        raise DoyleError(f"{what}, hand {hands[0].number}: expected two players with two names")
    for name in agents:
        if name not in pair:
            raise DoyleError(f"{what}: no player is called {name!r}; it has {' and '.join(pair)}")
    for hand in hands:
        if set(hand.players) != set(pair):
            raise DoyleError(f"{what}, hand {hand.number}: was not played by {' and '.join(pair)}")
        if hand.state.actor >= 0:
            raise DoyleError(f"{what}, hand {hand.number}: is not over")
    first = next(iter(agents))
    return first, pair[1 - pair.index(first)]
