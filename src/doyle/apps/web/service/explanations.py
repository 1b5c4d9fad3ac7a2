"""`Explanations`: hands that are over, why the agents acted as they did, and the baseline."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from doyle.apps.web.service.errors import UnknownHandError
from doyle.apps.web.service.registry import TableRegistry
from doyle.apps.web.service.tables import LiveHand, LiveTable
from doyle.apps.web.service.tasks import Tasks
from doyle.apps.web.store import Store, UnavailableError
from doyle.apps.web.thinking.lanes import OverloadedError
from doyle.apps.web.thinking.pool import Thinker

logger = logging.getLogger("doyle.apps.web")

MOST_WAITING = 64
"""Limit of hands that wait for an explanation; others are explained on request."""

WAITING_SECONDS = 60.0
"""Maximal seconds that a request for an explanation waits; the work continues."""


class Explanations:
    """Requests explanations of finished hands, and saves them in the database."""

    def __init__(
        self, store: Store, thinker: Thinker, *, tasks: Tasks, registry: TableRegistry
    ) -> None:
        self._store = store
        self._thinker = thinker
        self._tasks = tasks
        self._registry = registry
        self._waiting = 0

    def begin(self, table: LiveTable, hand: LiveHand) -> None:
        """Explain a hand in the background, unless many others wait."""
        if hand.explanation is None and self._waiting < MOST_WAITING:
            self._start(table, hand)

    async def of(self, table: LiveTable, number: int) -> dict[str, Any]:
        """Explanations of the agents' actions in a finished hand."""
        hand = await self._registry.finished_hand(table, number)
        if hand.explanation is None:
            under_way = table.explaining
            if under_way is None or under_way.done() or hand is not table.hand:
                under_way = self._start(table, hand)
            try:
                async with asyncio.timeout(WAITING_SECONDS):
                    await asyncio.shield(under_way)
            except TimeoutError:
                raise OverloadedError(
                    "other hands are being explained; retry in a moment"
                ) from None
        if hand.explanation is None:
            raise UnknownHandError
        return {"number": number, "baseline": hand.baseline, **hand.explanation}

    def _start(self, table: LiveTable, hand: LiveHand) -> asyncio.Task[None]:
        task = self._tasks.spawn(self._explain(table, hand))
        task.add_done_callback(_note_failure)
        table.explaining = task
        return task

    async def _explain(self, table: LiveTable, hand: LiveHand) -> None:
        """Have the decisions of a finished hand explained, and its baseline counted."""
        self._waiting += 1
        try:
            position = hand.position_of(table.seat)
            opponent = hand.seat_of[(position + 1) % table.game.players]
            decisions, baseline = await self._thinker.explain(
                table.played(hand),
                position=position,
                agent=table.agent_of(opponent),
                before=self._registry.before(table, hand),
            )
        except (UnavailableError, OverloadedError):
            raise
        except Exception as error:
            logger.warning("table %s: no explanation: %s", table.id, type(error).__name__)
            return
        finally:
            self._waiting -= 1
        explanation = {"decisions": decisions}
        by_position = {} if baseline is None else {position: baseline}
        await self._store.database.run(
            lambda: self._store.explain(hand.id, explanation, baseline=by_position)
        )
        if baseline is not None and hand.baseline is None:
            table.baseline += baseline
            table.baseline_hands += 1
        hand.explanation, hand.baseline = explanation, baseline
        table.changed()


def _note_failure(task: asyncio.Task[None]) -> None:
    """An explanation that could not be saved is recomputed on request; the failure is logged."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, UnavailableError | OverloadedError):
        logger.error("an explanation failed", exc_info=error)
