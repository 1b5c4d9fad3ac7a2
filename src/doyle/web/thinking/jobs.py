"""Jobs: long work that a browser starts, watches and may cancel, each in a process of its own.

The process runs a function of this package, `function(channel, *arguments)`: it reports progress, then its result, and may afterwards
answer questions about the result until the job is dropped. Cancelling ends the process. There are few
jobs at a time; when another is wanted the one that was finished longest ago makes room.
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

from doyle.errors import DoyleError
from doyle.workers.lifetime import interrupts_held, start_worker

MOST_RUNNING = 2
MOST_KEPT = 4
NICENESS = 5
ANSWER_SECONDS = 60.0

Status = Literal["running", "done", "failed"]


class Channel(Protocol):
    """What a job's function is given: where it reports, and what it may be asked."""

    def progress(self, document: dict[str, Any]) -> None: ...

    def serve(
        self, result: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None: ...


class Job:
    """One job as the server sees it."""

    def __init__(self, name: str, arguments: tuple[Any, ...], seconds: float) -> None:
        self.id = secrets.token_hex(16)
        self.status: Status = "running"
        self.progress: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.problem: str | None = None
        self.ended_at = 0.0
        self._waiting: list[Future[dict[str, Any]]] = []
        self._lock = threading.Lock()
        context = multiprocessing.get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(
            target=_run, args=(there, name, arguments), daemon=True, name="doyle-job"
        )
        with interrupts_held():
            self._process.start()
        there.close()
        self._timer = threading.Timer(seconds, self._expire, (seconds,))
        self._timer.daemon = True
        self._timer.start()
        threading.Thread(target=self._listen, daemon=True, name=f"job-{self.id[:8]}").start()

    def document(self) -> dict[str, Any]:
        """What a browser is told."""
        return {
            "job": self.id,
            "status": self.status,
            "progress": self.progress,
            "result": self.result,
            "problem": self.problem,
        }

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask the finished job about its result."""
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
        """End the process, whatever it does."""
        self._timer.cancel()
        if self.status == "running":
            self.status, self.problem, self.ended_at = "failed", problem, monotonic()
        if self._process.is_alive():
            self._process.kill()
        with contextlib.suppress(OSError):
            self._connection.close()

    def _expire(self, seconds: float) -> None:
        if self.status == "running":
            self.end(f"took more than {seconds:g} seconds")

    def _listen(self) -> None:
        """In a thread: everything that the process says."""
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

    async def start(self, name: str, *arguments: Any, seconds: float) -> Job | None:
        """Start MODULE.FUNCTION of this package as a job; None if others are still running."""
        running = [job for job in self._jobs.values() if job.status == "running"]
        if len(running) >= MOST_RUNNING:
            return None
        while len(self._jobs) >= MOST_KEPT:
            ended = [job for job in self._jobs.values() if job.status != "running"]
            await self.drop(min(ended, key=lambda job: job.ended_at).id)
        job = await asyncio.to_thread(Job, name, arguments, seconds)
        self._jobs[job.id] = job
        return job

    def find(self, job_id: str) -> Job | None:
        return self._jobs.get(job_id)

    async def drop(self, job_id: str) -> bool:
        """Cancel a job, or forget one that is done."""
        job = self._jobs.pop(job_id, None)
        if job is None:
            return False
        await asyncio.to_thread(job.end)
        return True

    def close(self) -> None:
        for job in self._jobs.values():
            job.end()
        self._jobs.clear()


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
            except Exception as error:  # what is asked must not end the job
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
