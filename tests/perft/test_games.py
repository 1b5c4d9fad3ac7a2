"""Betting sequences by length, kept as data: counted by OpenSpiel's universal_poker, met by `State`.

A difference in the first row that fails names the rule that changed: the shortest sequences it can
be seen in.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from doyle.games import Game, State

with (Path(__file__).parent / "game_sequences.csv").open(newline="") as stream:
    ROWS = list(csv.DictReader(stream))


def perft(state: State, actions: int) -> tuple[int, int]:
    """Betting sequences of exactly that many more actions: (a seat must act, finished)."""
    if state.is_over:
        return 0, int(actions == 0)
    if actions == 0:
        return 1, 0
    decisions = finished = 0
    for action in state.legal_actions():
        below = perft(state.apply(action), actions - 1)
        decisions += below[0]
        finished += below[1]
    return decisions, finished


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['game']}-{row['actions']}")
def test_sequences(row: dict[str, str]) -> None:
    expected = int(row["decisions"]), int(row["finished"])
    assert perft(State.start(Game.named(row["game"])), int(row["actions"])) == expected
