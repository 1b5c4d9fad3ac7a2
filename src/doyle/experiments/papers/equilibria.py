"""Many equilibria of one abstract game: what solvers return, and random optimal vertices.

Exploitability after translation depends on an equilibrium's play at decisions with zero reach. So
tables are computed for several: averages of the regret minimisers, the linear program by simplex
and by interior point, and vertices of the optimal face picked by random objectives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix, vstack

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.experiments.papers.full_game import SolvedAbstraction, solved_profile
from doyle.games import Game
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.lp import constraints, payoff_matrix
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile

_TARGETS = {"cfr": 3e-3, "cfr+": 1e-4, "linear-cfr": 1e-3, "dcfr": 1e-3, "pcfr+": 1e-4}
FACE = 1e-9
"""By how much an optimal plan may miss the optimum."""


def equilibria(
    game: Game, model: str, *, vertices: int, seed: int
) -> Iterator[tuple[str, SolvedAbstraction]]:
    """Named equilibria of the abstract game with the bets of `model`."""
    betting = BettingTree.build(BettingModel.parse(model), game)
    form = SequenceForm(small_game(game, betting))
    for method, target in _TARGETS.items():
        profile = solved_profile(form, method=method, target=target, iterations=100_000)
        yield method, SolvedAbstraction(betting, profile)
    for name, profile in linear_equilibria(form, vertices=vertices, seed=seed):
        yield name, SolvedAbstraction(betting, profile)


def linear_equilibria(
    form: SequenceForm, *, vertices: int, seed: int
) -> Iterator[tuple[str, Profile]]:
    """Equilibria by the linear program: simplex, interior point, and random optimal vertices."""
    seats = (OptimalPlans(form, 0), OptimalPlans(form, 1))
    for method in ("highs-ds", "highs-ipm"):
        yield method, _profile(form, tuple(plans.by(method) for plans in seats))
    rng = np.random.default_rng(seed)
    for number in range(vertices):
        plans = tuple(one.least(rng.normal(size=one.program.rows)) for one in seats)
        yield f"vertex {number + 1}", _profile(form, plans)


def _profile(form: SequenceForm, plans: tuple[Floats, ...]) -> Profile:
    behaviours = (form.behaviour(0, plans[0]), form.behaviour(1, plans[1]))
    return Profile.of_behaviours(form, behaviours)


def gains(form: SequenceForm, seat: int) -> csr_matrix:
    """The seat's winnings by sequence of the opponent, from its plan."""
    matrix = payoff_matrix(form)
    return csr_matrix(matrix.T if seat == 0 else -matrix)


class PlanProgram:
    """A seat's plans as a linear program: variables are the plan, then the values of
    best-responding opponents.

    An opponent is defined by the seat's winnings from each of its sequences and by the constraints
    of its plans.
    """

    def __init__(
        self, form: SequenceForm, seat: int, *opponents: tuple[csr_matrix, csr_matrix]
    ) -> None:
        mine = constraints(form, seat)
        self.rows = form.sizes[seat]
        count, sizes = len(opponents), [answers.shape[0] for _, answers in opponents]
        self.first = [self.rows + sum(sizes[:number]) for number in range(count)]
        """Where the values of each opponent begin; the first is that of the game."""
        self.upper = bmat(
            [
                [-won, *(answers.T if place == number else None for place in range(count))]
                for number, (won, answers) in enumerate(opponents)
            ],
            format="csr",
        )
        self.equal = bmat([[mine, csr_matrix((mine.shape[0], sum(sizes)))]], format="csr")
        self.ones = np.concatenate([[1.0], np.zeros(mine.shape[0] - 1)])
        self.name = form.game.name

    def against(self, opponent: int) -> Floats:
        """The objective that maximises the guaranteed winnings against one of the opponents."""
        objective = np.zeros(self.upper.shape[1])
        objective[self.first[opponent]] = -1.0
        return objective

    def solve(
        self,
        objective: Floats,
        method: str = "highs",
        *,
        face: tuple[Floats, float] | None = None,
        least: float | None = None,
    ) -> Any:
        """The solution of an objective, where `face`, another one, has at most a value, or the first opponent
        leaves at least so much."""
        upper, limits = self.upper, np.zeros(self.upper.shape[0])
        if face is not None:
            upper = vstack([upper, csr_matrix(face[0])])
            limits = np.append(limits, face[1])
        bounds: list[tuple[float | None, float | None]] = [(0, None)] * self.rows
        bounds += [(None, None)] * (len(objective) - self.rows)
        if least is not None:
            bounds[self.first[0]] = (least, None)
        result = linprog(
            objective, A_ub=upper, b_ub=limits, A_eq=self.equal, b_eq=self.ones, bounds=bounds,
            method=method,
        )  # fmt: skip
        if result.status != 0:
            raise DoyleError(f"{self.name}: the linear program failed ({result.message})")
        return result

    def plan(self, result: Any) -> Floats:
        """The plan of a solution."""
        return np.asarray(np.maximum(result.x[: self.rows], 0.0))


class OptimalPlans:
    """The equilibrium plans of one seat."""

    def __init__(self, form: SequenceForm, seat: int) -> None:
        opponent = gains(form, seat), constraints(form, 1 - seat)
        self.program = PlanProgram(form, seat, opponent)
        self.objective = self.program.against(0)
        self.best = float(self.program.solve(self.objective, "highs-ds").fun)

    def by(self, method: str) -> Floats:
        """The result of a method."""
        return self.program.plan(self.program.solve(self.objective, method))

    def least(self, weights: Floats) -> Floats:
        """The optimal plan of the least weight."""
        objective = np.zeros_like(self.objective)
        objective[: self.program.rows] = weights
        face = (self.objective, self.best + FACE)
        return self.program.plan(self.program.solve(objective, "highs-ds", face=face))
