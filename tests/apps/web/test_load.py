"""Several tables at once: every action that a player made is in the log, once and in its place.

`python -m benchmarks table` does the same with 50 tables for two minutes on a real server.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from doyle.apps.web.store import HandRecord, Store
from doyle.games import Action, Game, State
from tests.apps.web.asgi import Client, Script, running

TABLES, HANDS = 8, 6
GAMES = ("holdem-nl-200bb", "holdem-limit-2p", "holdem-limit-3p")


class Player:
    """Plays at random and keeps what it did; two tabs watch, and the second one only looks."""

    def __init__(self, client: Client, number: int) -> None:
        self.client = client
        self.random = random.Random(number)
        self.game = GAMES[number % len(GAMES)]
        self.made: dict[int, list[tuple[int, Action]]] = {}
        self.won: dict[int, float] = {}
        self.table = ""

    async def play(self) -> None:
        self.table = await self.client.new_table(self.game)
        path = f"/api/tables/{self.table}/socket"
        async with self.client.socket(path) as socket, self.client.socket(path) as other:
            document = await socket.next()
            for number in range(1, HANDS + 1):
                socket.send({"type": "next", "after": number - 1})
                document = await self._hand(socket, number)
                self.won[number] = document["hand"]["reveal"]["seats"][document["seat"]]["won"]
            last: Any = {}
            while not ((last.get("hand") or {}).get("number") == HANDS and last["hand"]["over"]):
                last = await other.next()
            assert last["hand"]["log"] == document["hand"]["log"]

    async def _hand(self, socket: Any, number: int) -> Any:
        made = self.made.setdefault(number, [])
        while True:
            document = await socket.next()
            assert document["type"] == "table", document
            hand = document["hand"]
            if hand is None or hand["number"] != number:
                continue
            if hand["over"]:
                return document
            count = hand["number_of_actions"]
            if hand["legal"] and (not made or made[-1][0] < count):
                sizes = [size["raise_to"] for size in hand["legal"]["sizes"][:2]]
                action = self.random.choice([1, 1, 1, *sizes])
                made.append((count, action))
                text = "c" if action == 1 else f"r{action}" if "nl" in self.game else "r"
                socket.send({"type": "act", "hand": number, "number": count, "action": text})


def lost(store: Store, player: Player) -> list[str]:
    """What the database does not have of what a player did and was told."""
    found: list[str] = []
    hands = store.finished_hands(player.table, oldest_first=True)
    if [hand.number for hand in hands] != list(player.won):
        found.append(f"hands {[hand.number for hand in hands]}")
    for hand in hands:
        own = next(place for place in hand.seats if place.player_id is not None)
        kept = [
            (number, event.action)
            for number, event in enumerate(hand.events)
            if event.position == own.position
        ]
        if kept != player.made[hand.number]:
            found.append(f"hand {hand.number}: {player.made[hand.number]}, kept {kept}")
        elif own.won != player.won[hand.number] or not _is_whole(hand, player.game):
            found.append(f"hand {hand.number}: {own.won}, told {player.won[hand.number]}")
    return found


def _is_whole(hand: HandRecord, game: str) -> bool:
    """Whether the events of a hand lead from its deal to its end, each by whose turn it was."""
    state = State.start(Game.named(game))
    for event in hand.events:
        if state.is_over or state.actor != event.position or not state.is_legal(event.action):
            return False
        state = state.apply(event.action)
    return state.is_over and sum(place.won or 0 for place in hand.seats) == pytest.approx(0)


def at_once() -> tuple[list[str], int]:
    async def play() -> tuple[list[str], int]:
        delays = [0.001 * (number % 7) for number in range(100)]
        async with running(script=Script(delays=delays)) as app:
            players = [Player(await Client(app).enter(), n) for n in range(TABLES)]
            await asyncio.gather(*(player.play() for player in players))
            store = app.state.service.store
            problems = [problem for player in players for problem in lost(store, player)]
            return problems, sum(len(player.won) for player in players)

    return asyncio.run(play())


def test_nothing_is_lost() -> None:
    assert at_once() == ([], TABLES * HANDS)


def test_a_lost_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Store.add_event

    def forgetful(self: Store, hand_id: int, number: int, **values: Any) -> None:
        if hand_id != 5 or number != 1:
            keep(self, hand_id, number, **values)

    monkeypatch.setattr(Store, "add_event", forgetful)
    problems, hands = at_once()
    assert hands == TABLES * HANDS
    assert len(problems) == 1
