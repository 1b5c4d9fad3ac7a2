"""The hands of a match, as arrays with one row per hand in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class HandRow(NamedTuple):
    """One hand; the fields are those of `HandRows`."""

    deal: int
    seating: int
    won: tuple[int, ...]
    actions: int
    showdown: bool


@dataclass(frozen=True, eq=False)
class HandRows:
    """Hands in the order of play."""

    deal: npt.NDArray[np.int64]
    seating: npt.NDArray[np.uint8]
    """Which seating, as an index of `seatings(players)`."""
    won: npt.NDArray[np.int64]
    """[hands, seats]: winnings of each seat, in `1 / chip_unit(game)` chips."""
    actions: npt.NDArray[np.uint16]
    """How many actions were made."""
    showdown: npt.NDArray[np.bool_]
    """Whether the hand was over by a showdown, not by folds."""

    @classmethod
    def of(cls, rows: Sequence[HandRow], players: int) -> HandRows:
        """Rows from single hands."""
        return cls(
            deal=np.array([row.deal for row in rows], np.int64),
            seating=np.array([row.seating for row in rows], np.uint8),
            won=np.array([row.won for row in rows], np.int64).reshape(len(rows), players),
            actions=np.array([row.actions for row in rows], np.uint16),
            showdown=np.array([row.showdown for row in rows], bool),
        )

    def __len__(self) -> int:
        return len(self.deal)

    @classmethod
    def joined(cls, parts: Sequence[HandRows]) -> HandRows:
        """The rows of all parts, one after the other."""
        columns = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls))
        return cls(*columns)

    def selected(self, places: npt.NDArray[np.int64]) -> HandRows:
        """The rows at `places`, in that order."""
        return HandRows(*(getattr(self, column.name)[places] for column in fields(self)))

    def units(
        self, players: int, *, first_deal: int, deals: int, order: Sequence[Sequence[int]]
    ) -> npt.NDArray[np.int64]:
        """[deals, players]: winnings of each player on each deal over the seatings in these rows.

        `order[seating]` lists the players by seat.
        """
        found = np.zeros((deals, players), np.int64)
        seats = np.asarray(order)[self.seating]
        rows = self.deal - first_deal
        for seat in range(players):
            np.add.at(found, (rows, seats[:, seat]), self.won[:, seat])
        return found
