"""Compiled features of cards: textures of boards and categories of hands."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel

Array: TypeAlias = NDArray[Any]

BOARD_CARDS = (0, 3, 4, 5)
_TEXTURE = np.array([[0, 2, 4], [1, 3, 5], [6, 7, 8]], np.int64)
"""The texture by how possible a flush and a straight are."""


@kernel
def _most_within_five(ranks: Any) -> Any:
    """The most ranks of the set `ranks` (bit 0 is the deuce) within a span of five."""
    low = (np.int64(ranks) << 1) | ((np.int64(ranks) >> 12) & 1)
    most: Any = 0
    for start in range(10):
        window = (low >> start) & 31
        count: Any = 0
        for place in range(5):
            count += (window >> place) & 1
        most = max(most, count)
    return most


@kernel
def texture(board: Array, count: int) -> Any:
    """The texture of board[:count]."""
    suits = np.zeros(4, np.int64)
    ranks = np.int64(0)
    for place in range(count):
        card = np.int64(board[place])
        suits[card & 3] += 1
        ranks |= np.int64(1) << (card >> 2)
    flush = min(2, max(0, suits.max() - 2))
    straight = min(2, max(0, _most_within_five(ranks) - 2))
    return _TEXTURE[flush, straight]


@kernel
def textures(boards: Array, out: Array) -> None:
    """Write the textures of boards[n, 5] on the flop, turn and river into out[n, 1:4]."""
    for row in range(len(boards)):
        for round_ in range(1, 4):
            out[row, round_] = texture(boards[row], BOARD_CARDS[round_])
