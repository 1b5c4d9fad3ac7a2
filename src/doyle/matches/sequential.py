"""Sequential matches: played until the better player is decided, or a horizon is reached.

After every batch of deals the result is looked at through a confidence sequence, which may be looked at
at any time: of many matches between equal agents at most 5% are ever decided, exactly, because no hand
can win or lose more than `largest_result`. One observation is a deal in all its seatings; without
duplicate play, as many deals as there are seats, so that every seat counts once.

Batches are looked at in order, so where a match ends does not depend on the workers.

A confidence sequence: an interval for a mean that holds at all times at once, for bounded results.

A plain 95% interval that is looked at again and again excludes the truth sooner or later. Here somebody
bets against every mean m. With y in [-1, 1] the results so far, z = (y - m) / (1 + |m|) and a stake b,
the capital prod(1 + b z) is a nonnegative martingale if m is the mean, and so is a mixture over stakes
that were chosen beforehand. By Ville's inequality it ever reaches 2/alpha with probability at most
alpha/2, whatever the distribution. The m against which neither the bet upwards nor the bet downwards has
reached it form an interval, which contains the mean at all times with probability 1 - alpha.

This is exact, not asymptotic: it needs only that results are independent, have one mean and cannot
exceed the bound. Source: Waudby-Smith and Ramdas 2023 ("Estimating means of bounded random variables by
betting"), here with a mixture of constant stakes in place of predictable ones, so that the order of the
results does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.display import Shown, Text
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.games import Agent, Game
from doyle.matches.chance import Chance
from doyle.matches.match import BATCH_DEALS, DEFAULT_TIME_LIMIT, Match, MatchResult, Method
from doyle.matches.play import Played, chip_unit
from doyle.matches.running import played_in_order
from doyle.matches.seats import clear_resolved

Floats = npt.NDArray[np.float64]

STAKES: Floats = np.asarray(0.9 * 2.0 ** (-0.5 * np.arange(21)), np.float64)
"""Shares of the capital, equally weighted: from nearly all of it down by a factor of 1,024."""

_BISECTIONS = 40


class ConfidenceSequence:
    """Results from -bound to bound, added as they come.

    >>> sequence = ConfidenceSequence(bound=1.0)
    >>> sequence.add(np.ones(3)); sequence.decided
    0
    >>> sequence.add(np.ones(10)); sequence.decided
    1
    """

    def __init__(self, *, bound: float, alpha: float = 0.05) -> None:
        if not bound > 0 or not 0 < alpha < 1:
            raise DoyleError(f"bound {bound:g}, alpha {alpha:g}: expected above 0, and from 0 to 1")
        self.bound, self.alpha = bound, alpha
        self._counts: dict[float, int] = {}
        self._capital = np.zeros((2, len(STAKES)))

    @property
    def observations(self) -> int:
        return sum(self._counts.values())

    def add(self, results: Floats) -> None:
        """Add some results; DoyleError if one exceeds the bound."""
        values, counts = np.unique(np.asarray(results, np.float64), return_counts=True)
        if len(values) and max(-values[0], values[-1]) > self.bound:
            raise DoyleError(f"a result exceeds the bound of {self.bound:g}")
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            self._counts[value] = self._counts.get(value, 0) + count
        self._capital += log_capitals(values / self.bound, counts, mean=0.0)

    @property
    def decided(self) -> int:
        """1 or -1 as soon as the mean is known to be above or below zero, else 0."""
        up, down = (_mixed(logs) >= self._limit for logs in self._capital)
        return int(up) - int(down)

    def interval(self) -> tuple[float, float]:
        """The means that are not excluded now."""
        values = np.array(list(self._counts)) / self.bound
        counts = np.array(list(self._counts.values()))

        def excluded(mean: float, side: int) -> bool:
            return _mixed(log_capitals(values, counts, mean=mean)[side]) >= self._limit

        return self.bound * _edge(excluded, side=0), self.bound * _edge(excluded, side=1)

    @property
    def _limit(self) -> float:
        return log(2.0 / self.alpha)


def log_capitals(values: Floats, counts: npt.NDArray[np.int64], *, mean: float) -> Floats:
    """Logarithms [up or down, stake] of the capitals that bets against `mean` have come to."""
    gains = (values - mean) / (1.0 + abs(mean))
    return np.stack([counts @ np.log1p(sign * gains[:, None] * STAKES) for sign in (1.0, -1.0)])


def _mixed(logs: Floats) -> float:
    """The logarithm of the mean capital."""
    top = float(logs.max())
    return top + log(float(np.exp(logs - top).mean()))


def _edge(excluded: Callable[[float, int], bool], *, side: int) -> float:
    """The least mean (side 0) or the largest (side 1) that is not excluded, from -1 to 1.

    A bet upwards has the more, the lower the mean that it bets against, so bisection finds it. Of the
    two ends of the last step the outer one is taken.
    """
    outer, inner = (-1.0, 1.0) if side == 0 else (1.0, -1.0)
    if not excluded(outer, side):
        return outer
    for _ in range(_BISECTIONS):
        middle = (outer + inner) / 2.0
        if excluded(middle, side):
            outer = middle
        else:
            inner = middle
    return outer


@dataclass(frozen=True)
class SequentialResult(Shown):
    """A match that ended when it was decided, or at its horizon."""

    match: MatchResult
    horizon: int
    alpha: float
    decided: int
    """1 if the first player is better, -1 if the second is, 0 if neither is known to be."""
    interval: tuple[float, float]
    """The first player's winnings per hand, in chips; the interval is valid at all times at
    once."""

    @property
    def mbb_interval(self) -> tuple[float, float]:
        unit = 1000.0 / self.match.game.big_blind
        return self.interval[0] * unit, self.interval[1] * unit

    @property
    def winner(self) -> str | None:
        """The player who is better."""
        return None if not self.decided else self.match.names[0 if self.decided > 0 else 1]

    def document(self) -> dict[str, Any]:
        """The match's document with how it ended."""
        document = self.match.document()
        del document["comparison"]  # its interval holds for one look only
        return document | {
            "until_decided": {
                "decided": self.decided != 0,
                "winner": self.winner,
                "horizon": self.horizon,
                "alpha": self.alpha,
                "exact": True,
                "mbb_per_hand_interval": list(self.mbb_interval),
            }
        }

    def text(self) -> Text:
        """Winnings of each player, and how the match ended."""
        match = self.match
        yield match.table
        yield from match.forfeited()
        yield from match.chance.revealed()
        low, high = self.mbb_interval
        winner = "not decided" if self.winner is None else f"{self.winner} is better"
        yield (
            f"{winner} after {match.hands:,} of at most {self.horizon:,} deals: {match.names[0]} wins "
            f"{low:.1f} to {high:.1f} mbb/h (holds at all times with {1 - self.alpha:.0%})"
        )


def play_until_decided(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    hands: int,
    seed: int = 0,
    chance: Chance | None = None,
    duplicate: bool = True,
    alpha: float = 0.05,
    workers: Workers | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    method: Method = "auto",
    progress: Progress | None = None,
) -> SequentialResult:
    """Play a match of at most `hands` deals between two players."""
    clear_resolved()
    chance = chance or Chance.repeatable(seed)
    match = Match(game, tuple(agents), hands, chance, duplicate, time_limit, method)
    if game.players != 2:
        raise DoyleError(f"a match until decided has 2 players, {game.name} has {game.players}")
    if match.in_order:
        raise DoyleError(
            "a match until decided: an agent that remembers or runs apart plays all deals of a "
            "seating before the next; play a match of a fixed length"
        )
    sequence = ConfidenceSequence(bound=float(largest_result(game)), alpha=alpha)
    played: list[Played] = []
    batches = played_in_order([match], workers, progress, "match until decided")
    with closing(batches):
        for part in batches:
            for piece in pieces(part.played):
                played.append(piece)
                sequence.add(observations(game, piece.units[:, 0], duplicate=duplicate))
                if sequence.decided:
                    break
            if sequence.decided:
                break
    result = match.result(played)
    return SequentialResult(result, hands, alpha, sequence.decided, sequence.interval())


def pieces(batch: Played) -> list[Played]:
    """A batch as it is looked at: after every `BATCH_DEALS` deals, however it was played."""
    starts = range(0, len(batch.units), BATCH_DEALS)
    if len(starts) == 1:
        return [batch]
    return [replace(batch, units=batch.units[start : start + BATCH_DEALS]) for start in starts]


def observations(
    game: Game, units: npt.NDArray[np.int64], *, duplicate: bool
) -> npt.NDArray[np.float64]:
    """Chips per hand, one number for each time that every seat has been played."""
    if duplicate:
        return units / (2.0 * chip_unit(game))
    whole = units[: len(units) - len(units) % 2].reshape(-1, 2)
    return np.asarray(whole.mean(axis=1) / chip_unit(game))


def largest_result(game: Game) -> Fraction:
    """The most chips that a hand of two players can move: a stack, or all raises of a limit game.

    >>> largest_result(Game.named("holdem-nl-20bb")), largest_result(Game.named("holdem-limit-2p"))
    (Fraction(40, 1), Fraction(240, 1))
    """
    most = min(game.stacks)
    if game.is_limit:
        raised = sum(
            size * count for size, count in zip(game.raise_sizes, game.max_raises, strict=True)
        )
        most = min(most, max(game.blinds) + raised)
    return Fraction(most)
