"""What stands before every request, with hostile input."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.apps.web.config import RateLimits, ServerConfig, is_loopback
from doyle.apps.web.security import ADDRESSES_KEPT, Bucket, Gate
from doyle.base.errors import FieldError
from tests.apps.web.asgi import HOST, Client, running

TOKEN = "0123456789abcdef0123"


def test_players_do_not_see_each_others_tables() -> None:
    async def play() -> None:
        async with running() as app:
            one, other = await Client(app).enter(), await Client(app).enter()
            table = await one.new_table()
            await one.post(f"/api/tables/{table}/hands", {"after": 0})
            for path in ("", "/hands", "/hands/1", "/hands/1/why", "/hands.log"):
                assert (await other.get(f"/api/tables/{table}{path}")).status == 404
                assert (await Client(app).get(f"/api/tables/{table}{path}")).status == 401
            action = {"hand": 1, "number": 0, "action": "f"}
            assert (await other.post(f"/api/tables/{table}/actions", action)).status == 404
            for client in (other, Client(app), Client(app, "wrong" * 10)):
                async with client.socket(f"/api/tables/{table}/socket") as socket:
                    assert (await socket.next())["type"] == "closed"
            assert (await other.get("/api/tables")).json == []

    asyncio.run(play())


@pytest.mark.parametrize(
    "agent",
    ["../../etc/passwd", "/etc/passwd", "./mine.py:Agent", "ev:translation=x", "default\n", ""],
)
def test_agents_that_are_not_offered_cannot_be_named(agent: str) -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            for game in ("holdem-nl-200bb", "../x", "/etc/hostname"):
                answer = await client.post("/api/tables", {"game": game, "agents": [agent]})
                assert answer.status == 422
                question = {"agent": agent, "game": game, "state": "MATCHSTATE:0:0::|"}
                assert (await client.post("/api/policy", question)).status == 422
            answer = await client.post(
                "/api/tables", {"game": "/etc/passwd", "agents": ["starter"]}
            )
            assert answer.status == 422

    asyncio.run(play())


def test_a_spot_names_no_files() -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            spot = {"board": "Ks7h4d2cJs", "ranges": ["AA", "KK"], "pot": 200, "stacks": 200}
            for field, value in (
                ("betting", "/tmp/x.bml"),
                ("betting", "x.bml"),
                ("ranges", ["@/etc/passwd", "KK"]),
                ("board", "Ks7h4d"),
            ):
                assert (await client.post("/api/spot", spot | {field: value})).status == 422

    asyncio.run(play())


def test_other_sites_and_other_names_are_refused() -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table()
            foreign = {"origin": "http://evil.example"}
            assert (await client.post("/api/tables", {}, **foreign)).status == 403
            async with client.socket(f"/api/tables/{table}/socket", **foreign) as socket:
                assert (await socket.next())["type"] == "closed"
            own = {"origin": f"http://{HOST}"}
            async with client.socket(f"/api/tables/{table}/socket", **own) as socket:
                assert (await socket.next())["type"] == "table"
            for name in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", ""):
                assert (await client.get("/api/games", host=name)).status == 400
            assert (await client.get("/api/games", host="localhost:8080")).status == 200
        async with running(allowed_hosts=("table.example",)) as app:
            assert (await Client(app).get("/api/games", host="table.example")).status == 200

    asyncio.run(play())


def test_a_server_for_others_needs_its_token() -> None:
    with pytest.raises(FieldError, match="token"):
        ServerConfig(host="0.0.0.0")
    with pytest.raises(FieldError, match="16 characters"):
        ServerConfig(token="short")
    assert is_loopback("::1")
    assert not is_loopback("example.org")

    async def play() -> None:
        async with running(host="0.0.0.0", token=TOKEN) as app:
            client = Client(app, headers={"host": "table.example"})
            assert (await client.get("/api/games")).status == 401
            assert (await client.get("/api/games", x_doyle_token="x" * 20)).status == 401
            assert (await client.get("/api/games", x_doyle_token=TOKEN)).status == 200
            assert (await client.get("/api/games", cookie=f"doyle_access={TOKEN}")).status == 200
            entered = await client.get(f"//evil.example/x?token={TOKEN}&game=a")
            assert entered.status == 303
            assert entered.headers["location"] == "/evil.example/x?game=a"
            assert "HttpOnly" in entered.headers["set-cookie"]
            async with client.socket(f"/api/tables/{'0' * 32}/socket") as socket:
                assert (await socket.next())["type"] == "closed"

    asyncio.run(play())


def test_rates_and_sizes_are_limited() -> None:
    limits = RateLimits(requests_per_second=0.001, requests_burst=5, body_bytes=1000)

    async def play() -> None:
        async with running(limits=limits) as app:
            client = Client(app)
            assert (await client.ask("POST", "/api/verify", raw=b"x" * 1001)).status == 413
            statuses = [(await client.get("/api/games")).status for _ in range(6)]
            assert statuses == [200] * 4 + [429] * 2
            assert (await Client(app, address="10.0.0.9").get("/api/games")).status == 200
        async with running(limits=RateLimits(messages_burst=3, messages_per_second=0.001)) as app:
            client = await Client(app).enter()
            table = await client.new_table()
            async with client.socket(f"/api/tables/{table}/socket") as socket:
                for _ in range(4):
                    socket.send({"type": "nothing"})
                refused = 0
                while (answer := await socket.next())["type"] != "closed":
                    refused += answer["type"] == "refused"
                assert refused == 3
        async with running(limits=RateLimits(connections_per_address=1)) as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}/socket"
            async with client.socket(path) as one, client.socket(path) as other:
                assert (await one.next())["type"] == "table"
                assert (await other.next())["type"] == "closed"
            async with client.socket(path) as again:
                assert (await again.next())["type"] == "table"

    asyncio.run(play())


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{", '"x"', "[" * 5000, '{"type": "act"}', '{"type": ["act"]}', "\ud800",
        '{"type": "act", "hand": 1e999, "number": 0, "action": "c"}',
        '{"type": "act", "hand": 1, "number": 0, "action": "r99999999999999999999"}',
        '{"type": "next", "after": -1}', '{"type": "next", "after": 0, "more": 1}',
    ],
)  # fmt: skip
def test_hostile_messages_are_answered_and_change_nothing(text: str) -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table()
            async with client.socket(f"/api/tables/{table}/socket") as socket:
                await socket.next()
                socket.send(text if text else " ")
                assert (await socket.next())["type"] == "refused"
            assert (await client.get(f"/api/tables/{table}")).json["hand"] is None

    asyncio.run(play())


@pytest.mark.parametrize("body", [b"", b"null", b"[" * 20000, b"{}", b'{"game": NaN}', b"\xff\xfe"])
def test_hostile_bodies_are_refused(body: bytes) -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            for path in ("/api/tables", "/api/verify", "/api/policy", "/api/spot"):
                answer = await client.ask("POST", path, raw=body)
                assert answer.status in (400, 422), (path, answer.body)
                json.loads(answer.body)

    asyncio.run(play())


def test_buckets_fill_and_addresses_are_forgotten() -> None:
    bucket = Bucket(1e9, 2)
    assert all(bucket.take() for _ in range(100))
    empty = Bucket(0.0, 2)
    assert [empty.take() for _ in range(3)] == [True, True, False]

    async def nothing(*_: object) -> None: ...

    gate = Gate(nothing, ServerConfig())
    for number in range(ADDRESSES_KEPT + 50):
        gate._address({"client": (str(number), 0)})
    assert len(gate._addresses) == ADDRESSES_KEPT


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--host", "0.0.0.0"], "--token"),
        (["--database", "mysql://x/y"], "database"),
        (["--database", "sqlite:////proc/nothing/x.sqlite"], "proc"),
        (["--pace", "0"], "--pace"),
        (["no-such-agent"], "no-such-agent"),
        (["--host", "192.0.2.1", "--token", TOKEN], "192.0.2.1"),
    ],
)
def test_wrong_options_are_one_line(
    options: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "0", *options]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert len(said.strip().splitlines()) == 1


def test_wrong_tokens_are_slowed_down_and_the_right_one_is_not_tried() -> None:
    limits = RateLimits(wrong_tokens_per_minute=0.001, wrong_tokens_burst=3)

    async def play() -> None:
        async with running(host="0.0.0.0", token=TOKEN, limits=limits) as app:
            client = Client(app, headers={"host": "table.example"})
            tried = [(await client.get(f"/?token={'x' * 20}")).status for _ in range(4)]
            assert tried == [401, 401, 401, 429]
            assert (await client.get("/api/games", x_doyle_token=TOKEN)).status == 429
            assert (await client.get("/api/games")).status == 401
            other = Client(app, headers=client.headers, address="10.0.0.9")
            assert (await other.get("/api/games", x_doyle_token=TOKEN)).status == 200
        async with running(limits=limits) as app:
            known = await Client(app).enter()
            assert (await known.get("/api/tables")).status == 200
            wrong = Client(app, "wrong" * 10)
            tried = [(await wrong.get("/api/tables")).status for _ in range(4)]
            assert tried == [401, 401, 401, 429]
            assert (await known.get("/api/tables")).status == 200

    asyncio.run(play())


def test_a_token_leaves_the_address_also_with_the_cookie() -> None:
    async def play() -> None:
        async with running(host="0.0.0.0", token=TOKEN) as app:
            client = Client(app, headers={"cookie": f"doyle_access={TOKEN}"})
            answer = await client.get(f"/nothing?token={TOKEN}")
            assert answer.status == 303
            assert answer.headers["location"] == "/nothing"

    asyncio.run(play())


def test_a_binary_message_closes_the_socket() -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table()
            async with client.socket(f"/api/tables/{table}/socket") as socket:
                await socket.next()
                socket.inbox.put_nowait({"type": "websocket.receive", "bytes": b"x"})
                assert (await socket.next())["type"] == "closed"
                assert socket.closed == 1003

    asyncio.run(play())


def test_head_is_get_without_a_body() -> None:
    async def play() -> None:
        async with running() as app:
            client = Client(app)
            head, get = await client.ask("HEAD", "/api/games"), await client.get("/api/games")
            assert (head.status, head.body) == (200, b"")
            assert head.headers == get.headers

    asyncio.run(play())


def test_forwarded_addresses_are_believed_from_trusted_proxies_only() -> None:
    limits = RateLimits(requests_per_second=0.001, requests_burst=1)

    async def play(proxies: tuple[str, ...]) -> list[int]:
        async with running(limits=limits, trusted_proxies=proxies) as app:
            return [
                (
                    await Client(app).get(
                        "/api/games", x_forwarded_for=f"10.9.9.9, 10.0.0.{number}"
                    )
                ).status
                for number in (1, 2, 2)
            ]

    assert asyncio.run(play(("127.0.0.1",))) == [200, 200, 429]
    assert asyncio.run(play(())) == [200, 429, 429]
    assert asyncio.run(play(("10.0.0.0/8",))) == [200, 429, 429]
    with pytest.raises(FieldError, match="trusted_proxy"):
        ServerConfig(trusted_proxies=("proxy.example",))


def test_cookies_are_secure_over_tls() -> None:
    async def play() -> None:
        async with running(trusted_proxies=("127.0.0.1",)) as app:
            client = Client(app)
            tls = await client.post("/api/session", {}, x_forwarded_proto="https")
            assert "; Secure" in tls.headers["set-cookie"]
            plain = await client.post("/api/session", {})
            assert "Secure" not in plain.headers["set-cookie"]
        async with running(host="0.0.0.0", token=TOKEN, trusted_proxies=("127.0.0.1",)) as app:
            entered = await Client(app).get(f"/?token={TOKEN}", x_forwarded_proto="https")
            assert "; Secure" in entered.headers["set-cookie"]

    asyncio.run(play())


def test_the_database_is_private(tmp_path: Path) -> None:
    path = tmp_path / "web.sqlite"
    path.touch(mode=0o644)

    async def play() -> None:
        async with running(f"sqlite:///{path}") as app:
            await Client(app).enter()
            modes = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
            assert modes == dict.fromkeys(("web.sqlite", "web.sqlite-wal", "web.sqlite-shm"), 0o600)

    asyncio.run(play())
