"""Sequential matches: played until it is decided who is better, or a horizon is reached.

After every batch of deals the result is looked at through a confidence sequence, which may be looked at
at any time: of many matches between equal agents at most 5% are ever decided, exactly, because no hand
can win or lose more than `largest_result`. One observation is a deal in all its seatings; without
duplicate play, as many deals as there are seats, so that every seat counts once.

Batches are looked at in order, so where a match ends does not depend on the workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.display import Shown, Text
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.games import Agent, Game
from doyle.matches.chance import Chance
from doyle.matches.confidence_sequence import ConfidenceSequence
from doyle.matches.match import BATCH_DEALS, DEFAULT_TIME_LIMIT, Match, MatchResult, Method
from doyle.matches.play import Played, chip_unit
from doyle.matches.running import played_in_order
from doyle.matches.seats import clear_resolved


@dataclass(frozen=True)
class SequentialResult(Shown):
    """A match that ended when it was decided, or at its horizon."""

    match: MatchResult
    horizon: int
    alpha: float
    decided: int
    """1 if the first player is better, -1 if the second is, 0 if neither is known to be."""
    interval: tuple[float, float]
    """What the first player wins per hand, in chips: holds at all times at once."""

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
        """What each player won, and how the match ended."""
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
