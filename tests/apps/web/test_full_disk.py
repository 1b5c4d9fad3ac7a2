"""A database that cannot be written: the person is told, nothing is taken that is not kept, and play goes on later.

SQLite's own limit on pages gives its error for a full disk, the system's limit on the size of files an
error of the disk, and a connection that may only read the error of a folder without rights.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from doyle.apps.web.service import play
from doyle.apps.web.store import Database
from doyle.apps.web.thinking.requests import Decision
from doyle.games import Action
from tests.apps.web.asgi import Client, Script, running
from tests.apps.web.test_tables import moment, play_on
from tests.attacks.test_full_disk import files_of_at_most

Fault = Callable[[Database], AbstractAsyncContextManager[None]]

WRITTEN = (
    "INSERT ON players",
    "INSERT ON tables",
    "INSERT ON hands",
    "INSERT ON events",
    "UPDATE ON hands",
)


async def execute(database: Database, *statements: str) -> Any:
    """The last value that statements give, in the thread of the database."""

    def work() -> Any:
        with database.engine.connect() as connection:
            for statement in statements:
                found = connection.exec_driver_sql(statement)
            value = found.scalar() if found.returns_rows else None
            connection.commit()
            return value

    return await database.run(work)


@asynccontextmanager
async def full(database: Database) -> AsyncIterator[None]:
    """No page more than there are; each write needs some."""
    fill = "BEGIN INSERT INTO filling VALUES (zeroblob(50000)); END"
    pages = await execute(
        database,
        "CREATE TABLE filling (bytes BLOB)",
        *(
            f"CREATE TEMP TRIGGER filled{number} BEFORE {kind} {fill}"
            for number, kind in enumerate(WRITTEN)
        ),
        "PRAGMA page_count",
    )
    await execute(database, f"PRAGMA max_page_count={pages}")
    try:
        yield
    finally:
        drops = (f"DROP TRIGGER filled{number}" for number in range(len(WRITTEN)))
        await execute(database, "PRAGMA max_page_count=1000000", *drops, "DROP TABLE filling")


@asynccontextmanager
async def failing(database: Database) -> AsyncIterator[None]:
    with files_of_at_most(1024):
        yield


@asynccontextmanager
async def read_only(database: Database) -> AsyncIterator[None]:
    await execute(database, "PRAGMA query_only=ON")
    try:
        yield
    finally:
        await execute(database, "PRAGMA query_only=OFF")


REASONS: dict[Fault, str] = {
    full: "database or disk is full",
    failing: "disk I/O error",
    read_only: "attempt to write a readonly database",
}

every_fault = pytest.mark.parametrize("fault", REASONS, ids=["full", "failing", "read_only"])


def database_of(app: FastAPI) -> Database:
    found: Database = app.state.service.store.database
    return found


def is_told(text: str, fault: Fault) -> bool:
    """One sentence with the database, what is wrong and what mends it, and no path of the server."""
    return text.startswith(f"database web.sqlite: {REASONS[fault]}; nothing was changed, ")


class Held(Script):
    """Calls once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_act = asyncio.Event()

    async def act(self, decision: Decision, *, table: str, before: Any) -> Action:
        await self.may_act.wait()
        return await super().act(decision, table=table, before=before)


async def table_with_a_hand(client: Client) -> str:
    """A new table where one hand was played and explained."""
    table = await client.new_table()
    path = f"/api/tables/{table}"
    await client.post(f"{path}/hands", {"after": 0})
    await play_on(client, table)
    await client.get(f"{path}/hands/1/why")
    return table


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(play, "RETRY_SECONDS", 0.05)
    return f"sqlite:///{tmp_path / 'web.sqlite'}"


@every_fault
def test_what_a_person_does_is_refused_until_it_can_be_kept(
    fault: Fault, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attempt() -> None:
        async with running(url) as app:
            client, database = await Client(app).enter(), database_of(app)
            table = await table_with_a_hand(client)
            path = f"/api/tables/{table}"
            earlier = (await client.get(f"{path}/hands/1")).json
            async with fault(database):
                refused = [
                    await client.post(f"{path}/hands", {"after": 1}),
                    await client.post("/api/players", {"name": "Bob"}),
                    await client.post(
                        "/api/tables", {"game": "holdem-nl-200bb", "agents": ["starter"]}
                    ),
                ]
                for answer in refused:
                    assert answer.status == 503, answer.body
                    assert is_told(answer.json["detail"], fault), answer.body
                document = (await client.get(path)).json
                assert document["hand"]["number"] == 1  # no other was dealt
                assert is_told(document["problem"], fault)
                assert (await client.get(f"{path}/hands/1")).json == earlier
            assert [entry["table"] for entry in (await client.get("/api/tables")).json] == [table]
            assert (await client.post(f"{path}/hands", {"after": 1})).status == 200
            document = (await client.get(f"{path}?wait=5")).json
            assert document["problem"] == ""
            act = moment(document["hand"], "c")
            async with fault(database):
                answer = await client.post(f"{path}/actions", act)
                assert answer.status == 503
                assert is_told(answer.json["detail"], fault)
                again = (await client.get(path)).json
                assert again["hand"] == document["hand"]
            assert await execute(database, "SELECT count(*) FROM players") == 1
            assert (await client.post(f"{path}/actions", act)).status == 200
            assert (await play_on(client, table))["session"]["hands"] == 2
            assert (await client.get(f"{path}/hands/1")).json == earlier
            assert await execute(database, "PRAGMA integrity_check") == "ok"
            assert (
                await execute(database, "SELECT count(*) FROM hands WHERE ended_at IS NOT NULL")
                == 2
            )

    with caplog.at_level(logging.WARNING):
        asyncio.run(attempt())
    assert len(caplog.records) == 1  # one line for faults of the same minute
    assert str(tmp_path / "web.sqlite") in caplog.messages[0]
    assert REASONS[fault] in caplog.messages[0]
    assert caplog.records[0].exc_info is None


@every_fault
def test_an_agent_acts_once_its_action_can_be_kept(fault: Fault, url: str) -> None:
    async def attempt() -> None:
        script = Held()
        async with running(url, script=script) as app:
            client, database = await Client(app).enter(), database_of(app)
            table = await client.new_table()
            path = f"/api/tables/{table}"
            await client.post(f"{path}/hands", {"after": 0})
            hand = (await client.get(f"{path}?wait=5")).json["hand"]
            async with client.socket(f"{path}/socket") as socket:
                await socket.next()
                assert (await client.post(f"{path}/actions", moment(hand, "c"))).status == 200
                taken = await socket.next()
                async with fault(database):
                    script.may_act.set()
                    told = await socket.next()
                    assert is_told(told["problem"], fault), told
                    assert told["hand"] == taken["hand"]
                    await asyncio.sleep(0.3)  # several tries
                    assert socket.outbox.empty()  # and nothing said again
                    assert (await client.get(path)).json["hand"] == taken["hand"]
                on = await socket.next()
                assert on["problem"] == ""
                assert on["hand"]["number_of_actions"] == taken["hand"]["number_of_actions"] + 1
            document = await play_on(client, table)
            assert document["session"]["hands"] == 1
            moments = [decision.actions for decision in script.seen]
            assert len(set(moments)) == len(moments)  # each action was asked for once
            assert await execute(database, "SELECT count(*) FROM events WHERE note <> ''") == 0
            assert await execute(database, "PRAGMA integrity_check") == "ok"

    asyncio.run(attempt())


def test_an_explanation_that_cannot_be_kept_is_made_again(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def attempt() -> None:
        async with running(url) as app:
            client, database = await Client(app).enter(), database_of(app)
            table = await table_with_a_hand(client)
            path = f"/api/tables/{table}"
            await execute(database, "UPDATE hands SET explanation = NULL")
            await execute(database, "UPDATE hand_seats SET baseline = NULL")
            await client.post(f"{path}/hands", {"after": 1})  # hand 1 is read from the database
            async with full(database):
                answer = await client.get(f"{path}/hands/1/why")
                assert answer.status == 503
                assert is_told(answer.json["detail"], full)
            assert (await client.get(f"{path}/hands/1/why")).json["baseline"] == 12.5
            assert await execute(database, "SELECT count(baseline) FROM hand_seats") == 1

    asyncio.run(attempt())
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_page_is_told_over_its_socket(url: str) -> None:
    async def attempt() -> None:
        async with running(url) as app:
            client, database = await Client(app).enter(), database_of(app)
            table = await client.new_table()
            async with client.socket(f"/api/tables/{table}/socket") as socket:
                await socket.next()
                async with full(database):
                    socket.send({"type": "next", "after": 0})
                    said = [await socket.next(), await socket.next()]
                    assert {one["type"] for one in said} == {"refused", "table"}
                    for one in said:
                        assert is_told(one.get("detail") or one["problem"], full)
                socket.send({"type": "next", "after": 0})
                assert (await socket.until_turn())["hand"]["number"] == 1

    asyncio.run(attempt())
