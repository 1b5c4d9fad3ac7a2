"""Agents that try to end, hang or confuse the match they play in; each behaves so from its nth action on."""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from doyle.games import CALL, Game, View


@dataclass
class Attacking:
    """Calls until its hand number `hand`, and then attacks."""

    attack: Callable[[], Any]
    hand: int = 3
    name: str = "attacking"
    hands: int = field(default=0, init=False)

    def start(self, game: Game, rng: np.random.Generator) -> None:
        self.hands = 0

    def hand_over(self, view: View) -> None:
        self.hands += 1

    def act(self, view: View) -> Any:
        return self.attack() if self.hands >= self.hand else CALL


class RaisesWhenLookedAt:
    """A return value that raises whatever is done with it."""

    def __index__(self) -> int:
        raise SystemError("do not look")

    def __eq__(self, other: object) -> bool:
        raise SystemError("do not compare")

    __hash__ = None  # type: ignore[assignment]


def leave() -> None:
    os._exit(0)


def crash_in_c() -> None:
    ctypes.string_at(0)


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    raise KeyboardInterrupt


def hang() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        try:
            time.sleep(60)
        except BaseException:
            continue


def hang_in_c() -> None:
    ctypes.PyDLL(None).sleep(600)  # holds the lock of the interpreter


def start_threads() -> int:
    threading.Thread(target=time.sleep, args=(600,)).start()
    atexit.register(time.sleep, 600)
    return CALL


def print_much() -> int:
    print("x" * 100_000)
    os.write(1, b'{"number": 1, "action": 0}\n' * 100)
    sys.stdout.flush()
    return CALL


def fork() -> int:
    os.fork()
    return CALL


def take_all_memory() -> int:
    blocks = []
    while True:
        blocks.append(np.empty(1 << 26))


def close_everything() -> int:
    os.closerange(0, 256)
    return CALL


def write_nonsense() -> int:
    for descriptor in range(3, 16):
        try:
            os.write(descriptor, b"[" * 3000 + b'\n{"number": 1e999}\n')
        except OSError:
            continue
    return CALL


def same(value: Any) -> Any:
    return value


def give(value: Any) -> Callable[[], Any]:
    return partial(same, value)


ATTACKS: dict[str, tuple[Callable[[], Any], str | None]] = {
    "leave": (leave, "its process died"),
    "crash-in-c": (crash_in_c, "its process died"),
    "kill-itself": (kill_itself, "its process died"),
    "interrupt": (interrupt, "KeyboardInterrupt"),
    "hang": (hang, "took longer than 1 s"),
    "hang-in-c": (hang_in_c, "took longer than 1 s"),
    "take-all-memory": (take_all_memory, "MemoryError"),
    "close-everything": (close_everything, "its process died"),
    "look-at-me": (give(RaisesWhenLookedAt()), "SystemError"),
    "start-threads": (start_threads, None),
    "print-much": (print_much, None),
    "fork": (fork, None),
    "write-nonsense": (write_nonsense, None),
    "huge-number": (give(10**6000), None),
    "nothing": (give(None), None),
}
"""By name: the attack, and the reason of the forfeit it leads to, if it does."""


def __getattr__(name: str) -> Callable[[Game], Attacking]:
    """Factories of all attacks, as entry points name them: `make_hang_in_c`."""
    key = name.removeprefix("make_").replace("_", "-")
    if key not in ATTACKS:
        raise AttributeError(name)
    return lambda game: Attacking(ATTACKS[key][0])


def factory(name: str) -> str:
    return f"tests.matches.attacking_agents:make_{name.replace('-', '_')}"


def leave_at_once(game: Game) -> Attacking:
    """A factory that ends the process before there is an agent."""
    os._exit(1)
