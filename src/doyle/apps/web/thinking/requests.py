"""Queries of an agent: plain values, independent of the transport."""

from __future__ import annotations

import re
from typing import NamedTuple

from doyle.games import Deal, Game, State, View


class Decision(NamedTuple):
    """A moment of a hand as one position sees it, and the position to act."""

    agent: str
    game: str
    position: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    actions: tuple[int, ...]
    dice_key: bytes

    def view(self) -> View:
        """The view of the agent: nothing in it is hidden from its position."""
        game = Game.named(self.game)
        state = State.start(game, Deal(((),) * game.players, self.board))
        for action in self.actions:
            state = state.apply(action)
        return state.view(self.position, dice_key=self.dice_key, hole=self.hole)


class PlayedHand(NamedTuple):
    """A finished hand, for explanations and baselines; `agents` by position, None for players."""

    game: str
    agents: tuple[str | None, ...]
    hole: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    actions: tuple[int, ...]
    dice_keys: tuple[bytes, ...]

    def states(self) -> list[State]:
        """The states of the hand in order, the last one over."""
        state = State.start(Game.named(self.game), Deal(self.hole, self.board))
        found = [state]
        for action in self.actions:
            state = state.apply(action)
            found.append(state)
        return found


class AgentInfo(NamedTuple):
    """The description of an agent."""

    name: str
    digest: str
    """Digest of its strategy; empty without a strategy."""
    remembers: bool = False
    searches: bool = False
    """Whether decisions may take long, so that those of other agents must not wait behind them."""


class Offer(NamedTuple):
    """An agent for one game."""

    agent: str
    name: str
    game: str
    note: str


def shown_name(agent: str) -> str:
    """The text of an agent without the folders of its files, which are of no use to players.

    >>> shown_name("/srv/agents/mine:retain=own"), shown_name("size-tell:./deep/base"), shown_name("default")
    ('mine:retain=own', 'size-tell:base', 'default')
    """
    return re.sub(r"[^:,=]*[/\\](?=[^/\\:,=])", "", agent)
