"""One's hands corrected by AIVAT, some at a time, in the thinking processes."""

from __future__ import annotations

from pydantic import BaseModel

from doyle.apps.web.results import queries
from doyle.apps.web.service import TableService
from doyle.apps.web.store import PlayerRecord
from doyle.games import Game

MOST_HANDS = 40
TOGETHER = 8
"""Hands per query; other requests may be served in between."""
SECONDS = 300.0


class Correction(BaseModel):
    """How many hands were looked at, and how many of them have a corrected value now."""

    hands: int
    corrected: int


async def correct(service: TableService, player: PlayerRecord, game: str) -> Correction:
    """Correct the next hands of a player in a game for two."""
    if Game.named(game).players != 2:
        return Correction(hands=0, corrected=0)
    database = service.store.database

    def waiting() -> list[queries.Uncorrected]:
        with database.session() as session:
            return queries.uncorrected(session, player.id, game, most=MOST_HANDS)

    found = await database.run(waiting)
    kept = 0
    for start in range(0, len(found), TOGETHER):
        part = found[start : start + TOGETHER]
        asked = []
        for one in part:
            table = await service.tables.find(player, one.table_id)
            hand = await service.tables.finished_hand(table, one.number)
            asked.append((table.played(hand), one.position, one.digest))
        values = await service.pool.work("aivat.corrected", tuple(asked), seconds=SECONDS)

        def keep(
            part: list[queries.Uncorrected] = part, values: list[float | None] = values
        ) -> int:
            with database.session() as session:
                for one, value in zip(part, values, strict=True):
                    if value is not None:
                        queries.keep_corrected(session, one.hand_id, one.position, value)
            return sum(value is not None for value in values)

        kept += await database.run(keep)
    return Correction(hands=len(found), corrected=kept)
