"""The head of a Ray cluster: whether it is there, and questions that are not put to one that is gone.

Ray itself waits a minute for a head that does not answer and then ends the process, whatever that was doing.
So whoever waits for the cluster looks at the head meanwhile, and what only the head can answer is asked from
another thread, which is left behind when the head is gone.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from doyle.base.errors import DoyleError

Answer = TypeVar("Answer")

SECONDS_BETWEEN_LOOKS = 1.0
_SECONDS_TO_ANSWER = 10.0
_LOOKS = 3


_lost = threading.Event()


class LostHeadError(DoyleError):
    """The head of the cluster died while work was under way."""


def is_lost() -> bool:
    """Whether the head of a cluster of this process was ever lost."""
    return _lost.is_set()


def look_at(address: str) -> None:
    """Connect to HOST:PORT and leave again; `OSError` if nobody is there."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()


def check_head(address: str) -> None:
    """Refuse to wait for a cluster whose head is gone; an empty address is a cluster of this process."""
    if not address:
        return
    for _ in range(_LOOKS):
        try:
            look_at(address)
            return
        except OSError as error:
            reason = error
            time.sleep(SECONDS_BETWEEN_LOOKS)
    _lost.set()
    raise LostHeadError(
        f"workers 'ray': the head of the cluster at {address} is gone ({reason}); start it and "
        "its nodes again, then run the command again: what was kept is resumed"
    )


def ask_head(question: Callable[[], Answer], address: str) -> Answer:
    """What a call that needs the head returns or raises; `LostHeadError` if the head is gone.

    >>> ask_head(lambda: 3, "")
    3
    """
    answers: list[Answer] = []
    problems: list[BaseException] = []
    over = threading.Event()

    def ask() -> None:
        try:
            answers.append(question())
        except BaseException as problem:
            problems.append(problem)
        finally:
            over.set()

    threading.Thread(target=ask, name="ask-head", daemon=True).start()
    while not over.wait(SECONDS_BETWEEN_LOOKS):
        check_head(address)
    if problems:
        raise problems[0]
    return answers[0]
