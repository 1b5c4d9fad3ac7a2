"""Hands of a record: their players, shared deals, and means over them with intervals.

The mean is over both seats, each counted as one half, independent of their counts in the record.
The two seatings of one deal are one observation.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from doyle.base.display import Shown, Text
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.games import Game
from doyle.games.histories import Hand

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class HandMean:
    """Winnings per hand, and the standard deviation of single hands (None for one hand), both in
    mbb."""

    won: Estimate
    sd: float | None

    @classmethod
    def of(cls, game: Game, chips: Floats, seats: Ints, deals: Ints) -> HandMean:
        """The mean of chips by hand; `seats` and `deals` by hand."""
        won = Estimate.of_strata(*_strata(chips, seats, deals)).in_mbb(game.big_blind)
        spread = float(chips.std(ddof=1)) * 1000.0 / game.big_blind if len(chips) > 1 else None
        return cls(won, spread)

    def document(self) -> dict[str, Any]:
        return {**self.won.document(), "sd_mbb": self.sd}

    def __str__(self) -> str:
        return f"mean {self.won.text()}" + ("" if self.sd is None else f", sd {self.sd:.0f} a hand")


@dataclass(frozen=True, eq=False)
class ReducedResult(Shown):
    """Winnings of `player` by hand: plain, and by a method with less noise."""

    METHOD: ClassVar[str]
    game: Game
    player: str
    opponent: str
    hands: int
    plain: HandMean
    estimate: HandMean

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """The report of this method alone."""

    @abstractmethod
    def notes(self) -> list[str]:
        """The same in words."""

    @property
    def warning(self) -> str | None:
        """Why the estimate should not be trusted, if so."""
        return None

    @property
    def sd_reduction(self) -> float | None:
        """By which share the standard deviation of a hand fell."""
        before, after = self.plain.sd, self.estimate.sd
        return 1.0 - after / before if before and after is not None else None

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "method": self.METHOD,
            "game": self.game.name,
            "player": self.player,
            "opponent": self.opponent,
            "hands": self.hands,
            **self.details(),
            "plain": self.plain.document(),
            "estimate": self.estimate.document(),
            "sd_reduction": self.sd_reduction,
        }

    def text(self) -> Text:
        """Both results, and the method's gain."""
        yield f"match     {self.player} against {self.opponent} in {self.game.name}"
        yield f"hands     {'; '.join([f'{self.hands:,}', *self.notes()])}"
        yield f"plain     {self.plain}"
        name = "sampled" if self.METHOD == "importance" else self.METHOD.upper()
        yield f"{name:<10}{self.estimate}"
        if self.sd_reduction is not None:
            side = "less" if self.sd_reduction >= 0 else "more"
            yield f"          standard deviation {abs(self.sd_reduction):.1%} {side}"


def _strata(chips: Floats, seats: Ints, deals: Ints) -> list[Floats]:
    """Independent observations: deals if they were played in both seatings, else hands by seat."""
    twice = np.bincount(deals) == 2
    if twice.any():
        return [np.bincount(deals, weights=chips)[twice] / 2.0]
    return [chips[seats == seat] for seat in (0, 1) if (seats == seat).any()]


def chips_of(hands: list[Hand], seats: list[int]) -> Floats:
    """The chips won in the given seat of every hand."""
    return np.array(
        [
            float((hand.payoffs or hand.state.payoffs())[seat])
            for hand, seat in zip(hands, seats, strict=True)
        ]
    )


def deals_of(hands: list[Hand]) -> Ints:
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


def players_of(hands: list[Hand], named: Iterable[str], what: str) -> tuple[str, str]:
    """The first player named and the other one; all hands must be theirs."""
    wanted = list(named)
    if not hands:
        raise DoyleError(f"{what}: has no hands")
    pair = hands[0].players
    if len(set(pair)) != 2:
        raise DoyleError(f"{what}, hand {hands[0].number}: expected two players with two names")
    for name in wanted:
        if name not in pair:
            raise DoyleError(f"{what}: no player is called {name!r}; it has {' and '.join(pair)}")
    for hand in hands:
        if set(hand.players) != set(pair):
            raise DoyleError(
                f"{what}, hand {hand.number}: was played by {' and '.join(hand.players)}, "
                f"those before it by {' and '.join(pair)}"
            )
        if hand.state.actor >= 0:
            raise DoyleError(f"{what}, hand {hand.number}: is not over")
    first = wanted[0]
    return first, pair[1 - pair.index(first)]
