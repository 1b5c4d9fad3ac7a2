"""Talks to an application in this process as a server would, and keeps every byte that comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI

from doyle.apps.web.config import RateLimits, ServerConfig
from doyle.apps.web.server import create_app
from doyle.apps.web.thinking.requests import AgentInfo, Decision, PlayedHand
from doyle.games import Action

HOST = "127.0.0.1:8080"

NO_LIMITS = RateLimits(
    requests_per_second=1e6,
    requests_burst=10**6,
    tables_per_minute=1e6,
    tables_burst=10**6,
    players_per_minute=1e6,
    players_burst=10**6,
)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """One player, or nobody; `sent` is everything that the server sent."""

    app: FastAPI
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"
    sent: list[bytes] = field(default_factory=list)

    async def ask(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str
    ) -> Answer:
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        messages = [{"type": "http.request", "body": content, "more_body": False}]
        answer = Answer(0, {}, b"")

        async def receive() -> dict[str, Any]:
            return messages.pop(0) if messages else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {
                    name.decode().lower(): value.decode() for name, value in message["headers"]
                }
                kept = repr(sorted(message["headers"])).encode()
                self.sent.append(b"%d " % answer.status + kept)
            else:
                answer.body += message.get("body", b"")
                self.sent.append(message.get("body", b""))

        path, _, query = path.partition("?")
        scope = self._scope("http", path, query, headers | {"content-length": str(len(content))})
        await self.app(scope | {"method": method}, receive, send)
        return answer

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return await self.ask("POST", path, {} if body is None else body, **headers)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, **headers)

    async def enter(self) -> Client:
        """Become a player."""
        answer = await self.post("/api/players", {"name": "Ann"})
        assert answer.status == 201, answer.body
        self.token = answer.json["token"]
        self.sent.clear()
        return self

    async def new_table(self, game: str = "holdem-nl-200bb", agent: str = "starter") -> str:
        answer = await self.post("/api/tables", {"game": game, "agents": [agent]})
        assert answer.status == 201, answer.body
        return str(answer.json["table"])

    def _scope(self, kind: str, path: str, query: str, headers: dict[str, str]) -> dict[str, Any]:
        found = {"host": HOST, "content-type": "application/json", **self.headers, **headers}
        if self.token is not None:
            found.setdefault("authorization", f"Bearer {self.token}")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                (name.replace("_", "-").encode(), value.encode()) for name, value in found.items()
            ],
            "client": (self.address, 40000),
            "server": ("127.0.0.1", 8080),
        }

    @asynccontextmanager
    async def socket(self, path: str, **headers: str) -> AsyncIterator[Socket]:
        socket = Socket(self)
        scope = self._scope("websocket", path, "", headers) | {"subprotocols": []}
        socket.inbox.put_nowait({"type": "websocket.connect"})
        task = asyncio.create_task(self.app(scope, socket.inbox.get, socket._take))  # type: ignore[arg-type]
        try:
            yield socket
        finally:
            socket.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await asyncio.wait_for(task, 10)


class Socket:
    """One WebSocket; `messages` are the documents that came, `closed` the code it was closed with."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outbox: asyncio.Queue[Any] = asyncio.Queue()
        self.closed: int | None = None

    async def _take(self, message: dict[str, Any]) -> None:
        self.client.sent.append(repr(sorted(message.items())).encode())
        if message["type"] == "websocket.send":
            self.outbox.put_nowait(json.loads(message["text"]))
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
            self.outbox.put_nowait({"type": "closed", "reason": message.get("reason", "")})

    def send(self, document: Any) -> None:
        text = document if isinstance(document, str) else json.dumps(document)
        self.inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self) -> Any:
        return await asyncio.wait_for(self.outbox.get(), 20)

    async def until_turn(self) -> Any:
        """The first document in which it is the player's turn or the hand is over."""
        while True:
            document = await self.next()
            hand = document.get("hand") or {}
            if document.get("type") != "table" or hand.get("over") or hand.get("legal"):
                return document


class Script:
    """Plays given actions (calls when there are none left), each after its delay in seconds."""

    def __init__(self, actions: Sequence[Action] = (), delays: Sequence[float] = ()) -> None:
        self.actions = tuple(actions)
        self.delays = tuple(delays)
        self.made: dict[str, int] = {}
        self.seen: list[Decision] = []
        self.fails = False

    async def prepare(self, agent: str, game: str) -> AgentInfo:
        return AgentInfo(agent, "")

    async def act(self, decision: Decision, *, table: str, before: Any) -> Action:
        if self.fails:
            raise RuntimeError("broken")
        self.seen.append(decision)
        number = self.made[table] = self.made.get(table, -1) + 1
        if number < len(self.delays):
            await asyncio.sleep(self.delays[number])
        return self.actions[number] if number < len(self.actions) else 1

    async def explain(
        self, hand: PlayedHand, *, position: int, agent: str, before: Any
    ) -> tuple[list[dict[str, Any]], float | None]:
        return [{"position": 0, "round": 0}], 12.5


@asynccontextmanager
async def running(
    database: str = "sqlite://", *, script: Script | None = None, **options: Any
) -> AsyncIterator[FastAPI]:
    """An application without pages, started and stopped as a server does."""
    chosen = {"pace": 0.02, "limits": NO_LIMITS} | options
    config = ServerConfig(database=database, **chosen)
    app = create_app(config, pages=False, thinker=script or Script())
    async with app.router.lifespan_context(app):
        yield app
