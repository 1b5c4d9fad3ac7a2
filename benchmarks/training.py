"""Hands per second of training logs: compiled self-play beside a match, and cases as tables.

All on one core, in processor seconds: `limit-2p-small` against itself, which is built if it is missing.
Self-play writes the same lines of a log as a match does. The imitator's hands are those of one case base
played from tables and by retrieving case after case.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from doyle.agents.cases import CaseBasedAgent
from doyle.building import load_or_build_strategy
from doyle.cases import Architecture
from doyle.games import Game
from doyle.matches import play_match
from doyle.training import Lesson, trained_base
from doyle.training.self_play import SelfPlay, self_play
from doyle.training.tabled_cases import tabled_player

GAME = "holdem-limit-2p"
EXPERT = "limit-2p-small"
DEALS, MATCH_DEALS, RETRIEVED_DEALS = 20_000, 1_000, 300


def self_play_hands() -> float:
    """Hands a second of compiled self-play, lines of the log included."""
    table = self_play((EXPERT, EXPERT))
    assert table is not None
    list(table.lines(table.play(1_000, (0,)), ("a", "b")))
    start = time.process_time()
    lines = list(table.lines(table.play(DEALS, (1,)), ("a", "b")))
    return len(lines) / (time.process_time() - start)


def match_hands() -> float:
    """Hands a second of a duplicate match with its log."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        play_match(GAME, [EXPERT, EXPERT], hands=50, seed=1, log=log)
        start = time.process_time()
        play_match(GAME, [EXPERT, EXPERT], hands=MATCH_DEALS, seed=1, log=log)
        return 2 * MATCH_DEALS / (time.process_time() - start)


def imitator_hands() -> tuple[float, float, float]:
    """Seconds to make tables of a base, and hands a second from them and by retrieval."""
    base = trained_base(Lesson(GAME, (EXPERT,), deals=10_000), Architecture(domain="limit"))
    tabled_player("warm", base.part(0.01, seed=1))
    start = time.process_time()
    player = tabled_player("imitator", base)
    made = time.process_time() - start
    table = SelfPlay([player, player])
    table.units(table.play(1_000, (0,)))
    start = time.process_time()
    table.units(table.play(DEALS, (1,)))
    tabled = 2 * DEALS / (time.process_time() - start)
    agent = CaseBasedAgent("imitator", base)
    play_match(Game.named(GAME), [agent, agent], hands=20, seed=1, workers=1)
    start = time.process_time()
    play_match(Game.named(GAME), [agent, agent], hands=RETRIEVED_DEALS, seed=2, workers=1)
    return made, tabled, 2 * RETRIEVED_DEALS / (time.process_time() - start)


def measurements() -> list[dict[str, Any]]:
    """The rows of this topic."""
    load_or_build_strategy(EXPERT)
    made, tabled, retrieved = imitator_hands()
    return [
        _row("log of two strategies", self_play_hands(), match_hands(), "compiled, beside a match"),
        _row(
            "hands of two imitators",
            tabled,
            retrieved,
            f"from tables, made in {made:.1f} s, beside retrieval",
        ),
    ]


def _row(name: str, ours: float, other: float, note: str) -> dict[str, Any]:
    return {
        "name": name, "ours": ours, "other": other, "unit": "hands/s", "ratio": ours / other,
        "note": note,
    }  # fmt: skip


if __name__ == "__main__":
    for row in measurements():
        print(f"{row['name']}: {row['ours']:,.0f} {row['unit']}, {row['ratio']:.0f} times")
