"""One solve of a searching agent: the rest of a hand from the start of a street.

A subgame begins with the first decision of a street, on its board, with a weight for every hand of
both seats. Its tree has the model's bets and those *added* because somebody made them. A solution is
read at the decisions of that street; later streets are solved again when they come. It is solved to the
end of the hand, or to a depth limit at the end of the street.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.model import AddedBet
from doyle.abstractions.betting.public_tree import DECISION
from doyle.agents.search.continuations import Continuations, Walked
from doyle.agents.search.street_solver import Street, StreetSolver
from doyle.base.workers.memory import one_blas_thread
from doyle.cards.suits.relabelling import SAME_SUITS
from doyle.games import CALL, FOLD, Action, State
from doyle.games.policies import policy_cards, possible_hands
from doyle.solving.games import Hands, PublicGame, outline, poker_game
from doyle.solving.solvers import VARIANTS
from doyle.solving.vector import Guard, VectorSolver
from doyle.solving.vector.packing import pack
from doyle.solving.vector.solver import Precision, table_bytes

Floats = npt.NDArray[np.float64]

VARIANT = "linear-cfr"
"""After 40 to 60 iterations it is nearest to equilibrium on average (docs/methods/search.md)."""

FIRST_ITERATIONS = 2
"""After so many the speed of a solve is known."""
STEPS = 6
"""A step towards a deadline is this share of the iterations that still fit."""
MOST_STREET_ITERATIONS = 10_000
"""Of a solve to a depth limit that has a deadline alone."""


class Solver(Protocol):
    """What a solution reads."""

    @property
    def iteration(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def working_bytes(self) -> int: ...

    def exploitability(self) -> float: ...

    def probabilities(self, node: int) -> Floats: ...


def added_bet(actions: tuple[Action, ...], raise_to: Action) -> AddedBet:
    """A bet that was made after these actions of the street."""
    texts = {FOLD: "f", CALL: "c"}
    return AddedBet("".join(texts.get(action, f"r{action}") for action in actions), raise_to)


def missing_bets(
    model: BettingModel, root: State, actions: tuple[Action, ...]
) -> tuple[AddedBet, ...]:
    """The bets among these actions from `root` on that the model's tree lacks, where they were made."""
    added: tuple[AddedBet, ...] = ()
    tree = BettingTree.build(model, root.game, root=root)
    for number, action in enumerate(actions):
        if action not in tree.actions_of(tree.find(actions[:number])).tolist():
            added = (*added, added_bet(actions[:number], action))
            tree = BettingTree.build(replace(model, added=added), root.game, root=root)
    return added


@dataclass(frozen=True, eq=False)
class Subgame:
    """The rest of a hand: its first state, the bets of the tree, weights by policy row and seat."""

    root: State
    model: BettingModel
    weights: tuple[Floats, Floats]
    added: tuple[AddedBet, ...] = ()
    guard: Guard | None = None
    """Its values are by policy row too."""

    @cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """The policy rows of the hands that the board leaves possible."""
        return np.flatnonzero(possible_hands(self.root.game, self.root.board))

    def game(self) -> PublicGame:
        """The subgame as solvers see it."""
        cards = policy_cards(self.root.game)[self.rows]
        first, second = (Hands(cards, weights[self.rows]) for weights in self.weights)
        parts = outline(
            replace(self.model, added=self.added),
            self.root.public(),
            board=self.root.board,
            hands=(first, second),
            suits=(SAME_SUITS,),
        )
        return poker_game(parts)

    def solved(
        self,
        *,
        iterations: int | None,
        deadline: float | None = None,
        precision: Precision = "single",
        most_bytes: int | None = None,
    ) -> RestSolution | None:
        """Solve by iterations, and not beyond a moment of the monotonic clock; one of them is given.

        None if the tables are too large.
        """
        started = time.monotonic()
        game = self.game()
        packed = pack(game)
        if most_bytes is not None and table_bytes(game, precision, packed=packed) > most_bytes:
            return None
        guard = self.guard and replace(self.guard, values=self.guard.values[self.rows])
        solver = VectorSolver(
            game, VARIANTS[VARIANT], precision=precision, packed=packed, guard=guard
        )
        if deadline is None:
            solver.advance(iterations or FIRST_ITERATIONS)
        else:
            _advance_until(solver, deadline, iterations)
        return RestSolution(self, solver, time.monotonic() - started)

    def continuations(
        self, blueprint: Walked, *, floor: float, runouts: int, factor: float, both: bool = False
    ) -> Continuations:
        """What the blueprint's play after this street is worth; hands of least weight are left out."""
        rows = [self.rows[weights[self.rows] > floor] for weights in self.weights]
        weights = [self.weights[seat][rows[seat]] for seat in (0, 1)]
        return Continuations(
            blueprint, self.root.public(), (rows[0], rows[1]), (weights[0], weights[1]),
            runouts, factor, both,
        )  # fmt: skip

    def solved_to_limit(
        self,
        continuations: Continuations,
        chooser: int,
        *,
        iterations: int | None,
        deadline: float | None = None,
        most_bytes: int | None = None,
    ) -> StreetSolution | None:
        """Solve this street, after which `chooser`, or both seats, have the choice of continuations.

        None if the matrices are too large, or the deadline passes before they are known.
        """
        started, root = time.monotonic(), self.root.public()
        tree = BettingTree.build(replace(self.model, added=self.added), root.game, root=root)
        later = np.flatnonzero((tree.kind == DECISION) & (tree.round > root.round))
        leaves = [node for node in later.tolist() if tree.round[tree.parent[node]] == root.round]
        if most_bytes is not None and len(leaves) * continuations.leaf_bytes > most_bytes:
            return None
        limits = {}
        with one_blas_thread():
            for node in leaves:
                leaf = root
                for action in tree.path(node):
                    leaf = leaf.apply(action)
                values = continuations.values(leaf, chooser, deadline=deadline)
                if values is None:
                    return None
                limits[node] = values
            apart, equity = continuations.apart, continuations.equity
            solver = StreetSolver(
                Street(tree, continuations.weights, apart, equity, limits), VARIANTS[VARIANT]
            )
            solver.advance(iterations or MOST_STREET_ITERATIONS, deadline=deadline)
            solver.forget()
        return StreetSolution(self, solver, time.monotonic() - started, solved=continuations.rows)


def _advance_until(solver: VectorSolver, deadline: float, most: int | None) -> None:
    """Iterate until the deadline, or so often; the speed is measured again in every step.

    A step is a share of what fits, so other work on the machine that begins in it costs little.
    """
    count = FIRST_ITERATIONS
    while most is None or solver.iteration < most:
        before = time.monotonic()
        done = count if most is None else min(count, most - solver.iteration)
        solver.advance(done)
        now = time.monotonic()
        fit = int((deadline - now) * done / max(now - before, 1e-9))
        if fit < 1:
            return
        count = max(1, fit // STEPS)


@dataclass(frozen=True, eq=False)
class Solution(ABC):
    """A solved subgame; rows are those of policies."""

    subgame: Subgame
    solver: Solver
    seconds: float
    _kept: dict[int, Floats] = field(default_factory=dict, repr=False)

    @property
    @abstractmethod
    def tree(self) -> BettingTree: ...

    def rows(self, seat: int) -> npt.NDArray[np.int64]:
        """The rows of the hands that were solved."""
        return self.subgame.rows

    @property
    def bytes(self) -> int:
        """Memory of its tables, of what iterations work in, and of the rows that were read."""
        rows = sum(table.nbytes for table in self._kept.values())
        return self.solver.memory_bytes + self.solver.working_bytes + rows

    @cached_property
    def exploitability(self) -> float:
        """The mean of what best responses to the solution win in the subgame, in chips."""
        return self.solver.exploitability()

    def has(self, actions: tuple[Action, ...], action: Action) -> bool:
        """Whether the tree has an action after these actions of the street."""
        return action in self.tree.actions_of(self.tree.find(actions)).tolist()

    def probabilities(self, actions: tuple[Action, ...]) -> tuple[tuple[Action, ...], Floats]:
        """What is played after these actions of the street, by policy row; elsewhere calls."""
        node = self.tree.find(actions)
        offered = tuple(self.tree.actions_of(node).tolist())
        if node not in self._kept:
            table = np.zeros((len(self.subgame.weights[0]), len(offered)))
            table[:, offered.index(CALL)] = 1.0
            found = self.solver.probabilities(node)
            rows = self.rows(int(self.tree.actor[node]))
            table[rows] = found / found.sum(axis=1, keepdims=True)
            self._kept[node] = table
        return offered, self._kept[node]

    def has_path(self, actions: tuple[Action, ...]) -> bool:
        """Whether the tree has all these actions of the street."""
        return all(self.has(actions[:number], action) for number, action in enumerate(actions))


@dataclass(frozen=True, eq=False)
class StreetSolution(Solution):
    """Of a street up to its depth limit; `solved` has the rows of both seats' hands."""

    solver: StreetSolver
    solved: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] = field(kw_only=True)

    @property
    def tree(self) -> BettingTree:
        return self.solver.tree

    def rows(self, seat: int) -> npt.NDArray[np.int64]:
        return self.solved[seat]


@dataclass(frozen=True, eq=False)
class RestSolution(Solution):
    """Of the rest of a hand, with what guards of later solves need."""

    solver: VectorSolver

    @property
    def tree(self) -> BettingTree:
        return self.solver.game.tree

    def root_values(self, seat: int) -> Floats:
        """Chips that a best response wins with each hand of a seat, by policy row."""
        game = self.solver.game
        met = game.meeting(seat, game.hands[1 - seat].weights)
        return self._by_row(per_hand(self.solver.root_values(seat, best=True), met))

    def entry_values(
        self, seat: int, actions: tuple[Action, ...], board: tuple[int, ...]
    ) -> Floats:
        """Chips that a best response wins with each hand of a seat on a board of the next street."""
        game, packed, tree = self.solver.game, self.solver.packed, self.tree
        reach, slot = game.hands[1 - seat].weights, -1
        for number, action in enumerate(actions):
            node = tree.find(actions[:number])
            place = tree.actions_of(node).tolist().index(action)
            if tree.actor[node] == seat:
                slot = int(packed.sides[seat].first[packed.decision_of[node]]) + place
            else:
                reach = reach * self.solver.probabilities(node)[:, place]
        side = packed.sides[seat]
        entry = side.exits[: side.exit_start[1]].tolist().index(slot)
        number, _ = game.boards.find([board[len(self.subgame.root.board) :]])
        worth = self.solver.values(seat, best=True, board=number)[entry]
        live = game.live(1 - seat, game.boards[number])
        return self._by_row(per_hand(worth, game.meeting(seat, reach * live)))

    def gifts(self, seat: int, actions: tuple[Action, ...]) -> Floats:
        """What a seat gave up with each hand by these actions of the street, in chips, by policy row.

        At each of its decisions: what the best action wins beyond the one taken.
        """
        game, packed, tree = self.solver.game, self.solver.packed, self.tree
        reach, total = game.hands[1 - seat].weights, np.zeros(len(game.hands[seat]))
        worth = self.solver.values(seat, best=True)
        for number, action in enumerate(actions):
            node = tree.find(actions[:number])
            taken = tree.actions_of(node).tolist().index(action)
            if tree.actor[node] == seat:
                first = int(packed.sides[seat].first[packed.decision_of[node]])
                options = worth[first : first + int(tree.child_count[node])]
                lost = options.max(axis=0) - options[taken]
                total += per_hand(lost, game.meeting(seat, reach))
            else:
                reach = reach * self.solver.probabilities(node)[:, taken]
        return self._by_row(total)

    def _by_row(self, values: Floats) -> Floats:
        rows = np.zeros(len(self.subgame.weights[0]))
        rows[self.subgame.rows] = values
        return rows


def per_hand(worth: Floats, met: Floats) -> Floats:
    """Chips of each hand from chips times the weight that it meets; 0 where it meets none."""
    possible = met > 1e-12 * max(float(met.max()), 1e-300)
    return np.where(possible, worth / np.where(possible, met, 1.0), 0.0)
