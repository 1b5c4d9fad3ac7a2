"""`check_solver`: what every solver of a tree game must hold.

Its profile plays probabilities in every information set. The value lies between what both best
responses allow, exploitability is not negative, and enough iterations bring it to the target. A
second solver gives the same plans, bit for bit, and so does one that goes on from a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from doyle.solving.profile import Profile
from doyle.testing.contract import require

ROUNDING = 1e-9


class ImprovingSolver(Protocol):
    """The part of a solver that the contract is about."""

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        ...

    def profile(self) -> Profile:
        """The profile found so far."""
        ...


S = TypeVar("S", bound=ImprovingSolver)


def check_solver(
    make: Callable[[], S],
    *,
    iterations: int,
    target: float,
    resume: Callable[[S, S], object] | None = None,
    value: float | None = None,
) -> float:
    """Run new solvers of `make`; return the exploitability after `iterations`.

    `resume(first, second)` makes the second solver go on from where the first one is. `value`, if it
    is known, is that of the game for seat 0, which no profile misses by more than both seats give away.
    """
    whole = make()
    whole.advance(iterations)
    profile = whole.profile()
    found = _check_profile(profile, target)
    if value is not None:
        low, high = -profile.best_response_values[1], profile.best_response_values[0]
        require(
            low - ROUNDING <= value <= high + ROUNDING,
            f"the value {value} is not between what best responses allow, {low} and {high}",
        )
    again = make()
    again.advance(iterations)
    _check_same(profile, again.profile(), "a second run")
    if resume is not None:
        first, second = make(), make()
        first.advance(iterations // 2)
        resume(first, second)
        second.advance(iterations - iterations // 2)
        first.advance(iterations - iterations // 2)
        _check_same(first.profile(), second.profile(), "a run that was resumed")
    return found


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
        require(same, f"{what} gives another plan for seat {seat}")
