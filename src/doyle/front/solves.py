"""`solve`: an equilibrium of a game, and `SolveResult`, which knows how far it is from one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from doyle.display import curve_svg, table_html
from doyle.front.loaded import LoadedAgent, agent_of_tables
from doyle.games import Game
from doyle.solving.convergence import measured
from doyle.solving.named_solve import NamedSolve, SolveRequest
from doyle.solving.profile import Exploitability, Profile
from doyle.solving.profile import exploitability as exploitability_of
from doyle.solving.run import Limits
from doyle.strategy import Point, StrategyInfo, TableStrategy
from doyle.workers import Progress, Workers


class SolveResult:
    """A solve that is over."""

    def __init__(self, solved: NamedSolve) -> None:
        self._solved = solved

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._solved.request.game_name

    @property
    def solver(self) -> str:
        return self._solved.request.solver

    @cached_property
    def info(self) -> StrategyInfo:
        """All that is known, as a strategy file says it."""
        return self._solved.info()

    @property
    def value(self) -> float | None:
        """Chips per hand for the seat that acts first; None where it is not measured."""
        return self.info.value

    @property
    def exploitability(self) -> float | None:
        """Chips per hand, the mean over both seats of what a best response gains; None as above."""
        return None if self.info.exploitability is None else self.info.exploitability.total

    @cached_property
    def measurement(self) -> Exploitability | None:
        """The same by seat, with the values of both best responses."""
        return None if self.profile is None else exploitability_of(self.profile)

    @property
    def iterations(self) -> int:
        return self._solved.run.solver.iteration

    @property
    def seconds(self) -> float:
        return self._solved.run.seconds

    @property
    def history(self) -> tuple[Point, ...]:
        """The measurements on the way."""
        return tuple(self._solved.history)

    @property
    def profile(self) -> Profile | None:
        """Both seats' plans in the game that was measured."""
        return self._solved.profile

    @cached_property
    def strategy(self) -> TableStrategy:
        """Action probabilities for every (decision, bucket), as files hold them."""
        return self._solved.strategy()

    @cached_property
    def agent(self) -> LoadedAgent:
        """An agent that plays the strategy; shown, measured and played like any other."""
        return agent_of_tables(f"{self.game} {self.solver}", self.strategy)

    def _repr_svg_(self) -> str | None:
        """Convergence against time."""
        name, values = measured(self.history)
        points = [(point.seconds, value) for point, value in zip(self.history, values, strict=True)]
        label = f"{name.replace('_', ' ')}, chips"
        return curve_svg(points, x_label="seconds", y_label=label) or None

    def _repr_html_(self) -> str:
        def number(value: float | None, digits: str) -> str:
            return "not measured" if value is None else format(value, digits)

        rows = [
            ["value for the first to act", number(self.value, ".6f")],
            ["exploitability", number(self.exploitability, ".3g")],
            ["iterations", f"{self.iterations:,}"],
            ["seconds", f"{self.seconds:.3f}"],
        ]
        table = table_html(["", ""], rows, title=f"{self.game}, {self.solver}")
        return table + (self._repr_svg_() or "")

    def __repr__(self) -> str:
        return (
            f"SolveResult({self.game!r}, {self.solver!r}, value={self.value}, "
            f"exploitability={self.exploitability}, iterations={self.iterations})"
        )


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

    `solver` is lp, egt, cfr, cfr+, linear-cfr, dcfr or pcfr+, or pcs, external or pure, which sample.
    Without a `betting` model all legal bets are in the tree; Hold'em needs a card abstraction in
    `cards`. Without limits the target is a thousandth of the big blind (more if the solver samples).
    Solvers that walk the tree give the same bytes with any number of workers, which are threads.

    >>> result = solve("leduc", target=1e-3)
    >>> round(result.value, 3), result.exploitability <= 1e-3
    (-0.086, True)
    """
    request = SolveRequest(
        game=game if isinstance(game, Game) else str(game),
        solver=solver,
        betting=betting,
        cards=cards,
        seed=seed,
        workers=Workers(workers),
    )
    limited = (target, seconds, iterations) != (None, None, None)
    limits = Limits(target=target, seconds=seconds, iterations=iterations) if limited else None
    return SolveResult(NamedSolve(request, limits, progress=progress).solve(report=report))
