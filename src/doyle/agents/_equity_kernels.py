"""Compiled look-ups of equities for many deals."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards.suits._board_kernels import find_board

Array: TypeAlias = NDArray[Any]


@kernel
def deal_sums(
    rows: Array,
    table: Array,
    binomials: Array,
    hole_maps: Array,
    boards: Array,
    count: int,
    places: Array,
    out: Array,
) -> None:
    """Write the entries of the holes places int64[n, seats] on boards[n, :count] into out int64[n, seats].

    rows[board rows, 1326] is a table of the strength atlas, and table numbers the boards.
    """
    scratch = np.empty(5, np.int64)
    board = np.empty(5, np.int64)
    for deal in range(len(places)):
        for place in range(count):
            board[place] = boards[deal, place]
        code = find_board(board, count, table, binomials, scratch)
        for seat in range(places.shape[1]):
            column = hole_maps[np.uint64(code & 31), np.uint64(places[deal, seat])]
            out[deal, seat] = rows[np.uint64(code >> 5), np.uint64(column)]
