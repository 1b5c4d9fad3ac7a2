"""Logs of play as artifacts: their players, number of deals and seed.

A log is cut into parts of a fixed number of deals. Each is a whole ACPC log with its own hand numbers
and score, so that it can be read by itself; a part is a pure function of the request and its number,
so results do not depend on workers and interruptions. Each part is a match, which kernels play
where they can (`doyle.matches.fast`). It is not a duplicate match: the seatings of a deal share
their dice, so an agent against itself would play every hand twice in the same way.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from doyle.agents import check_agent_text
from doyle.agents.identity import identity
from doyle.base.artifacts import Artifact, Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.games import Game
from doyle.games.histories import Hand, read_hands
from doyle.matches import play_match
from doyle.matches.chance import Chance
from doyle.matches.log import log_name
from doyle.matches.match import Match, agent_name, distinct_names
from doyle.matches.play import seatings

KIND, VERSION = "training-log", 4
PART_DEALS = 1_000
FAST_PART_DEALS = 50_000
"""For agents whose matches are played by kernels."""
MOST_DEALS = 1_000_000_000


@dataclass(frozen=True)
class LogRequest:
    """The parameters of a log: `deals` hands in every seating, each with cards of its own.

    The agents are texts of one player each, as in a match.
    """

    game: str
    agents: tuple[str, ...]
    deals: int
    seed: int = 0

    def __post_init__(self) -> None:
        game = Game.named(self.game)
        if len(self.agents) != game.players:
            raise DoyleError(
                f"game {self.game}: needs {game.players} agents, not {len(self.agents)}"
            )
        if not 1 <= self.deals <= MOST_DEALS:
            raise DoyleError(f"a log needs 1 to {MOST_DEALS:,} deals, not {self.deals}")
        for agent in self.agents:
            check_agent_text(agent, game)

    @property
    def hands(self) -> int:
        return self.deals * len(seatings(Game.named(self.game).players))

    def description(self) -> Description:
        """The name of the log in the store; agents count by their identity."""
        game = Game.named(self.game)
        return Description(
            KIND,
            VERSION,
            {
                "game": game.to_text(),
                "names": list(_names(self)),
                "agents": [identity(agent, game) for agent in self.agents],
                "deals": self.deals,
                "seed": self.seed,
            },
        )


@dataclass(frozen=True)
class TrainingLog:
    """A finished log: its parts in order, each an ACPC log, and the players' names in them."""

    artifact: Artifact
    names: tuple[str, ...]
    game: str
    hands: int

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of the parts."""
        return tuple(self.artifact.folder / f"{name}.bin" for name in self.artifact.arrays())

    def read(self) -> Iterator[Hand]:
        """All hands, part after part."""
        game = Game.named(self.game)
        for path in self.paths:
            yield from read_hands(path, game)


def make_log(
    request: LogRequest, *, workers: Workers | None = None, progress: Progress | None = None
) -> TrainingLog:
    """The log of a request, played now if it is not in the store."""
    names = _names(request)

    def build(builder: Builder) -> None:
        _play(request, builder, workers or Workers(), progress)
        builder.metadata = {"names": list(names), "hands": request.hands}

    artifact = Store().get(request.description(), build)
    return TrainingLog(artifact, names, request.game, request.hands)


def _play(
    request: LogRequest, builder: Builder, workers: Workers, progress: Progress | None
) -> None:
    size = _part_deals(request)
    starts = range(0, request.deals, size)
    for number, start in enumerate(starts):
        if builder.finished(f"part {number}"):
            _keep(builder, number)
        else:
            text = _part(request, number, min(size, request.deals - start), workers)
            builder.put(_part_name(number), np.frombuffer(text.encode("ascii"), np.uint8))
            builder.finish(f"part {number}")
        if progress is not None:
            progress("playing hands", number + 1, len(starts))


def _keep(builder: Builder, number: int) -> None:
    """Take over a part that an interrupted run finished."""
    path = builder.folder / f"{_part_name(number)}.bin"
    builder.array(_part_name(number), (path.stat().st_size,), np.uint8)


def _part_name(number: int) -> str:
    return f"part{number:06d}"


def _part_deals(request: LogRequest) -> int:
    game, chance = Game.named(request.game), Chance.repeatable(request.seed)
    fast = Match(game, request.agents, FAST_PART_DEALS, chance).fast
    return PART_DEALS if isinstance(fast, str) else FAST_PART_DEALS


def _part(request: LogRequest, number: int, deals: int, workers: Workers) -> str:
    seed = int(np.random.SeedSequence((request.seed, number)).generate_state(1)[0])
    game = Game.named(request.game)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        play_match(
            game, request.agents, hands=deals * len(seatings(game.players)), seed=seed, log=log,
            duplicate=False, workers=workers,
        )  # fmt: skip
        return log.read_text(encoding="ascii")


def _names(request: LogRequest) -> tuple[str, ...]:
    """The players' names in the log, as a match would write them."""
    game = Game.named(request.game)
    named = distinct_names([agent_name(agent, game) for agent in request.agents])
    return distinct_names([log_name(name) for name in named])
