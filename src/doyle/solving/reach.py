"""Reach: the probability that a seat's own actions lead to a public history, for all its states.

`Play` says what a seat does: probabilities [state, action] at a decision on a board. Reach starts as
the range and is multiplied by the seat's own probabilities on the way; the other seat's decisions and
chance leave it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.public_tree import PublicTree
from doyle.solving.games.chance import Board
from doyle.solving.games.public_game import PublicGame

Floats = npt.NDArray[np.float64]
Rows: TypeAlias = Callable[[int], npt.NDArray[Any]]
"""Probabilities [state, action] at a decision, on one board."""


class Play(Protocol):
    """What a seat plays."""

    def on(self, board: Board, /) -> Rows: ...


def push_reach(
    tree: PublicTree, decisions: Sequence[int], seat: int, reach: dict[int, Floats], rows: Rows
) -> dict[int, Floats]:
    """The reach of `seat` at these decisions, in depth-first order, and below each of them."""
    found = dict(reach)
    for node in decisions:
        children = tree.children_of(node).tolist()
        if tree.actor[node] != seat:
            for child in children:
                found[child] = found[node]
        else:
            shares = rows(node)
            for place, child in enumerate(children):
                found[child] = found[node] * shares[:, place]
    return found


def reach_at(game: PublicGame, play: Play, seat: int, node: int, boards: Sequence[Board]) -> Floats:
    """The reach of `seat` at a node; `boards` are those from the root's to the node's own."""
    tree = game.tree
    path = [node]
    while path[-1] > 0:
        path.append(int(tree.parent[path[-1]]))
    path.reverse()
    reach, level = game.weights(seat), 0
    for number, here in enumerate(path):
        while level < int(tree.round[here]) - game.first_level:
            level += 1
            reach = game.entering(seat, boards[level], reach)
        if here != node and tree.actor[here] == seat:
            place = tree.children_of(here).tolist().index(path[number + 1])
            reach = reach * play.on(boards[level])(here)[:, place]
    return reach
