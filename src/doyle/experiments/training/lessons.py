"""Lessons: the experts whose hands train a case base, their logs, and the base of their decisions.

A `Lesson` names its experts (one, several, or the winners of a league) and their opponents. Each
expert plays itself and every partner (all tables that have one expert and otherwise copies of one
other); the names under which the experts' decisions appear in the logs are included.

A base is kept in the cache folder under a digest of the logs, of the watched players and of the
content of a base of its architecture; points that only affect queries do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from doyle.agents.case_bases import Architecture, CaseBase
from doyle.agents.case_bases.learning.construction import build_to_folder
from doyle.base.artifacts import Description
from doyle.base.artifacts.files import locked
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.workers import Progress, Workers
from doyle.experiments.training.logs import LogRequest, TrainingLog, make_log
from doyle.games import Game
from doyle.matches import play_league

VERSION = 1

Rule = Literal["total-bankroll", "instant-runoff"]


@dataclass(frozen=True)
class WatchedLog:
    """A log, and the names of the players in it whose decisions are stored."""

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
        found = []
        for number, (expert, agents) in enumerate(tables):
            deals, seed = share + (number < rest), self.seed * 10_007 + number
            found.append((expert, LogRequest(self.game, agents, deals, seed=seed)))
        return found

    def logs(
        self, *, workers: Workers | None = None, progress: Progress | None = None
    ) -> list[WatchedLog]:
        """All logs of the lesson, played where they are not in the store."""
        found = []
        for expert, request in self.requests():
            log = make_log(request, workers=workers, progress=progress)
            pairs = zip(log.names, request.agents, strict=True)
            found.append(WatchedLog(log, tuple(name for name, agent in pairs if agent == expert)))
        return found

    def base(
        self,
        architecture: Architecture,
        folder: Path | None = None,
        *,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> CaseBase:
        """The experts' decisions, as a case base in a folder; missing logs are played."""
        watched = self.logs(workers=workers, progress=progress)
        if folder is None:
            parameters = {
                "logs": [(one.log.artifact.folder.name, list(one.experts)) for one in watched],
                "representation": architecture.representation(),
            }
            digest = Description("trained-base", VERSION, parameters).digest
            folder = cache_folder() / "case_bases" / "trained" / digest
        with locked(folder.parent / "locks" / folder.name):
            if folder.is_dir():
                return CaseBase.load(folder).with_points(**architecture.document())
            return build_to_folder(
                [path for one in watched for path in one.log.paths],
                architecture,
                folder,
                game=Game.named(self.game),
                players=sorted({name for one in watched for name in one.experts}),
                workers=workers,
                progress=progress,
            )


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
