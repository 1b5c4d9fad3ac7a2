"""Equity: what each hand wins of a pot if nobody bets any more, against a range on a board.

Exact over all boards still to come; a tie counts a half.
"""

from __future__ import annotations

import numpy as np

from doyle.public_games._evaluator_kernels import BOTH, DECK, LANES, evaluate
from doyle.public_games.public_game import Floats, PublicGame


def equities(game: PublicGame, seat: int, other_weights: Floats, *, board: int = 0) -> Floats:
    """The equity of each hand of `seat` on a board; NaN where it meets nothing or shares a card."""
    difference, total = _compared(game, seat, other_weights, board)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 1e-12, 0.5 * (1.0 + difference / total), np.nan)


def _compared(
    game: PublicGame, seat: int, other_weights: Floats, board: int
) -> tuple[Floats, Floats]:
    """Weight of weaker less stronger hands, and of all that each hand meets."""
    boards = game.boards
    if boards.level[board] == boards.levels - 1:
        return _evaluated(game, seat, other_weights, board)
    difference, total = np.zeros(len(game.hands[seat])), np.zeros(len(game.hands[seat]))
    for child in np.flatnonzero(boards.parent == board):
        below = _compared(game, seat, other_weights, int(child))
        weight = float(boards.weight[child])
        for copy in boards.copies_of(int(child)):
            image = game.hands[seat].permuted(boards.suits[copy])
            difference[image] += weight * below[0]
            total[image] += weight * below[1]
    return difference, total


def _evaluated(
    game: PublicGame, seat: int, other_weights: Floats, board: int
) -> tuple[Floats, Floats]:
    evaluator = game.evaluator
    dead = int(evaluator.width.max())
    rows = [
        evaluator.rows[one].reshape(len(game.boards), -1)[board, : len(game.hands[one])]
        for one in (0, 1)
    ]
    reach, show, fold = (np.zeros((dead + 2, LANES)) for _ in range(3))
    reach[rows[1 - seat], 0] = other_weights
    sums = np.zeros((DECK + 1) * LANES)
    evaluate(evaluator, board, seat, reach.ravel(), show.ravel(), fold.ravel(), sums, BOTH, BOTH)
    show[dead] = fold[dead] = 0.0
    return show[rows[seat], 0], fold[rows[seat], 0]
