"""`BoardWalk`: values of public histories to a seat against given play, over all boards.

On every board the other seat's reach goes down the betting of the round, leaves are paid, the boards
below are walked, and values are passed up; a `Rule` says what a seat's own decisions are worth.
Values are chips of the seat, summed over the other seat's reach and averaged over chance. Several
values are found in one walk, because those of one seat share the other seat's reach.

A node *waits* for a later round if its own board is not dealt yet, or if it is a showdown and more
boards follow. The last round may be handed to a kernel that does all of it at once.

Reach: the probability that a seat's own actions lead to a public history, for all its states.

`Play` is the play of a seat: probabilities [state, action] at a decision on a board. Reach starts
as the range and is multiplied by the seat's own probabilities on the way; the other seat's
decisions and chance leave it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.public_tree import DECISION, SHOWDOWN_LEAF, PublicTree
from doyle.solving.games.chance import Board
from doyle.solving.games.public_game import PublicGame

Floats = npt.NDArray[np.float64]
Rows: TypeAlias = Callable[[int], npt.NDArray[Any]]
"""Probabilities [state, action] at a decision, on one board."""


class Play(Protocol):
    """The play of a seat."""

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


Rule: TypeAlias = Callable[[int, Rows, Floats], Floats]
"""The value of a decision of the seat itself: a function of the node, its rows and the values
[action, state] below."""


def best_rule(node: int, rows: Rows, below: Floats) -> Floats:
    """The best action of every hand: the rule of a best response."""
    return np.asarray(below.max(axis=0))


def mean_rule(node: int, rows: Rows, below: Floats) -> Floats:
    """The mean over the actions, as often as each is taken: the rule of the play itself."""
    return np.asarray((below * rows(node).T).sum(axis=0))


class ValueQuery(NamedTuple):
    """The seat whose values are wanted, and the rule at its decisions."""

    seat: int
    rule: Rule


LastRound: TypeAlias = Callable[
    [Board, npt.NDArray[np.int64], Sequence[Floats], Sequence[Floats]], None
]
"""Adds the values of a last board to the values [waiting, states] of its parent board, for all
queries.

Takes the board with its copies, the nodes that wait for it, and by seat the other's reach there.
"""


@dataclass(frozen=True)
class _Round:
    """The decisions of a round, and the nodes that wait for later rounds when it is over."""

    decisions: list[int]
    waiting: npt.NDArray[np.int64]


class BoardWalk:
    """One walk of a game in which both seats' plays are known."""

    def __init__(
        self,
        game: PublicGame,
        plays: tuple[Play, Play],
        wanted: Sequence[ValueQuery],
        *,
        last_round: LastRound | None = None,
    ) -> None:
        self.game, self.plays, self.wanted = game, plays, tuple(wanted)
        self._last_round = last_round
        tree = game.tree
        level = tree.round.astype(np.int64) - game.first_level
        above = np.where(tree.parent >= 0, level[tree.parent], -1)
        shown = tree.kind == SHOWDOWN_LEAF
        self.rounds = [
            _Round(
                np.flatnonzero((tree.kind == DECISION) & (level == number)).tolist(),
                np.concatenate(
                    (
                        np.flatnonzero((level > number) & (above <= number)),
                        *(np.flatnonzero(shown & (level == n)) for n in range(number + 1)),
                    )
                ),
            )
            for number in range(game.levels - 1)
        ]
        last = game.levels - 1
        decisions = np.flatnonzero((tree.kind == DECISION) & (level == last)).tolist()
        self.rounds.append(_Round(decisions, np.zeros(0, np.int64)))

    def root_values(self) -> list[Floats]:
        """The root's value to each state, for all queries."""
        if self.game.levels == 1:
            return self.finish([np.zeros((0, 0)) for _ in self.wanted])
        return self.finish(self._below(self.game.root, self.enter_root()))

    def enter_root(self) -> list[Floats]:
        """By seat, the other's reach [waiting, states] when the root's round is over."""
        root = self.game.root
        return [
            self._stacked(self._pushed(seat, root, self._start(seat)), self.rounds[0].waiting)
            for seat in (0, 1)
        ]

    def board_values(
        self, board: Board, waiting: npt.NDArray[np.int64], entering: Sequence[Floats]
    ) -> list[Floats]:
        """Values [waiting, states] of the nodes that wait for a board's round."""
        nodes = waiting.tolist()
        reaches = []
        for seat, reach in enumerate(entering):
            seen = self.game.entering(1 - seat, board, reach)
            reaches.append(self._pushed(seat, board, dict(zip(nodes, seen, strict=True))))
        exits = self.rounds[board.level].waiting
        below = self._below(board, [self._stacked(reach, exits) for reach in reaches])
        found = []
        for number, want in enumerate(self.wanted):
            known = dict(zip(exits.tolist(), below[number], strict=True))
            values = self._pulled(want, board, reaches[want.seat], known, nodes)
            found.append(np.stack([values[node] for node in nodes]))
        return found

    def finish(self, below: Sequence[Floats]) -> list[Floats]:
        """The root's values, from the values [waiting, states] of its waiting nodes."""
        root, exits = self.game.root, self.rounds[0].waiting.tolist()
        found = []
        for number, want in enumerate(self.wanted):
            reach = self._pushed(want.seat, root, self._start(want.seat))
            known = dict(zip(exits, below[number], strict=True))
            found.append(self._pulled(want, root, reach, known, [0])[0])
        return found

    def _start(self, seat: int) -> dict[int, Floats]:
        return {0: self.game.weights(1 - seat)}

    @staticmethod
    def _stacked(reach: dict[int, Floats], nodes: npt.NDArray[np.int64]) -> Floats:
        return (
            np.stack([reach[node] for node in nodes.tolist()]) if len(nodes) else np.zeros((0, 0))
        )

    def _pushed(self, seat: int, board: Board, reach: dict[int, Floats]) -> dict[int, Floats]:
        """The reach of the seat that plays against `seat`, in the round of a board."""
        decisions = self.rounds[board.level].decisions
        rows = self.plays[1 - seat].on(board)
        return push_reach(self.game.tree, decisions, 1 - seat, reach, rows)

    def _below(self, board: Board, leaving: Sequence[Floats]) -> list[Floats]:
        """Values [waiting, states] of a board's waiting nodes, over all boards below it."""
        game = self.game
        level = board.level
        waiting = self.rounds[level].waiting
        total = self.nothing(waiting)
        if not len(waiting):
            return total
        for child in game.below(board):
            if self._last_round is not None and level + 1 == game.levels - 1:
                self._last_round(child, waiting, leaving, total)
                continue
            values = self.board_values(child, waiting, leaving)
            for number, want in enumerate(self.wanted):
                game.add_leaving(want.seat, child, values[number], total[number])
        return [values / game.ways(board) for values in total]

    def nothing(self, waiting: npt.NDArray[np.int64]) -> list[Floats]:
        """Zeros for the values of some nodes."""
        return [np.zeros((len(waiting), len(self.game.weights(want.seat)))) for want in self.wanted]

    def _pulled(
        self,
        want: ValueQuery,
        board: Board,
        reach: dict[int, Floats],
        known: dict[int, Floats],
        entries: list[int],
    ) -> dict[int, Floats]:
        """Values [states] at every node of the round, given those of nodes that wait for later
        rounds."""
        tree, level, evaluate = self.game.tree, board.level, self.game.evaluate
        rows = self.plays[want.seat].on(board)
        values = dict(known)
        for node in reversed(self.rounds[level].decisions):
            children = tree.children_of(node).tolist()
            for child in children:
                if child not in values:
                    values[child] = evaluate(child, want.seat, reach[child], board=board)
            below = np.stack([values[child] for child in children])
            if tree.actor[node] == want.seat:
                values[node] = want.rule(node, rows, below)
            else:
                values[node] = below.sum(axis=0)
        for node in entries:
            if node not in values:
                values[node] = evaluate(node, want.seat, reach[node], board=board)
        return values
