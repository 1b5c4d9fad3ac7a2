"""The sequence-form linear program of a small public game, solved by HiGHS.

A variable is a sequence of a seat for one hand on one board, whose reach starts at 1 for every hand;
ranges and chance are in the payoffs. The payoffs are read off the game's evaluator, one unit vector
per hand, so the program checks the evaluator too. Boards must not stand for copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix, csr_matrix

from doyle.errors import DoyleError
from doyle.public_games import PublicGame
from doyle.public_games._evaluator_kernels import BOTH, DECK, LANES, evaluate
from doyle.public_games.evaluators import WIDTH
from doyle.solving.methods.lp import LARGEST_NONZEROS, TOLERANCE
from doyle.solving.vector._kernels import SHOWN
from doyle.solving.vector.packing import Packed, pack

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExactSolution:
    """The value for seat 0 in chips, and both seats' plans by variable; 0 is the empty sequence."""

    game: PublicGame
    value: float
    plans: tuple[Floats, Floats]
    _variables: tuple[_Variables, _Variables]

    def probabilities(self, node: int, board: int = 0) -> Floats:
        """What is played at a decision: [hand, action]; evenly where the plan never comes."""
        seat = int(self.game.tree.actor[node])
        variables = self._variables[seat]
        decision = int(variables.packed.decision_of[node])
        side = variables.packed.sides[seat]
        first, count = int(side.first[decision]), int(side.actions[decision])
        rows = [variables.of(board, first + action) for action in range(count)]
        shares = np.maximum(self.plans[seat][np.stack(rows, axis=1)], 0.0)
        total = shares.sum(axis=1, keepdims=True)
        return np.where(total > 1e-12, shares / np.where(total > 0, total, 1.0), 1.0 / count)


class _Variables:
    """Numbers of the variables of one seat: (board, slot) -> one per hand."""

    def __init__(self, game: PublicGame, packed: Packed, seat: int) -> None:
        self.game, self.packed, self.seat = game, packed, seat
        self.hands = len(game.hands[seat])
        per_board = [packed.sequences(seat, int(level)) for level in game.boards.level]
        self.starts = 1 + self.hands * np.concatenate([[0], np.cumsum(per_board)])
        self.count = int(self.starts[-1])

    def of(self, board: int, slot: int) -> npt.NDArray[np.int64]:
        """The variables of a slot; those of an entry are the ones that lead to it."""
        side = self.packed.sides[self.seat]
        level = int(self.game.boards.level[board])
        while slot < side.entries[level]:
            if level == 0:
                return np.zeros(self.hands, np.int64)
            level -= 1
            board = int(self.game.boards.parent[board])
            slot = int(side.exits[side.exit_start[level] + slot])
        start = int(self.starts[board]) + (slot - int(side.entries[level])) * self.hands
        return np.arange(start, start + self.hands)

    def constraints(self) -> csr_matrix:
        """One row per decision, board and hand after that of the empty sequence."""
        side = self.packed.sides[self.seat]
        rows, columns, entries = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)], [np.ones(1)]
        count = 1
        for board, level in enumerate(self.game.boards.level):
            for decision in range(*side.decision_start[level : level + 2]):
                own = count + np.arange(self.hands)
                rows.append(own)
                columns.append(self.of(board, int(side.parent[decision])))
                entries.append(-np.ones(self.hands))
                for action in range(side.actions[decision]):
                    rows.append(own)
                    columns.append(self.of(board, int(side.first[decision]) + action))
                    entries.append(np.ones(self.hands))
                count += self.hands
        data = (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns)))
        return coo_matrix(data, shape=(count, self.count)).tocsr()


def solve_exactly(game: PublicGame) -> ExactSolution:
    """An equilibrium of a small public game."""
    if len(game.boards.copies) != len(game.boards):
        raise DoyleError(f"{game.name}: the linear program needs a game without merged suits")
    packed = pack(game)
    sides = (_Variables(game, packed, 0), _Variables(game, packed, 1))
    payoff = _payoffs(game, packed, sides)
    first, second = sides[0].constraints(), sides[1].constraints()
    rows, sets = sides[0].count, second.shape[0]
    objective = np.zeros(rows + sets)
    objective[rows] = -1.0
    result = linprog(
        objective,
        A_ub=bmat([[-payoff.T, second.T]], format="csr"),
        b_ub=np.zeros(sides[1].count),
        A_eq=bmat([[first, csr_matrix((first.shape[0], sets))]], format="csr"),
        b_eq=np.concatenate([[1.0], np.zeros(first.shape[0] - 1)]),
        bounds=[(0, None)] * rows + [(None, None)] * sets,
        method="highs",
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    if result.status != 0:
        raise DoyleError(f"{game.name}: HiGHS found no solution ({result.message})")
    plans = (
        np.maximum(result.x[:rows], 0.0),
        np.maximum(-result.ineqlin.marginals, 0.0),
    )
    # The value of the plan is bilinear in both; the objective alone carries the solver's tolerance.
    return ExactSolution(game, float(-result.fun), plans, sides)


def _payoffs(game: PublicGame, packed: Packed, sides: tuple[_Variables, _Variables]) -> csr_matrix:
    """A[i, j]: chips for seat 0, ranges and chance included, when variable i meets variable j."""
    side = packed.sides[0]
    boards = game.boards
    chance = np.ones(len(boards))
    for board in range(1, len(boards)):
        chance[board] = chance[boards.parent[board]] * boards.weight[board]
    pairs = np.outer(game.hands[0].weights, game.hands[1].weights) / game.mass
    nonzeros = sum(
        int(side.leaf_start[side.block_start[level + 1]] - side.leaf_start[side.block_start[level]])
        for level in boards.level
    )
    if nonzeros * pairs.size > LARGEST_NONZEROS:
        raise DoyleError(
            f"{game.name}: its payoff matrix has {nonzeros * pairs.size:,} entries, too many for a "
            "linear program"
        )
    parts: list[tuple[Any, Any, Any]] = []
    for board, level in enumerate(boards.level):
        fold, show = meeting_matrices(game, board)
        for block in range(side.block_start[level], side.block_start[level + 1]):
            for leaf in range(side.leaf_start[block], side.leaf_start[block + 1]):
                shown, source = divmod(int(side.leaf_source[leaf]), SHOWN)
                slot = int(side.lane_slot[block * LANES + source // WIDTH])
                chips = float(side.leaf_amount[leaf]) * packed.scale[0] * chance[board]
                matrix = chips * pairs * (show if shown else fold)
                i, j = np.nonzero(matrix)
                own = sides[0].of(board, int(side.leaf_own[leaf]) // WIDTH)[i]
                parts.append((own, sides[1].of(board, slot)[j], matrix[i, j]))
    row, column, entry = (np.concatenate([part[n] for part in parts]) for n in range(3))
    return coo_matrix((entry, (row, column)), shape=(sides[0].count, sides[1].count)).tocsr()


def meeting_matrices(game: PublicGame, board: int) -> tuple[Floats, Floats]:
    """For seat 0: which pairs of hands can meet on a board, and who wins, as the evaluator has it."""
    evaluator = game.evaluator
    counts = [len(hands) for hands in game.hands]
    rows = [
        evaluator.rows[seat].reshape(len(game.boards), -1)[board, : counts[seat]] for seat in (0, 1)
    ]
    size = int(evaluator.width.max()) + 2
    fold, show = np.zeros((counts[0], counts[1])), np.zeros((counts[0], counts[1]))
    for begin in range(0, counts[1], LANES):
        reach, shown, folded = (np.zeros((size, LANES)) for _ in range(3))
        here = np.arange(begin, min(begin + LANES, counts[1]))
        live = here[rows[1][here] < size - 2]
        reach[rows[1][live], live - begin] = 1.0
        sums = np.zeros((DECK + 1) * LANES)
        flat = (reach.ravel(), shown.ravel(), folded.ravel(), sums)
        evaluate(evaluator, board, 0, *flat, BOTH, BOTH)
        fold[:, here] = folded[rows[0], : len(here)]
        show[:, here] = shown[rows[0], : len(here)]
    return fold, show
