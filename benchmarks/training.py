"""Hands per second of training logs, by kernels and hand by hand, and of cases as tables.

All on one core, in processor seconds: `limit-2p-small` against itself, which is built if it is missing.
Both ways write the same log. The imitator's hands are those of one case base played from tables and by
retrieving case after case.
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
from doyle.matches.match import Method
from doyle.training import Lesson, trained_base
from doyle.training.tabled_cases import tabled_agent

GAME = "holdem-limit-2p"
EXPERT = "limit-2p-small"
DEALS, MATCH_DEALS, RETRIEVED_DEALS = 20_000, 1_000, 300


def logged_hands(deals: int, method: Method) -> float:
    """Hands a second of a duplicate match of the expert against itself with its log."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        play_match(GAME, [EXPERT, EXPERT], hands=50, seed=1, log=log, method=method, workers=1)
        start = time.process_time()
        play_match(GAME, [EXPERT, EXPERT], hands=deals, seed=1, log=log, method=method, workers=1)
        return 2 * deals / (time.process_time() - start)


def imitator_hands() -> tuple[float, float, float]:
    """Seconds to make tables of a base, and hands a second from them and by retrieval."""
    base = trained_base(Lesson(GAME, (EXPERT,), deals=10_000), Architecture(domain="limit"))
    tabled_agent("warm", base.part(0.01, seed=1))
    start = time.process_time()
    player = tabled_agent("imitator", base)
    made = time.process_time() - start
    play_match(GAME, [player, player], hands=1_000, seed=1, workers=1)
    start = time.process_time()
    play_match(GAME, [player, player], hands=DEALS, seed=2, workers=1)
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
        _row(
            "log of two strategies",
            logged_hands(DEALS, "fast"),
            logged_hands(MATCH_DEALS, "plain"),
            "by kernels, beside hand by hand",
        ),
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
