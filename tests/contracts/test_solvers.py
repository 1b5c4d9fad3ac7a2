"""Every solver passes the check of solvers on Kuhn and Leduc; broken ones do not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy.typing as npt
import pytest

from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Distance
from doyle.solving.solve import Method, Problem, make_solver
from doyle.solving.solvers import VARIANTS
from doyle.testing import ContractError, check_solver

KUHN_VALUE = -1 / 18

ITERATIONS = {
    "lp": (1, 1e-9),
    "egt": (400, 0.02),
    "cfr": (1000, 0.02),
    "cfr+": (200, 0.01),
    "linear-cfr": (400, 0.01),
    "dcfr": (200, 0.01),
    "dcfr-delayed": (200, 0.01),
    "pcfr+": (200, 0.001),
}


@cache
def form(game: str) -> SequenceForm:
    return SequenceForm(Problem.named(game).matrix_game())


@pytest.mark.parametrize("name", ITERATIONS)
def test_solvers_keep_the_contract_in_kuhn(name: str) -> None:
    iterations, target = ITERATIONS[name]
    make = partial(make_solver, name, form("kuhn"))
    check_solver(make, iterations=iterations, target=target, value=KUHN_VALUE)


@pytest.mark.parametrize("name", ["egt", "cfr+", "dcfr", "pcfr+"])
def test_solvers_keep_the_contract_in_leduc(name: str) -> None:
    check_solver(partial(make_solver, name, form("leduc")), iterations=150, target=0.2)


@pytest.mark.parametrize("name", ["external", "pure", "pcs"])
def test_sampling_solvers_keep_the_contract(name: str) -> None:
    method = Method(name, seed=3)
    make = partial(Problem.named("kuhn", method=method).solver, method)
    iterations = 6 * make().interval
    check_solver(make, iterations=iterations, target=0.05, value=KUHN_VALUE)


class Broken(RegretSolver):
    """Discounted CFR with a defect."""

    made = 0

    def __init__(self, defect: str) -> None:
        super().__init__(form("kuhn"), VARIANTS["dcfr"], name="broken")
        self.defect = defect
        Broken.made += 1
        self.number = Broken.made

    def advance(self, iterations: int) -> None:
        super().advance(iterations + (self.defect == "random") * self.number)

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        if self.defect != "forgetful":
            super().restore(arrays)

    def distance(self) -> Distance:
        found = super().distance()
        return Distance(found.exploitability / 2) if self.defect == "boastful" else found

    def profile(self) -> Profile:
        return Profile.uniform(self.form) if self.defect == "stuck" else super().profile()


@pytest.mark.parametrize(
    ("defect", "problem"),
    [
        ("stuck", "expected at most 0.01"),
        ("random", "a second run returns another plan"),
        ("forgetful", "a run that was resumed returns another plan"),
        ("boastful", "reported exploitability .* differs from measured"),
    ],
)
def test_broken_solvers_are_found(defect: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_solver(partial(Broken, defect), iterations=200, target=0.01)


def test_a_wrong_value_is_found() -> None:
    make = partial(make_solver, "dcfr", form("kuhn"))
    with pytest.raises(ContractError, match="not between what best responses allow"):
        check_solver(make, iterations=200, target=0.01, value=0.0)
