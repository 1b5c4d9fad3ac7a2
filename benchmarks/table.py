"""The table under load: 50 tables for two minutes, and a thousand connections that come and go.

`DOYLE_TABLE_SECONDS` shortens the first. Times are of the whole way, from sending an action to the
document that shows it; the agent's answer is never shown before the pace of the table, 20 ms here.
`table:search` has the 50 tables play `search:starter` beside five that play `starter`, and kills every
process in which agents think half-way.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._table_players import (
    PACE,
    Player,
    children,
    cold_start,
    come_and_go,
    play_all,
    resident,
    server,
)

TABLES = 50
CONNECTIONS = 1000
THINKS = 1.0
"""Mean seconds that a player thinks."""


OTHERS = 5
"""Tables that play `starter` beside those that play a searching agent."""
RECOVERY_SECONDS = 5.0
"""After the start and after the kill, in which new processes start."""


def measurements(*what: str) -> list[dict[str, Any]]:
    """Response times in milliseconds against a limit of 100, hands lost, memory."""
    if "search" in what:
        return _searching()
    seconds = _seconds()
    with tempfile.TemporaryDirectory() as name, server(Path(name)) as (process, address):
        players = [Player(address, number, thinks=THINKS) for number in range(TABLES)]
        asyncio.run(play_all(players, seconds))
        own, answers = _milliseconds(players)
        hands, lost, kept = _kept(players, Path(name))
        note = f"{hands} hands at {TABLES} tables in {seconds:g} s, load {os.getloadavg()[0]:.1f}"
        time.sleep(1)
        asyncio.run(come_and_go(players[0], 200))
        before = resident(process.pid)
        asyncio.run(come_and_go(players[0], CONNECTIONS))
        after = resident(process.pid)
    with tempfile.TemporaryDirectory() as name:
        page, answer = cold_start(Path(name))
    limit = 100.0
    return [
        {"name": "cold start to a whole hand", "ours": answer, "other": 15.0, "unit": "s",
         "ratio": answer / 15, "target": "< 1", "note": f"empty cache; the page after {page:.1f} s"},
        _row("an action shown, median", statistics.median(own), limit, note),
        _row("the agent's answer, median", statistics.median(answers), limit, f"pace {PACE} s"),
        _row("an action shown, 95th percentile", _percentile(own, 0.95), limit, ""),
        _row("the agent's answer, 95th percentile", _percentile(answers, 0.95), limit, ""),
        _lost_row(hands, lost, kept),
        {"name": f"memory after {CONNECTIONS} connections", "ours": after, "other": before,
         "unit": "MB", "ratio": after / before, "target": "1", "note": ""},
    ]  # fmt: skip


def _searching() -> list[dict[str, Any]]:
    """The agent's answers while 50 tables search and their processes are killed once."""
    seconds = _seconds()
    with tempfile.TemporaryDirectory() as name, server(Path(name)) as (process, address):
        players = [
            Player(address, number, thinks=THINKS, agent="search:starter")
            for number in range(TABLES)
        ]
        others = [Player(address, TABLES + number, thinks=THINKS) for number in range(OTHERS)]
        everyone = [*players, *others]

        async def killed() -> tuple[int, float]:
            await asyncio.sleep(seconds / 2)
            found = children(process.pid)
            for child in found:
                os.kill(child, signal.SIGKILL)
            return len(found), time.monotonic()

        async def played() -> tuple[int, float]:
            _, kill = await asyncio.gather(play_all(everyone, seconds), killed())
            return kill

        begin = time.monotonic()
        count, moment = asyncio.run(played())
        answers, beside = _milliseconds(players)[1], _milliseconds(others)[1]
        asked = [asked for player in others for asked in player.asked]
        calm = [
            wait
            for wait, when in zip(beside, asked, strict=True)
            if when > begin + RECOVERY_SECONDS
            and (when + wait / 1000 < moment or when > moment + RECOVERY_SECONDS)
        ]
        hands, lost, kept = _kept(everyone, Path(name))
    note = f"{hands} hands, {count} processes killed, load {os.getloadavg()[0]:.1f}"
    return [
        _row("search:starter's answer, median", statistics.median(answers), 1500.0, note),
        _row("search:starter's answer, 99th percentile", _percentile(answers, 0.99), 1500.0,
             f"{len(answers)} answers, longest {max(answers):.0f} ms"),
        _row("starter's answer beside it, median", statistics.median(beside), 300.0, ""),
        _row("starter's answer beside it, 99th percentile", _percentile(beside, 0.99), 300.0,
             f"{len(beside)} answers, longest {max(beside):.0f} ms"),
        _row(f"the same but for {RECOVERY_SECONDS:.0f} s after start and kill, longest", max(calm), 300.0,
             f"{len(calm)} answers, 99th percentile {_percentile(calm, 0.99):.0f} ms"),
        _lost_row(hands, lost, kept),
    ]  # fmt: skip


def _seconds() -> float:
    return float(os.environ.get("DOYLE_TABLE_SECONDS", "120"))


def _milliseconds(players: list[Player]) -> tuple[list[float], list[float]]:
    """How long the players' actions and the agents' answers took."""
    own = [1000 * wait for player in players for wait in player.own]
    return own, [1000 * wait for player in players for wait in player.answers]


def _kept(players: list[Player], folder: Path) -> tuple[int, int, bool]:
    """Hands played, those lost or refused, and whether the stored chips agree."""
    hands = sum(player.hands for player in players)
    stored, sums = _stored(folder)
    lost = hands - stored + sum(player.refused for player in players)
    return hands, lost, round(sum(player.chips for player in players)) == round(sums)


def _lost_row(hands: int, lost: int, kept: bool) -> dict[str, Any]:
    return {"name": "hands lost or refused", "ours": lost, "other": hands, "unit": "hands",
            "ratio": lost / hands, "target": "0", "note": "chips agree" if kept else "CHIPS DIFFER"}  # fmt: skip


def _row(name: str, ours: float, other: float, note: str) -> dict[str, Any]:
    return {"name": name, "ours": ours, "other": other, "unit": "ms", "ratio": ours / other,
            "target": "< 1", "note": note}  # fmt: skip


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _stored(folder: Path) -> tuple[int, float]:
    """Hands that are over in the database, and what the players won in them."""
    with sqlite3.connect(folder / "web.sqlite") as database:
        query = (
            "select count(*), sum(won) from hand_seats join hands on hands.id = hand_id "
            "where player_id is not null and ended_at is not null"
        )
        count, won = database.execute(query).fetchone()
    return int(count), float(won or 0)
