"""Matches and local best responses that are played once: kept under what decides them.

A result is found again if the game, the identities of the agents, the seed and the number of hands are
the same. Files of the user's, agents of other packages, case bases and agents that remember play every
time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.agents.identity import identity
from doyle.agents.registry import FromCases, explores, read_agent
from doyle.agents.resolve import resolve_agent
from doyle.artifacts import Artifact, Builder, Description, Store
from doyle.games import Game, remembers
from doyle.matches import MatchResult, play_match
from doyle.matches.chance import Chance
from doyle.measuring.local_best_response.run import LbrResult, run_lbr
from doyle.statistics import Estimate
from doyle.workers import Progress, Workers

VERSION = 3


def recorded_identity(text: str, game: Game) -> dict[str, Any] | None:
    """Everything that decides how an agent plays; None for agents that play every time."""
    found = read_agent(text)
    if found.is_foreign or isinstance(found, FromCases):
        return None
    return None if remembers(found.make(game)) else identity(text, game)


def _description(kind: str, game: Game, agents: list[str], **more: Any) -> Description | None:
    found = [recorded_identity(text, game) for text in agents]
    if None in found:
        return None
    return Description(kind, VERSION, {"game": game.to_text(), "agents": found, **more})


def kept_match(
    game: Game,
    agents: tuple[str, str],
    *,
    hands: int,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """A duplicate match of two agents given as texts, played now unless it has been kept."""

    def play() -> MatchResult:
        explored = _explorer_match(game, agents, hands, seed)
        if explored is not None:
            return explored
        return play_match(game, agents, hands=hands, seed=seed, workers=workers, progress=progress)

    description = _description("match", game, list(agents), hands=hands, seed=seed)
    if description is None:
        return play()

    def build(builder: Builder) -> None:
        result = play()
        builder.put("units", result.units, dtype=np.int64)
        builder.metadata = {
            "names": list(result.names),
            "illegal_actions": list(result.illegal_actions),
            "plain_because": result.plain_because,
        }
        if result.forfeits:
            raise _NotKept(result)

    try:
        return _match(Store().get(description, build), game, seed)
    except _NotKept as found:
        return found.result


def _explorer_match(
    game: Game, agents: tuple[str, str], hands: int, seed: int
) -> MatchResult | None:
    """The match if one of the two explores and kernels can play it: the same hands, much faster."""
    exploring = [explores(text) for text in agents]
    if sum(exploring) != 1:
        return None
    from doyle.matches.fast import PlainOnly
    from doyle.matches.phased import play_phased_duplicate

    first, second = (resolve_agent(text, game) for text in agents)
    try:
        return play_phased_duplicate(
            game, (first, second), place=exploring.index(True), hands=hands, seed=seed
        )
    except PlainOnly:
        return None


class _NotKept(Exception):
    """A match that somebody forfeited: it may go otherwise the next time."""

    def __init__(self, result: MatchResult) -> None:
        self.result = result
        super().__init__()


def _match(kept: Artifact, game: Game, seed: int) -> MatchResult:
    return MatchResult(
        game=game,
        names=tuple(kept.detail("names")),
        chance=Chance.repeatable(seed),
        duplicate=True,
        units=np.array(kept.array("units")),
        illegal_actions=tuple(kept.detail("illegal_actions")),
        forfeits=(),
        plain_because=kept.detail("plain_because"),
    )


def won(game: Game, agents: tuple[str, str], **options: Any) -> Estimate:
    """What the first of two agents wins from the second in a kept match, in mbb/h."""
    return kept_match(game, agents, **options).mbb_per_hand(0)


def kept_lbr(
    game: Game,
    agent: str,
    *,
    actions: str = "fcpa",
    hands: int,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> LbrResult:
    """What the local best response wins from an agent, played now unless it has been kept."""

    def play() -> LbrResult:
        return run_lbr(
            game, agent, actions=actions, hands=hands, seed=seed, workers=workers, progress=progress
        )

    description = _description("lbr", game, [agent], actions=actions, hands=hands, seed=seed)
    if description is None:
        return play()

    def build(builder: Builder) -> None:
        result = play()
        builder.put("values", result.values, dtype=np.float64)
        builder.metadata = {"name": result.name, "sampled": result.seed is not None}

    kept = Store().get(description, build)
    return LbrResult(
        game=game,
        name=str(kept.detail("name")),
        actions=actions,
        rounds="all",
        values=np.array(kept.array("values")),
        seed=seed if kept.detail("sampled") else None,
    )
