"""Hands up to suits, numbered without gaps: 169 preflop, 1,286,792 flop, 13,960,050 turn hands.

A hand is a hole on a board's row (`boards`), up to the permutations of suits that keep the board.
Clusterings work on these numbers; `spread` turns a value per hand into a table over (row, hole).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.cards.cards import HOLES
from doyle.cards.suits import _board_kernels as kernels
from doyle.cards.suits.boards import HOLE_MAPS, boards

HANDS = (169, 1_286_792, 13_960_050, 123_156_254)
"""Hands up to suits, by round."""


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands of one round: `index[row, hole]` (-1 on collision) and row, hole, deals of each."""

    index: NDArray[np.int32]
    row: NDArray[np.int32]
    hole: NDArray[np.int16]
    weight: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.row)

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """values[hands] as a table [rows, 1326] with -1 where hole and board share a card."""
        table = np.asarray(values)[self.index]
        table[self.index < 0] = -1
        return table

    def gather(self, table: NDArray[Any]) -> NDArray[Any]:
        """The value of each hand from a table [rows, 1326]."""
        return np.asarray(table[self.row, self.hole])


@cache
def hands(round: int) -> Hands:
    """The hands of round 0 (preflop), 1 (flop) or 2 (turn)."""
    if not 0 <= round <= 2:
        raise DoyleError(f"hands are numbered for rounds 0 to 2, not {round}")
    count = HANDS[round]
    if round == 0:
        cards = np.empty((1, 0), np.int8)
        weights, stabilisers = np.ones(1, np.int64), np.full(1, (1 << 24) - 1, np.int64)
    else:
        numbered = boards(round + 2)
        cards, weights, stabilisers = numbered.boards, numbered.weights, numbered.stabilisers
    index = np.empty((len(cards), len(HOLES)), np.int32)
    row, hole = np.empty(count, np.int32), np.empty(count, np.int16)
    sizes = np.empty(count, np.int64)
    found = kernels.number_hands(
        cards, weights, stabilisers, HOLE_MAPS, HOLES, index, row, hole, sizes
    )
    assert found == count
    return Hands(index, row, hole, sizes)
