"""Reach: the probability that a seat's own actions lead to a public history, for all its states.

`Play` says what a seat does: probabilities [state, action] at a decision on a board. Reach starts as
the range and is multiplied by the seat's own probabilities on the way; the other seat's decisions and
chance leave it alone. Over any public game, whose boards are numbers or are dealt as they are asked
for (`BoardGame`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from doyle.betting.public_tree import PublicTree

Floats = npt.NDArray[np.float64]
Board = TypeVar("Board")
Played = TypeVar("Played", contravariant=True)
Rows: TypeAlias = Callable[[int], npt.NDArray[Any]]
"""Probabilities [state, action] at a decision, on one board."""


class Play(Protocol[Played]):
    """What a seat plays."""

    def on(self, board: Played, /) -> Rows: ...


class BoardGame(Protocol[Board]):
    """What a walk over boards needs to know of a public game."""

    @property
    def tree(self) -> PublicTree: ...

    @property
    def first_level(self) -> int:
        """The betting round of the root's board."""

    @property
    def levels(self) -> int:
        """How many rounds there are from the root's board on."""

    @property
    def root(self) -> Board: ...

    def level(self, board: Board, /) -> int: ...

    def below(self, board: Board, /) -> Iterable[Board]: ...

    def ways(self, board: Board, /) -> float:
        """What the sum over the boards below, with their copies, is divided by."""

    def weights(self, seat: int, /) -> Floats:
        """The range at the root."""

    def entering(self, seat: int, board: Board, vector: Floats, /) -> Floats:
        """A vector [..., states] of the board before as seen on `board`."""

    def add_leaving(self, seat: int, board: Board, values: Floats, total: Floats, /) -> None:
        """Add values [..., states] to those of the board before, once for every copy of `board`."""

    def met(self, seat: int, board: Board, reach: Floats, /) -> Floats:
        """For each state of `seat` the other seat's reach [..., states] that it can meet."""

    def shown(self, seat: int, board: Board, reach: Floats, /) -> Floats:
        """On a last board, the reach of weaker less that of stronger states."""


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


def reach_at(
    game: BoardGame[Board], play: Play[Board], seat: int, node: int, boards: Sequence[Board]
) -> Floats:
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
