"""Logs of random play, for tests: legal hands of any game, dealt from a seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from doyle.games import CALL, FOLD, Game, State
from doyle.games.histories import Hand, write_log
from doyle.testing.contract import random_deal

NAMES = ("Ann", "Bob", "Cy")


def random_hands(game: Game, count: int, seed: int) -> list[Hand]:
    """Hands in which folds are rarer than other actions, so that many reach the river."""
    rng = np.random.default_rng(seed)
    hands = []
    for number in range(count):
        state = State.start(game, random_deal(game, rng))
        while state.actor >= 0:
            state = state.apply(_action(state, rng))
        order = [(number + place) % game.players for place in range(game.players)]
        hands.append(Hand(number, state, players=tuple(NAMES[place] for place in order)))
    return hands


def _action(state: State, rng: np.random.Generator) -> int:
    draw = rng.random()
    if draw < 0.08 and state.can_fold:
        return FOLD
    if draw < 0.6 or not state.max_raise_to:
        return CALL
    low, high = state.min_raise_to, state.max_raise_to
    if low == high or rng.random() < 0.1:
        return high
    # Small raises are likelier, so that hands go on.
    return int(low + (high - low) * rng.random() ** 4)


def write_random_log(path: Path, game: Game, count: int, seed: int, *, score: bool = True) -> Path:
    """A log of random play, whose head names its game."""
    write_log(path, random_hands(game, count, seed), comments=[f"game {game.name}"], score=score)
    return path
