"""Every equilibrium of no-limit Kuhn bets 0.4 of the pot (IJCAI 2013, section 9.2).

The game is a matrix game once the first player's bets are chosen per hand, and small as a linear
program: maximise the guaranteed value over betting probabilities, then, on the face of optimal
strategies, look for the most that any other bet can be made. If that is nothing, 0.4 is the only
bet of every equilibrium.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.ijcai2013.one_street import kuhn_gain, kuhn_value
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result

_STACKS = (1, 3, 5, 10)
_TOLERANCE = 1e-9


def uniqueness(options: Options) -> Result:
    """For several stacks: the value, the most another bet can be made, and the best bet exactly."""
    cells = []
    for stack in _STACKS:
        value, others = most_of_other_bets(stack)
        best = max((Fraction(i, 10) for i in range(1, 10 * stack + 1)), key=kuhn_gain)
        more = {
            "value": value,
            "value_exact": str(kuhn_value(stack, exact=True)),
            "most_of_other_bets": others,
        }
        cells.append(Cell(f"n={stack}", "bet used", "0.4", float(best), more=more))
    return Result(
        cells,
        notes=(
            "`most_of_other_bets` is the largest total probability, over hands, of bets other than "
            "0.4 pot in any optimal strategy (a linear program over the optimal face).",
        ),
    )


def most_of_other_bets(stack: int) -> tuple[float, float]:
    """The value of the game, and the most probability an optimal strategy puts on other bets."""
    sizes = [i / 10 for i in range(10 * stack + 1)]
    matrix, limits, sums, ones = _program(sizes)
    count = 3 * len(sizes)
    variables = matrix.shape[1]
    bounds: list[tuple[float | None, float | None]] = [(0, None)] * count
    bounds += [(None, None)] * (variables - count)
    objective = np.zeros(variables)
    objective[count:] = -1.0
    first = linprog(objective, A_ub=matrix, b_ub=limits, A_eq=sums, b_eq=ones, bounds=bounds)
    value = -float(first.fun)
    # Stay on the optimal face, and push all other bets as high as they go.
    face = np.vstack([matrix, objective])
    face_limits = np.append(limits, -value + _TOLERANCE)
    others = np.zeros(variables)
    others[:count] = -1.0
    checks_and_four = [hand * len(sizes) + i for hand in range(3) for i in (0, 4)]
    others[checks_and_four] = 0.0
    second = linprog(others, A_ub=face, b_ub=face_limits, A_eq=sums, b_eq=ones, bounds=bounds)
    return value, -float(second.fun)


def _program(sizes: list[float]) -> tuple[Any, Any, Any, Any]:
    """The first player's program: y[h, x] per hand and bet, and v[j, x], the least the second
    player's hand j can hold him to at bet x, below both folding and calling."""
    bets, hands = len(sizes), 3
    rows, limits = [], []
    for answering in range(hands):
        for bet, size in enumerate(sizes):
            replies = ("call",) if bet == 0 else ("call", "fold")
            for reply in replies:
                row = np.zeros(2 * hands * bets)
                row[(hands + answering) * bets + bet] = 1.0
                for betting in range(hands):
                    if betting != answering:
                        sign = 1 if betting > answering else -1
                        result = 0.5 if reply == "fold" else sign * (0.5 + size)
                        row[betting * bets + bet] = -result / 6
                rows.append(row)
                limits.append(0.0)
    sums = np.zeros((hands, 2 * hands * bets))
    for hand in range(hands):
        sums[hand, hand * bets : (hand + 1) * bets] = 1.0
    return np.array(rows), np.array(limits), sums, np.ones(hands)
