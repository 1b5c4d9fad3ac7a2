"""The time an agent takes over one action, and how a hanging one is stopped.

The time of every action is measured when it returns. Where the system has interval timers and play
runs in the main thread, as it does in worker processes, a timer also interrupts an action that
exceeds the limit, so Python code that never returns is stopped. Compiled code that never gives
control back to Python cannot be interrupted from within its own process.
"""

from __future__ import annotations

import math
import signal
import threading
from contextlib import AbstractContextManager
from time import perf_counter
from types import FrameType
from typing import Any

_LEAST_PERIOD = 0.01


class TimeLimitExceeded(BaseException):
    """An action took too long; not an Exception, so that an agent does not catch it by accident."""


class ActionClock(AbstractContextManager["ActionClock"]):
    """Times actions, one at a time, against a limit in seconds.

    The timer ticks a few times per limit instead of being set for each action, which would cost
    more than many an agent's decision.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._started = 0.0
        self._deadline = math.inf
        self._previous: Any = None
        self._ticking = False

    def __enter__(self) -> ActionClock:
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGALRM, self._tick)
            period = max(self.limit / 4, _LEAST_PERIOD)
            signal.setitimer(signal.ITIMER_REAL, period, period)
            self._ticking = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._ticking:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)
            self._ticking = False

    def start(self) -> None:
        """An action begins."""
        self._started = perf_counter()
        self._deadline = self._started + self.limit

    def stop(self) -> None:
        """The action has returned; `TimeLimitExceeded` if it took too long."""
        self._deadline = math.inf
        if perf_counter() - self._started > self.limit:
            raise TimeLimitExceeded

    def abandon(self) -> None:
        """The action has ended with an exception."""
        self._deadline = math.inf

    def _tick(self, number: int, frame: FrameType | None) -> None:
        now = perf_counter()
        if now > self._deadline:
            # An agent that swallows the interruption is interrupted again.
            self._deadline = now + self.limit
            raise TimeLimitExceeded
