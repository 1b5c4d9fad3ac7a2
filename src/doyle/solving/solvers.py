"""The solvers by name: one name stands for one method, in every command and description.

Discounting: how a variant of counterfactual regret minimisation weighs iterations.

After iteration t adds its regrets, positive sums are multiplied by t^p / (t^p + 1) and negative
ones by t^q / (t^q + 1), where p is `positive` and q is `negative`; plus infinity keeps a sum, minus
infinity discards it. With a `delay` d the clock of negative sums is t / d: they are discarded in
the first iterations, when they carry little information, and kept later. `prediction` plays as if
the last regrets came once more. Iteration t counts t^`average` in the average strategy. Sources:
Zinkevich et al. 2007 (cfr), Tammelin 2014 (cfr+), Brown and Sandholm 2019 (linear-cfr, dcfr),
Farina, Kroer and Sandholm 2021 (pcfr+). `dcfr-delayed` is ours for spots: dcfr with a cubic
average, and negative regrets that are kept later (docs/methods/spots.md has the counts).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from doyle.base.errors import DoyleError
from doyle.solving.games.matrix_game import Floats

SamplingName = Literal["external", "pure", "pcs"]

SAMPLING: tuple[SamplingName, ...] = get_args(SamplingName)
"""Sampling CFR, for large abstractions and imperfect recall."""
DRAWING = ("external", "pure")
"""Methods that draw single actions: they support pruning, trembling and more than two seats."""
SPOT_SOLVERS = ("cfr", "cfr+", "linear-cfr", "dcfr", "dcfr-delayed")
"""CFR without prediction (`doyle.solving.solvers`); spots are solved by these."""
WALKING = ("lp", "egt", *SPOT_SOLVERS, "pcfr+")
"""Over the whole tree of a matrix game."""
SOLVERS = (*WALKING, *SAMPLING)


def check_solver(name: str) -> str:
    """The name, if a solver has it; DoyleError with all names otherwise.

    >>> check_solver("cfr+")
    'cfr+'
    """
    if name not in SOLVERS:
        raise DoyleError(f"solver {name!r}: expected one of {', '.join(SOLVERS)}")
    return name


_FOREVER = float("inf")


@dataclass(frozen=True)
class Discounting:
    """One variant, as a value."""

    positive: float = _FOREVER
    negative: float = _FOREVER
    average: float = 0.0
    prediction: bool = False
    delay: float = 1.0

    def schedule(self, first: int, count: int) -> Floats:
        """Rows (positive factor, negative factor, prediction, weight) of `count` iterations.

        >>> VARIANTS["dcfr"].schedule(1, 2).round(3).tolist()
        [[0.5, 0.5, 0.0, 1.0], [0.739, 0.5, 0.0, 4.0]]
        """
        iterations = np.arange(first, first + count, dtype=np.float64)
        rows = np.empty((count, 4))
        rows[:, 0] = _factor(iterations, self.positive)
        rows[:, 1] = _factor(iterations / self.delay, self.negative)
        rows[:, 2] = 1.0 if self.prediction else 0.0
        rows[:, 3] = iterations**self.average
        return rows


def _factor(iterations: Floats, power: float) -> Floats:
    if power in (_FOREVER, -_FOREVER):
        return np.full(len(iterations), 1.0 if power > 0 else 0.0)
    return 1.0 - 1.0 / (iterations**power + 1.0)


VARIANTS: dict[str, Discounting] = {
    "cfr": Discounting(),
    "cfr+": Discounting(negative=-_FOREVER, average=1.0),
    "linear-cfr": Discounting(positive=1.0, negative=1.0, average=1.0),
    "dcfr": Discounting(positive=1.5, negative=0.0, average=2.0),
    "dcfr-delayed": Discounting(positive=1.5, negative=1.0, average=3.0, delay=20.0),
    "pcfr+": Discounting(negative=-_FOREVER, average=2.0, prediction=True),
}
