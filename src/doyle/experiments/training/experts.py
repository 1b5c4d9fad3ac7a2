"""Who is learnt from: one named expert, several, or those who win a league.

A `Lesson` says which experts are watched and against whom they play. Each expert plays itself and every
partner (all tables that have one expert and otherwise copies of one other); the names under which
the experts' decisions stand in the logs come with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from doyle.artifacts import Store
from doyle.errors import DoyleError
from doyle.experiments.training.logs import LogRequest, TrainingLog, make_log
from doyle.games import Game
from doyle.matches import play_league
from doyle.workers import Progress, Workers

Rule = Literal["total-bankroll", "instant-runoff"]


@dataclass(frozen=True)
class WatchedLog:
    """A log, and the names of the players in it whose decisions are to be learnt."""

    log: TrainingLog
    experts: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """Experts to watch, the partners they play besides themselves, and how many deals in all."""

    game: str
    experts: tuple[str, ...]
    partners: tuple[str, ...] = ()
    deals: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.experts:
            raise DoyleError("a lesson needs at least one expert")
        if len({*self.experts}) != len(self.experts):
            raise DoyleError("a lesson names each expert once")
        if self.deals < len(self.tables()):
            raise DoyleError(f"a lesson of {len(self.tables())} tables needs as many deals or more")

    def tables(self) -> list[tuple[str, tuple[str, ...]]]:
        """Each expert with the agents of a table: itself, then each other expert and partner."""
        players = Game.named(self.game).players
        found = []
        for expert in self.experts:
            others = [expert, *(one for one in (*self.experts, *self.partners) if one != expert)]
            found += [
                (expert, (expert, *(other for _ in range(players - 1))))
                for other in dict.fromkeys(others)
            ]
        return found

    def requests(self) -> list[tuple[str, LogRequest]]:
        """The log of every table, with its expert; the deals are shared out evenly."""
        tables = self.tables()
        share, rest = divmod(self.deals, len(tables))
        return [
            (
                expert,
                LogRequest(
                    self.game, agents, share + (number < rest), seed=self.seed * 10_007 + number
                ),
            )
            for number, (expert, agents) in enumerate(tables)
        ]

    def logs(
        self,
        *,
        store: Store | None = None,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> list[WatchedLog]:
        """All logs of the lesson, played where they are not in the store."""
        found = []
        for expert, request in self.requests():
            log = make_log(request, store=store, workers=workers, progress=progress)
            watched = tuple(
                name
                for name, agent in zip(log.names, request.agents, strict=True)
                if agent == expert
            )
            found.append(WatchedLog(log, watched))
        return found


def league_winners(
    game: str,
    agents: Sequence[str],
    *,
    hands: int,
    seed: int = 0,
    rule: Rule = "total-bankroll",
    count: int = 1,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """The agents that win a league of `hands` deals a table by a rule, best first.

    >>> league_winners("kuhn", ["always-fold", "always-raise"], hands=20)
    ('always-raise',)
    """
    if not 1 <= count <= len(agents):
        raise DoyleError(f"winners: expected 1 to {len(agents)}, not {count}")
    if len({*agents}) != len(agents):
        raise DoyleError("a league names each agent once")
    league = play_league(
        Game.named(game), agents, hands=hands, seed=seed, workers=workers, progress=progress
    )
    ranking = league.total_bankroll if rule == "total-bankroll" else league.instant_runoff
    texts = dict(zip(league.names, agents, strict=True))
    return tuple(texts[name] for name in ranking.names[:count])
