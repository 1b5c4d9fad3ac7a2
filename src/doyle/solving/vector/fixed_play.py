"""`FixedPlay`: one seat's play at one decision, given and not to be changed while the rest is solved.

Hands outside `hands` are free. Where hands are fixed the regret table itself holds their
probabilities, so regret matching plays them, and the update leaves them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.solving.games.evaluators import WIDTH
from doyle.solving.games.public_game import PublicGame
from doyle.solving.vector import _kernels as kernels
from doyle.solving.vector.packing import Packed


@dataclass(frozen=True, eq=False)
class FixedPlay:
    """Probabilities [hand, action] at `node` for the hands of a mask, on all boards of the round."""

    node: int
    probabilities: npt.NDArray[np.float64]
    hands: npt.NDArray[np.bool_]


def lock_arrays(
    game: PublicGame,
    packed: Packed,
    fixed: Sequence[FixedPlay],
    regrets: tuple[npt.NDArray[Any], npt.NDArray[Any]],
    number: Any,
) -> tuple[kernels.Locks, kernels.Locks]:
    """Masks for the kernels; writes the probabilities into `regrets`."""
    place = np.zeros(len(game.boards), np.int64)
    for level in range(game.boards.levels):
        here = np.flatnonzero(game.boards.level == level)
        place[here] = np.arange(len(here))
    starts = [np.full(max(1, len(side.actions)), -1, np.int64) for side in packed.sides]
    masks: list[list[npt.NDArray[Any]]] = [[], []]
    for play in fixed:
        seat = int(game.tree.actor[play.node])
        _check(game, play, seat)
        decision = int(packed.decision_of[play.node])
        if starts[seat][decision] >= 0:
            raise DoyleError(f"fixed play: decision {play.node} is fixed twice")
        starts[seat][decision] = sum(len(one) for one in masks[seat])
        level = int(game.tree.round[play.node]) - game.first_level
        boards = np.flatnonzero(game.boards.level == level)
        for board in boards.tolist():
            places = packed.places(seat, board)
            mask = np.zeros(len(places), number)
            chosen = np.flatnonzero(play.hands & (places[: len(play.hands)] >= 0))
            mask[places[chosen]] = 1.0
            masks[seat].append(mask)
            write_play(packed, play, seat, board, level, regrets[seat])
    empty = np.zeros(WIDTH, number)
    locks = [
        kernels.Locks(place, starts[seat], np.concatenate([*masks[seat], empty])) for seat in (0, 1)
    ]
    return locks[0], locks[1]


def _check(game: PublicGame, play: FixedPlay, seat: int) -> None:
    expected = (len(game.hands[seat]), int(game.tree.child_count[play.node]))
    shares = play.probabilities
    if shares.shape != expected or play.hands.shape != expected[:1]:
        raise DoyleError(f"fixed play: an array is {shares.shape}, expected {expected}")
    chosen = shares[play.hands]
    if not (chosen >= 0).all() or not np.allclose(chosen.sum(axis=1), 1.0, atol=1e-6):
        raise DoyleError("fixed play: probabilities of a hand must be from 0 on and sum to 1")


def write_play(
    packed: Packed, play: FixedPlay, seat: int, board: int, level: int, table: npt.NDArray[Any]
) -> None:
    """Write what is played on a board into a table."""
    side = packed.sides[seat]
    decision = int(packed.decision_of[play.node])
    first = int(side.first[decision] - side.entries[level])
    places = packed.places(seat, board)[: len(play.hands)]
    hands = np.flatnonzero(play.hands & (places >= 0))
    rows = places[hands]
    tiles = packed.tiles(table, seat, board, level)
    for action in range(play.probabilities.shape[1]):
        tiles[rows // WIDTH, first + action, rows % WIDTH] = play.probabilities[hands, action]
