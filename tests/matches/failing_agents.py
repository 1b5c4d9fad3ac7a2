"""Agents that misbehave, in a module so that worker processes can import them."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from doyle.games import CALL, Game, View
from doyle.matches import Chance


def keys_of_deal(game: Game, *, seed: int, deal: int) -> frozenset[bytes]:
    """The keys of the dice of every position in one deal of a repeatable match."""
    dice = Chance.repeatable(seed).dice(game)
    positions = range(game.players)
    return frozenset(dice.hand_key(position, deal=deal, seating=0) for position in positions)


@dataclass(frozen=True)
class Crashing:
    """Calls, and raises an exception at its decisions of one deal; with no keys, always."""

    keys: frozenset[bytes] = frozenset()
    error: type[BaseException] = RuntimeError
    name: str = "crashing"

    def act(self, view: View) -> int:
        if not self.keys or view.dice_key in self.keys:
            raise self.error("the agent's own fault")
        return CALL


@dataclass(frozen=True)
class CrashingOnTheFlop:
    """Calls before the flop, and fails on it."""

    name: str = "crashing-on-the-flop"

    def act(self, view: View) -> int:
        if view.board:
            raise ZeroDivisionError
        return CALL


@dataclass(frozen=True)
class Dying:
    """Calls, and ends its process without a word at its first decision of one deal."""

    keys: frozenset[bytes]
    name: str = "dying"

    def act(self, view: View) -> int:
        if view.dice_key in self.keys:
            os._exit(3)
        return CALL


@dataclass(frozen=True)
class Slow:
    """Returns a legal action, too late."""

    seconds: float
    name: str = "slow"

    def act(self, view: View) -> int:
        time.sleep(self.seconds)
        return CALL


@dataclass(frozen=True)
class Hanging:
    """Never returns, and catches whatever it can."""

    name: str = "hanging"

    def act(self, view: View) -> int:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue


@dataclass(frozen=True)
class Returning:
    """Returns the same thing always, legal or not."""

    answer: Any
    name: str = "returning"

    def act(self, view: View) -> int:
        return self.answer  # type: ignore[no-any-return]
