"""A match: agents over dealt hands, and a result that carries its interval.

In a duplicate match every deal is played in every seating (2 for two players, 6 for three), so each
player holds each hand; the mean over the seatings of a deal is one observation. Stacks are reset
before each hand. The result, the log included, depends on the game, the agents, the seed and the
number of deals, never on the number of workers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.games import Agent, Game
from doyle.histories import Score, format_score_line
from doyle.histories.files import writing
from doyle.matches.dealing import Dealer
from doyle.matches.isolation import play_apart
from doyle.matches.log import header, log_name
from doyle.matches.play import (
    Batch,
    Forfeit,
    Played,
    chip_unit,
    play_batch,
    resolved_agent,
    seatings,
)
from doyle.matches.statistics import Estimate
from doyle.workers import Progress, Workers, map_items

DEFAULT_TIME_LIMIT = 10.0
"""Seconds an agent may take over one action."""

LONGEST_TIME_LIMIT = 86_400.0

_BATCH_DEALS = 64


@dataclass(frozen=True)
class Match:
    """What determines a match. `hands` counts deals."""

    game: Game
    agents: tuple[str | Agent, ...]
    hands: int
    seed: int = 0
    duplicate: bool = True
    time_limit: float = DEFAULT_TIME_LIMIT

    def __post_init__(self) -> None:
        players = self.game.players
        if len(self.agents) != players:
            raise DoyleError(
                f"game {self.game.name}: needs {players} agents, not {len(self.agents)}"
            )
        if self.hands < 1:
            raise DoyleError(f"a match needs at least 1 hand, not {self.hands}")
        if not 0 < self.time_limit <= LONGEST_TIME_LIMIT:
            raise DoyleError(
                f"the time limit must be above 0 and at most {LONGEST_TIME_LIMIT:g} seconds, "
                f"not {self.time_limit:g}"
            )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, made distinct."""
        return distinct_names([agent_name(agent, self.game) for agent in self.agents])

    def batches(self, log_names: tuple[str, ...] = ()) -> Iterator[Batch]:
        """The work items of the match; the same whatever the number of workers."""
        dealer = Dealer(self.game, seed=self.seed)
        for first in range(0, self.hands, _BATCH_DEALS):
            yield Batch(
                game=self.game,
                agents=self.agents,
                seed=self.seed,
                first_deal=first,
                deals=dealer.draw(min(_BATCH_DEALS, self.hands - first)),
                duplicate=self.duplicate,
                time_limit=self.time_limit,
                log_names=log_names,
            )

    def result(self, played: Sequence[Played]) -> MatchResult:
        """The result from all batches in order."""
        illegal = zip(*(batch.illegal_actions for batch in played), strict=True)
        return MatchResult(
            game=self.game,
            names=self.names,
            seed=self.seed,
            duplicate=self.duplicate,
            units=np.concatenate([batch.units for batch in played]),
            illegal_actions=tuple(map(sum, illegal)),
            forfeits=tuple(forfeit for batch in played for forfeit in batch.forfeits),
        )


@dataclass(frozen=True)
class MatchResult:
    """What each player won, deal by deal."""

    game: Game
    names: tuple[str, ...]
    seed: int
    duplicate: bool
    units: npt.NDArray[np.int64]
    """[deals, players]: chips won on each deal over all its seatings, in `chip_unit` parts."""
    illegal_actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]

    @property
    def hands(self) -> int:
        """Deals; each was played `seatings_per_deal` times."""
        return len(self.units)

    @property
    def seatings_per_deal(self) -> int:
        return len(seatings(self.game.players)) if self.duplicate else 1

    def chips_per_hand(self, player: int) -> Estimate:
        """Chips won per hand played."""
        return Estimate.of(self.units[:, player], unit=self.unit)

    def mbb_per_hand(self, player: int) -> Estimate:
        """Thousandths of a big blind won per hand."""
        return self.chips_per_hand(player).scaled(Fraction(1000, self.game.big_blind))

    def small_bets_per_hand(self, player: int) -> Estimate:
        """Small bets won per hand: the big blind, or the ante in games that have antes.

        In limit Hold'em the small bet is as large as the big blind.
        """
        return self.chips_per_hand(player).scaled(Fraction(1, self.game.big_blind))

    @property
    def unit(self) -> int:
        """What divides an entry of `units` to give chips per hand played."""
        return chip_unit(self.game) * self.seatings_per_deal

    @property
    def total_chips(self) -> tuple[Fraction, ...]:
        """Chips won in all."""
        sums = (sum(map(int, column)) for column in self.units.T)
        return tuple(Fraction(total, chip_unit(self.game)) for total in sums)

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "game": self.game.name,
            "hands": self.hands,
            "duplicate": self.duplicate,
            "hands_played": self.hands * self.seatings_per_deal,
            "seed": self.seed,
            "players": [
                {
                    "name": name,
                    "mbb_per_hand": float(self.mbb_per_hand(player).mean),
                    "ci95": self.mbb_per_hand(player).ci95,
                    "small_bets_per_hand": float(self.small_bets_per_hand(player).mean),
                    "small_bets_ci95": self.small_bets_per_hand(player).ci95,
                    "illegal_actions": self.illegal_actions[player],
                }
                for player, name in enumerate(self.names)
            ],
            "forfeits": [
                {"name": self.names[forfeit.player], "hand": forfeit.hand, "reason": forfeit.reason}
                for forfeit in self.forfeits
            ],
        }


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = True,
    workers: Workers | None = None,
    log: Path | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    progress: Progress | None = None,
) -> MatchResult:
    """Play `hands` deals between agents, given as names or objects, one per player of the game.

    Objects must be picklable to play on more than one worker.

    >>> result = play_match(Game.named("kuhn"), ["always-fold", "always-raise"], hands=50, seed=1)
    >>> f"{result.mbb_per_hand(0):.0f}"
    '-1000 ± 0'
    """
    resolved_agent.cache_clear()  # files that agents are made from may have changed
    match = Match(game, tuple(agents), hands, seed, duplicate, time_limit)
    if log is None:
        return play_matches([match], workers=workers, progress=progress, label="match")[0]
    names = distinct_names([log_name(name) for name in match.names])
    played: list[Played] = []
    results = _in_order([match], workers, progress, "match", log_names=names)
    with closing(results), writing(log) as stream:
        stream.write(
            header(game, names, hands=hands, seed=seed, time_limit=time_limit, duplicate=duplicate)
        )
        for _, batch in results:
            stream.write(batch.log)
            played.append(replace(batch, log=""))  # it is written, and may be long
        result = match.result(played)
        stream.write(format_score_line(Score(result.total_chips, names)) + "\n")
    return result


def play_matches(
    matches: Sequence[Match],
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    label: str = "matches",
) -> list[MatchResult]:
    """Play several matches as one stream of work."""
    played: list[list[Played]] = [[] for _ in matches]
    for index, batch in _in_order(matches, workers, progress, label):
        played[index].append(batch)
    return [match.result(batches) for match, batches in zip(matches, played, strict=True)]


def agent_name(agent: str | Agent, game: Game) -> str:
    """The name of an agent; one given by its text is made, to ask for it."""
    return (resolved_agent(agent, game) if isinstance(agent, str) else agent).name


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names with a number at the second and later players of the same name.

    >>> distinct_names(["ev", "random", "ev"])
    ('ev', 'random', 'ev#2')
    """
    distinct: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in distinct:
            number += 1
            candidate = f"{name}#{number}"
        distinct.append(candidate)
    return tuple(distinct)


def _in_order(
    matches: Sequence[Match],
    workers: Workers | None,
    progress: Progress | None,
    label: str,
    *,
    log_names: tuple[str, ...] = (),
) -> Generator[tuple[int, Played], None, None]:
    """Play all batches and yield them in order with the index of their match.

    A forfeit holds for all later batches of the match. Those may have been played already by other
    workers, without knowing of it; they are played again.
    """
    for match in matches:
        _ = (
            match.names
        )  # makes the agents here first: what they build is then there for all workers
    queue = [
        (index, batch) for index, match in enumerate(matches) for batch in match.batches(log_names)
    ]
    deals = sum(match.hands for match in matches)
    known: dict[int, tuple[Forfeit, ...]] = {}
    done = deals_done = 0
    while done < len(queue):
        items = [replace(batch, forfeits=known.get(index, ())) for index, batch in queue[done:]]
        with closing(_surviving(items, workers, label)) as results:
            for played in results:
                index, batch = queue[done]
                done += 1
                deals_done += len(batch.deals)
                if progress is not None:
                    progress(label, deals_done, deals)
                yield index, played
                if played.forfeits:
                    known[index] = known.get(index, ()) + played.forfeits
                    break


def _surviving(
    items: list[Batch], workers: Workers | None, label: str
) -> Generator[Played, None, None]:
    """Play batches in order; where worker processes keep dying, find the agent that ends them."""
    done = 0
    while done < len(items):
        mapped = map_items(play_batch, items[done:], workers=workers, label=label)
        try:
            with closing(cast("Generator[Played, None, None]", mapped)) as results:
                for played in results:
                    done += 1
                    yield played
        except DoyleError as error:
            if not isinstance(error.__cause__, BrokenProcessPool):
                raise
            yield _play_without_the_culprits(items[done])
            done += 1


def _play_without_the_culprits(batch: Batch) -> Played:
    died: tuple[Forfeit, ...] = ()
    while isinstance(result := play_apart(replace(batch, forfeits=batch.forfeits + died)), Forfeit):
        died += (result,)
    return replace(result, forfeits=died + result.forfeits)
