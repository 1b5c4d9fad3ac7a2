"""Building a case base from logs: streamed, in bounded memory, resumable.

Logs are read in blocks of whole lines; whoever reads a block (a thread, or a node of a cluster, which
is sent its text) also merges it into cases and drops its decisions. The cases are added to those
before. So memory is that of the different cases, of one block for each worker, and of the tables of
card features, which are mapped from files: it does not grow with the number of hands. (The single
representation keeps every decision, as it did in 2009.) Blocks are cut at fixed sizes and added in
order: the number of workers changes nothing. A build to a folder saves what it has read from time to
time, with its place in the logs; the same build resumes there. `standings` are chips by player and
hand, for training on the winners of a league.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.case_base import CaseBase
from doyle.agents.case_bases.domains import domain_of
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.learning.decisions import Decisions
from doyle.agents.case_bases.learning.reading import Block, LogReader, Reading
from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.base.artifacts.files import is_no_folder, locked
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_items, map_threads
from doyle.games import Game
from doyle.games.histories.files import TextBlock, kind_of, read_blocks
from doyle.games.histories.lines import Chips
from doyle.games.histories.logs import Totals
from doyle.games.histories.phh import read_phh

Item = TypeVar("Item")

BLOCK_BYTES = 1 << 21
PHH_HANDS_IN_BLOCK = 5_000
SECONDS_BETWEEN_SAVES = 60.0
_BLOCKS_ON_CLUSTER = 32
"""Blocks that are read ahead for the nodes of a cluster: 64 MB of text."""
_LABEL = "reading logs"
_PHH = (".phh", ".phhs")


@dataclass
class Tally:
    """What a build has read so far: hands, decisions passed over, scores, hands and chips by player."""

    hands: int = 0
    unseen: int = 0
    scores: int = 0
    played: dict[str, int] = field(default_factory=dict)
    won: dict[str, Chips] = field(default_factory=dict)

    def add(self, reading: Reading) -> None:
        self.hands += reading.hands
        self.unseen += reading.unseen
        self.scores += len(reading.scores)
        for name, count in reading.played.items():
            self.played[name] = self.played.get(name, 0) + count
        for name, chips in reading.totals.items():
            self.won[name] = self.won.get(name, 0) + chips

    def document(self) -> dict[str, Any]:
        chips = {name: str(total) for name, total in self.won.items()}
        counts = {"hands": self.hands, "unseen": self.unseen, "scores": self.scores}
        return {**counts, "played": self.played, "won": chips}

    @classmethod
    def of(cls, document: dict[str, Any]) -> Tally:
        won: dict[str, Chips] = {name: Fraction(text) for name, text in document["won"].items()}
        hands, unseen, scores = (document[key] for key in ("hands", "unseen", "scores"))
        return cls(hands, unseen, scores, dict(document["played"]), won)


@dataclass(frozen=True)
class Training:
    """What a base is made from: logs, the game they were played in, and whose decisions count.

    Nobody named stands for everybody. Decisions with unseen hole cards are refused unless they are
    to be skipped, which leaves out most folds.
    """

    logs: tuple[Path, ...]
    game: Game
    players: tuple[str, ...] = ()
    skip_unseen: bool = False

    def __post_init__(self) -> None:
        if not self.logs:
            raise DoyleError("a case base needs at least one log")

    def document(self, architecture: Architecture) -> dict[str, Any]:
        """All that decides what a build makes, to tell whether it may be resumed."""
        sizes = [[str(path.resolve()), path.stat().st_size] for path in self.logs]
        return {
            "representation": architecture.representation(),
            "game": self.game.to_text(),
            "players": sorted(self.players),
            "skip_unseen": self.skip_unseen,
            "logs": sizes,
            "block_bytes": BLOCK_BYTES,
        }


@dataclass
class _Progressed:
    """A build under way: its cases and tally, and how many blocks of which log are in them."""

    base: CaseBase
    tally: Tally = field(default_factory=Tally)
    log: int = 0
    blocks: int = 0
    of_log: Tally = field(default_factory=Tally)


def build_case_base(
    logs: Sequence[Path],
    architecture: Architecture,
    *,
    game: Game,
    players: Collection[str] = (),
    skip_unseen: bool = False,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CaseBase:
    """The base of what `players` (nobody named: everybody) did in some logs, in memory."""
    training = Training(tuple(logs), game, tuple(players), skip_unseen)
    state = _Progressed(CaseBase.empty(architecture, game))
    return _run(state, training, architecture, None, workers or Workers(), progress)


def build_to_folder(
    logs: Sequence[Path],
    architecture: Architecture,
    folder: Path,
    *,
    game: Game,
    players: Collection[str] = (),
    skip_unseen: bool = False,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CaseBase:
    """As `build_case_base`, into a folder that must not be there; an interrupted build resumes."""
    if folder.exists() or is_no_folder(folder):
        raise DoyleError(f"{folder}: is there already; remove it or choose another")
    training = Training(tuple(logs), game, tuple(players), skip_unseen)
    unfinished = folder.with_name(f".{folder.name}.unfinished")
    unfinished.mkdir(parents=True, exist_ok=True)
    try:
        with locked(unfinished / ".build"):
            saves = _Saves(unfinished, training, architecture)
            state = saves.latest() or _Progressed(CaseBase.empty(architecture, game))
            base = _run(state, training, architecture, saves, workers or Workers(), progress)
            base.save(folder)
    except DoyleError:
        shutil.rmtree(unfinished, ignore_errors=True)  # the same logs would be refused again
        raise
    shutil.rmtree(unfinished, ignore_errors=True)
    return CaseBase.load(folder)


class _Saves:
    """Snapshots of a build that is under way, for one description only."""

    def __init__(self, folder: Path, training: Training, architecture: Architecture) -> None:
        self.folder = folder
        self.parameters = training.document(architecture)
        self.architecture = architecture
        self._checkpoints = Checkpoints(folder)
        self._saved = time.monotonic()

    def latest(self) -> _Progressed | None:
        """What an interrupted build of the same description left."""
        try:
            artifact: Artifact | None = self._checkpoints.latest()
            if artifact is None or artifact.parameters != self.parameters:
                return None
            base = CaseBase.of_artifact(artifact, self.architecture)
            place = artifact.detail("place")
            return _Progressed(
                base,
                Tally.of(place["tally"]),
                place["log"],
                place["blocks"],
                Tally.of(place["of_log"]),
            )
        except (DoyleError, KeyError, TypeError, ValueError):
            return None  # a damaged snapshot is made again

    def save(self, state: _Progressed) -> None:
        """Write the state if the last time is long enough ago."""
        if time.monotonic() - self._saved < SECONDS_BETWEEN_SAVES:
            return

        def build(builder: Builder) -> None:
            state.base.put(builder)
            builder.metadata["place"] = {
                "log": state.log,
                "blocks": state.blocks,
                "tally": state.tally.document(),
                "of_log": state.of_log.document(),
            }

        description = Description("case-base-build", 1, self.parameters)
        self._checkpoints.save(state.tally.hands, description, build)
        self._saved = time.monotonic()


def _run(
    state: _Progressed,
    training: Training,
    architecture: Architecture,
    saves: _Saves | None,
    workers: Workers,
    progress: Progress | None,
) -> CaseBase:
    """Read what has not been read yet."""
    features = HandFeatures(architecture, workers=workers, progress=progress)
    features.prepare()
    reader = LogReader(
        training.game,
        architecture,
        features,
        players=training.players,
        skip_unseen=training.skip_unseen,
    )
    sizes = [path.stat().st_size if path.is_file() else 0 for path in training.logs]
    while state.log < len(training.logs):
        path = training.logs[state.log]
        before = sum(sizes[: state.log])
        for reading, cases, read in case_blocks(path, reader, workers, skip=state.blocks):
            state.base = state.base.merged(cases)
            state.tally.add(reading)
            state.of_log.add(reading)
            _check_scores(state.of_log, reading)
            state.blocks += 1
            if progress is not None:
                progress(_LABEL, (before + read) >> 10, max(1, sum(sizes) >> 10))
            if saves is not None:
                saves.save(state)
        state.log += 1
        state.blocks, state.of_log = 0, Tally()
    return _finished(state, training)


class CaseBlock(NamedTuple):
    """A block of a file: its sums without decisions, these as cases, how much of the file was read."""

    reading: Reading
    cases: CaseBase
    bytes_read: int


def case_blocks(
    path: Path, reader: LogReader, workers: Workers, *, skip: int = 0
) -> Iterator[CaseBlock]:
    """A file's blocks from the one after `skip` on, in order."""
    if kind_of(path) in _PHH:
        yield from _phh_blocks(path, reader, skip=skip)
        return

    def work(block: TextBlock) -> CaseBlock:
        return _read(path, block, reader)

    blocks = enumerate(read_blocks(path, size=BLOCK_BYTES))
    wanted = (block for number, block in blocks if number >= skip)
    if workers.cluster is not None:
        wish = ReadingWish(reader.game, reader.architecture, reader.players, reader.skip_unseen)
        for batch in _batches(wanted, _BLOCKS_ON_CLUSTER):
            items = [(wish, path, block) for block in batch]
            yield from map_items(read_block, items, workers=workers, label=_LABEL)
        return
    for batch in _batches(wanted, 2 * workers.count):
        yield from map_threads(work, batch, workers=workers)


def _read(path: Path, block: TextBlock, reader: LogReader) -> CaseBlock:
    reading = reader.read(Block(path, block.line, block.text))
    return _merged(reading, reader, block.bytes_read)


class ReadingWish(NamedTuple):
    """What a reader is made from, on machines that see one cache folder."""

    game: Game
    architecture: Architecture
    players: frozenset[str]
    skip_unseen: bool


@lru_cache(maxsize=2)
def _reader(wish: ReadingWish) -> LogReader:
    """A reader, kept between the blocks of a worker."""
    features = HandFeatures(wish.architecture)
    features.prepare()
    return LogReader(
        wish.game,
        wish.architecture,
        features,
        players=wish.players,
        skip_unseen=wish.skip_unseen,
    )


def read_block(item: tuple[ReadingWish, Path, TextBlock]) -> CaseBlock:
    """The cases of a block, whose text comes with it, on any machine."""
    wish, path, block = item
    return _read(path, block, _reader(wish))


def _merged(reading: Reading, reader: LogReader, bytes_read: int) -> CaseBlock:
    cases = CaseBase.of(reader.architecture, reader.game, reading.decisions)
    reading.decisions = Decisions.joined(())
    return CaseBlock(reading, cases, bytes_read)


def _phh_blocks(path: Path, reader: LogReader, *, skip: int) -> Iterator[CaseBlock]:
    """The hands of a PHH file, which name their own place in errors."""
    size = path.stat().st_size
    for number, hands in enumerate(_batches(read_phh(path, reader.game), PHH_HANDS_IN_BLOCK)):
        if number < skip:
            continue
        reading = Reading(Decisions.joined(()))
        parts = [
            reader.of_hand(hand, reading, where=f"{path}, hand {hand.number}") for hand in hands
        ]
        reading.decisions = Decisions.joined(parts)
        yield _merged(reading, reader, size)


def _finished(state: _Progressed, training: Training) -> CaseBase:
    """The base with what it was trained on; refused if a player never played or nothing is in it."""
    tally, logs = state.tally, training.logs
    acpc = [path for path in logs if kind_of(path) not in _PHH]
    names = ", ".join(sorted(tally.played)) or "nobody"
    where = str(logs[0]) if len(logs) == 1 else f"{logs[0]} and {len(logs) - 1} more"
    for player in training.players:
        if player not in tally.played:
            raise DoyleError(f"{where}: no hand was played by {player!r}; players are {names}")
    if not state.base.decisions:
        raise DoyleError(f"{where}: no decisions to learn from")
    return replace(
        state.base,
        training={
            "players": sorted(training.players or tally.played),
            "hands": tally.hands,
            "unseen_decisions": tally.unseen,
            "logs": [path.name for path in logs],
            "log_digests": [log_digest(path) for path in logs],
            "logs_without_score": max(0, len(acpc) - tally.scores),
        },
    )


def log_digest(path: Path) -> str:
    """What tells a log from others, whatever its name."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check_scores(of_log: Tally, reading: Reading) -> None:
    """The SCORE lines of a block must agree with the hands of the log so far."""
    totals = Totals()
    totals.hands, totals.by_player = of_log.hands, of_log.won
    for where, score in reading.scores:
        if totals.hands:
            totals.compare(score, where=where)


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Some items at a time, in order."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


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
