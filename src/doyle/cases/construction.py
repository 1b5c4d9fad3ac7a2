"""Building a case base from logs: streamed, in bounded memory, resumable.

Logs are read in blocks of whole lines, each block is merged into cases on its own, and the cases are
added to those before, so that memory goes by the number of different cases and not of hands. Blocks
are cut at fixed sizes and added in order: the number of workers changes nothing. What was read is
saved from time to time beside the folder to be, with the place in the logs; the same build resumes
there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from doyle.cases.architecture import Architecture
from doyle.cases.case_base import CaseBase
from doyle.cases.features import HandFeatures
from doyle.cases.reading import Block, LogReader, Reading
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.histories.files import read_blocks
from doyle.histories.lines import Chips
from doyle.histories.logs import Totals
from doyle.workers import Progress, Workers, map_threads

BLOCK_BYTES = 1 << 22
HANDS_OF_PHH_IN_BLOCK = 10_000


@dataclass
class Tally:
    """What a build has read so far."""

    hands: int = 0
    unseen: int = 0
    played: dict[str, int] = field(default_factory=dict)
    won: dict[str, Chips] = field(default_factory=dict)

    def add(self, reading: Reading) -> None:
        self.hands += reading.hands
        self.unseen += reading.unseen
        for name, count in reading.played.items():
            self.played[name] = self.played.get(name, 0) + count
        for name, chips in reading.totals.items():
            self.won[name] = self.won.get(name, 0) + chips


def build_case_base(
    logs: Sequence[Path],
    architecture: Architecture,
    *,
    game: Game,
    players: Collection[str] = (),
    skip_unseen: bool = False,
    most_hands: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CaseBase:
    """The base of what `players` (nobody named: everybody) did in some logs."""
    reader = LogReader(
        game,
        architecture,
        HandFeatures(architecture, workers=workers, progress=progress),
        players=players,
        skip_unseen=skip_unseen,
    )
    if architecture.strength != "categories":
        reader.features.abstraction.lookup  # noqa: B018 (opened before threads ask for it)
    base, tally = CaseBase.empty(architecture, game), Tally()
    for number, path in enumerate(logs):
        totals = Totals()
        for reading in _readings(path, reader, workers or Workers()):
            base = base.merged(CaseBase.of(architecture, game, reading.decisions))
            tally.add(reading)
            _check_scores(totals, reading)
        if progress is not None:
            progress("reading logs", number + 1, len(logs))
    return finished(base, tally, players=players, logs=logs)


def finished(
    base: CaseBase, tally: Tally, *, players: Collection[str], logs: Sequence[Path]
) -> CaseBase:
    """The base with what it was trained on; refused if a player never played or nothing is in it."""
    from dataclasses import replace

    names = ", ".join(sorted(tally.played)) or "nobody"
    where = str(logs[0]) if len(logs) == 1 else f"{logs[0]} and {len(logs) - 1} more"
    for player in players:
        if player not in tally.played:
            raise DoyleError(f"{where}: no hand was played by {player!r}; players are {names}")
    if not base.decisions:
        raise DoyleError(f"{where}: no decisions to learn from")
    training: dict[str, Any] = {
        "players": sorted(players or tally.played),
        "hands": tally.hands,
        "unseen_decisions": tally.unseen,
    }
    return replace(base, training=training)


def _readings(path: Path, reader: LogReader, workers: Workers) -> Iterator[Reading]:
    """A file's blocks, read a few at a time."""
    blocks = (Block(path, line, text) for line, text in read_blocks(path, size=BLOCK_BYTES))
    while batch := list(islice(blocks, 2 * workers.count)):
        yield from map_threads(reader.read, batch, workers=workers)


def _check_scores(totals: Totals, reading: Reading) -> None:
    """Add a block to the totals of its log; its SCORE line must agree with them."""
    totals.hands += reading.hands
    for name, chips in reading.totals.items():
        totals.by_player[name] = totals.by_player.get(name, 0) + chips
    for where, score in reading.scores:
        totals.compare(score, where=where)
