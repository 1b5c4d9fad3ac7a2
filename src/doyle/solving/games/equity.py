"""Equity: what each hand wins of a pot if nobody bets any more, against a range on a board.

Exact over all boards still to come; a tie counts a half.
"""

from __future__ import annotations

import numpy as np

from doyle.solving.games.chance import Board
from doyle.solving.games.public_game import Floats, PublicGame


def equities(
    game: PublicGame, seat: int, other_weights: Floats, *, board: Board | None = None
) -> Floats:
    """The equity of each hand of `seat` on a board, the root's if None; NaN where it meets nothing or shares a card."""
    difference, total = game.compared(seat, other_weights, board=board)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 1e-12, 0.5 * (1.0 + difference / total), np.nan)
