"""Hands whose player has left: folded, and counted in the results."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from doyle.apps.web.config import ServerConfig
from doyle.apps.web.results.queries import Standing, players
from doyle.base.errors import FieldError
from tests.apps.web.asgi import Client, Script, running

GAME = "holdem-nl-200bb"


def standings(app: Any) -> list[Standing]:
    with app.state.service.store.database.session() as session:
        return players(session, GAME)


async def dealt(client: Client) -> str:
    """A table with a hand in which it is the player's turn, the small blind posted."""
    table = await client.new_table(GAME)
    await client.post(f"/api/tables/{table}/hands", {"after": 0})
    document = (await client.get(f"/api/tables/{table}?wait=10")).json
    assert document["hand"]["legal"] is not None
    return table


async def until_over(client: Client, table: str) -> Any:
    async with asyncio.timeout(60):
        while not (document := (await client.get(f"/api/tables/{table}")).json)["hand"]["over"]:
            await asyncio.sleep(0.02)
    return document


def test_a_new_table_folds_the_hand_left_behind() -> None:
    async def play() -> None:
        async with running() as app:
            client, other = await Client(app).enter(), await Client(app).enter()
            table, kept = await dealt(client), await dealt(other)
            await client.new_table(GAME)
            left = await until_over(client, table)
            assert left["hand"]["log"][-1]["text"] == "folds"
            assert left["hand"]["log"][-1]["note"] == "the player left"
            assert [(one.hands, one.total) for one in standings(app)] == [(1, -50.0)]
            assert not (await other.get(f"/api/tables/{kept}")).json["hand"]["over"]

    asyncio.run(play())


def test_a_hand_left_on_the_agents_turn_is_folded_afterwards() -> None:
    async def play() -> None:
        async with running(script=Script([1, 300], delays=[0.3])) as app:
            client = await Client(app).enter()
            table = await dealt(client)
            action = {"hand": 1, "number": 0, "action": "c"}
            answer = await client.post(f"/api/tables/{table}/actions", action)
            assert answer.json["hand"]["to_act"] == 1
            await client.new_table(GAME)
            left = await until_over(client, table)
            assert (left["session"]["hands"], left["session"]["won"]) == (1, -100.0)

    asyncio.run(play())


def test_a_hand_is_folded_after_a_while_and_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'web.sqlite'}"

    async def leave() -> None:
        async with running(database) as app:
            await dealt(await Client(app).enter())

    async def wait() -> None:
        async with running(database, fold_after=0.1) as app, asyncio.timeout(60):
            while not (found := standings(app)):
                await asyncio.sleep(0.02)
            assert [(one.hands, one.total) for one in found] == [(1, -50.0)]

    asyncio.run(leave())
    asyncio.run(wait())
    with pytest.raises(FieldError, match="fold_after"):
        ServerConfig(fold_after=0)
