"""The solvers by name: one name stands for one method, in every command and description."""

from __future__ import annotations

from typing import Literal, get_args

from doyle.base.errors import DoyleError

SamplingName = Literal["external", "pure", "pcs"]

SAMPLING: tuple[SamplingName, ...] = get_args(SamplingName)
"""Sampling CFR, for large abstractions and imperfect recall."""
DRAWING = ("external", "pure")
"""Those that draw single actions: they can prune and tremble, and take more than two seats."""
SPOT_SOLVERS = ("cfr", "cfr+", "linear-cfr", "dcfr", "dcfr-delayed")
"""CFR without prediction (`doyle.solving.methods.discounting`); spots are solved by these."""
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
