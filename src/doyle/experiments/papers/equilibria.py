"""Many equilibria of one abstract game: what solvers return, and random optimal vertices.

Exploitability after translation depends on what an equilibrium does where it never goes. So tables
are computed for several: averages of the regret minimisers, the linear program by simplex and by
interior point, and vertices of the optimal face picked by random objectives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix, vstack

from doyle.betting import BettingModel, BettingTree
from doyle.errors import DoyleError
from doyle.experiments.papers.full_game import SolvedAbstraction, solved_profile
from doyle.games import Game
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.lp import constraints, payoff_matrix
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile

_TARGETS = {"cfr": 3e-3, "cfr+": 1e-4, "linear-cfr": 1e-3, "dcfr": 1e-3, "pcfr+": 1e-4}
_FACE = 1e-9


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
    programs = (_Program(form, 0), _Program(form, 1))
    for method in ("highs-ds", "highs-ipm"):
        yield method, _profile(form, tuple(program.optimal(method) for program in programs))
    rng = np.random.default_rng(seed)
    for number in range(vertices):
        plans = tuple(program.vertex(rng) for program in programs)
        yield f"vertex {number + 1}", _profile(form, plans)


def _profile(form: SequenceForm, plans: tuple[Floats, ...]) -> Profile:
    behaviours = (form.behaviour(0, plans[0]), form.behaviour(1, plans[1]))
    return Profile.of_behaviours(form, behaviours)


class _Program:
    """One seat's linear program: maximise the value guaranteed against every answer."""

    def __init__(self, form: SequenceForm, seat: int) -> None:
        payoff = payoff_matrix(form)
        matrix = payoff if seat == 0 else -payoff.T
        mine, theirs = constraints(form, seat), constraints(form, 1 - seat)
        self.rows = form.sizes[seat]
        sets = theirs.shape[0]
        self.objective = np.zeros(self.rows + sets)
        self.objective[self.rows] = -1.0
        self.upper = bmat([[-matrix.T, theirs.T]], format="csr")
        self.equal = bmat([[mine, csr_matrix((mine.shape[0], sets))]], format="csr")
        self.ones = np.concatenate([[1.0], np.zeros(mine.shape[0] - 1)])
        self.bounds: list[tuple[float | None, float | None]] = [(0, None)] * self.rows
        self.bounds += [(None, None)] * sets
        self.best = float(self._solve(self.objective, "highs-ds").fun)

    def _solve(self, objective: Floats, method: str, face: bool = False) -> Any:
        upper, limits = self.upper, np.zeros(self.upper.shape[0])
        if face:
            upper = vstack([upper, csr_matrix(self.objective)])
            limits = np.append(limits, self.best + _FACE)
        result = linprog(
            objective,
            A_ub=upper,
            b_ub=limits,
            A_eq=self.equal,
            b_eq=self.ones,
            bounds=self.bounds,
            method=method,
        )
        if result.status != 0:
            raise DoyleError(f"equilibria: the linear program failed ({result.message})")
        return result

    def optimal(self, method: str) -> Floats:
        """What the method returns."""
        return np.asarray(np.maximum(self._solve(self.objective, method).x[: self.rows], 0.0))

    def vertex(self, rng: np.random.Generator) -> Floats:
        """The optimal plan that is best for a random objective."""
        objective = np.zeros_like(self.objective)
        objective[: self.rows] = rng.normal(size=self.rows)
        found = self._solve(objective, "highs-ds", face=True).x[: self.rows]
        return np.asarray(np.maximum(found, 0.0))
