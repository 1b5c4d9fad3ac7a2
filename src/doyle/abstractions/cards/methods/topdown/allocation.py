"""Allocation: how many children each parent bucket gets under a budget for the whole round.

Given errors[p][k - 1], the (weighted) clustering error of parent p's hands in k clusters, choose k_p
to minimise the sum of errors with the sum of the k_p at most the budget. Gilpin and Sandholm (AAMAS
2007, section 3.3) pose it as an integer program with one binary variable per (p, k); so does
`allocate`, through SciPy's HiGHS. It is a multiple-choice knapsack with integer weights, so a dynamic
program solves it as well: `allocate_by_dynamic_program` checks every answer, and is the answer when
HiGHS gives up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError

Floats = npt.NDArray[np.float64]

# HiGHS stops at an absolute gap of 1e-6, so the largest sum of errors is scaled up to this.
_SCALE = 1e6
_MOST_NODES = 20_000


@dataclass(frozen=True)
class Allocation:
    """The number of children of each parent, and the sum of their errors."""

    children: tuple[int, ...]
    error: float


def allocate(errors: Sequence[Floats], *, budget: int) -> Allocation:
    """The best numbers of children by integer program; of equally good ones, any.

    >>> allocate([np.array([9.0, 1.0]), np.array([5.0, 4.0, 3.0])], budget=4)
    Allocation(children=(2, 2), error=5.0)
    """
    checked = _checked(errors, budget)
    exact = allocate_by_dynamic_program(errors, budget=budget)
    children = _integer_program(checked, budget)
    if children is None:
        return exact
    found = Allocation(children, _total(checked, children))
    # The solver works to a tolerance; the dynamic program only to rounding.
    return found if found.error <= exact.error * (1 + 1e-12) else exact


def allocate_by_dynamic_program(errors: Sequence[Floats], *, budget: int) -> Allocation:
    """The best numbers of children, parent by parent over every partial budget.

    >>> allocate_by_dynamic_program([np.array([9.0, 1.0]), np.array([5.0, 4.0, 3.0])], budget=4)
    Allocation(children=(2, 2), error=5.0)
    """
    checked = _checked(errors, budget)
    best = np.zeros(budget + 1)
    choices = np.zeros((len(checked), budget + 1), np.int32)
    for parent, table in enumerate(checked):
        current = np.full(budget + 1, np.inf)
        for children in range(1, min(len(table), budget) + 1):
            candidate = best[: budget + 1 - children] + table[children - 1]
            better = candidate < current[children:]
            current[children:][better] = candidate[better]
            choices[parent, children:][better] = children
        best = current
    left = budget
    chosen: list[int] = []
    for parent in range(len(checked) - 1, -1, -1):
        chosen.append(int(choices[parent, left]))
        left -= chosen[-1]
    children_of = tuple(reversed(chosen))
    return Allocation(children_of, _total(checked, children_of))


def _checked(errors: Sequence[Floats], budget: int) -> list[Floats]:
    tables = [np.asarray(table, np.float64) for table in errors]
    if not tables or any(len(table) == 0 for table in tables):
        raise DoyleError("allocation: every parent needs a table of at least one error")
    if not all(np.isfinite(table).all() and (table >= 0).all() for table in tables):
        raise DoyleError("allocation: errors must be finite and not negative")
    if budget < len(tables):
        raise DoyleError(
            f"allocation: {len(tables)} parents need a budget of at least {len(tables)} buckets, "
            f"not {budget}"
        )
    return tables


def _total(errors: list[Floats], children: tuple[int, ...]) -> float:
    return float(sum(table[count - 1] for table, count in zip(errors, children, strict=True)))


def _integer_program(errors: list[Floats], budget: int) -> tuple[int, ...] | None:
    """Minimise e.z over binary z[p, k] with one k per parent and the k's within the budget."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    lengths = np.array([len(table) for table in errors])
    parents = np.repeat(np.arange(len(errors)), lengths)
    children = np.concatenate([np.arange(1, length + 1) for length in lengths])
    cost = np.concatenate(errors)
    largest = float(sum(table.max() for table in errors))
    if largest > 0:
        cost = cost * (_SCALE / largest)
    count = len(cost)
    one_each = csr_array((np.ones(count), (parents, np.arange(count))), shape=(len(errors), count))
    within = csr_array(children[None, :].astype(float))
    answer = milp(
        cost,
        integrality=np.ones(count),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(one_each, 1, 1),
            LinearConstraint(within, -np.inf, budget),
        ],
        options={"mip_rel_gap": 0.0, "node_limit": _MOST_NODES},
    )
    if answer.status != 0 or answer.x is None:
        return None
    chosen = np.flatnonzero(answer.x > 0.5)
    if not np.array_equal(parents[chosen], np.arange(len(errors))):
        return None
    picked = tuple(int(k) for k in children[chosen])
    return picked if sum(picked) <= budget else None
