"""Every solver passes the check of solvers on Kuhn and Leduc; broken ones do not."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import pytest

from doyle.games import Game
from doyle.solving.games.named_games import named_tree_game
from doyle.solving.methods.by_name import make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.sampling.sampled import SampledSolve
from doyle.solving.solver import Solver
from doyle.testing import ContractError, check_solver

KUHN_VALUE = -1 / 18

ITERATIONS = {
    "lp": (1, 1e-9),
    "egt": (400, 0.02),
    "cfr": (1000, 0.02),
    "cfr+": (200, 0.01),
    "linear-cfr": (400, 0.01),
    "dcfr": (200, 0.01),
    "pcfr+": (200, 0.001),
}


@cache
def form(game: str) -> SequenceForm:
    return SequenceForm(named_tree_game(game))


def resume(first: Solver, second: Solver) -> None:
    second.restore({name: array.copy() for name, array in first.arrays().items()})
    second.iteration = first.iteration


@pytest.mark.parametrize("name", ITERATIONS)
def test_solvers_keep_the_contract_in_kuhn(name: str) -> None:
    iterations, target = ITERATIONS[name]
    make = partial(make_solver, name, form("kuhn"))
    again = None if name == "lp" else resume
    check_solver(make, iterations=iterations, target=target, value=KUHN_VALUE, resume=again)


@pytest.mark.parametrize("name", ["egt", "cfr+", "dcfr", "pcfr+"])
def test_solvers_keep_the_contract_in_leduc(name: str) -> None:
    make = partial(make_solver, name, form("leduc"))
    check_solver(make, iterations=150, target=0.2, resume=resume)


class Sampled:
    """A sampling solver as the contract sees it: an iteration is an interval."""

    def __init__(self, name: str) -> None:
        self.solve = SampledSolve(name, Game.named("kuhn"), seed=3)

    def advance(self, iterations: int) -> None:
        solver = self.solve.solver
        solver.run(iterations=solver.iterations + iterations * solver.options.interval)

    def profile(self) -> Profile:
        found = self.solve.profile()
        assert found is not None
        return found


@pytest.mark.parametrize("name", ["external", "pure", "pcs"])
def test_sampling_solvers_keep_the_contract(name: str, tmp_path: Path) -> None:
    def through_files(first: Sampled, second: Sampled) -> None:
        first.solve.solver.save(tmp_path / name)
        assert second.solve.solver.restore(tmp_path / name)

    check_solver(
        partial(Sampled, name), iterations=6, target=0.05, value=KUHN_VALUE, resume=through_files
    )


class Stuck:
    """A solver that never leaves the uniform profile, or is as it likes at random."""

    made = 0

    def __init__(self, kind: str) -> None:
        Stuck.made += 1
        self.kind, self.number = kind, Stuck.made

    def advance(self, iterations: int) -> None:
        pass

    def profile(self) -> Profile:
        uniform = Profile.uniform(form("kuhn"))
        if self.kind == "uniform" or self.number % 2:
            return uniform
        solver = make_solver("dcfr", form("kuhn"))
        solver.advance(100)
        return solver.profile()


@pytest.mark.parametrize(
    ("kind", "target", "problem"),
    [("uniform", 0.1, "expected at most 0.1"), ("random", 1.0, "a second run gives another plan")],
)
def test_broken_solvers_are_found(kind: str, target: float, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_solver(partial(Stuck, kind), iterations=10, target=target)


def test_a_wrong_value_is_found() -> None:
    make = partial(make_solver, "dcfr", form("kuhn"))
    with pytest.raises(ContractError, match="not between what best responses allow"):
        check_solver(make, iterations=200, target=0.01, value=0.0)
