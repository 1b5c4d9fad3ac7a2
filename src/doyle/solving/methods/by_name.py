"""The solvers of the sequence form by name."""

from __future__ import annotations

from doyle.errors import DoyleError
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.discounting import VARIANTS
from doyle.solving.methods.egt import ExcessiveGapSolver
from doyle.solving.methods.lp import LinearProgramSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.sampling.solver import METHODS
from doyle.solving.solver import WalkingSolver

SOLVERS: tuple[str, ...] = ("lp", "egt", *VARIANTS)


def check_solver(name: str) -> None:
    """Refuse a name that no solver has, sampling ones included."""
    known = (*SOLVERS, *METHODS)
    if name not in known:
        raise DoyleError(f"solver {name!r}: expected one of {', '.join(known)}")


def make_solver(name: str, form: SequenceForm) -> WalkingSolver:
    """A new solver of that name for a game."""
    check_solver(name)
    if name == "lp":
        return LinearProgramSolver(form)
    if name == "egt":
        return ExcessiveGapSolver(form)
    if name in VARIANTS:
        return RegretSolver(form, VARIANTS[name], name=name)
    raise DoyleError(f"solver {name}: samples deals; it does not take {form.game.name}")
