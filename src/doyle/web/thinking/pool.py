"""`ThinkingPool`: the processes in which agents think, asked from the event loop.

Each process has a queue of its own, so that the questions of one table go to the same process, whose
caches know the hand. One more process, which gives way to the others, explains hands that are over and
does what else may wait. A process that dies is replaced and the question asked again, once.
"""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Protocol, TypeVar

from doyle.errors import DoyleError
from doyle.games import Action
from doyle.web.thinking.requests import AgentInfo, Decision, PlayedHand
from doyle.workers.lifetime import interrupts_held, start_worker, stop

Result = TypeVar("Result")

LOADING_SECONDS = 300.0
THINKING_SECONDS = 60.0
BACKGROUND_NICENESS = 10


def answered(name: str, *arguments: Any) -> Any:
    """Runs in a process: the function MODULE.NAME of this package, imported there and not here."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"{__package__}.{module}"), function)(*arguments)


class Thinker(Protocol):
    """Whoever answers for the agents; tests put scripts in the place of the pool."""

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
        self._processes = processes
        self._lanes: list[ProcessPoolExecutor | None] = [None] * (processes + 1)
        self._known: dict[tuple[str, str], asyncio.Task[AgentInfo]] = {}
        self._remembering: dict[tuple[str, str], bool] = {}

    def close(self) -> None:
        for lane in self._lanes:
            if lane is not None:
                stop(lane, finished=False)
        self._lanes = [None] * len(self._lanes)

    async def warm(self, agent: str, game: str) -> None:
        """Load an agent in every process."""
        lanes = range(self._processes + 1)
        await asyncio.gather(
            *(
                self._ask(lane, answered, "answers.prepare", agent, game, seconds=LOADING_SECONDS)
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
        lane = len(self._known) % self._processes
        info: AgentInfo = await self._ask(
            lane, answered, "answers.prepare", agent, game, seconds=LOADING_SECONDS
        )
        self._remembering[agent, game] = info.remembers
        return info

    async def act(self, decision: Decision, *, table: str, before: BeforeHands) -> Action:
        await self.prepare(decision.agent, decision.game)
        played: tuple[PlayedHand, ...] = ()
        if self._remembering.get((decision.agent, decision.game)):
            played = await before()
        lane = int(hashlib.sha256(table.encode()).hexdigest()[:8], 16) % self._processes
        return await self._ask(
            lane, answered, "answers.act", decision, played, seconds=LOADING_SECONDS
        )

    async def explain(
        self, hand: PlayedHand, *, position: int, agent: str, before: BeforeHands
    ) -> tuple[list[dict[str, Any]], float | None]:
        played: tuple[PlayedHand, ...] = ()
        if any(self._remembering.get((text, hand.game)) for text in hand.agents if text):
            played = await before()
        decisions = await self.work(answered, "explaining.explain_hand", hand, played)
        if self._remembering.get((agent, hand.game)):
            return decisions, None
        return decisions, await self.work(answered, "answers.baseline", hand, position, agent)

    async def work(
        self, function: Callable[..., Result], *arguments: Any, seconds: float = THINKING_SECONDS
    ) -> Result:
        """`function(*arguments)` in the process for what may wait; it must be a picklable function."""
        return await self._ask(self._processes, function, *arguments, seconds=seconds)

    async def _ask(
        self, lane: int, function: Callable[..., Result], *arguments: Any, seconds: float
    ) -> Result:
        for attempt in (1, 2):
            executor = self._lane(lane)
            try:
                with interrupts_held():  # submitting starts the process
                    future = executor.submit(function, *arguments)
                return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
            except BrokenProcessPool:
                self._drop(lane, executor)
                if attempt == 2:
                    raise DoyleError("a thinking process died, twice") from None
            except TimeoutError:
                self._drop(lane, executor)  # it would keep everybody behind it waiting
                raise DoyleError(f"no answer within {seconds:g} seconds") from None
        raise AssertionError

    def _lane(self, lane: int) -> ProcessPoolExecutor:
        found = self._lanes[lane]
        if found is None:
            context = multiprocessing.get_context("spawn")
            begin = start_worker if lane < self._processes else start_background_worker
            found = ProcessPoolExecutor(1, mp_context=context, initializer=begin)
            self._lanes[lane] = found
        return found

    def _drop(self, lane: int, executor: ProcessPoolExecutor) -> None:
        if self._lanes[lane] is executor:
            self._lanes[lane] = None
            stop(executor, finished=False)


def start_background_worker() -> None:
    """Set up the process for what may wait: it gives way to those that answer."""
    start_worker()
    if hasattr(os, "nice"):
        os.nice(BACKGROUND_NICENESS)
