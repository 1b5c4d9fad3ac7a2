"""`TableRegistry`: the tables in memory, created, replayed from the database, and released when
unused."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from doyle.apps.web.service.errors import ConflictError, UnknownHandError, UnknownTableError
from doyle.apps.web.service.tables import LiveHand, LiveTable
from doyle.apps.web.service.tasks import Tasks
from doyle.apps.web.store import PlayerRecord, Store, TableRecord, UnavailableError
from doyle.apps.web.store.store import StaleHandError
from doyle.apps.web.thinking.pool import BeforeHands
from doyle.apps.web.thinking.requests import PlayedHand, shown_name
from doyle.games import Game

Result = TypeVar("Result")

TABLES_KEPT = 512
IDLE_SECONDS = 600.0
MOST_BEFORE = 100_000
"""Hands that an agent which remembers is given."""


class TableRegistry:
    """Each table once, however many tabs look at it; `loaded` is called with one that was replayed."""

    def __init__(self, store: Store, tasks: Tasks, *, loaded: Callable[[LiveTable], None]) -> None:
        self._store = store
        self._tasks = tasks
        self._loaded = loaded
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def add(self, record: TableRecord, player: PlayerRecord) -> LiveTable:
        """A table that was just made."""
        table = _live(record, player)
        self._keep(table)
        return table

    def rename(self, player: PlayerRecord) -> None:
        """Show the new name of a player at its tables."""
        for table in self._tables.values():
            if table.record.player_id == player.id:
                table.player_name = player.name
                table.changed()

    async def find(self, player: PlayerRecord, table_id: str) -> LiveTable:
        """A table of the player; UnknownTableError if absent or another player's."""
        table = self._tables.get(table_id)
        if table is None:
            task = self._loading.get(table_id)
            if task is None:
                task = self._tasks.spawn(self._load(player, table_id))
                self._loading[table_id] = task
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(task)
        if table.record.player_id != player.id:
            raise UnknownTableError
        table.used = monotonic()
        if table_id in self._tables:
            self._tables.move_to_end(table_id)
        return table

    async def write(self, table: LiveTable, write: Callable[[], Result]) -> Result:
        """Write to a table; ConflictError if another server plays it too, whose writes stay valid.

        If the database cannot be written (UnavailableError), the table shows it until a write
        succeeds.
        """
        try:
            written = await self._store.database.run(write)
        except UnavailableError as error:
            if table.problem != str(error):
                table.problem = str(error)
                table.changed()
            raise
        except StaleHandError:
            self._tables.pop(table.id, None)
            table.problem = "this table was changed elsewhere; load it again"
            table.changed()
            raise ConflictError(table.problem) from None
        table.problem = ""
        return written

    async def finished_hand(self, table: LiveTable, number: int) -> LiveHand:
        """A hand of a table that is over; a hand that is being played does not exist here."""
        if table.hand is not None and table.hand.number == number:
            hand = table.hand
        else:
            record = await self._store.database.run(self._store.hand, table.id, number)
            if record is None:
                raise UnknownHandError
            hand = table.replay(record)
        if not hand.is_over or hand.won is None:
            raise UnknownHandError
        return hand

    async def finished_hands(
        self,
        table: LiveTable,
        *,
        below: int | None = None,
        most: int = 50,
        oldest_first: bool = False,
    ) -> list[LiveHand]:
        """Hands of a table that are over, replayed, with numbers below `below`."""
        records = await self._store.database.run(
            lambda: self._store.finished_hands(
                table.id, below=below, most=most, oldest_first=oldest_first
            )
        )
        return [table.replay(record) for record in records]

    def before(self, table: LiveTable, hand: LiveHand) -> BeforeHands:
        """Gives the hands that a table played before one, oldest first, when it is called."""

        async def played() -> tuple[PlayedHand, ...]:
            hands = await self.finished_hands(
                table, below=hand.number, most=MOST_BEFORE, oldest_first=True
            )
            return tuple(map(table.played, hands))

        return played

    async def _load(self, player: PlayerRecord, table_id: str) -> LiveTable:
        run = self._store.database.run
        record = await run(self._store.table, table_id)
        if record is None or record.player_id != player.id:
            raise UnknownTableError
        table = _live(record, player)
        totals = await run(self._store.totals, table_id, table.seat)
        table.hands, table.won, table.baseline, table.baseline_hands = totals
        last = await run(self._store.last_hand, table_id)
        if last is not None:
            table.hand = table.replay(last)
        self._keep(table)
        self._loaded(table)
        return table

    def _keep(self, table: LiveTable) -> None:
        """Store a table, and release tables that have not been used for a while."""
        self._tables[table.id] = table
        long_ago = monotonic() - IDLE_SECONDS
        for other in list(self._tables.values()):
            crowded = len(self._tables) > TABLES_KEPT
            if not crowded and other.used > long_ago:
                break
            if other is not table and other.is_idle:
                del self._tables[other.id]


def _live(record: TableRecord, player: PlayerRecord) -> LiveTable:
    return LiveTable(record, Game.named(record.game), player.name, _names(record.agents))


def _names(agents: Sequence[str]) -> dict[int, str]:
    """The names of the seats from 1 on; equal agents are numbered."""
    shown = [shown_name(agent) for agent in agents]
    several = len(shown) > 1 and len(set(shown)) < len(shown)
    return {seat: f"{name} {seat}" if several else name for seat, name in enumerate(shown, 1)}
