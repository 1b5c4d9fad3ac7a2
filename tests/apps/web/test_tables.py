"""Tables over REST and WebSocket: whole hands, two tabs, restarts, agents that fail."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from doyle.games import Game
from doyle.games.histories import parse_phh, parse_state_line
from tests.apps.web.asgi import Client, Script, running


def moment(hand: dict[str, Any], action: str) -> dict[str, Any]:
    return {"hand": hand["number"], "number": hand["number_of_actions"], "action": action}


async def play_on(client: Client, table: str, action: str = "c") -> Any:
    """Act in the same way until the hand is over."""
    while True:
        document = (await client.get(f"/api/tables/{table}?wait=10")).json
        if document["hand"]["over"]:
            return document
        answer = await client.post(f"/api/tables/{table}/actions", moment(document["hand"], action))
        assert answer.status == 200, answer.body


@pytest.mark.parametrize("game", ["holdem-nl-200bb", "holdem-limit-2p", "holdem-limit-3p"])
def test_a_hand_of_each_game_is_played_stored_and_downloaded(game: str) -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table(game)
            for last in range(3):
                await client.post(f"/api/tables/{table}/hands", {"after": last})
                document = await play_on(client, table)
                hand = document["hand"]
                assert hand["round"] == 3
                assert len(hand["board"]) == 5
                assert sum(seat["won"] for seat in hand["reveal"]["seats"]) == pytest.approx(0)
            assert document["session"]["hands"] == 3
            rules = Game.named(game)
            log = (await client.get(f"/api/tables/{table}/hands.log")).body.decode().splitlines()
            assert len(log) == 4
            first = parse_state_line(rules, log[0])  # checks what was won
            assert sorted(name.split("-")[0] for name in first.players)[0] == "Ann"
            phh = (await client.get(f"/api/tables/{table}/hands.phhs")).body.decode()
            assert parse_phh(phh.split("[2]\n")[1].split("[3]")[0]).number == 2
            listed = (await client.get(f"/api/tables/{table}/hands?most=2")).json
            assert [entry["number"] for entry in listed] == [3, 2]
            why = (await client.get(f"/api/tables/{table}/hands/3/why")).json
            assert why["baseline"] == 12.5

    asyncio.run(play())


def test_actions_for_another_moment_and_illegal_ones_are_refused() -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}"
            early = {"hand": 1, "number": 0, "action": "c"}
            assert (await client.post(f"{path}/actions", early)).status == 409
            assert (await client.post(f"{path}/hands", {"after": 5})).status == 409
            await client.post(f"{path}/hands", {"after": 0})
            hand = (await client.get(f"{path}?wait=5")).json["hand"]
            assert (await client.post(f"{path}/actions", moment(hand, "r101"))).status == 422
            assert (await client.post(f"{path}/actions", moment(hand, "r99999"))).status == 422
            assert (await client.post(f"{path}/actions", moment(hand, "x"))).status == 422
            late = {**moment(hand, "c"), "number": 7}
            assert (await client.post(f"{path}/actions", late)).status == 409
            both = await asyncio.gather(
                *(client.post(f"{path}/actions", moment(hand, "c")) for _ in range(2))
            )
            assert sorted(answer.status for answer in both) == [200, 409]  # a double click
            assert (await client.get(f"{path}/hands/1")).status == 404  # it goes on
            assert (await client.get(f"{path}/hands/1/why")).status == 404

    asyncio.run(play())


def test_two_tabs_see_the_same_hand() -> None:
    async def play() -> None:
        async with running() as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}/socket"
            async with client.socket(path) as one, client.socket(path) as other:
                await one.next()
                await other.next()
                one.send({"type": "next", "after": 0})
                first, second = await one.until_turn(), await other.until_turn()
                assert first == second
                other.send({"type": "act", **moment(first["hand"], "c")})
                one.send({"type": "act", **moment(first["hand"], "f")})
                refused = await one.next()
                while refused["type"] != "refused":
                    refused = await one.next()
                assert "moved on" in refused["detail"]

    asyncio.run(play())


def test_a_table_goes_on_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'web.sqlite'}"

    async def before() -> tuple[str, str, Any]:
        async with running(database, script=Script([1, 300])) as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}"
            await client.post(f"{path}/hands", {"after": 0})
            await client.post(f"{path}/actions", moment((await client.get(path)).json["hand"], "c"))
            hand = (await client.get(f"{path}?wait=5")).json["hand"]
            assert client.token is not None
            return client.token, table, hand

    async def after(token: str, table: str, hand: Any) -> None:
        async with running(database) as app:
            client = Client(app, token)
            again = (await client.get(f"/api/tables/{table}")).json["hand"]
            assert again == hand
            answer = await client.post(f"/api/tables/{table}/actions", moment(hand, "c"))
            assert answer.status == 200
            assert (await play_on(client, table))["session"]["hands"] == 1

    token, table, hand = asyncio.run(before())
    assert hand["round"] == 1
    asyncio.run(after(token, table, hand))


def test_an_agent_whose_turn_it_was_acts_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'web.sqlite'}"

    async def before() -> tuple[str, str]:
        async with running(database, script=Script(delays=[60.0])) as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}"
            await client.post(f"{path}/hands", {"after": 0})
            answer = await client.post(
                f"{path}/actions", moment((await client.get(path)).json["hand"], "c")
            )
            assert answer.json["hand"]["to_act"] == 1
            assert client.token is not None
            return client.token, table

    async def after(token: str, table: str) -> None:
        async with running(database) as app:
            document = (await Client(app, token).get(f"/api/tables/{table}?wait=10")).json
            assert document["hand"]["log"][1]["text"] == "checks"

    token, table = asyncio.run(before())
    asyncio.run(after(token, table))


def test_an_agent_that_fails_folds_or_checks() -> None:
    async def play() -> None:
        script = Script()
        script.fails = True
        async with running(script=script) as app:
            client = await Client(app).enter()
            table = await client.new_table()
            path = f"/api/tables/{table}"
            await client.post(f"{path}/hands", {"after": 0})
            hand = (await client.get(path)).json["hand"]
            await client.post(f"{path}/actions", moment(hand, "r300"))
            document = (await client.get(f"{path}?wait=5")).json
            assert document["hand"]["reveal"]["seats"][0]["won"] == 100
            assert document["hand"]["log"][-1]["note"] == "the agent failed"

    asyncio.run(play())


def test_an_agent_sees_only_its_own_cards() -> None:
    async def play() -> None:
        script = Script()
        async with running(script=script) as app:
            client = await Client(app).enter()
            table = await client.new_table("holdem-limit-3p")
            await client.post(f"/api/tables/{table}/hands", {"after": 0})
            shown = (await play_on(client, table))["hand"]
            for decision in script.seen:
                deck = shown["reveal"]["deck"]
                assert len(decision.board) in (0, 3, 4, 5)
                own = deck[4 * decision.position :][:4]
                view = decision.view()
                assert view.state.deal is not None
                assert view.state.deal.hole == ((), (), ())
                assert {own[:2], own[2:]} == {_name(card) for card in view.hole}

    asyncio.run(play())


def _name(card: int) -> str:
    return "23456789TJQKA"[card // 4] + "cdhs"[card % 4]


def test_tables_that_nobody_uses_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with running() as app:
            service: Any = app.state.service
            client = await Client(app).enter()
            names = [await client.new_table() for _ in range(30)]
            assert len(service.tables) <= 8
            document = (await client.get(f"/api/tables/{names[0]}")).json
            assert document["hand"] is None

    monkeypatch.setattr("doyle.apps.web.service.registry.TABLES_KEPT", 8)
    asyncio.run(play())
