"""Searching agents: processor time of decisions in self-play, and the limit of `seconds=`.

Decisions are those of dealt hands that a searching agent plays against itself at 200 big blinds on the
searched streets. A street is solved once, so only decisions that solve are timed in the first rows; a
row's `other` is the limit that a player at the table would accept. `DOYLE_SEARCH_AGENT` names another
blueprint than `starter`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from doyle.agents import resolve_agent
from doyle.agents.search import SearchAgent
from doyle.games import Game, State
from doyle.measuring.runs import drawn_action, drawn_deal, drawn_hand

GAME = Game.named("holdem-nl-200bb")
DECISIONS = {"river": 300, "turn": 100}
SEED = 2808


def measurements(*what: str) -> list[dict[str, Any]]:
    """Milliseconds a decision on each street; the time of a decision over its limit."""
    chosen = what or ("river", "turn", "seconds")
    rows: list[dict[str, Any]] = []
    if "river" in chosen:
        rows += _street("river", median=60.0, tail=0.99, most=400.0)
    if "turn" in chosen:
        rows += _street("turn", median=1500.0, tail=0.95, most=5000.0)
    if "seconds" in chosen:
        rows += [_limit("river", 0.1), _limit("river", 0.5), _limit("turn", 1.0)]
    return rows


def _agent(street: str, options: str = "") -> SearchAgent:
    blueprint = os.environ.get("DOYLE_SEARCH_AGENT", "starter")
    found = resolve_agent(f"search:{blueprint}:rounds={street}{options}", GAME)
    assert isinstance(found, SearchAgent)
    return found


def _decisions(agent: SearchAgent, round_: int) -> Iterator[tuple[float, float, bool]]:
    """Processor time and time of each decision of a round in self-play, and whether it solved."""
    number = 0
    while True:
        rng = np.random.default_rng((SEED, number))
        number += 1
        state = drawn_hand((agent, agent), State.start(GAME, drawn_deal(GAME, rng)), round_, rng)
        while state.actor >= 0 and state.round == round_:
            solves, clock, began = agent.counts.solves, time.process_time(), time.monotonic()
            action = drawn_action(agent, state, rng)
            spent = time.process_time() - clock, time.monotonic() - began
            yield *spent, agent.counts.solves > solves
            state = state.apply(action)


def _timed(agent: SearchAgent, street: str, count: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Milliseconds (processor, clock) of the decisions that solve among so many, after one that warms up."""
    found = _decisions(agent, {"turn": 2, "river": 3}[street])
    while not next(found)[2]:
        pass
    rows = [next(found) for _ in range(count)]
    solved = [row for row in rows if row[2]]
    times = 1000 * np.array([row[:2] for row in solved])
    return times[:, 0], times[:, 1], len(rows)


def _street(street: str, *, median: float, tail: float, most: float) -> list[dict[str, Any]]:
    spent, _, count = _timed(_agent(street), street, DECISIONS[street])
    note = f"{len(spent)} of {count} decisions solve, longest {spent.max():.0f} ms"
    high = float(np.quantile(spent, tail))
    return [
        _row(f"{street}: a decision that solves, median", float(np.median(spent)), median, note),
        _row(f"{street}: the same, {100 * tail:.0f}th percentile", high, most, ""),
    ]


def _limit(street: str, seconds: float) -> dict[str, Any]:
    """The longest time of a decision over its limit."""
    _, clock, _ = _timed(_agent(street, f",seconds={seconds}"), street, 40)
    return {
        "name": f"{street}: seconds={seconds}, 95th percentile",
        "ours": float(np.quantile(clock, 0.95)),
        "other": 1000 * seconds,
        "unit": "ms",
        "ratio": float(np.quantile(clock, 0.95)) / (1000 * seconds),
        "target": "< 1.1",
        "note": f"{len(clock)} solves, longest {clock.max():.0f} ms by the clock",
    }


def _row(name: str, ours: float, other: float, note: str) -> dict[str, Any]:
    return {"name": name, "ours": ours, "other": other, "unit": "ms", "ratio": ours / other,
            "target": "< 1", "note": note}  # fmt: skip
