"""Lanes: whose time-out and whose queue a question meets."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import pytest

from doyle.apps.web.thinking.lanes import Lane, OverloadedError
from doyle.apps.web.thinking.pool import ThinkingPool
from doyle.apps.web.thinking.requests import Decision
from doyle.games import Action
from tests.apps.web.asgi import Client, running

LONG = 60.0


def asked(lane: Lane, *questions: tuple[Any, ...], seconds: float) -> list[Any]:
    """The answers, or errors, to questions that are asked at once."""

    async def ask() -> list[Any]:
        try:
            await lane.ask(os.getpid, seconds=LONG)  # the process is started
            return await asyncio.gather(
                *(lane.ask(*question, seconds=seconds) for question in questions),
                return_exceptions=True,
            )
        finally:
            lane.close()

    return asyncio.run(ask())


def test_time_in_the_queue_does_not_count() -> None:
    naps = [(time.sleep, 1.0)] * 12
    assert asked(Lane(), *naps, seconds=10.0) == [None] * 12


def test_a_time_out_is_of_one_question_only() -> None:
    slow, *others = asked(Lane(), (time.sleep, LONG), (abs, -1), (abs, -2), seconds=10.0)
    assert isinstance(slow, OverloadedError)
    assert "no answer within 10 seconds" in str(slow)
    assert others == [1, 2]


def test_a_full_queue_and_a_long_one_refuse() -> None:
    full = asked(Lane(most_waiting=1), *[(time.sleep, 0.5)] * 3, seconds=LONG)
    assert [type(answer) for answer in full] == [type(None), type(None), OverloadedError]
    long = asked(Lane(patience=0.2), *[(time.sleep, 2.0)] * 2, seconds=LONG)
    assert [type(answer) for answer in long] == [type(None), OverloadedError]


def test_the_next_question_waits_for_work_that_nobody_waits_for() -> None:
    async def ask() -> int:
        lane = Lane()
        try:
            await lane.ask(os.getpid, seconds=LONG)
            left = asyncio.create_task(lane.ask(time.sleep, 12.0, seconds=LONG))
            await asyncio.sleep(0.2)
            left.cancel()
            return await lane.ask(abs, -1, seconds=10.0)
        finally:
            lane.close()

    assert asyncio.run(ask()) == 1


def test_a_decision_does_not_wait_for_questions() -> None:
    async def act() -> tuple[Action, bool]:
        pool = ThinkingPool(1)
        try:
            question = asyncio.create_task(pool.questions.ask(time.sleep, LONG, seconds=LONG))
            decision = Decision("always-call", "kuhn", 0, (0,), (), (), bytes(32))

            async def before() -> tuple[()]:
                return ()

            action = await pool.act(decision, table="t", before=before)
            return action, question.done()
        finally:
            pool.close()
            question.cancel()

    assert asyncio.run(act()) == (1, False)


def test_a_decision_does_not_wait_for_a_search() -> None:
    """With one process for each kind, while a river is solved for minutes."""
    game = "holdem-nl-200bb"
    calls = (300, 1, 1, 1, 1, 1)
    board, hole = (46, 22, 11, 3, 38), (48, 50)

    async def act() -> tuple[Action, bool]:
        pool = ThinkingPool(1)

        async def before() -> tuple[()]:
            return ()

        def asked(agent: str) -> asyncio.Task[Action]:
            decision = Decision(agent, game, 0, hole, board, calls, bytes(32))
            return asyncio.create_task(pool.act(decision, table="t", before=before))

        try:
            search = asked("search:starter:iterations=1000000")
            info = await pool.prepare("search:starter:iterations=1000000", game)
            assert info.searches
            action = await asked("always-call")
            return action, search.done()
        finally:
            pool.close()
            search.cancel()

    assert asyncio.run(act()) == (1, False)


def test_a_question_that_takes_too_long_is_503_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def ask() -> None:
        async with running() as app:
            service: Any = app.state.service

            async def slow(*_: Any, **__: Any) -> Any:
                return await service.pool.questions.ask(time.sleep, LONG, seconds=0.5)

            monkeypatch.setattr(service.pool, "work", slow)
            client = await Client(app).enter()
            spot = {"board": "Ks7h4d2cJs", "ranges": ["AA", "KK"], "pot": 200, "stacks": 200}
            answers = await asyncio.gather(*(client.post("/api/spot", spot) for _ in range(20)))
            assert {answer.status for answer in answers} == {503}
            said = {answer.json["detail"] for answer in answers}
            assert said == {
                "no answer within 0.5 seconds; send a smaller query",
                "too many queries are waiting; retry in a moment",
            }

    asyncio.run(ask())
