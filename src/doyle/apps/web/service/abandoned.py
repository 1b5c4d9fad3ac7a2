"""`AbandonedHands`: hands whose player has left are folded, so that they count in the results.

A hand is abandoned after `seconds` without an action, and when its player opens another table.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from doyle.apps.web.service.errors import ServiceError
from doyle.apps.web.service.play import Play
from doyle.apps.web.service.registry import TableRegistry
from doyle.apps.web.store import Store, UnavailableError
from doyle.apps.web.store.models import now

logger = logging.getLogger("doyle.apps.web")

LONGEST_PAUSE = 30.0
"""Seconds between two looks for abandoned hands."""


class AbandonedHands:
    """Finds abandoned hands in the database, including those from before a restart, and folds
    them."""

    def __init__(
        self, store: Store, play: Play, *, registry: TableRegistry, seconds: float
    ) -> None:
        self._store = store
        self._play = play
        self._registry = registry
        self._seconds = seconds

    async def keep_folding(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(min(LONGEST_PAUSE, self._seconds / 2))
            try:
                await self.fold(idle_since=now() - timedelta(seconds=self._seconds))
            except UnavailableError:
                continue  # the database has logged it
            except Exception:
                logger.exception("abandoned hands could not be folded")

    async def fold(
        self, *, idle_since: datetime | None = None, player_id: str | None = None
    ) -> None:
        """Fold the hands without an action since a time, or all of one player."""
        found = await self._store.database.run(
            lambda: self._store.unfinished_tables(idle_since=idle_since, player_id=player_id)
        )
        for record, player in found:
            try:
                table = await self._registry.find(player, record.id)
                await self._play.abandon(table)
            except ServiceError:
                continue  # another server plays it
