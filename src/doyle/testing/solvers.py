"""`check_solver`: the contract of solvers that `Run` drives, on a game that is measured exactly.

Its profile plays probabilities in every information set. The value lies between the bounds of both
best responses, exploitability is not negative, and enough iterations reach the target. A second
solver returns the same plans, bit for bit, and so does one resumed from a checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from doyle.solving.profile import Profile
from doyle.solving.run import Solver
from doyle.testing.contract import require

ROUNDING = 1e-9


class MeasuredSolver(Solver, Protocol):
    """A solver for `Run` with a readable profile."""

    def profile(self) -> Profile | None:
        """The current profile; None if it is not measured."""
        ...


def check_solver(
    make: Callable[[], MeasuredSolver],
    *,
    iterations: int,
    target: float,
    value: float | None = None,
) -> float:
    """Run new solvers of `make`; return the exploitability after `iterations`.

    `value`, if known, is that of the game for seat 0; it lies between the bounds of both best
    responses.
    """
    whole = make()
    whole.advance(iterations)
    profile = _profile(whole)
    found = _check_profile(profile, target)
    told = whole.distance().exploitability
    require(
        math.isnan(told) or abs(told - found) <= ROUNDING,
        f"reported exploitability {told:.6g} differs from measured {found:.6g}",
    )
    if value is not None:
        low, high = -profile.best_response_values[1], profile.best_response_values[0]
        require(
            low - ROUNDING <= value <= high + ROUNDING,
            f"the value {value} is not between what best responses allow, {low} and {high}",
        )
    again = make()
    again.advance(iterations)
    _check_same(profile, _profile(again), "a second run")
    _check_resumed(make, iterations)
    return found


def _profile(solver: MeasuredSolver) -> Profile:
    found = solver.profile()
    require(found is not None, "the solver gives no profile; take a game that is measured")
    assert found is not None
    return found


def _check_resumed(make: Callable[[], MeasuredSolver], iterations: int) -> None:
    """A solver restored from the arrays of another continues like that one."""
    first, second = make(), make()
    first.advance(iterations // 2)
    kept = {name: np.array(array) for name, array in first.arrays().items()}
    require(first.identity == second.identity, "two solvers of one kind have other identities")
    second.iteration = first.iteration
    second.restore(kept)
    for solver in (first, second):
        solver.advance(iterations - iterations // 2)
    require(first.iteration == second.iteration, "a run that was resumed counts otherwise")
    _check_same(_profile(first), _profile(second), "a run that was resumed")


def _check_profile(profile: Profile, target: float) -> float:
    for node in profile.form.game.tree.decisions.tolist():
        rows = profile.probabilities(node)
        require(bool((rows >= -ROUNDING).all()), f"node {node}: a probability is negative")
        worst = float(np.abs(rows.sum(axis=1) - 1).max())
        require(worst <= ROUNDING, f"node {node}: probabilities sum to 1 but for {worst:.3g}")
    first, second = profile.best_response_values
    require(
        -second - ROUNDING <= profile.value <= first + ROUNDING,
        f"the value {profile.value} is outside {-second} to {first}",
    )
    found = profile.exploitability
    require(0 <= found <= target, f"exploitability {found:.3g}; expected at most {target:g}")
    return found


def _check_same(first: Profile, second: Profile, what: str) -> None:
    for seat in (0, 1):
        same = np.array_equal(first.plans[seat], second.plans[seat])
        require(same, f"{what} returns another plan for seat {seat}")
