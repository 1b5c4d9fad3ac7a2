"""A folder with the hands of a match, written while it is played.

It is an artifact: `manifest.json` and raw arrays, one row per hand in the order of play. Its arrays have
their final size from the start and are filled batch by batch, so memory does not grow with the hands.
Until the match is over they are in a folder beside it, `.NAME.unfinished`, from which the same match
resumes; then it is renamed. Sealed matches, agents given as objects and agents that play in order are
not resumed, but played again from the start.

    deal      int64[hands]           number of the deal
    seating   uint8[hands]           index into the seatings of the manifest
    won       int64[hands, seats]    winnings of each seat, in 1 / unit chips
    actions   uint16[hands]          number of actions
    showdown  bool[hands]            over by a showdown, not by folds
    cards     uint8[deals, cards]    hole cards of seat 0, of seat 1, ..., then the board
    units     int64[deals, players]  winnings of each player on a deal over all its seatings, in 1 /
    unit chips
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from doyle.agents.identity import identity
from doyle.base.artifacts import Artifact, Builder, Description
from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import is_no_folder, locked, write_json
from doyle.base.errors import DoyleError
from doyle.matches.chance import cards_dealt
from doyle.matches.play import Forfeit, chip_unit, seatings
from doyle.matches.results.rows import HandRows
from doyle.matches.running import Beginning, Part

if TYPE_CHECKING:
    import numpy.typing as npt

    from doyle.matches.match import Match, MatchResult

KIND = "match-hands"
VERSION = 2

_SECONDS_BETWEEN_SAVES = 5.0
_PROGRESS = "progress.json"


class Recorder:
    """Writes the hands of one match; made by `recording`."""

    def __init__(self, match: Match, working: Path, description: Description) -> None:
        self.match = match
        self.description = description
        self._builder = Builder(working)
        self._tally: dict[str, Any] = {
            "deals": 0,
            "illegal_actions": [0] * match.game.players,
            "forfeits": [],
            "plain_because": None,
        }
        self._saved = time.monotonic()
        self._arrays = self._made_arrays()
        self._resume()

    @property
    def beginning(self) -> Beginning:
        """The hands of an earlier run."""
        forfeits = tuple(Forfeit(**forfeit) for forfeit in self._tally["forfeits"])
        return Beginning(self._tally["deals"], forfeits)

    def add(self, part: Part) -> None:
        """Write a batch; batches come in order."""
        played, batch, tally = part.played, part.batch, self._tally
        assert played.hands is not None
        places = self._places(played.hands)
        for column in fields(HandRows):
            self._arrays[column.name][places] = getattr(played.hands, column.name)
        stop = batch.first_deal + len(batch.deals)
        self._arrays["cards"][batch.first_deal : stop] = batch.deals
        self._arrays["units"][batch.first_deal : stop] += played.units
        tally["deals"] = stop
        counts = zip(tally["illegal_actions"], played.illegal_actions, strict=True)
        tally["illegal_actions"] = [before + now for before, now in counts]
        tally["forfeits"] += [asdict(forfeit) for forfeit in played.forfeits]
        tally["plain_because"] = tally["plain_because"] or played.plain_because
        if time.monotonic() - self._saved > _SECONDS_BETWEEN_SAVES:
            self.save()

    def save(self) -> None:
        """Flush the rows written so far, and record their number."""
        for array in self._arrays.values():
            if isinstance(array, np.memmap):
                array.flush()
        if _can_resume(self.match):
            write_json(self._builder.folder / _PROGRESS, self._identity() | self._tally)
        self._saved = time.monotonic()

    def seal(self) -> None:
        """Close the folder: the match is over."""
        match = self.match
        self._builder.metadata |= {
            "names": list(match.names),
            "game": match.game.name,
            "game_definition": match.game.to_text(),
            "seatings": [list(order) for order in seatings(match.game.players)],
            "unit": chip_unit(match.game),
            "deals": match.hands,
            "duplicate": match.duplicate,
            "chance": match.chance.document(),
            **{name: value for name, value in self._tally.items() if name != "deals"},
        }
        self._builder.seal(self.description)

    def _made_arrays(self) -> dict[str, npt.NDArray[Any]]:
        match, game = self.match, self.match.game
        orders = len(seatings(game.players)) if match.duplicate else 1
        hands, deals = match.hands * orders, match.hands
        shapes: dict[str, tuple[tuple[int, ...], str]] = {
            "deal": ((hands,), "i8"),
            "seating": ((hands,), "u1"),
            "won": ((hands, game.players), "i8"),
            "actions": ((hands,), "u2"),
            "showdown": ((hands,), "?"),
            "cards": ((deals, cards_dealt(game)), "u1"),
            "units": ((deals, game.players), "i8"),
        }
        return {name: self._builder.array(name, *shape) for name, shape in shapes.items()}

    def _places(self, hands: HandRows) -> npt.NDArray[np.int64]:
        match = self.match
        orders = len(seatings(match.game.players)) if match.duplicate else 1
        if orders == 1:
            return hands.deal
        if match.in_order:
            return hands.seating.astype(np.int64) * match.hands + hands.deal
        return hands.deal * orders + hands.seating

    def _resume(self) -> None:
        path = self._builder.folder / _PROGRESS
        try:
            found = read_json(path) if _can_resume(self.match) else {}
        except (OSError, DoyleError):
            found = {}
        same = isinstance(found, dict) and self._identity().items() <= found.items()
        if same and set(found) == set(self._tally) | set(self._identity()):
            self._tally = {name: found[name] for name in self._tally}
        self._arrays["units"][self._tally["deals"] :] = 0

    def _identity(self) -> dict[str, Any]:
        return {"description": self.description.digest}


@contextmanager
def recording(folder: Path, match: Match, *, resume: bool = True) -> Iterator[Recorder | None]:
    """A recorder for the hands of a match; None if the folder is complete."""
    description = described(match)
    if is_finished(folder, description):
        yield None
        return
    folder = folder.resolve()  # a link to an empty folder stays a link
    working = unfinished_folder(folder)
    if not resume and working.is_dir():
        shutil.rmtree(working)
    working.mkdir(parents=True, exist_ok=True)
    with locked(working / "lock"):
        if is_finished(folder, description):
            yield None
            return
        recorder = Recorder(match, working, description)
        try:
            yield recorder
        except BaseException:
            recorder.save()
            raise
        recorder.seal()
        if folder.is_dir():
            folder.rmdir()  # it is empty
        working.rename(folder)


def is_begun(folder: Path) -> bool:
    """Whether the folder has hands that the same match, or the same league, would not play again."""
    folder = folder.resolve()
    kept = (
        unfinished_folder(folder) / _PROGRESS,
        folder / "manifest.json",
        *folder.glob(f".table-*.unfinished/{_PROGRESS}"),
        *folder.glob("table-*/manifest.json"),
    )
    return any(path.is_file() for path in kept)


def unfinished_folder(folder: Path) -> Path:
    """Where the hands of a match are until it is over."""
    return folder.parent / f".{folder.name}.unfinished"


def is_finished(folder: Path, description: Description) -> bool:
    """Whether the folder has the hands of this match; DoyleError if it has anything else."""
    if is_no_folder(folder):
        raise DoyleError(f"{folder}: is not a folder")
    if not folder.is_dir() or not any(folder.iterdir()):
        return False
    if not (folder / "manifest.json").is_file():
        raise DoyleError(f"{folder}: is not empty and holds no hands of a match")
    artifact = Artifact(folder)
    known = artifact.manifest["kind"], artifact.manifest["maker_version"], artifact.parameters
    if known != (description.kind, description.version, description.parameters):
        raise DoyleError(
            f"{folder}: holds another match (agents, their files, tables or code, hands or seed "
            "differ); remove it or name another folder"
        )
    artifact.check_once()
    return True


def recorded_result(folder: Path, match: Match) -> MatchResult:
    """The result of a match from the folder with its hands; it stays on disk."""
    from doyle.matches.results.hands import MatchHands

    return MatchHands.open(folder).result(match.chance)


def described(match: Match) -> Description:
    """The parameters that determine the hands of a match."""
    chance = match.chance
    # A sealed match is another one each time, and its secret is not written before it is over.
    secret = {"commitment": chance.commitment} if chance.mode == "sealed" else {"seed": chance.seed}
    parameters = {
        "game_definition": match.game.to_text(),
        "agents": [_identity(match, player) for player in range(match.game.players)],
        "hands": match.hands,
        "duplicate": match.duplicate,
        "chance": {"mode": chance.mode, "deals": chance.deals, "table": chance.table, **secret},
    }
    return Description(KIND, VERSION, parameters)


def _identity(match: Match, player: int) -> list[Any]:
    """The text of an agent and everything that decides its play; of an object, its name alone."""
    agent = match.agents[player]
    if isinstance(agent, str):
        return [agent, identity(agent, match.game)]
    return [f"object {agent.name}", {}]


def _can_resume(match: Match) -> bool:
    texts = all(isinstance(agent, str) for agent in match.agents)
    return texts and not match.in_order and match.chance.mode == "repeatable"
