"""`Lane`: one process that answers one query at a time, called from the event loop.

The clock of a question runs from the start of the work: a question is handed to the process only once
the one before is done. A query that takes too long ends the process, which is replaced for the
next; waiting queries are not affected. A process that dies is replaced and the query repeated,
once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from doyle.base.errors import DoyleError
from doyle.base.workers.local import interrupts_held, start_worker, stop

Result = TypeVar("Result")

BACKGROUND_NICENESS = 10


class OverloadedError(DoyleError):
    """A query that cannot be answered now: too many wait, or the work takes too long."""


class Lane:
    """A process and its queue of queries.

    `most_waiting` is how many may wait and `patience` for how many seconds; None for no limit.
    """

    def __init__(
        self,
        *,
        background: bool = False,
        most_waiting: int | None = None,
        patience: float | None = None,
    ) -> None:
        self._begin = start_background_worker if background else start_worker
        self._most_waiting = most_waiting
        self._patience = patience
        self._waiting = 0
        self._is_closed = False
        self._turn = asyncio.Lock()
        self._executor: ProcessPoolExecutor | None = None
        self._running: asyncio.Task[Any] | None = None

    async def ask(self, function: Callable[..., Result], *arguments: Any, seconds: float) -> Result:
        """`function(*arguments)` in the process, within `seconds` from the start of the work."""
        await self._wait()
        work = asyncio.create_task(self._work(function, *arguments, seconds=seconds))
        self._running = work
        work.add_done_callback(self._done)
        # The process continues when the caller is gone, and the next query must wait for its end.
        return await asyncio.shield(work)

    def close(self) -> None:
        """End the process permanently; its running query fails."""
        self._is_closed = True
        self._drop()

    def _drop(self) -> None:
        if self._executor is not None:
            executor, self._executor = self._executor, None
            stop(executor, finished=False)

    async def _wait(self) -> None:
        if self._most_waiting is not None and self._waiting >= self._most_waiting:
            raise OverloadedError("too many queries are waiting; retry in a moment")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._turn.acquire()
        except TimeoutError:
            raise OverloadedError(
                f"others were answered for {self._patience:g} seconds; retry in a moment"
            ) from None
        finally:
            self._waiting -= 1

    def _done(self, work: asyncio.Task[Any]) -> None:
        self._turn.release()
        if not work.cancelled():
            work.exception()  # the caller may be gone

    async def _work(
        self, function: Callable[..., Result], *arguments: Any, seconds: float
    ) -> Result:
        for attempt in (1, 2):
            executor = self._process()
            try:
                with interrupts_held():  # submitting starts the process
                    future = executor.submit(function, *arguments)
                return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
            except BrokenProcessPool:
                self._drop()
                if self._is_closed:
                    raise OverloadedError("the server is stopping") from None
                if attempt == 2:
                    raise DoyleError("a thinking process died, twice") from None
            except TimeoutError:
                self._drop()
                raise OverloadedError(
                    f"no answer within {seconds:g} seconds; send a smaller query"
                ) from None
        raise AssertionError

    def _process(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(1, mp_context=context, initializer=self._begin)
        return self._executor


def start_background_worker() -> None:
    """Set up a process for background work: its priority is below that of playing processes."""
    start_worker()
    if hasattr(os, "nice"):
        os.nice(BACKGROUND_NICENESS)
