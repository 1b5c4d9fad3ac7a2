"""`ThinkingPool`: the processes that run agents, queried from the event loop.

Each process is a `Lane` with a queue of its own. The decisions of one table go to the same lane, whose
caches know the hand. Agents that search have as many lanes of their own, so no other agent waits behind
a solve. Two more lanes explain finished hands and answer visitors' queries (explorer, policies,
spots, results), so no decision ever waits behind a query. All but the first have lower priority.
"""

from __future__ import annotations

import asyncio
import hashlib
from importlib import import_module
from typing import Any, Protocol

from doyle.apps.web.thinking.lanes import Lane
from doyle.apps.web.thinking.requests import AgentInfo, Decision, PlayedHand
from doyle.games import Action

LOADING_SECONDS = 300.0
THINKING_SECONDS = 60.0
MOST_QUESTIONS = 16
"""Questions that wait for the one that is worked on."""
QUESTION_PATIENCE = 60.0
"""Seconds that a question may wait."""


def called(name: str, *arguments: Any) -> Any:
    """Runs in a process: the function MODULE.NAME of this package, imported there and not here."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"{__package__}.{module}"), function)(*arguments)


class Thinker(Protocol):
    """The interface to agents' answers; tests replace the pool by scripts."""

    async def prepare(self, agent: str, game: str) -> AgentInfo: ...

    async def act(self, decision: Decision, *, table: str, before: BeforeHands) -> Action: ...

    async def explain(
        self, hand: PlayedHand, *, position: int, agent: str, before: BeforeHands
    ) -> tuple[list[dict[str, Any]], float | None]: ...


class BeforeHands(Protocol):
    """Gives the hands that a table has played, for agents that remember."""

    async def __call__(self) -> tuple[PlayedHand, ...]: ...


class ThinkingPool:
    """Processes that load agents and answer for them."""

    def __init__(self, processes: int) -> None:
        self._play = [Lane() for _ in range(processes)]
        self._search = [Lane(background=True) for _ in range(processes)]
        self._explanations = Lane(background=True)
        self.questions = Lane(
            background=True, most_waiting=MOST_QUESTIONS, patience=QUESTION_PATIENCE
        )
        self._known: dict[tuple[str, str], asyncio.Task[AgentInfo]] = {}

    def close(self) -> None:
        for lane in (*self._play, *self._search, self._explanations, self.questions):
            lane.close()

    async def warm(self, agent: str, game: str) -> None:
        """Load an agent in every process, first in playing ones."""
        for lanes in (self._play, (self._explanations, self.questions)):
            await asyncio.gather(
                *(
                    lane.ask(called, "decisions.prepare", agent, game, seconds=LOADING_SECONDS)
                    for lane in lanes
                )
            )

    async def prepare(self, agent: str, game: str) -> AgentInfo:
        key = (agent, game)
        known = self._known.get(key)
        if known is None or (known.done() and known.exception() is not None):
            known = asyncio.create_task(self._prepare(agent, game))
            self._known[key] = known
        return await asyncio.shield(known)

    async def _prepare(self, agent: str, game: str) -> AgentInfo:
        lane = self._play[len(self._known) % len(self._play)]
        info: AgentInfo = await lane.ask(
            called, "decisions.prepare", agent, game, seconds=LOADING_SECONDS
        )
        return info

    async def act(self, decision: Decision, *, table: str, before: BeforeHands) -> Action:
        info = await self.prepare(decision.agent, decision.game)
        played: tuple[PlayedHand, ...] = await before() if info.remembers else ()
        number = int(hashlib.sha256(table.encode()).hexdigest()[:8], 16)
        lanes = self._search if info.searches else self._play
        lane = lanes[number % len(lanes)]
        return await lane.ask(called, "decisions.act", decision, played, seconds=LOADING_SECONDS)

    async def explain(
        self, hand: PlayedHand, *, position: int, agent: str, before: BeforeHands
    ) -> tuple[list[dict[str, Any]], float | None]:
        remember = any(self._remembers(text, hand.game) for text in hand.agents if text)
        played: tuple[PlayedHand, ...] = await before() if remember else ()
        ask, seconds = self._explanations.ask, THINKING_SECONDS
        decisions = await ask(
            called, "hand_explanations.explain_hand", hand, played, seconds=seconds
        )
        if self._remembers(agent, hand.game):
            return decisions, None
        return decisions, await ask(
            called, "decisions.baseline", hand, position, agent, seconds=seconds
        )

    def _remembers(self, agent: str, game: str) -> bool:
        """Whether an agent that was loaded remembers earlier hands."""
        known = self._known.get((agent, game))
        loaded = known is not None and known.done() and known.exception() is None
        return loaded and known is not None and known.result().remembers

    async def work(self, name: str, *arguments: Any, seconds: float = THINKING_SECONDS) -> Any:
        """MODULE.FUNCTION of this package, called with `arguments` in the lane of questions.

        OverloadedError if too many wait, or if it takes longer than `seconds` once it is worked on.
        """
        return await self.questions.ask(called, name, *arguments, seconds=seconds)
