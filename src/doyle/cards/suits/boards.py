"""Boards up to suits: every flop, turn and river board has a row and a permutation that leads to it.

A table over (row, hole) with the 1,326 holes as columns answers for all hands of a board with one
gather through the permutation. Rows are orbits of card sets under the 24 permutations of suits, in
the order of their least member; a *sequence* is an orbit of (flop, turn card), which perfect recall
needs because it remembers which three cards came first. Counts: 1,755 flops, 16,432 turn boards,
134,459 river boards, 63,193 sequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.cards.cards import HOLES
from doyle.cards.suits import _board_kernels as kernels
from doyle.cards.suits.relabelling import ALL_SUITS

ROWS = {3: 1755, 4: 16_432, 5: 134_459}
SEQUENCES = 63_193

SUIT_PERMUTATIONS = np.array(ALL_SUITS, np.int64)
"""int64[24, 4]: the suit that each suit becomes; the first is the identity."""


def _inverses() -> NDArray[np.int64]:
    return _numbers(np.argsort(SUIT_PERMUTATIONS, axis=1))


def _numbers(maps: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each permutation given by its images."""
    matches = (maps[..., None, :] == SUIT_PERMUTATIONS).all(axis=-1)
    return np.asarray(matches.argmax(axis=-1), np.int64)


CARD_MAPS = (np.arange(52) & ~3)[None, :] + SUIT_PERMUTATIONS[:, np.arange(52) & 3]
"""int64[24, 52]: the card that each card becomes."""

INVERSES = _inverses()
"""int64[24]: the permutation that undoes each permutation."""

COMPOSITIONS = _numbers(SUIT_PERMUTATIONS[:, SUIT_PERMUTATIONS].astype(np.int64)).astype(np.int64)
"""int64[24, 24]: [second, first] is the permutation that does `first`, then `second`."""

BINOMIALS = np.array([[comb(n, k) for k in range(6)] for n in range(53)], np.int64)


def _hole_maps() -> NDArray[np.int16]:
    images = np.sort(CARD_MAPS[:, HOLES], axis=2)
    low, high = images[..., 0], images[..., 1]
    return np.asarray(high * (high - 1) // 2 + low, np.int16)


HOLE_MAPS = _hole_maps()
"""int16[24, 1326]: the hole that each hole becomes."""


@dataclass(frozen=True, eq=False)
class Boards:
    """All boards of one size: representatives, how many boards each stands for, and the lookup."""

    boards: NDArray[np.int8]
    weights: NDArray[np.int64]
    stabilisers: NDArray[np.int64]
    table: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.boards)

    def find(self, board: Sequence[int]) -> tuple[int, int]:
        """The row of a board, and the permutation that takes its cards to the row's.

        >>> boards(3).find((0, 4, 8)), boards(3).find((3, 7, 11))[0]
        ((8, 0), 8)
        """
        count = self.boards.shape[1]
        cards = np.asarray(board, np.int64)
        if (
            cards.shape != (count,)
            or len(set(board)) != count
            or not 0 <= min(board) <= max(board) < 52
        ):
            raise DoyleError(f"board {tuple(board)}: expected {count} different cards from 0 to 51")
        code = int(kernels.find_board(cards, count, self.table, BINOMIALS, np.empty(5, np.int64)))
        return code >> 5, code & 31


@cache
def boards(count: int) -> Boards:
    """The boards of `count` cards: 3, 4 or 5."""
    table = np.full(comb(52, count), -1, np.int32)
    rows = ROWS[count]
    cards = np.empty((rows, count), np.int8)
    weights, stabilisers = np.empty(rows, np.int64), np.empty(rows, np.int64)
    found = kernels.number_boards(
        count, CARD_MAPS, INVERSES, BINOMIALS, table, cards, weights, stabilisers
    )
    assert found == rows
    return Boards(cards, weights, stabilisers, table)


@dataclass(frozen=True, eq=False)
class FlopTurns:
    """All (flop, turn card) up to suits.

    `table[flop row, card]` is 32 * sequence + the permutation to apply after the flop's own.
    `turn_code` is 32 * turn row + the permutation from the sequence's cards to the turn row's.
    """

    table: NDArray[np.int32]
    flop_row: NDArray[np.int32]
    turn_card: NDArray[np.int8]
    weights: NDArray[np.int64]
    turn_code: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.flop_row)

    def cards(self, sequence: int) -> tuple[int, ...]:
        """The flop and the turn card of a sequence."""
        flop = boards(3).boards[self.flop_row[sequence]]
        return (*(int(card) for card in flop), int(self.turn_card[sequence]))

    def find(self, board: Sequence[int]) -> tuple[int, int]:
        """The sequence of (three flop cards, turn card), and the permutation that leads to it."""
        row, permutation = boards(3).find(tuple(board[:3]))
        code = int(self.table[row, CARD_MAPS[permutation, board[3]]])
        if code < 0:
            raise DoyleError(f"board {tuple(board)}: the turn card is on the flop")
        return code >> 5, int(COMPOSITIONS[code & 31, permutation])


@cache
def flop_turns() -> FlopTurns:
    """The numbering of (flop, turn card)."""
    flops = boards(3)
    table = np.empty((len(flops), 52), np.int32)
    flop_row, cards = np.empty(SEQUENCES, np.int32), np.empty(SEQUENCES, np.int8)
    weights = np.empty(SEQUENCES, np.int64)
    found = kernels.number_sequences(
        flops.boards, flops.weights, flops.stabilisers, CARD_MAPS, table, flop_row, cards, weights
    )
    assert found == SEQUENCES
    whole = np.column_stack([flops.boards[flop_row], cards]).astype(np.int64)
    whole.sort(axis=1)
    ranks = sum(BINOMIALS[whole[:, place], place + 1] for place in range(4))
    return FlopTurns(table, flop_row, cards, weights, boards(4).table[ranks])
