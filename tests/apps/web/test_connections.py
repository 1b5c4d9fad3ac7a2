"""Limits on connections: who sends no request makes room for those who do."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import uvicorn
from websockets.sync.client import connect

from doyle.apps.web.config import RateLimits, ServerConfig
from doyle.apps.web.connections import LONGEST_HEAD, Connections, GuardedProtocol
from tests.apps.web.live import served

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers "yes", /slow after a while; a WebSocket gets back what it sends."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(1.0)
    while (await receive()).get("more_body"):
        pass
    length = [(b"content-length", b"4")]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    await send({"type": "http.response.body", "body": b"yes\n"})


@contextmanager
def listening(proxies: tuple[str, ...] = (), **limits: Any) -> Iterator[tuple[str, int]]:
    config = ServerConfig(limits=RateLimits(**limits), trusted_proxies=proxies)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings = uvicorn.Config(
            application,
            http=partial(GuardedProtocol, connections=Connections(config)),  # type: ignore[arg-type]
            lifespan="off",
            log_level="critical",
        )
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


def asked(address: tuple[str, int], path: str = "/") -> bytes:
    with urllib.request.urlopen(f"http://{address[0]}:{address[1]}{path}", timeout=30) as answer:
        found: bytes = answer.read()
        return found


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has ended the connection; waits until it has."""
    connection.settimeout(30)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def is_open(connection: socket.socket) -> bool:
    """Whether it has not been ended so far."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


@pytest.mark.parametrize(
    "sent", [b"", HEAD, HEAD + b"Content-Length: 5\r\n\r\nab"], ids=["nothing", "head", "body"]
)
def test_a_request_that_is_not_there_in_time_is_ended(sent: bytes) -> None:
    with listening(request_seconds=0.3) as address, socket.create_connection(address) as half:
        half.sendall(sent)
        assert is_closed(half)


def test_the_second_request_of_a_connection_is_timed_too() -> None:
    with listening(request_seconds=0.3) as address, socket.create_connection(address) as half:
        half.sendall(HEAD + b"\r\n")
        with half.makefile("rb") as answer:
            while answer.readline() != b"\r\n":
                pass
            assert answer.readline() == b"yes\n"
        half.sendall(HEAD)
        assert is_closed(half)


def test_a_slow_answer_is_waited_for() -> None:
    with listening(request_seconds=0.2) as address:
        assert asked(address, "/slow") == b"yes\n"


def test_a_head_without_end_is_ended() -> None:
    with listening() as address, socket.create_connection(address) as half:
        half.sendall(HEAD + b"X-Long: ")
        with pytest.raises(ConnectionError):
            for _ in range(100):
                half.sendall(b"a" * LONGEST_HEAD)


def test_the_oldest_that_waits_makes_room() -> None:
    with listening(connections_per_address=5) as address, ExitStack() as stack:
        halves = [stack.enter_context(socket.create_connection(address)) for _ in range(12)]
        assert asked(address) == b"yes\n"
        assert all(is_closed(half) for half in halves[:7])
        assert all(is_open(half) for half in halves[-4:])


def test_what_has_closed_makes_room_before_one_that_waits() -> None:
    with listening(connections_per_address=3) as address, ExitStack() as stack:
        for _ in range(2):
            with connect(f"ws://{address[0]}:{address[1]}/") as one:
                one.send("a")
                assert one.recv() == "a"
        waits = stack.enter_context(socket.create_connection(address))
        assert asked(address) == b"yes\n"
        assert is_open(waits)


def test_connections_of_a_trusted_proxy_count_in_all_only() -> None:
    with (
        listening(("127.0.0.1",), connections_per_address=2, connections=8) as address,
        ExitStack() as stack,
    ):
        halves = [stack.enter_context(socket.create_connection(address)) for _ in range(7)]
        assert asked(address) == b"yes\n"
        assert all(is_open(half) for half in halves)
        halves += [stack.enter_context(socket.create_connection(address)) for _ in range(7)]
        assert is_closed(halves[0])


def test_websockets_stay_open_and_are_counted() -> None:
    with listening(request_seconds=0.2, connections_per_address=3) as address:
        url = f"ws://{address[0]}:{address[1]}/"
        with connect(url) as first, connect(url) as second, connect(url) as third:
            time.sleep(0.6)
            for each in (first, second, third):
                each.send("still here")
                assert each.recv() == "still here"
            with socket.create_connection(address) as fourth:
                assert is_closed(fourth)
        assert asked(address) == b"yes\n"


@pytest.mark.slow
def test_half_open_connections_do_not_stop_the_server(tmp_path: Path) -> None:
    """As many as take every file handle of a process that may open 1,024."""
    with served(tmp_path, files=1024) as live, ExitStack() as stack:
        name, _, port = live.address.removeprefix("http://").rpartition(":")
        for _ in range(1100):
            half = socket.create_connection((name, int(port)), timeout=30)
            stack.enter_context(half)
            half.sendall(HEAD)
        assert live.ask("GET", "/api/games")
        seats = {"game": "holdem-nl-200bb", "agents": ["starter"]}
        assert live.enter().ask("POST", "/api/tables", seats)
