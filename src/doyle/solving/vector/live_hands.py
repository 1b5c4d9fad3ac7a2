"""`LiveHands`: on which row of a board each hand of a seat stands.

A hand keeps the row that it has on the board before, so that whole vectors go from round to round, and
a row whose hand shares a card with the board is idle. Where so many are idle that fewer vectors of 16
would do, the hands at the end move into idle rows: tables have no vectors for hands that cannot be
there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.solving.games.evaluators import WIDTH, padded
from doyle.solving.games.public_game import PublicGame

Ints = npt.NDArray[Any]


class LiveHands(NamedTuple):
    """One seat's rows on all boards; `width` is the padded number of its hands.

    On entering a board, row `fill_to[k]` takes the hand on row `fill_from[k]` of the board before,
    for k from `fill_start[board]` to `fill_start[board + 1]`, ascending by `fill_to`.
    """

    tiles: npt.NDArray[np.int64]
    """Vectors of 16 rows on each board."""
    order: npt.NDArray[np.int32]
    """The hand on each row [board, width], whether it can be there or not."""
    places: npt.NDArray[np.int32]
    """The row of each hand [board, width]; -1 where it cannot be."""
    fill_start: npt.NDArray[np.int32]
    fill_to: npt.NDArray[np.int32]
    fill_from: npt.NDArray[np.int32]


def live_hands(game: PublicGame, seat: int) -> LiveHands:
    """The rows of every board of a game."""
    boards, hands = game.boards, game.hands[seat]
    width = padded(len(hands))
    used = np.full(len(boards), len(hands), np.int64)
    order = np.zeros((len(boards), width), np.int32)
    order[:, : len(hands)] = np.arange(len(hands))
    places = np.full((len(boards), width), -1, np.int32)
    targets: list[Ints] = [np.zeros(0, np.int32)]
    sources: list[Ints] = [np.zeros(0, np.int32)]
    starts = np.zeros(len(boards) + 1, np.int32)
    for board in range(len(boards)):
        parent = max(0, int(boards.parent[board]))
        rows = order[parent, : used[parent]].copy()
        live = game.live(seat, boards[board])[rows]
        needed = padded(max(1, int(live.sum())))
        if needed < len(rows):
            moved = needed + np.flatnonzero(live[needed:])
            idle = np.flatnonzero(~live[:needed])[: len(moved)]
            targets.append(idle)
            sources.append(moved)
            rows[idle], live[idle] = rows[moved], True
            rows, live = rows[:needed], live[:needed]
        starts[board + 1] = starts[board] + (len(targets[-1]) if needed < used[parent] else 0)
        used[board] = len(rows)
        order[board, : len(rows)] = rows
        places[board, rows[live]] = np.flatnonzero(live)
    return LiveHands(
        np.array([padded(int(one)) // WIDTH for one in used], np.int64),
        order,
        places,
        starts,
        np.concatenate(targets).astype(np.int32),
        np.concatenate(sources).astype(np.int32),
    )
