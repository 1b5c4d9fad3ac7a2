"""Scripted players at tables of a real server, over WebSockets, and how long they waited."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

PACE = 0.02


@contextmanager
def server(
    folder: Path, *, cache: Path | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`doyle serve` on a free port with a database in `folder`, and another cache if one is given."""
    log = folder / "serve.log"
    environment = os.environ if cache is None else os.environ | {"DOYLE_CACHE": str(cache)}
    database = f"sqlite:///{folder / 'web.sqlite'}"
    command = [sys.executable, "-m", "doyle", "serve", "--port", "0", "--database", database]
    with log.open("wb") as stream:
        process = subprocess.Popen([*command, "--pace", str(PACE)], stderr=stream, env=environment)
    try:
        while not (found := re.search(r"serving (http://\S+)/ ", log.read_text())):
            time.sleep(0.1)
        yield process, found[1]
    finally:
        process.terminate()
        process.wait()


def ask(address: str, path: str, body: Any, token: str = "") -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(0.5)
        except urllib.error.URLError:
            time.sleep(0.2)
    raise RuntimeError(f"{path}: no answer")


class Player:
    """Sits at one table; keeps how long its actions and the agent's answers took."""

    def __init__(self, address: str, number: int, *, thinks: float, agent: str = "starter") -> None:
        self.address, self.thinks = address, thinks
        self.random = random.Random(number)
        self.token = ask(address, "/api/players", {})["token"]
        table = {"game": "holdem-nl-200bb", "agents": [agent]}
        self.table = ask(address, "/api/tables", table, self.token)["table"]
        self.choices: tuple[str, ...] = ()
        """Actions to choose from; any that are legal if there are none."""
        self.own: list[float] = []
        self.answers: list[float] = []
        self.asked: list[float] = []
        """When each of the answers was asked for."""
        self.hands = 0
        self.refused = 0
        self.chips = 0.0

    async def play(self, until: float) -> None:
        address = f"{self.address.replace('http', 'ws')}/api/tables/{self.table}/socket"
        headers = {"Authorization": f"Bearer {self.token}"}
        async with connect(address, additional_headers=headers) as socket:
            document = json.loads(await socket.recv())
            while True:
                hand = document["hand"]
                if hand is None or hand["over"]:
                    if hand is not None:
                        self.hands += 1
                        self.chips += hand["reveal"]["seats"][0]["won"]
                    if hand is not None and time.monotonic() > until:
                        return
                    after = 0 if hand is None else hand["number"]
                    await socket.send(json.dumps({"type": "next", "after": after}))
                    document = await self.until(
                        socket, lambda d, n=after: d["hand"] and d["hand"]["number"] > n
                    )
                elif hand["legal"]:
                    await asyncio.sleep(self.thinks * (0.5 + self.random.random()))
                    document = await self.act(socket, hand)
                else:
                    document = await self.until(socket, ready)

    async def act(self, socket: Any, hand: dict[str, Any]) -> Any:
        legal = hand["legal"]
        choices = [*self.choices]
        if not choices:
            choices = ["c"] * 6 + ["f"] * bool(legal["fold"])
            choices += [f"r{size['raise_to']}" for size in legal["sizes"][:2]]
        moment = {"hand": hand["number"], "number": hand["number_of_actions"]}
        started = time.monotonic()
        await socket.send(
            json.dumps({"type": "act", **moment, "action": self.random.choice(choices)})
        )
        made = hand["number_of_actions"]
        document = await self.until(socket, lambda d: d["hand"]["number_of_actions"] > made)
        self.own.append(time.monotonic() - started)
        if not ready(document):
            document = await self.until(socket, ready)
            self.answers.append(time.monotonic() - started)
            self.asked.append(started)
        return document

    async def until(self, socket: Any, wanted: Any) -> Any:
        while True:
            document = json.loads(await asyncio.wait_for(socket.recv(), 120))
            if document["type"] == "refused":
                self.refused += 1
            elif wanted(document):
                return document


def ready(document: dict[str, Any]) -> bool:
    hand = document["hand"]
    return bool(hand["over"] or hand["legal"])


def cold_start(folder: Path) -> tuple[float, float]:
    """Seconds from the command on an empty cache to the page, and to the agent's first answer."""
    started = time.monotonic()
    with server(folder, cache=folder / "cache") as (_, address):
        while True:
            try:
                urllib.request.urlopen(f"{address}/", timeout=60).close()
                break
            except urllib.error.URLError:
                time.sleep(0.05)
        page = time.monotonic() - started
        player = Player(address, 0, thinks=0.0)
        player.choices = ("c",)
        asyncio.run(player.play(0.0))
        return page, time.monotonic() - started


async def play_all(players: list[Player], seconds: float) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(*(player.play(until) for player in players))


def children(process: int) -> list[int]:
    """The processes that a process has started (Linux)."""
    tasks = Path(f"/proc/{process}/task")
    return [
        int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()
    ]


async def come_and_go(player: Player, times: int) -> None:
    """Connect, read one document, leave; many at once."""
    address = f"{player.address.replace('http', 'ws')}/api/tables/{player.table}/socket"
    headers = {"Authorization": f"Bearer {player.token}"}
    gate = asyncio.Semaphore(8)  # the server limits how many come in a second

    async def once() -> None:
        async with gate, connect(address, additional_headers=headers) as socket:
            await socket.recv()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(once() for _ in range(times)))


def resident(process: int) -> float:
    """Megabytes of memory that a process holds (Linux)."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024  # type: ignore[index]
