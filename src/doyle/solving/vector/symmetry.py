"""Average strategies that are the same for hands that differ by suits which boards to come do not.

A board that stands for copies is reached on all of them as on itself only if play before it does not
tell those suits apart. Regrets keep to that up to rounding; averages are made to keep to it exactly
before they are measured, so that what is measured is what is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.solving.games.evaluators import WIDTH
from doyle.solving.games.public_game import PublicGame
from doyle.solving.vector.packing import Packed


class Symmetry(NamedTuple):
    """The images of every hand of a seat under the relabellings that leave a board as it is."""

    board: int
    seat: int
    images: npt.NDArray[np.int32]


def symmetries(game: PublicGame) -> list[Symmetry]:
    """Those of every board that has copies below it."""
    boards = game.boards
    found = []
    copied = {int(boards.parent[b]) for b in range(1, len(boards)) if len(boards.copies_of(b)) > 1}
    for board in sorted(copied):
        for seat in (0, 1):
            hands = game.hands[seat]
            images = np.stack([hands.permuted(suits) for suits in boards.groups[board]])
            found.append(Symmetry(board, seat, images.astype(np.int32)))
    return found


def make_symmetric(
    game: PublicGame, packed: Packed, found: list[Symmetry], averages: tuple[Any, Any]
) -> None:
    """Change averages in place to the mean over the images of each hand."""
    for board, seat, images in found:
        tiles = packed.tiles(averages[seat], seat, board, int(game.boards.level[board]))
        by_row = tiles.transpose(0, 2, 1).reshape(-1, tiles.shape[1]).astype(np.float64)
        places = packed.places(seat, board)[: images.shape[1]]
        live = np.flatnonzero(places >= 0)
        # One hand of each orbit is worked out for all: sums in another order round differently.
        means = by_row[places[images[:, live]]].mean(axis=0)
        first = np.searchsorted(live, images[:, live].min(axis=0))
        by_row[places[live]] = means[first]
        tiles[...] = by_row.reshape(len(tiles), WIDTH, -1).transpose(0, 2, 1)
