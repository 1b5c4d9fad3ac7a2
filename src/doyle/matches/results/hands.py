"""The hands of matches read from their folders, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.artifacts import Artifact
from doyle.base.display import Shown, Text, TextTable
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.game import parse
from doyle.matches.chance import Chance
from doyle.matches.match import MatchResult
from doyle.matches.play import Forfeit, chip_unit, seatings
from doyle.matches.results.files import KIND, unfinished_folder
from doyle.matches.results.rows import HandRows
from doyle.matches.results.tables import finished_tables

BLOCK = 1 << 18
"""Hands that are looked at together."""


@dataclass(frozen=True, eq=False)
class MatchHands:
    """The hands of one match."""

    artifact: Artifact
    game: Game
    names: tuple[str, ...]

    @classmethod
    def open(cls, folder: Path) -> MatchHands:
        """The hands in a folder; its files are checked."""
        artifact = Artifact(folder)
        if artifact.manifest["kind"] != KIND:
            raise DoyleError(f"{folder}: holds {artifact.manifest['kind']}, not hands of a match")
        artifact.check_once()
        definition, name = artifact.detail("game_definition"), artifact.detail("game")
        if not (isinstance(definition, str) and isinstance(name, str)):
            raise artifact.damaged("metadata.game_definition")
        game = parse(definition, name, source=str(folder / "manifest.json"))
        names = artifact.detail("names")
        texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not texts or len(names) != game.players:
            raise artifact.damaged("metadata.names")
        found = cls(artifact, game, tuple(names))
        found.check()
        return found

    def check(self) -> None:
        """Refuse arrays that do not match the manifest."""
        deals, players = self.artifact.whole_number("deals"), self.game.players
        orders = len(seatings(players)) if self.artifact.detail("duplicate") is True else 1
        for name, shape in {
            "deal": (deals * orders,),
            "seating": (deals * orders,),
            "won": (deals * orders, players),
            "actions": (deals * orders,),
            "showdown": (deals * orders,),
            "units": (deals, players),
        }.items():
            if name not in self.artifact.arrays() or self.artifact.array(name).shape != shape:
                raise self.artifact.damaged(f"arrays.{name}")

    def __len__(self) -> int:
        return len(self.artifact.array("deal"))

    @property
    def deals(self) -> int:
        return self.artifact.whole_number("deals")

    @property
    def unit(self) -> int:
        """Parts of a chip in which results are whole numbers."""
        return chip_unit(self.game)

    @cached_property
    def cards(self) -> npt.NDArray[np.uint8]:
        """[deals, cards]: hole cards by seat, then the board."""
        return self.artifact.array("cards")

    def blocks(self, size: int = BLOCK) -> Iterator[HandRows]:
        """All hands in the order of play, some at a time."""
        columns = {column.name: self.artifact.array(column.name) for column in fields(HandRows)}
        for start in range(0, len(self), size):
            yield HandRows(
                **{
                    name: np.asarray(values[start : start + size])
                    for name, values in columns.items()
                }
            )

    def result(self, chance: Chance | None = None) -> MatchResult:
        """The result of the match; the winnings by deal stay on disk."""
        artifact = self.artifact
        try:
            forfeits = tuple(Forfeit(**forfeit) for forfeit in artifact.detail("forfeits"))
            illegal = tuple(int(count) for count in artifact.detail("illegal_actions"))
        except (TypeError, ValueError):
            raise artifact.damaged("metadata.forfeits") from None
        return MatchResult(
            game=self.game,
            names=self.names,
            chance=self._chance() if chance is None else chance,
            duplicate=bool(artifact.detail("duplicate")),
            units=artifact.array("units"),
            illegal_actions=illegal,
            forfeits=forfeits,
            plain_because=artifact.detail("plain_because"),
        )

    def _chance(self) -> Chance:
        document = self.artifact.detail("chance")
        try:
            if document["mode"] == "sealed":
                return Chance.sealed(bytes.fromhex(document["secret"]))
            seed = document["seed"]
            if type(seed) is int and document["deals"] in ("secret", "acpc"):
                return Chance.repeatable(seed, deals=document["deals"])
        except (KeyError, TypeError, ValueError):
            pass
        raise self.artifact.damaged("metadata.chance")

    def report(self) -> HandsReport:
        """The result, and how hands ended, counted over all of them."""
        shown = actions = 0
        at_showdown = np.zeros(self.game.players, np.int64)
        order = np.array(seatings(self.game.players))
        for rows in self.blocks():
            shown += int(rows.showdown.sum())
            actions += int(rows.actions.sum(dtype=np.int64))
            players = order[rows.seating]
            for player in range(self.game.players):
                mine = np.where(players == player, rows.won, 0).sum(axis=1)
                at_showdown[player] += int(mine[rows.showdown].sum())
        big_blinds = 1000.0 / (self.unit * self.game.big_blind * len(self))
        return HandsReport(
            self.result(),
            len(self),
            shown / len(self),
            actions / len(self),
            {
                name: float(won) * big_blinds
                for name, won in zip(self.names, at_showdown, strict=True)
            },
        )


@dataclass(frozen=True)
class HandsReport(Shown):
    """Winnings of each player, and how hands ended."""

    result: MatchResult
    hands: int
    showdown_share: float
    actions_per_hand: float
    at_showdown: dict[str, float]
    """Thousandths of a big blind per hand that a player won in hands that were shown down."""

    def document(self) -> dict[str, Any]:
        return self.result.document() | {
            "showdown_share": self.showdown_share,
            "actions_per_hand": self.actions_per_hand,
            "mbb_per_hand_at_showdown": self.at_showdown,
        }

    def text(self) -> Text:
        result, rows = self.result, []
        for player, (name, part) in enumerate(self.at_showdown.items()):
            won = result.mbb_per_hand(player)
            rows.append([name, f"{won:.1f}", f"{part:.1f}", f"{float(won.mean) - part:.1f}"])
        heads = ["player", "mean mbb/h", "of it at showdowns", "of it without showdown"]
        title = f"{result.game.name}: {self.hands:,} hands of {result.hands:,} deals"
        yield TextTable(heads, rows, title)
        yield (
            f"{self.showdown_share:.1%} of hands were shown down, "
            f"{self.actions_per_hand:.2f} actions a hand"
        )


def hands_in(folder: Path) -> list[MatchHands]:
    """The hands in a folder: one match, or every table of a league."""
    if not folder.is_dir():
        problem = "is a file, not the folder of a match" if folder.exists() else "no such folder"
        if unfinished_folder(folder).is_dir():
            problem = "the match is not over; run it again to resume"
        raise DoyleError(f"{folder}: {problem}")
    if (folder / "manifest.json").is_file():
        return [MatchHands.open(folder)]
    return [MatchHands.open(table) for table in finished_tables(folder)]
