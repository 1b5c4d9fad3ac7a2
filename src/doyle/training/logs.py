"""Logs of play as artifacts: who played, how many deals, with which seed.

A log is cut into parts of a fixed number of deals. Each is a whole ACPC log with its own hand numbers
and score, so that it can be read by itself; a part is a pure function of the request and its number,
so workers and interruptions change nothing. Strategies of one betting tree play compiled
(`self_play`); any other agents play as in a match.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from doyle.agents import check_agent_text, is_foreign
from doyle.agents.named_strategy import named_strategy
from doyle.agents.resolve import BASELINES, SCRIPTED
from doyle.artifacts import Artifact, Builder, Description, Store
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.histories import Hand, Score, format_score_line, read_hands
from doyle.matches import play_match
from doyle.matches.log import log_name
from doyle.matches.match import agent_name, distinct_names
from doyle.matches.play import seatings
from doyle.training.self_play import self_play
from doyle.workers import Progress, Workers, map_items

KIND, VERSION = "training-log", 1
PART_DEALS = 5_000
MATCH_PART_DEALS = 500
"""Of agents that play as in a match, which takes longer."""
MOST_DEALS = 1_000_000_000


@dataclass(frozen=True)
class LogRequest:
    """What determines a log; `deals` are each played in every seating.

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
        """The name of the log in the store; strategies count by their contents."""
        return Description(
            KIND,
            VERSION,
            {
                "game": Game.named(self.game).to_text(),
                "agents": [_identity(agent) for agent in self.agents],
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
    request: LogRequest,
    *,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> TrainingLog:
    """The log of a request, played now if it is not in the store."""
    store = store or Store()
    names = _names(request)

    def build(builder: Builder) -> None:
        _play(request, names, builder, workers or Workers(), progress)
        builder.metadata = {"names": list(names), "hands": request.hands}

    artifact = store.get(request.description(), build)
    return TrainingLog(artifact, names, request.game, request.hands)


def _play(
    request: LogRequest,
    names: tuple[str, ...],
    builder: Builder,
    workers: Workers,
    progress: Progress | None,
) -> None:
    self_play.cache_clear()  # files that strategies are made from may have changed
    compiled = self_play(request.agents) is not None
    size = PART_DEALS if compiled else MATCH_PART_DEALS
    sizes = [min(size, request.deals - first) for first in range(0, request.deals, size)]
    missing = [number for number in range(len(sizes)) if not builder.finished(f"part {number}")]
    done = len(sizes) - len(missing)
    work = partial(_compiled_part if compiled else _match_part, request, names)
    items = [(number, sizes[number]) for number in missing]
    for number in range(len(sizes)):
        if number not in set(missing):
            _keep(builder, number)
    texts = map_items(work, items, workers=workers, label="playing")
    for (number, _), text in zip(items, texts, strict=True):
        builder.put(_part_name(number), np.frombuffer(text.encode("ascii"), np.uint8))
        builder.finish(f"part {number}")
        done += 1
        if progress is not None:
            progress("playing hands", done, len(sizes))


def _keep(builder: Builder, number: int) -> None:
    """Take over a part that an interrupted run finished."""
    path = builder.folder / f"{_part_name(number)}.bin"
    builder.array(_part_name(number), (path.stat().st_size,), np.uint8)


def _part_name(number: int) -> str:
    return f"part{number:06d}"


def _compiled_part(request: LogRequest, names: tuple[str, ...], item: tuple[int, int]) -> str:
    number, deals = item
    table = self_play(request.agents)
    assert table is not None
    played = table.play(deals, (request.seed, number))
    lines = [_header(request, names, number), *table.lines(played, names)]
    lines.append(_score(lines, names))
    return "".join(lines)


def _match_part(request: LogRequest, names: tuple[str, ...], item: tuple[int, int]) -> str:
    number, deals = item
    seed = int(np.random.SeedSequence((request.seed, number)).generate_state(1)[0])
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        play_match(Game.named(request.game), request.agents, hands=deals, seed=seed, log=log)
        return log.read_text(encoding="ascii")


def _header(request: LogRequest, names: tuple[str, ...], number: int) -> str:
    game = log_name(Game.named(request.game).name)
    return (
        f"# name/game/hands/seed {'.'.join(names)} {game} {request.deals} {request.seed}\n"
        f"# each deal in every seating; part {number} of a log made by self-play\n"
    )


def _score(lines: list[str], names: tuple[str, ...]) -> str:
    """The score line of some STATE lines: exact, from what they say of chips."""
    totals = dict.fromkeys(names, Fraction(0))
    whole = dict.fromkeys(names, 0)
    for line in lines:
        if line.startswith("STATE"):
            _, _, _, _, chips, players = line.rstrip("\n").split(":")
            for won, player in zip(chips.split("|"), players.split("|"), strict=True):
                if "." in won:
                    totals[player] += Fraction(won).limit_denominator(12)
                else:
                    whole[player] += int(won)
    sums = tuple(totals[name] + whole[name] for name in names)
    return format_score_line(Score(sums, names)) + "\n"


def _names(request: LogRequest) -> tuple[str, ...]:
    """The players' names in the log, as a match would write them."""
    game = Game.named(request.game)
    named = distinct_names([agent_name(agent, game) for agent in request.agents])
    return distinct_names([log_name(name) for name in named])


def _identity(agent: str) -> dict[str, Any]:
    """What a log depends on of an agent."""
    if agent in BASELINES or agent in SCRIPTED or is_foreign(agent):
        return {"text": agent}
    found = named_strategy(agent)
    if found is None:
        return {"text": agent}
    origin = found.tables.origin
    return {
        "text": found.name,
        "tables": "" if origin is None else origin.digest,
        "translation": found.translation_name,
        **found.played_document(),
    }
