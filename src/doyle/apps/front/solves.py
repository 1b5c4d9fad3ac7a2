"""`solve`: an equilibrium of a game, and `SolveResult`, its distance from equilibrium included."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from doyle.apps.front.loaded import LoadedAgent, agent_of_tables
from doyle.base.workers import Progress, Workers
from doyle.games import Game
from doyle.solving.solve import Method, Problem, Solution
from doyle.strategy import Point


class SolveResult(Solution):
    """A finished solve, with an agent that plays its solution."""

    @cached_property
    def agent(self) -> LoadedAgent:
        """An agent that plays the strategy; shown, measured and played like any other."""
        return agent_of_tables(f"{self.game} {self.solver}", self.strategy)


def solve(
    game: Game | str | Path,
    *,
    solver: str = "dcfr",
    betting: str | None = None,
    cards: str | None = None,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    workers: int = 1,
    report: Callable[[Point], None] | None = None,
    progress: Progress | None = None,
) -> SolveResult:
    """Solve a game until the first limit is reached, and measure the result exactly.

    `solver` is one of `doyle.solving.solvers`: lp, egt, one of the cfr family, or one that samples.
    Without a `betting` model all legal bets are in the tree; Hold'em needs a card abstraction in
    `cards`. Without limits the target is a thousandth of the big blind (more if the solver samples).
    Solvers that walk the tree give the same bytes with any number of workers, which are threads.

    >>> result = solve("leduc", target=1e-3)
    >>> round(result.value, 3), result.exploitability <= 1e-3
    (-0.086, True)
    """
    method = Method(solver, seed)
    text = game if isinstance(game, Game) else str(game)
    problem = Problem.named(text, betting, cards, method=method, progress=progress)
    limits = problem.limits(method, target=target, seconds=seconds, iterations=iterations)
    run = problem.begin(method, limits, workers=Workers(workers), progress=progress)
    run.until(limits, report=report)
    return SolveResult(problem, method, run)
