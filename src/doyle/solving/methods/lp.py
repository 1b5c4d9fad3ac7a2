"""The sequence-form linear program, solved by HiGHS: exact equilibria of small games.

Seat 0's plan x and the values q of seat 1's information sets solve

    maximise q_0  subject to  E x = e,  F' q <= A' x,  x >= 0,

and the multipliers of the inequalities are seat 1's plan (Koller, Megiddo and von Stengel 1996).
This is the one place where the payoff matrix A is written down, so games must be small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix, csr_matrix

from doyle.base.errors import DoyleError
from doyle.solving.games.matrix_game import Floats, Ints
from doyle.solving.methods import _treeplex_kernels as _kernels
from doyle.solving.methods.cfr import WalkingSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Arrays

LARGEST_NONZEROS = 60_000_000
TOLERANCE = 1e-10


class LinearProgramSolver(WalkingSolver):
    """Solves in one iteration and is then complete."""

    name = "lp"

    def __init__(self, form: SequenceForm) -> None:
        super().__init__(form)
        self._profile = Profile.uniform(form)

    def advance(self, iterations: int) -> None:
        if self.iteration == 0 and iterations > 0:
            self._profile = solve_linear_program(self.form)
            self.iteration = 1

    def profile(self) -> Profile:
        return self._profile

    def arrays(self) -> Arrays:
        return {"plan_0": self._profile.plans[0], "plan_1": self._profile.plans[1]}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        plans = (np.array(arrays["plan_0"]), np.array(arrays["plan_1"]))
        self._profile = Profile(self.form, plans)


def solve_linear_program(form: SequenceForm) -> Profile:
    """An equilibrium of both seats."""
    payoff = payoff_matrix(form)
    first, second = constraints(form, 0), constraints(form, 1)
    rows, columns = form.sizes
    sets = second.shape[0]
    objective = np.zeros(rows + sets)
    objective[rows] = -1.0
    result = linprog(
        objective,
        A_ub=bmat([[-payoff.T, second.T]], format="csr"),
        b_ub=np.zeros(columns),
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
        raise DoyleError(f"{form.game.name}: HiGHS found no solution ({result.message})")
    return Profile.of_behaviours(
        form,
        (
            form.behaviour(0, np.maximum(result.x[:rows], 0.0)),
            form.behaviour(1, np.maximum(-result.ineqlin.marginals, 0.0)),
        ),
    )


def payoff_matrix(form: SequenceForm) -> csr_matrix:
    """A[i, j]: chips for seat 0, chance included, when its sequence i meets seat 1's sequence j."""
    leaves = form.leaves[0]
    if _nonzeros(form) > LARGEST_NONZEROS:
        raise DoyleError(
            f"{form.game.name}: its payoff matrix has {_nonzeros(form):,} entries, too many for the "
            "solver lp; use egt, cfr+ or dcfr"
        )
    parts: list[tuple[Ints, Ints, Floats]] = []
    for group in range(len(leaves.own_up)):
        at = slice(int(leaves.group[group]), int(leaves.group[group + 1]))
        own, other = leaves.own[at].astype(np.int64), leaves.other[at].astype(np.int64)
        for block in range(int(leaves.block[group]), int(leaves.block[group + 1])):
            height, width = int(leaves.rows[block]), int(leaves.columns[block])
            start = int(leaves.value[block])
            values = leaves.values[start : start + height * width].reshape(height, width)
            i, j = np.nonzero(values)
            rows = _earlier(leaves.own_ancestors, leaves.own_up[group], int(leaves.row[block]) + i)
            columns = _earlier(
                leaves.other_ancestors, leaves.other_up[group], int(leaves.column[block]) + j
            )
            entries = leaves.amount[at][:, None] * values[i, j][None, :]
            parts.append(
                ((own[:, None] + rows).ravel(), (other[:, None] + columns).ravel(), entries.ravel())
            )
    row, column, entry = (np.concatenate([part[n] for part in parts]) for n in range(3))
    return coo_matrix((entry, (row, column)), shape=form.sizes).tocsr()


def _earlier(ancestors: Ints, up: Any, states: Ints) -> Ints:
    if up == _kernels.IDENTITY:
        return states
    return np.asarray(ancestors[int(up) + states], np.int64)


def _nonzeros(form: SequenceForm) -> int:
    leaves = form.leaves[0]
    sizes = leaves.rows.astype(np.int64) * leaves.columns
    total = 0
    for group in range(len(leaves.own_up)):
        blocks = slice(int(leaves.block[group]), int(leaves.block[group + 1]))
        total += int(leaves.group[group + 1] - leaves.group[group]) * int(sizes[blocks].sum())
    return total


def constraints(form: SequenceForm, seat: int) -> csr_matrix:
    """One row per information set (after the empty sequence): its actions minus its parent."""
    treeplex = form.treeplexes[seat]
    rows: list[Ints] = [np.zeros(1, np.int64)]
    columns: list[Ints] = [np.zeros(1, np.int64)]
    entries: list[Floats] = [np.ones(1)]
    count = 1
    for k in range(len(treeplex.states)):
        states, actions = int(treeplex.states[k]), int(treeplex.actions[k])
        own = count + np.arange(states)
        rows += [np.tile(own, actions), own]
        parent = int(treeplex.parent[k]) + _earlier(
            treeplex.ancestors, treeplex.up[k], np.arange(states)
        )
        columns += [int(treeplex.base[k]) + np.arange(actions * states), parent]
        entries += [np.ones(actions * states), -np.ones(states)]
        count += states
    data = (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns)))
    return coo_matrix(data, shape=(count, form.sizes[seat])).tocsr()
