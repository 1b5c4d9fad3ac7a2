"""Workers: processes of this machine or a Ray cluster for Python work, threads for kernels.

How long worker processes live: never longer than the process that started them.

A worker ends with its parent, however that dies: the system is asked to end it (Linux), and a
thread watches the parent everywhere. Ctrl-C reaches every process of a terminal, so workers ignore
it, from their first instruction on; the parent ends them.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, TypeVar

from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers.cluster import map_on_cluster, parse_cluster

_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""
_LONGEST_STOP_SECONDS = 5.0
_SECONDS_BETWEEN_LOOKS = 1.0


def start_worker() -> None:
    """Set up a worker process; runs in it before its first item."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Workers share the cores already; set before NumPy is loaded here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    end_with_parent()


def end_with_parent() -> None:
    """Let this process, started by `multiprocessing`, end when its parent does."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    _ask_for_death_signal()
    watched = parent.sentinel

    def watch() -> None:
        wait([watched])
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def end_with(parent: int) -> None:
    """Let this process end when process number `parent`, which started it, does."""
    _ask_for_death_signal()
    if not hasattr(os, "getppid"):
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def _ask_for_death_signal() -> None:
    if sys.platform == "linux":
        import ctypes

        # The signal comes when the thread that started this process ends: always with its process.
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back in this thread; processes started meanwhile never see one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def stop(executor: Executor, *, finished: bool) -> None:
    """Shut a pool down; one that is not `finished` is stopped at once, even in the middle of an
    item.

    Items are pure, so processes are killed. Threads cannot be: what has started continues. The thread
    that manages a pool of processes must have ended before the interpreter does, because it closes
    a pipe that the interpreter writes to at its end ("Bad file descriptor").
    """
    if finished:
        executor.shutdown(wait=True)
        return
    if not isinstance(executor, ProcessPoolExecutor):
        executor.shutdown(wait=False, cancel_futures=True)
        return
    manager: Any = executor._executor_manager_thread
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown(wait=False, cancel_futures=True)
    if manager is not None:
        manager.join(_LONGEST_STOP_SECONDS)


def kill_children() -> None:
    """Kill every process that this one has started by `multiprocessing`."""
    for process in multiprocessing.active_children():
        process.kill()


Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[str, int, int], None]
"""Called with (label, items done, items in all) whenever another item is done."""

_LOST_WORKER_RETRIES = 3


@dataclass(frozen=True)
class Workers:
    """The number and place of workers.

    `cluster` is None for this machine alone; otherwise items are mapped on a Ray cluster, at that
    address or, if it is empty, one started here. `count` is then the number of threads of this
    process's own part.

    >>> Workers(2).count
    2
    """

    count: int = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise DoyleError(f"workers must be at least 1, not {self.count}")

    @property
    def here(self) -> Workers:
        """The workers of this machine alone."""
        return Workers(self.count)


def parse_workers(text: str | None) -> Workers:
    """Read a number of workers, `ray` or `ray:HOST:PORT`; an empty text selects all cores of this
    machine.

    >>> parse_workers("3")
    Workers(count=3, cluster=None)
    """
    if text is None:
        return Workers(available_cores())
    if text == "ray" or text.startswith("ray:"):
        return Workers(available_cores(), parse_cluster(text))
    # Four digits are read: Python refuses thousands of them with an error of its own.
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= 1024:
        raise FieldError(
            "workers", "expected a number from 1 to 1024, ray or ray:HOST:PORT", value=text
        )
    return Workers(int(text))


def available_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def map_items(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    label: str = "working",
) -> Iterator[Result]:
    """Yield `function(item)` for each item, in order, computed by processes or on a cluster.

    With one worker the items run in this process. The death of a worker (killed, out of memory)
    loses no results: its item is run again, a few times at most. Closing the iterator, an exception
    in an item, or Ctrl-C ends the processes.

    >>> list(map_items(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    chosen = workers or Workers()
    count = chosen.count
    queue = list(items)
    if chosen.cluster is not None:
        yield from map_on_cluster(
            function, queue, address=chosen.cluster, progress=progress, label=label
        )
        return
    if count == 1 or len(queue) <= 1:
        yield from _here(function, queue, progress, label)
        return
    context = multiprocessing.get_context("spawn")
    yield from _ordered(
        function,
        queue,
        lambda: ProcessPoolExecutor(
            min(count, len(queue)), mp_context=context, initializer=start_worker
        ),
        2 * count,
        progress,
        label,
    )


def map_threads(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    label: str = "working",
) -> Iterator[Result]:
    """As `map_items`, on threads of this process: for kernels, which release the GIL."""
    count = (workers or Workers()).count
    queue = list(items)
    if count == 1 or len(queue) <= 1:
        yield from _here(function, queue, progress, label)
        return
    yield from _ordered(
        function, queue, lambda: ThreadPoolExecutor(count), 2 * count, progress, label
    )


def _here(
    function: Callable[[Item], Result], queue: list[Item], progress: Progress | None, label: str
) -> Iterator[Result]:
    for done, item in enumerate(queue, start=1):
        result = function(item)
        if progress is not None:
            progress(label, done, len(queue))
        yield result


def _ordered(
    function: Callable[[Item], Result],
    queue: list[Item],
    make_executor: Callable[[], Executor],
    window: int,
    progress: Progress | None,
    label: str,
) -> Iterator[Result]:
    """Keep `window` items under way, yield in order, and start a new pool when one breaks."""
    done, losses = 0, 0
    finished = False
    while done < len(queue):
        executor = make_executor()
        futures: deque[Future[Result]] = deque()
        submitted = done
        try:
            while done < len(queue):
                while submitted < len(queue) and len(futures) < window:
                    with interrupts_held():  # submitting starts the processes
                        futures.append(executor.submit(function, queue[submitted]))
                    submitted += 1
                result = futures[0].result()
                futures.popleft()
                done += 1
                if progress is not None:
                    progress(label, done, len(queue))
                yield result
            finished = True
        except BrokenProcessPool as error:
            losses += 1
            if losses > _LOST_WORKER_RETRIES:
                raise DoyleError(
                    f"{label}: worker processes keep dying (item {done + 1} of {len(queue)}); "
                    "try fewer workers or free some memory"
                ) from error
        finally:
            stop(executor, finished=finished)
