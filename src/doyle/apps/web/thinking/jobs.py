"""Jobs: long work that a browser starts, watches and may cancel, each in a process of its own.

The process runs a function of this package, `function(channel, *arguments)`: it reports progress, then its result, and may afterwards
answer questions about the result until the job is dropped. Cancelling ends the process. A job belongs to
its owner and does not exist for others. Few run at a time; the others wait in their order and know their
place. A job without recent queries is dropped, and so is the oldest finished one if there are many.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from importlib import import_module
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Literal, Protocol

from doyle.apps.web.thinking.lanes import OverloadedError
from doyle.base.errors import DoyleError
from doyle.base.workers.local import interrupts_held, start_worker

MOST_RUNNING = 2
MOST_KEPT = 4
NICENESS = 5
ANSWER_SECONDS = 60.0
MOST_WAITING = 16
MOST_OF_ONE = 2
"""Jobs of one owner that run or wait."""
LISTENING_SECONDS = 90.0
"""Seconds without a query after which a job has no listener; hidden tabs query once a minute."""
KEPT_SECONDS = 900.0
"""The same for a finished job, which can still be queried."""
PAUSE = 1.0

Status = Literal["waiting", "running", "done", "failed"]


class Channel(Protocol):
    """The channel of a job's function: its reports, and its queries."""

    def progress(self, document: dict[str, Any]) -> None: ...

    def serve(
        self, result: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None: ...


class Job:
    """One job as the server sees it."""

    def __init__(
        self, name: str, arguments: tuple[Any, ...], *, owner: str, seconds: float
    ) -> None:
        self.id = secrets.token_hex(16)
        self.owner = owner
        self.status: Status = "waiting"
        self.place: int | None = None
        """In the queue, from 1, while it waits."""
        self.progress: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.problem: str | None = None
        self.asked_at = monotonic()
        self.ended_at = 0.0
        self._waiting: list[Future[dict[str, Any]]] = []
        self._lock = threading.Lock()
        self._seconds = seconds
        context = multiprocessing.get_context("spawn")
        self._connection, self._there = context.Pipe()
        self._process = context.Process(
            target=_run, args=(self._there, name, arguments), daemon=True, name="doyle-job"
        )
        self._timer = threading.Timer(seconds, self._expire, (seconds,))
        self._timer.daemon = True

    @property
    def is_open(self) -> bool:
        """Whether it runs or waits."""
        return self.status in ("waiting", "running")

    @property
    def has_listener(self) -> bool:
        """Whether it was queried recently."""
        patience = LISTENING_SECONDS if self.is_open else KEPT_SECONDS
        return monotonic() - self.asked_at <= patience

    def begin(self) -> None:
        """Start the process; not in the event loop, which would wait for it."""
        with self._lock, interrupts_held():
            if self.status != "running":
                return  # cancelled meanwhile
            self._process.start()
        self._there.close()
        self._timer.start()
        threading.Thread(target=self._listen, daemon=True, name=f"job-{self.id[:8]}").start()

    def document(self) -> dict[str, Any]:
        """The document for a browser."""
        return {
            "job": self.id,
            "status": self.status,
            "place": self.place,
            "progress": self.progress,
            "result": self.result,
            "problem": self.problem,
        }

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Query the finished job's result."""
        if self.status != "done":
            raise DoyleError("the job is not done")
        future: Future[dict[str, Any]] = Future()
        with self._lock:
            self._waiting.append(future)
            try:
                self._connection.send(question)
            except (OSError, ValueError):
                self._waiting.remove(future)
                raise DoyleError("the job has ended; start it again") from None
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), ANSWER_SECONDS)
        except TimeoutError:
            self.end("no answer in time")
            raise DoyleError("no answer in time; start the job again") from None

    def end(self, problem: str = "cancelled") -> None:
        """End the process immediately."""
        self._timer.cancel()
        with self._lock:
            if self.is_open:
                self.status, self.problem, self.ended_at = "failed", problem, monotonic()
            if self._process.pid is not None and self._process.is_alive():
                self._process.kill()
        with contextlib.suppress(OSError):
            self._connection.close()

    def _expire(self, seconds: float) -> None:
        if self.status == "running":
            self.end(f"took more than {seconds:g} seconds")

    def _listen(self) -> None:
        """In a thread: receive all messages of the process."""
        while True:
            try:
                kind, value = self._connection.recv()
            except (EOFError, OSError, ValueError, TypeError):
                break
            if kind == "progress":
                self.progress = value
            elif kind == "done":
                self._timer.cancel()
                self.result, self.ended_at = value, monotonic()
                self.status = "done"
            elif kind == "failed":
                self.problem, self.ended_at = str(value)[:500], monotonic()
                self.status = "failed"
            else:
                self._answered(kind, value)
        if self.status == "running":
            self.status, self.problem = "failed", "the process ended; it may lack memory"
            self.ended_at = monotonic()
        self._process.join(1.0)
        while self._waiting:
            self._answered("refused", "the job has ended; start it again")

    def _answered(self, kind: str, value: Any) -> None:
        with self._lock:
            future = self._waiting.pop(0) if self._waiting else None
        if future is None or future.cancelled():
            return
        if kind == "answer":
            future.set_result(value)
        else:
            future.set_exception(DoyleError(str(value)))


class Jobs:
    """The jobs of a server."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._keeper: asyncio.Task[None] | None = None

    async def start(self, name: str, *arguments: Any, owner: str, seconds: float) -> Job:
        """Have MODULE.FUNCTION of this package run as a job, now or when it is its turn.

        OverloadedError if too many jobs wait; DoyleError if the owner has several already.
        """
        waiting = [job for job in self._jobs.values() if job.status == "waiting"]
        own = [job for job in self._jobs.values() if job.is_open and job.owner == owner]
        if len(own) >= MOST_OF_ONE:
            raise DoyleError(f"{MOST_OF_ONE} of your jobs are not done; cancel one or wait")
        if len(waiting) >= MOST_WAITING:
            raise OverloadedError("too many jobs are waiting; try again in a moment")
        job = Job(name, arguments, owner=owner, seconds=seconds)
        self._jobs[job.id] = job
        await self._advance()
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep())
        return job

    def find(self, job_id: str, *, owner: str | None) -> Job | None:
        """A job of the owner, who counts as its listener from now on."""
        job = self._jobs.get(job_id)
        if job is None or job.owner != owner:
            return None
        job.asked_at = monotonic()
        return job

    async def _keep(self) -> None:
        """Drop jobs without a listener and start waiting ones, while there are any."""
        while self._jobs:
            await asyncio.sleep(PAUSE)
            for job in [job for job in self._jobs.values() if not job.has_listener]:
                await self._drop(job)
            await self._advance()

    async def _advance(self) -> None:
        """Start jobs as there is room, and count the places of the others."""
        running = sum(job.status == "running" for job in self._jobs.values())
        waiting = [job for job in self._jobs.values() if job.status == "waiting"]
        begun = waiting[: max(0, MOST_RUNNING - running)]
        for job in begun:
            job.status, job.place = "running", None
        for place, job in enumerate(waiting[len(begun) :], 1):
            job.place = place
        ended = [job for job in self._jobs.values() if not job.is_open]
        ended.sort(key=lambda job: job.ended_at)
        for job in ended[: max(0, len(ended) - MOST_KEPT)]:
            await self._drop(job)
        for job in begun:
            await asyncio.to_thread(job.begin)

    async def _drop(self, job: Job) -> None:
        self._jobs.pop(job.id, None)
        await asyncio.to_thread(job.end)

    async def drop(self, job_id: str, *, owner: str | None) -> bool:
        """Cancel a job of the owner, or drop a finished one."""
        job = self.find(job_id, owner=owner)
        if job is None:
            return False
        await self._drop(job)
        await self._advance()
        return True

    def close(self) -> None:
        for job in self._jobs.values():
            job.end()
        self._jobs.clear()  # which ends the keeper


class _Channel:
    """The side of the process."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def progress(self, document: dict[str, Any]) -> None:
        self._connection.send(("progress", document))

    def serve(
        self, result: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        """Give the result, then answer questions until the server hangs up."""
        self._connection.send(("done", result))
        while True:
            try:
                question = self._connection.recv()
            except (EOFError, OSError):
                return
            try:
                self._connection.send(("answer", answer(question)))
            except DoyleError as error:
                self._connection.send(("refused", str(error)))
            except Exception as error:  # a query must not end the job
                self._connection.send(("refused", f"cannot be answered: {type(error).__name__}"))


def _run(connection: Connection, name: str, arguments: tuple[Any, ...]) -> None:
    """In the process."""
    module, _, function = name.partition(".")
    start_worker()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        job = getattr(import_module(f"{__package__}.{module}"), function)
        job(_Channel(connection), *arguments)
    except DoyleError as error:
        connection.send(("failed", str(error)))
    except MemoryError:
        connection.send(("failed", "not enough memory"))
    finally:
        with contextlib.suppress(OSError):
            connection.close()
