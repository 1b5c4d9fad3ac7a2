"""A profile of a public game with the play from some round on solved again, subgame by subgame.

A *subgame* begins with the first decision of a round after one history on one board. Its ranges are those
of the blueprint, or, with a guard, that of the seat that searches and the values of the other seat's hands
against the blueprint. The result is a profile of the whole game, so one best response of the vector
solver measures the whole agent's exploitability exactly.

The blueprint's averages are the same for suits that boards to come do not tell apart (`measure` makes
them so), and so are solutions that begin with its ranges; canonical boards are solved once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.agents.search.subgame import VARIANT, per_hand
from doyle.base.errors import DoyleError
from doyle.games import State
from doyle.solving.games import Hands, PublicGame
from doyle.solving.games.chance import Boards
from doyle.solving.games.evaluators import Showdown
from doyle.solving.games.poker import showdown
from doyle.solving.solvers import VARIANTS
from doyle.solving.vector import Guard, GuardName, VectorSolver
from doyle.solving.vector.fixed_play import FixedPlay, write_play

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a subgame begins: a node of the whole tree on a board."""

    node: int
    board: int


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A measured solver of a whole game, whose averages are played, and the game's first state."""

    solver: VectorSolver
    root: State

    @property
    def game(self) -> PublicGame:
        return self.solver.game

    @cached_property
    def best_responses(self) -> tuple[float, float]:
        """Winnings of each seat's best response, in chips; makes averages symmetric."""
        return self.solver.measure().best_responses

    def starts(self, round_: int) -> list[int]:
        """The nodes at which a betting round begins with a decision."""
        tree = self.game.tree
        return [
            node
            for node in tree.decisions.tolist()
            if node and tree.round[node] == round_ and tree.round[tree.parent[node]] < round_
        ]

    def path(self, place: Place) -> Iterator[tuple[int, int, int]]:
        """The decisions before a place: node, board and the number of the action taken."""
        tree, boards, level = self.game.tree, self.game.boards, self.game.first_level
        node = 0
        for action in tree.path(place.node):
            board = place.board
            while boards.level[board] > tree.round[node] - level:
                board = int(boards.parent[board])
            taken = tree.actions_of(node).tolist().index(action)
            yield node, board, taken
            node = tree.child(node, action)

    def reach(self, place: Place, seat: int) -> Floats:
        """The weight of each hand of a seat at a place: its range times its own actions before."""
        game = self.game
        found = game.hands[seat].weights * game.live(seat, game.boards[place.board])
        for node, board, taken in self.path(place):
            if game.tree.actor[node] == seat:
                found = found * self.solver.probabilities(node, board)[:, taken]
        return np.asarray(found)

    def gifts(self, place: Place, seat: int) -> Floats:
        """Losses of each hand of a seat by its actions before a place, in chips.

        At each of its decisions: the best action's advantage over the one taken, against the
        blueprint.
        """
        game, packed = self.game, self.solver.packed
        total = np.zeros(len(game.hands[seat]))
        reach = game.hands[1 - seat].weights
        for node, board, taken in self.path(place):
            if game.tree.actor[node] != seat:
                reach = reach * self.solver.probabilities(node, board)[:, taken]
                continue
            side, level = packed.sides[seat], int(game.boards.level[board])
            first = int(side.first[packed.decision_of[node]])
            worth = self._worth(seat, board)[first : first + int(game.tree.child_count[node])]
            lost = worth.max(axis=0) - worth[taken]
            live = game.live(1 - seat, game.boards[board]) if level else 1.0
            total += per_hand(lost, game.meeting(seat, reach * live))
        return total

    def _worth(self, seat: int, board: int) -> Floats:
        """The value of every slot to a best response on a board; cached."""
        if (seat, board) not in self._kept_worth:
            self._kept_worth[seat, board] = self.solver.values(seat, best=True, board=board)
        return self._kept_worth[seat, board]

    @cached_property
    def _kept_worth(self) -> dict[tuple[int, int], Floats]:
        return {}


def solved_again(blueprint: Blueprint, round_: int, guard: GuardName, iterations: int) -> Blueprint:
    """The blueprint with the play from a round on solved again at every place where it begins."""
    game, boards = blueprint.game, blueprint.game.boards
    _ = blueprint.best_responses
    whole = VectorSolver(game, precision="double", packed=blueprint.solver.packed)
    for seat in (0, 1):
        whole.averages[seat][:] = blueprint.solver.averages[seat]
    starts = blueprint.starts(round_)
    for board in np.flatnonzero(boards.level == round_ - game.first_level).tolist():
        below = _Below.of(game, board)
        for node in starts:
            subgame = _Subgame(blueprint, below, Place(node, board))
            subgame.solve_into(whole, guard, iterations)
    return Blueprint(whole, blueprint.root)


@dataclass(frozen=True, eq=False)
class _Below:
    """The boards from one on, its live hands, and their showdowns: the shared data of its
    subgames."""

    first: int
    boards: Boards
    live: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    showdown: Showdown

    @classmethod
    def of(cls, game: PublicGame, board: int) -> _Below:
        boards, level = game.boards, game.boards.level
        after = np.flatnonzero(level[board + 1 :] <= level[board])
        end = board + 1 + int(after[0]) if len(after) else len(boards)
        part = slice(board, end)
        counts = np.diff(boards.copy_start)[part].copy()
        used = boards.copies[boards.copy_start[board] : boards.copy_start[end]].copy()
        # The board represents only itself here.
        used, counts[0] = used[counts[0] - 1 :], 1
        used[0] = 0
        numbers, copies = np.unique(used, return_inverse=True)
        parent = boards.parent[part] - board
        parent[0] = -1
        weight = boards.weight[part].copy()
        weight[0] = 1.0
        own = Boards(
            cards=boards.cards[part],
            level=level[part] - level[board],
            parent=parent,
            weight=weight,
            copy_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            copies=copies.astype(np.int32),
            suits=tuple(boards.suits[number] for number in numbers.tolist()),
            groups=boards.groups[part],
        )
        first, second = (np.flatnonzero(game.live(seat, boards[board])) for seat in (0, 1))
        hands = (_chosen(game.hands[0], first), _chosen(game.hands[1], second))
        return cls(board, own, (first, second), showdown(game.tree.game, own, hands))


def _chosen(hands: Hands, places: npt.NDArray[np.int64]) -> Hands:
    return Hands(hands.cards[places], hands.weights[places])


@dataclass(frozen=True, eq=False)
class _Subgame:
    blueprint: Blueprint
    below: _Below
    place: Place

    @cached_property
    def tree(self) -> BettingTree:
        """The betting from the place on, whose nodes are numbered as in the whole tree."""
        whole, state = self.blueprint.game.tree, self.blueprint.root
        for action in whole.path(self.place.node):
            state = state.apply(action)
        tree = BettingTree.build(whole.model, whole.game, root=state.public())
        same = whole.action[self.place.node + 1 :][: tree.node_count - 1]
        if not np.array_equal(same, tree.action[1:]):
            raise DoyleError(f"{whole.game.name}: a model whose bets depend on rounds before")
        return tree

    def game(self, weights: tuple[Floats, Floats]) -> PublicGame:
        """The subgame with these weights of live hands."""
        whole = self.blueprint.game
        hands = [
            replace(_chosen(whole.hands[seat], self.below.live[seat]), weights=weights[seat])
            for seat in (0, 1)
        ]
        return PublicGame(
            whole.name, self.tree, self.below.boards, (hands[0], hands[1]), self.below.showdown
        )

    def solve_into(self, whole: VectorSolver, guard: GuardName, iterations: int) -> None:
        """Write a solution's averages into those of the whole game.

        If a range is empty the blueprint's play is kept.
        """
        first, second = (
            self.blueprint.reach(self.place, seat)[self.below.live[seat]] for seat in (0, 1)
        )
        ranges = (first, second)
        if guard == "unsafe":
            if first.any() and second.any():
                self._solve(whole, ranges, None, (0, 1), iterations)
            return
        for seat in (0, 1):
            if ranges[seat].any():
                everybody = np.ones(len(ranges[1 - seat]))
                weights = (ranges[0], everybody) if seat == 0 else (everybody, ranges[1])
                values = self._values(1 - seat, weights)
                gifts = 0.0 if guard != "reach-maxmargin" else self._gifts(1 - seat)
                chosen = Guard.of(guard, 1 - seat, values, gifts)
                self._solve(whole, weights, chosen, (seat,), iterations)

    def _gifts(self, seat: int) -> Floats:
        return self.blueprint.gifts(self.place, seat)[self.below.live[seat]]

    def _solve(
        self,
        whole: VectorSolver,
        weights: tuple[Floats, Floats],
        guard: Guard | None,
        seats: tuple[int, ...],
        iterations: int,
    ) -> None:
        game = self.game(weights)
        solver = VectorSolver(game, VARIANTS[VARIANT], precision="double", guard=guard)
        solver.advance(iterations)
        solver.exploitability()  # makes averages symmetric
        self._copy(solver, whole, seats)

    def _values(self, seat: int, weights: tuple[Floats, Floats]) -> Floats:
        """Winnings of a best response with each live hand of a seat against the blueprint."""
        game = self.game(weights)
        solver = VectorSolver(game, precision="double")
        for node in self.tree.decisions.tolist():
            if self.tree.actor[node] != seat:
                for board in self._boards_of(node):
                    shares = self.blueprint.solver.probabilities(
                        self.place.node + node, self.below.first + board
                    )[self.below.live[1 - seat]]
                    everybody = np.ones(len(shares), bool)
                    play = FixedPlay(node, shares, everybody)
                    level = int(game.boards.level[board])
                    write_play(
                        solver.packed, play, 1 - seat, board, level, solver.averages[1 - seat]
                    )
        met = game.meeting(seat, game.hands[1 - seat].weights)
        return per_hand(solver.root_values(seat, best=True), met)

    def _boards_of(self, node: int) -> list[int]:
        level = int(self.tree.round[node] - self.tree.round[0])
        return [int(board) for board in np.flatnonzero(self.below.boards.level == level)]

    def _copy(self, solver: VectorSolver, whole: VectorSolver, seats: tuple[int, ...]) -> None:
        """Write a solution's play into the whole game's averages."""
        node, board = self.place.node, self.below.first
        for own in self.tree.decisions.tolist():
            seat = int(self.tree.actor[own])
            if seat not in seats:
                continue
            live = self.below.live[seat]
            count = len(whole.game.hands[seat])
            chosen = np.zeros(count, bool)
            chosen[live] = True
            for number in self._boards_of(own):
                shares = np.zeros((count, int(self.tree.child_count[own])))
                shares[live] = solver.probabilities(own, number)
                play = FixedPlay(node + own, shares, chosen)
                level = int(whole.game.boards.level[board + number])
                write_play(whole.packed, play, seat, board + number, level, whole.averages[seat])
