"""How long worker processes live: never longer than the process that started them.

A worker ends with its parent, however that dies: the system is asked to end it (Linux), and a
thread watches the parent everywhere. Ctrl-C reaches every process of a terminal, so workers ignore
it, from their first instruction on; the parent ends them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

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
    """Shut a pool down; one that is not `finished` is stopped at once, whatever it is doing.

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
