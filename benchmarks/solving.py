"""Solving: Leduc to 1e-4 against OpenSpiel's C++ CFR+, and no-limit Leduc to 1e-3 and 1e-4.

Times are processor time of one thread, so that other work on the machine disturbs little. Ours
include every measurement of exploitability on the way; theirs are the iterations alone (measured
exploitability, taken at every hundredth iteration, is not counted).
"""

from __future__ import annotations

import time
from typing import Any

TARGET = 1e-4


def measurements() -> list[dict[str, Any]]:
    """Rows with name, ours, other, unit, ratio, target, note."""
    return [*leduc(), *no_limit_leduc()]


def leduc() -> list[dict[str, Any]]:
    theirs, their_iterations = openspiel_seconds()
    rows = []
    for name in ("cfr+", "dcfr", "pcfr+"):
        ours, iterations = our_seconds("leduc", name, target=TARGET, repeats=5)
        rows.append(
            {
                "name": f"leduc to {TARGET:g}: {name} / OpenSpiel C++ CFR+",
                "ours": ours,
                "other": theirs,
                "unit": "s",
                "ratio": theirs / ours,
                "target": ">= 500",
                "note": f"{iterations} and {their_iterations} iterations",
            }
        )
    return rows


def no_limit_leduc() -> list[dict[str, Any]]:
    rows = []
    for target, limit in ((1e-3, 10.0), (1e-4, 40.0)):
        ours, iterations = our_seconds("leduc-nl12", "dcfr", target=target, repeats=1)
        rows.append(
            {
                "name": f"leduc-nl12 whole game to {target:g}: dcfr",
                "ours": ours,
                "other": limit,
                "unit": "s",
                "ratio": ours / limit,
                "target": "about 1",
                "note": f"{iterations} iterations",
            }
        )
    return rows


def our_seconds(game: str, name: str, *, target: float, repeats: int) -> tuple[float, int]:
    """The least processor time to the target, kernels loaded beforehand, and the iterations."""
    from doyle.solving.methods.sequence_form import SequenceForm
    from doyle.solving.run import Limits, Run
    from doyle.solving.solve import Problem, make_solver

    form = SequenceForm(Problem.named(game).matrix_game())
    Run(make_solver(name, form)).until(Limits(iterations=1))
    times, iterations = [], 0
    for _ in range(repeats):
        solver = make_solver(name, form)
        start = time.process_time()
        Run(solver).until(Limits(target=target))
        times.append(time.process_time() - start)
        iterations = solver.iteration
    return min(times), iterations


def openspiel_seconds() -> tuple[float, int]:
    """Processor time of OpenSpiel's C++ CFR+ to the target, and its iterations."""
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    seconds, iterations = 0.0, 0
    while True:
        start = time.process_time()
        for _ in range(100):
            solver.evaluate_and_update_policy()
        seconds += time.process_time() - start
        iterations += 100
        if pyspiel.exploitability(game, solver.average_policy()) <= TARGET:
            return seconds, iterations


if __name__ == "__main__":
    for row in measurements():
        print(row)
