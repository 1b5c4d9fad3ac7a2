"""A league: a match at every table that the agents can form, a cross-table, and rankings.

Two-player games pair all agents, three-player games seat all triples. All matches are dealt from the
same seed, so every table meets the same cards, as in the ACPC, and a deal is one observation of the
whole league: bankrolls and their differences have intervals on deals, which take account of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.display import Shown, Text, TextTable
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers
from doyle.games import Agent, Game
from doyle.matches.chance import Chance
from doyle.matches.match import (
    DEFAULT_TIME_LIMIT,
    Match,
    MatchResult,
    Method,
    agent_name,
    distinct_names,
    play_matches,
)
from doyle.matches.results.tables import keep_tables, table_folders
from doyle.matches.seats import clear_resolved
from doyle.matches.winners import CrossTable, Ranking, instant_runoff, total_bankroll

Seats = tuple[int, ...]
"""The players of one table, by their index in the league, ascending."""


@dataclass(frozen=True)
class Comparison:
    """How much more one player won than another, in mbb/h, and in which count."""

    better: str
    worse: str
    difference: Estimate

    def document(self) -> dict[str, Any]:
        return {
            "better": self.better,
            "worse": self.worse,
            **self.difference.document(),
            "significant": self.difference.is_significant,
        }

    def __str__(self) -> str:
        verdict = "significant" if self.difference.is_significant else "not significant"
        return f"{self.better} over {self.worse}: {self.difference:.1f} mbb/h, {verdict}"


@dataclass(frozen=True)
class LeagueResult(Shown):
    """The matches of a league by table."""

    names: tuple[str, ...]
    matches: Mapping[Seats, MatchResult]

    @cached_property
    def tables(self) -> CrossTable:
        """Each player's winnings at each table, in mbb/h: the input of the winner rules."""
        return {
            tuple(self.names[player] for player in seats): tuple(
                match.mbb_per_hand(seat).mean for seat in range(len(seats))
            )
            for seats, match in self.matches.items()
        }

    @cached_property
    def total_bankroll(self) -> Ranking:
        return total_bankroll(self.tables)

    @cached_property
    def instant_runoff(self) -> Ranking:
        return instant_runoff(self.tables)

    def bankroll(self, name: str, among: Sequence[str] | None = None) -> Estimate:
        """A player's winnings per hand over the tables of the players `among`, in mbb/h."""
        units, tables = self._units(name, among or self.names)
        return self._estimate(units, tables)

    def against(self, row: str, column: str) -> Estimate:
        """The winnings of `row` per hand at the tables shared with `column`, in mbb/h."""
        player, other = self.names.index(row), self.names.index(column)
        found = [
            match.units[:, seats.index(player)]
            for seats, match in self.matches.items()
            if player in seats and other in seats
        ]
        return self._estimate(np.sum(found, axis=0), len(found))

    def compare(self, better: str, worse: str, among: Sequence[str] | None = None) -> Comparison:
        """The difference of two bankrolls; its interval is on deals."""
        first, tables = self._units(better, among or self.names)
        second, _ = self._units(worse, among or self.names)
        return Comparison(better, worse, self._estimate(first - second, tables))

    def comparisons(self, ranking: Ranking) -> list[Comparison]:
        """Each place against the next one, best first, in the count that separated them.

        In a run-off that is the count in which the lower one left.
        """
        found = []
        remaining = list(self.names)
        counts: dict[str, tuple[str, ...]] = {}
        for elimination in ranking.eliminations:
            counts |= dict.fromkeys(elimination.leaving, tuple(remaining))
            remaining = [name for name in remaining if name not in elimination.leaving]
        for upper, lower in pairwise(ranking.places):
            among = counts.get(lower[0], tuple(remaining))
            candidates = [upper[0]]
            if lower[0] in counts:  # it left because everybody else had more
                candidates = [name for name in among if name not in lower]
            closest = min(candidates, key=lambda name: self.bankroll(name, among).mean)
            found.append(self.compare(closest, lower[0], among))
        return found

    def document(self) -> dict[str, Any]:
        """The result as one JSON document; rankings are lists of names, best first."""
        some = next(iter(self.matches.values()))
        return {
            "game": some.game.name,
            "hands": some.hands,
            "duplicate": some.duplicate,
            **some.chance.document(),
            "players": [self.bankroll(name).document() | {"name": name} for name in self.names],
            "cross_table": {
                row: {
                    column: self.against(row, column).document()
                    for column in self.names
                    if column != row
                }
                for row in self.names
            },
            "total_bankroll": list(self.total_bankroll.names),
            "instant_runoff": list(self.instant_runoff.names),
            "eliminations": [
                {
                    "leaving": list(elimination.leaving),
                    "mbb_per_hand_by_player": {
                        name: float(won) for name, won in elimination.bankrolls
                    },
                }
                for elimination in self.instant_runoff.eliminations
            ],
            "ties": {
                "total_bankroll": [list(names) for names in self.total_bankroll.ties],
                "instant_runoff": [list(names) for names in self.instant_runoff.ties],
            },
            "comparisons": {
                "total_bankroll": [c.document() for c in self.comparisons(self.total_bankroll)],
                "instant_runoff": [c.document() for c in self.comparisons(self.instant_runoff)],
            },
            "matches": [
                match.document() | {"names": [self.names[player] for player in seats]}
                for seats, match in self.matches.items()
            ],
        }

    def text(self) -> Text:
        """The cross table, and both rankings with the differences between places."""
        some = next(iter(self.matches.values()))
        order = self.total_bankroll.names
        rows = []
        for number, row in enumerate(order, 1):
            cells = [
                "" if row == column else f"{self.against(row, column):.0f}" for column in order
            ]
            rows.append([f"({number}) {row}", *cells, f"{self.bankroll(row):.0f}"])
        yield TextTable(
            ["", *(f"({number})" for number in range(1, len(order) + 1)), "average"],
            rows,
            f"{some.game.name}: mean mbb/h of the row, {some.hands:,} deals a match, {some.chance}",
        )
        for rule, ranking in (
            ("total bankroll", self.total_bankroll),
            ("instant run-off", self.instant_runoff),
        ):
            yield f"{rule}: {' > '.join(' = '.join(place) for place in ranking.places)}"
            yield from (f"  {comparison}" for comparison in self.comparisons(ranking))
        for match in self.matches.values():
            yield from match.forfeited()
        yield from some.chance.revealed()

    def conduct(self) -> Iterator[str]:
        """Warnings of agents that forfeited or acted illegally."""
        for match in self.matches.values():
            yield from match.conduct()

    def _units(self, name: str, among: Sequence[str]) -> tuple[npt.NDArray[np.int64], int]:
        """A player's winnings by deal over the tables of the players `among`, and the number of
        tables."""
        player = self.names.index(name)
        allowed = {self.names.index(other) for other in among}
        found = [
            match.units[:, seats.index(player)]
            for seats, match in self.matches.items()
            if player in seats and allowed.issuperset(seats)
        ]
        return np.sum(found, axis=0, dtype=np.int64), len(found)

    def _estimate(self, units: npt.NDArray[np.int64], tables: int) -> Estimate:
        match = next(iter(self.matches.values()))
        estimate = Estimate.of(units, unit=match.unit * tables)
        return estimate.in_mbb(match.game.big_blind)


def play_league(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    hands: int,
    seed: int = 0,
    chance: Chance | None = None,
    duplicate: bool = True,
    workers: Workers | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    method: Method = "auto",
    results: Path | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> LeagueResult:
    """Play a match of `hands` deals at every table; `results` is a folder for every hand.

    An interrupted league resumes there, and `say` is called with a line about it.

    >>> agents = ["always-fold", "always-call", "always-raise"]
    >>> league = play_league(Game.named("kuhn"), agents, hands=20, seed=3)
    >>> league.total_bankroll.names[-1]
    'always-fold'
    """
    if len(agents) < game.players:
        raise DoyleError(
            f"a league of {game.name} needs at least {game.players} agents, not {len(agents)}"
        )
    clear_resolved()  # files that agents are made from may have changed
    chance = chance or Chance.repeatable(seed)
    tables = list(combinations(range(len(agents)), game.players))
    matches = [
        Match(
            game,
            tuple(agents[player] for player in seats),
            hands,
            chance.at_table(number),
            duplicate,
            time_limit,
            method,
        )
        for number, seats in enumerate(tables)
    ]
    names = distinct_names([agent_name(agent, game) for agent in agents])
    folders = None
    if results is not None:
        folders = table_folders(results, len(tables))
        keep_tables(results, [[names[player] for player in seats] for seats in tables])
    played = play_matches(
        matches, workers=workers, progress=progress, label="league", folders=folders, say=say
    )
    return LeagueResult(names=names, matches=dict(zip(tables, played, strict=True)))
