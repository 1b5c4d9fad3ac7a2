"""Who won in some logs: chips by player and hand, for training on the winners of a league."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import domain_of
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.learning.construction import Tally, case_blocks
from doyle.agents.case_bases.learning.reading import LogReader
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game

_NOBODY = "\n"
"""No player has this name, so that hands are counted and no decision is kept."""


@dataclass(frozen=True)
class Standing:
    """A player of some logs: hands played, and chips won per hand."""

    player: str
    hands: int
    chips_per_hand: float


def standings(
    logs: Sequence[Path], *, game: Game, workers: Workers | None = None
) -> list[Standing]:
    """The players of some logs, those who won most per hand first (total bankroll)."""
    domain = domain_of(game)
    metric = "stepped" if domain.is_limit else "sizes"
    architecture = Architecture(domain=domain.name, betting_metric=metric)  # type: ignore[arg-type]
    features = HandFeatures(architecture)
    reader = LogReader(game, architecture, features, players=[_NOBODY], skip_unseen=True)
    tally = Tally()
    for path in logs:
        for block in case_blocks(path, reader, workers or Workers()):
            tally.add(block.reading)
    found = [
        Standing(name, hands, float(tally.won[name]) / hands)
        for name, hands in tally.played.items()
    ]
    return sorted(found, key=lambda standing: (-standing.chips_per_hand, standing.player))


def winners(
    logs: Sequence[Path], count: int, *, game: Game, workers: Workers | None = None
) -> tuple[str, ...]:
    """The names of the best players of some logs."""
    found = standings(logs, game=game, workers=workers)
    if len(found) < count:
        raise DoyleError(f"{logs[0]}: {len(found)} players, of whom {count} cannot be the winners")
    return tuple(standing.player for standing in found[:count])
