"""Hands per second of training logs and of imitators, by kernels and hand by hand.

All on one core, in processor seconds: `limit-2p-small` against itself, `limit-3p-small` against two of itself,
and imitators of the first; what is missing is built. Both ways play the same hands.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from doyle.agents.case_bases import Architecture
from doyle.agents.cases import CaseBasedAgent
from doyle.building import load_or_build_strategy
from doyle.experiments.training import Lesson
from doyle.games import Game
from doyle.matches import play_match
from doyle.matches.match import Method

GAME, EXPERT = "holdem-limit-2p", "limit-2p-small"
THREE_PLAYERS, THREE_PLAYER_EXPERT = "holdem-limit-3p", "limit-3p-small"
DEALS, PLAIN_DEALS = 20_000, 500


def logged_hands(game: str, expert: str, hands: int, method: Method) -> float:
    """Hands a second of a match of an expert against itself, with its log."""
    agents = [expert] * Game.named(game).players
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"

        def play(hands: int, seed: int) -> None:
            play_match(
                game, agents, hands=hands, seed=seed, log=log, method=method, duplicate=False,
                workers=1,
            )  # fmt: skip

        play(20, 1)
        start = time.process_time()
        play(hands, 2)
        return hands / (time.process_time() - start)


def imitator_hands(deals: int, method: Method) -> float:
    """Hands a second of an imitator that has answered nothing yet, against itself."""
    base = Lesson(GAME, (EXPERT,), deals=10_000).base(Architecture(domain="limit"))
    for warm in (True, False):  # the first time compiles
        agent = CaseBasedAgent("imitator", base)
        start = time.process_time()
        play_match(GAME, [agent, agent], hands=20 if warm else deals, method=method, workers=1)
    return 2 * deals / (time.process_time() - start)


def measurements() -> list[dict[str, Any]]:
    """The rows of this topic."""
    rows = []
    for game, expert, hands in (
        (GAME, EXPERT, 2 * DEALS),
        (THREE_PLAYERS, THREE_PLAYER_EXPERT, DEALS),
    ):
        load_or_build_strategy(expert)
        rows.append(
            _row(
                f"log of {hands:,} hands of {expert}",
                logged_hands(game, expert, hands, "fast"),
                logged_hands(game, expert, PLAIN_DEALS, "plain"),
                "by kernels, beside hand by hand",
            )
        )
    rows.append(
        _row(
            f"{2 * DEALS:,} hands of two imitators",
            imitator_hands(DEALS, "fast"),
            imitator_hands(PLAIN_DEALS, "plain"),
            "by kernels with retrieval, beside hand by hand",
        )
    )
    return rows


def _row(name: str, ours: float, other: float, note: str) -> dict[str, Any]:
    return {
        "name": name, "ours": ours, "other": other, "unit": "hands/s", "ratio": ours / other,
        "note": note,
    }  # fmt: skip


if __name__ == "__main__":
    for row in measurements():
        print(f"{row['name']}: {row['ours']:,.0f} {row['unit']}, {row['ratio']:.0f} times")
