"""Responses to a model of the opponent whose losses are bounded, by linear programs.

Against a model y of the opponent a seat wins x'Ay with plan x; q(x) is its *worst case*, the
winnings of x against its nemesis. Three programs over the sequence form share their constraints:

- `safe`: the largest x'Ay with q(x) >= a stated floor (Ganzfried and Sandholm 2012, SAFE(e));
- `mixed`: the largest p x'Ay + (1 - p) q(x), the restricted Nash response: the opponent plays the model
  with probability p and is free otherwise (Johanson, Zinkevich and Bowling 2007);
- `maximin`: the largest q(x), an equilibrium strategy.

A restricted Nash response loses at most p / (1 - p) times its gain over the equilibrium against the
model. As in `lp` the payoff matrix is written down, so games must be small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix

from doyle.base.errors import DoyleError, FieldError
from doyle.solving.games.matrix_game import Floats
from doyle.solving.methods.lp import TOLERANCE, constraints, payoff_matrix
from doyle.solving.methods.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class Response:
    """A plan of one seat, its winnings against the model, and its winnings in the worst case."""

    seat: int
    plan: Floats
    against_model: float
    worst_case: float


class ResponsePrograms:
    """The programs of both seats of one game; their matrices are made once."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form

    @cached_property
    def _payoff(self) -> csr_matrix:
        return payoff_matrix(self.form)

    @cached_property
    def _parts(self) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
        return self._constraints(0), self._constraints(1)

    @cached_property
    def values(self) -> tuple[float, float]:
        """The game's value for each seat: the worst case of its equilibrium strategy."""
        first = self.maximin(0).worst_case
        return first, -first

    def maximin(self, seat: int, *, model: Floats | None = None) -> Response:
        """An equilibrium strategy; `model` is used only to measure it."""
        opponent = self._uniform(seat) if model is None else model
        return self._solved(seat, opponent, gain=0.0, worst=1.0, floor=None)

    def safe(self, seat: int, model: Floats, *, floor: float) -> Response:
        """The best plan against the model among plans that win at least `floor` in the worst
        case."""
        return self._solved(seat, model, gain=1.0, worst=0.0, floor=floor)

    def mixed(self, seat: int, model: Floats, *, share: float) -> Response:
        """The restricted Nash response to an opponent who plays the model with probability `share`."""
        if not 0 <= share <= 1:
            raise FieldError("share", "expected a probability from 0 to 1", value=share)
        if share == 1:
            return self.best(seat, model)
        return self._solved(seat, model, gain=share, worst=1 - share, floor=None)

    def best(self, seat: int, model: Floats) -> Response:
        """A best response to the model, with no bound on its worst case."""
        _, choice = self.form.best_response(seat, model)
        return self.measured(seat, self.form.realise(seat, choice), model)

    def measured(self, seat: int, plan: Floats, model: Floats) -> Response:
        """A plan with its winnings against the model and in the worst case."""
        won = float(plan @ self.form.gradient(seat, model))
        return Response(seat, plan, won, -self.form.best_response(1 - seat, plan)[0])

    def _uniform(self, seat: int) -> Floats:
        other = 1 - seat
        return self.form.realise(other, self.form.uniform_behaviour(other))

    def _constraints(self, seat: int) -> tuple[Any, Any, Any]:
        """Rows A'x - F'q >= 0 as upper bounds, rows Ex = e, and the number of q."""
        payoff = self._payoff if seat == 0 else -self._payoff.T
        own, other = constraints(self.form, seat), constraints(self.form, 1 - seat)
        sets = other.shape[0]
        upper = bmat([[-payoff.T, other.T]], format="csr")
        equal = bmat([[own, csr_matrix((own.shape[0], sets))]], format="csr")
        return upper, equal, sets

    def _solved(
        self, seat: int, model: Floats, *, gain: float, worst: float, floor: float | None
    ) -> Response:
        upper, equal, sets = self._parts[seat]
        size = self.form.sizes[seat]
        objective = np.zeros(size + sets)
        objective[:size] = -gain * self.form.gradient(seat, model)
        objective[size] = -worst
        bounds = np.full((size + sets, 2), np.inf)
        bounds[:size, 0] = 0.0
        bounds[size:, 0] = -np.inf
        if floor is not None:
            bounds[size, 0] = floor
        result = linprog(
            objective,
            A_ub=upper,
            b_ub=np.zeros(upper.shape[0]),
            A_eq=equal,
            b_eq=np.concatenate([[1.0], np.zeros(equal.shape[0] - 1)]),
            bounds=bounds,
            method="highs",
            options={
                "primal_feasibility_tolerance": TOLERANCE,
                "dual_feasibility_tolerance": TOLERANCE,
            },
        )
        if result.status != 0:
            raise DoyleError(f"{self.form.game.name}: HiGHS found no solution ({result.message})")
        behaviour = self.form.behaviour(seat, np.maximum(result.x[:size], 0.0))
        return self.measured(seat, self.form.realise(seat, behaviour), model)
