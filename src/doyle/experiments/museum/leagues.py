"""The leagues of the museum, pair by pair: finished parts are kept, and the rest resumes.

All matches of a run have one seed, so every pair meets the same cards, and bankrolls have intervals on
deals. Exhibits that are missing are built first, each just before the league it plays in. A run that its time
ends has whole matches only; a league is ranked when all its pairs have met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.building import named_build
from doyle.experiments.laboratory import built_agent, kept_lbr, kept_match
from doyle.experiments.museum.exhibits import LeaguePlan
from doyle.games import Game
from doyle.matches.league import LeagueResult
from doyle.matches.match import MatchResult, agent_name, distinct_names
from doyle.measuring.local_best_response.run import LbrResult


@dataclass(frozen=True)
class MuseumLeague:
    """One league as far as it has been played."""

    game: str
    names: tuple[str, ...]
    result: LeagueResult | None
    """None until every pair has played."""
    played: int
    lbr: dict[str, LbrResult | str]
    """By name the local best response's winnings, or the reason that they cannot be measured."""

    @property
    def pairs(self) -> int:
        """How many matches the league has."""
        return len(self.names) * (len(self.names) - 1) // 2

    @property
    def is_whole(self) -> bool:
        return self.result is not None and len(self.lbr) == len(self.names)

    def document(self) -> dict[str, Any]:
        """The league as a part of a document."""
        return {
            "game": self.game,
            "names": list(self.names),
            "matches_played": self.played,
            "match_count": self.pairs,
            "is_whole": self.is_whole,
            "league": None if self.result is None else self.result.document(),
            "lbr": [
                {"agent": name, "mbb_per_hand": None, "reason": found}
                if isinstance(found, str)
                else {
                    "agent": name,
                    "actions": found.actions,
                    "mbb_per_hand": found.mbb_per_hand,
                    "ci95": found.ci95,
                    "hands": found.hands,
                }
                for name, found in self.lbr.items()
            ],
        }


@dataclass(frozen=True)
class MuseumResult:
    """All leagues of a run."""

    leagues: tuple[MuseumLeague, ...]
    hands: int
    lbr_hands: int
    seed: int

    @property
    def is_whole(self) -> bool:
        return all(league.is_whole for league in self.leagues)

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "hands": self.hands,
            "lbr_hands": self.lbr_hands,
            "seed": self.seed,
            "is_whole": self.is_whole,
            "leagues": [league.document() for league in self.leagues],
        }


def run_museum(
    plans: Sequence[LeaguePlan],
    *,
    hands: int,
    lbr_hands: int,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
    is_over: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda line: None,
) -> MuseumResult:
    """Play the leagues; missing exhibits are built. After `is_over` no further work is started."""
    leagues = []
    for plan in plans:
        if len(set(plan.agents)) < len(plan.agents) or len(plan.agents) < 2:
            raise DoyleError(f"league of {plan.game}: needs at least 2 agents, each of them once")
        game = Game.named(plan.game)
        names = distinct_names([_name(text, game) for text in plan.agents])
        agents: list[str] = []
        for text in plan.agents:
            if is_over():
                break
            agents.append(built_agent(text, workers=workers, progress=progress, say=say))
        if len(agents) < len(names):
            leagues.append(MuseumLeague(plan.game, names, None, 0, {}))
            continue
        tables = list(combinations(range(len(names)), 2))
        matches: dict[tuple[int, ...], MatchResult] = {}
        for number, (first, second) in enumerate(tables):
            if is_over():
                break
            matches[first, second] = kept_match(
                game, (agents[first], agents[second]),
                hands=hands, seed=seed, workers=workers,
            )  # fmt: skip
            if progress is not None:
                progress(f"matches, {plan.game}", number + 1, len(tables))
        lbr: dict[str, LbrResult | str] = {}
        for number, (name, agent) in enumerate(zip(names, agents, strict=True)):
            if is_over():
                break
            found = _lbr(game, agent, lbr_hands, seed, workers)
            lbr[name] = found.replace(agent, name) if isinstance(found, str) else found
            if progress is not None:
                progress(f"local best response, {plan.game}", number + 1, len(names))
        whole = LeagueResult(names, matches) if len(matches) == len(tables) else None
        leagues.append(MuseumLeague(plan.game, names, whole, len(matches), lbr))
    return MuseumResult(tuple(leagues), hands, lbr_hands, seed)


def _name(text: str, game: Game) -> str:
    """A build has its requested name, in its league's game; any other agent reports its own
    name."""
    return agent_name(text, game) if named_build(text) is None else text.partition("@")[0]


def _lbr(game: Game, agent: str, hands: int, seed: int, workers: Workers | None) -> LbrResult | str:
    try:
        return kept_lbr(game, agent, hands=hands, seed=seed, workers=workers)
    except DoyleError as error:  # an agent that is not a policy
        return str(error)
