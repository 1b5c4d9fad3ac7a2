"""A game of few hands as matrices, worked out from its evaluator: the bridge to linear programs."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from doyle.abstractions.betting import PublicTree
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates, PublicGame
from doyle.solving.games.evaluators import compare


def matrices_of(game: PublicGame) -> MatrixGame:
    """A block a board, a state for each hand on it; suits must not be merged."""
    boards = game.boards
    sizes = (len(game.hands[0]), len(game.hands[1]))
    assert len(boards.copies) == len(boards), "suits are merged"
    pairs = game.hands[0].weights[:, None] * game.hands[1].weights / game.mass
    joint, showdown = np.zeros((2, len(boards), *sizes))
    chance = np.ones(len(boards))
    for board in range(len(boards)):
        before = chance[boards.parent[board]] if board else 1.0
        chance[board] = boards.weight[board] * before
        # One vector for each hand of seat 1.
        shown, met = compare(game.evaluator, board, 0, np.eye(sizes[1]), sizes[0])
        joint[board], showdown[board] = (
            chance[board] * pairs * met.T,
            chance[board] * pairs * shown.T,
        )
    for board in range(len(boards) - 1, 0, -1):
        showdown[int(boards.parent[board])] += showdown[board]
    found = []
    place = np.zeros(len(boards), np.int64)
    for level in range(boards.levels):
        here = np.flatnonzero(boards.level == level)
        place[here] = np.arange(len(here))
        above = place[boards.parent[here]]
        parents = [
            (above[:, None] * size + np.arange(size)).ravel() if level else np.zeros(size, np.int64)
            for size in sizes
        ]
        matrices = [BlockMatrix.of(list(matrix[here])) for matrix in (joint, showdown)]
        found.append(PrivateStates((parents[0], parents[1]), matrices[0], matrices[1]))
    parts = {one.name: getattr(game.tree, one.name) for one in fields(PublicTree)}
    tree = PublicTree(**{**parts, "round": game.tree.round - game.first_level})
    return MatrixGame(game.name, tree, tuple(found))
