"""Agents that play apart: in a process of their own, with a deadline and a memory limit.

Code that is not doyle's may crash the interpreter, never return, print, start threads or take all
memory. In a process of its own it can do all that without ending the match: an agent that does not
answer in time has its process ended, with whatever that process started, and forfeits.

The two processes speak in lines. Requests are JSON after a first one that carries the agent itself.
Answers are JSON of at most `LONGEST_ANSWER` bytes, which are only ever parsed, never unpickled.
`doyle.matches.agent_process` is the other side.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Action, Agent, Game, View

LOAD_LIMIT = 60.0
"""Seconds an agent may take to load."""

PRACTICE_LIMIT = 30.0
"""Seconds an agent may practise before its clock starts."""

LONGEST_ANSWER = 4096
_SECONDS_TO_LEAVE = 1.0
_LONGEST_NAME = 100
_SERVE = "import sys; sys.path.insert(0, sys.argv[1]); from doyle.matches.agent_process import serve; serve()"
_DOYLE_HOME = str(Path(__file__).parents[2])


class AgentFailed(Exception):
    """An agent that plays apart did not answer as it should."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Apart:
    """An agent to be played in a process of its own: its text, or an object to send there.

    `memory` limits its allocations in bytes; None allows a quarter of the machine's memory.
    """

    agent: str | Agent
    memory: int | None = None

    @property
    def name(self) -> str:
        return self.agent if isinstance(self.agent, str) else self.agent.name

    def act(self, view: View) -> Action:
        """Not supported: only a match can query the agent, in its process."""
        raise DoyleError(f"agent {self.name!r}: plays in a process of its own, in matches only")


def open_apart(
    apart: Apart, game: Game, *, limit: float, practice: Sequence[View], stack: ExitStack
) -> Agent:
    """The agent's process, started, loaded and practised; it ends when `stack` is closed.

    An agent that fails to load or to practise fails again in the match, where it forfeits.
    """
    process = _AgentProcess(apart, game)
    stack.callback(lambda: process.close())
    try:
        ready = process.load()
        practised = process.practise(practice)
    except AgentFailed as failure:
        process.close()
        return _Failed(apart.name, failure)
    if not practised:
        process.close()
        process = _AgentProcess(apart, game)
        try:
            ready = process.load()
        except AgentFailed as failure:
            process.close()
            return _Failed(apart.name, failure)
    kind = _RememberingApartAgent if ready.get("remembers") else _ApartAgent
    return kind(ready["name"], process, limit)


def name_of(apart: Apart, game: Game) -> str:
    """The agent's name, queried in its own process; DoyleError if it cannot be loaded."""
    process = _AgentProcess(apart, game)
    try:
        return str(process.load()["name"])
    except AgentFailed as failure:
        named = f"agent {apart.name!r}"
        reason = failure.reason
        raise DoyleError(reason if reason.startswith(named) else f"{named}: {reason}") from None
    finally:
        process.close()


class _ApartAgent:
    """Requests each action from the process."""

    def __init__(self, name: str, process: _AgentProcess, limit: float) -> None:
        self.name = name
        self._process = process
        self._limit = limit

    def act(self, view: View) -> Action:
        answer = self._process.ask("act", limit=self._limit, view=_view_document(view))
        action = answer.get("action")
        # A return value that is not an action is sent as null; the match repairs it like any
        # illegal action.
        return action if type(action) is int else _NO_ACTION


class _RememberingApartAgent(_ApartAgent):
    """Also informs the process when a match starts and how hands end."""

    def start(self, game: Game, rng: np.random.Generator) -> None:
        seed = [int(word) for word in rng.integers(2**32, size=8, dtype=np.uint32)]
        self._process.ask("start", limit=self._limit, seed=seed)

    def hand_over(self, view: View) -> None:
        self._process.ask("hand_over", limit=self._limit, view=_view_document(view))


class _Failed:
    """Replaces an agent that did not load: it fails at its first action."""

    def __init__(self, name: str, failure: AgentFailed) -> None:
        self.name = name
        self._failure = failure

    def act(self, view: View) -> Action:
        raise self._failure


_NO_ACTION: Any = None


class _AgentProcess:
    """The process of one agent: requests go in, answers come out before a deadline."""

    def __init__(self, apart: Apart, game: Game) -> None:
        memory = apart.memory or _machine_memory() // 4
        try:
            setup = pickle.dumps((apart.agent, game))
        except Exception as error:
            raise DoyleError(
                f"agent {apart.name!r}: cannot be sent to a process of its own ({error}); "
                "define its class in a module"
            ) from error
        self._setup = pickle.dumps((sys.path, os.getpid(), memory, setup))
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, _DOYLE_HOME],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin
        self._answers: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._ended = threading.Event()
        reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        reader.start()

    def load(self) -> dict[str, Any]:
        """Send the agent; return its description. `AgentFailed` names the reason if it cannot
        play."""
        self._send(len(self._setup).to_bytes(8, "big") + self._setup)
        ready = self._answer(LOAD_LIMIT, doing="to load")
        return ready | {"name": str(ready.get("name"))[:_LONGEST_NAME]}

    def practise(self, views: Sequence[View]) -> bool:
        """Let the agent act at each view; whether its process is still fit to play."""
        deadline = monotonic() + PRACTICE_LIMIT
        try:
            for view in views:
                left = max(0.0, deadline - monotonic())
                self.ask("practise", limit=left, view=_view_document(view))
        except AgentFailed:
            return False
        return True

    def ask(self, what: str, *, limit: float, **content: Any) -> dict[str, Any]:
        """The answer to a request; `AgentFailed` if it does not arrive within `limit` seconds."""
        self._number += 1
        request = {"request": what, "number": self._number, **content}
        self._send(json.dumps(request).encode() + b"\n")
        return self._answer(limit)

    def close(self) -> None:
        """End the process and its children, by a signal if it does not exit by itself."""
        if self._requests.closed:
            return
        with contextlib.suppress(OSError):
            self._requests.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_LEAVE)
        self._kill()

    def _send(self, message: bytes) -> None:
        try:
            self._requests.write(message)
            self._requests.flush()
        except (OSError, ValueError):  # the process is gone, or was ended
            raise self._death() from None

    def _answer(self, limit: float, *, doing: str = "") -> dict[str, Any]:
        deadline = monotonic() + limit
        while True:
            try:
                line = self._answers.get(timeout=max(0.0, deadline - monotonic()))
            except queue.Empty:
                self._kill()
                raise AgentFailed(f"took longer than {limit:g} s {doing}".rstrip()) from None
            if not line:
                raise self._death()
            answer = _parsed(line)
            if answer.get("number") != self._number:
                continue  # not the answer to this request
            if "failed" in answer:
                raise AgentFailed(str(answer["failed"])[:LONGEST_ANSWER])
            return answer

    def _death(self) -> AgentFailed:
        self._kill()
        return AgentFailed("its process died")

    def _read(self, answers: BinaryIO) -> None:
        """Forward lines as they arrive; an empty line marks the end."""
        with answers:
            while not self._ended.is_set():
                line = answers.readline(LONGEST_ANSWER + 1)
                while not self._ended.is_set():
                    with contextlib.suppress(queue.Full):
                        self._answers.put(line, timeout=1.0)
                        break
                if not line:
                    return

    def _kill(self) -> None:
        self._ended.set()
        # The agent's process leads a session of its own, so this ends its children too.
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._requests.close()


def _parsed(line: bytes) -> dict[str, Any]:
    """An answer as a document; an empty one if it cannot be parsed."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _view_document(view: View) -> dict[str, Any]:
    """The data from which the other side rebuilds the view."""
    shown = view.state.deal.hole if view.state.deal is not None else ()
    return {
        "seat": view.seat,
        "hole": view.hole,
        "board": view.board,
        "shown": shown,
        "actions": [action for actions in view.state.betting for action in actions],
        "dice_key": view.dice_key.hex(),
    }


def _machine_memory() -> int:
    """Bytes of memory of this machine; 4 GiB if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 4 << 30
