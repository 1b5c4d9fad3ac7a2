"""`solve`: an equilibrium of a game, and `SolveResult`, which knows how far it is from one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from doyle.betting import BettingTree
from doyle.display import curve_svg, table_html
from doyle.errors import DoyleError
from doyle.front.loaded import LoadedAgent, agent_of_tables
from doyle.games import Game
from doyle.solving.convergence import measured
from doyle.solving.exploitability import Exploitability, exploitability, value_of_first_actor
from doyle.solving.games.named_games import NamedGame, named_game
from doyle.solving.games.poker import small_game, solvable_tree
from doyle.solving.methods.by_name import check_solver, make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.profile_tables import strategy_of
from doyle.solving.sampling.sampled import SampledSolve
from doyle.solving.sampling.solver import METHODS
from doyle.solving.solver import Limits, Point
from doyle.strategy import TableStrategy
from doyle.workers import Progress, Workers

DEFAULT_TARGET = 1e-3
"""Of a solve without limits: exploitability in big blinds per hand (in chips where there are none)."""


@dataclass(frozen=True, eq=False)
class SolveResult:
    """A solve that is over."""

    game: str
    solver: str
    value: float | None
    """Chips per hand for the seat that acts first; None where it is not measured."""
    exploitability: float | None
    """Chips per hand: the mean over both seats of what a best response gains; None if not measured."""
    iterations: int
    seconds: float
    history: tuple[Point, ...]
    """The measurements on the way, for `doyle.solving.convergence` and the curve in notebooks."""
    measurement: Exploitability | None
    """The same by seat, with the values of both best responses."""
    profile: Profile | None
    """Both seats' plans in the game that was measured."""
    _tables: TableStrategy | None
    _cards: str | None

    @property
    def strategy(self) -> TableStrategy:
        """Action probabilities for every (decision, bucket), as files hold them."""
        if self._tables is None:
            raise DoyleError(
                f"{self.game}: has no betting tree that a strategy could name; see `profile`"
            )
        return self._tables

    @cached_property
    def agent(self) -> LoadedAgent:
        """An agent that plays the strategy; shown, measured and played like any other."""
        return agent_of_tables(f"{self.game} {self.solver}", self.strategy, cards=self._cards)

    def _repr_svg_(self) -> str | None:
        """Convergence against time."""
        name, values = measured(self.history)
        seconds = [point.seconds for point in self.history]
        points = list(zip(seconds, values, strict=True))
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
    `cards`. Without limits the target is a thousandth of the big blind. Walking solvers give the same
    bytes with any number of workers, which are threads.

    >>> result = solve("leduc", target=1e-3)
    >>> round(result.value, 3), result.exploitability <= 1e-3
    (-0.086, True)
    """
    check_solver(solver)
    text = game.name if isinstance(game, Game) else str(game)
    if target is None and seconds is None and iterations is None:
        target = 0.0 if solver == "lp" else DEFAULT_TARGET * _unit(game)
    limits = Limits(target=target, seconds=seconds, iterations=iterations)
    if solver in METHODS:
        return _by_sampling(
            text, Game.of(game), solver, betting, cards, limits, seed, workers, report, progress
        )
    found = _named(game, betting, cards, progress)
    form = SequenceForm(found.tree_game, workers=Workers(workers))
    method = make_solver(solver, form)
    profile = method.run(limits, report=report)
    tables = None if found.betting is None else strategy_of(profile, found.betting)
    return _result(
        text, solver, profile, tables, cards, method.iteration, method.seconds, method.history
    )


def _unit(game: Game | str | Path) -> float:
    """The big blind in chips, or 1 in games without a definition."""
    if isinstance(game, str) and ":" in game:
        return 1.0
    return float(Game.of(game).big_blind)


def _named(
    game: Game | str | Path, betting: str | None, cards: str | None, progress: Progress | None
) -> NamedGame:
    """What a walking solver sees, and the betting tree."""
    if not isinstance(game, Game):
        return named_game(str(game), betting, cards=cards, progress=progress)
    from doyle.betting import BettingModel
    from doyle.solving.games.holdem import abstract_holdem, check_cards

    tree: BettingTree
    if cards is not None:
        check_cards(game, cards)
    tree = solvable_tree(BettingModel.parse("full" if betting is None else betting), game)
    if cards is not None:
        return NamedGame(abstract_holdem(game, tree, cards, progress=progress), tree)
    return NamedGame(small_game(game, tree).tree_game, tree)


def _by_sampling(
    text: str,
    game: Game,
    solver: str,
    betting: str | None,
    cards: str | None,
    limits: Limits,
    seed: int,
    workers: int,
    report: Callable[[Point], None] | None,
    progress: Progress | None,
) -> SolveResult:
    sampled = SampledSolve(
        solver,
        game,
        betting=betting,
        cards=cards,
        seed=seed,
        measured=limits.target is not None,
        progress=progress,
    )
    sampled.run(limits, workers=Workers(workers), report=report)
    return _result(
        text,
        solver,
        sampled.profile(),
        sampled.strategy(),
        cards,
        sampled.solver.iterations,
        sampled.seconds,
        sampled.history,
    )


def _result(
    text: str,
    solver: str,
    profile: Profile | None,
    tables: TableStrategy | None,
    cards: str | None,
    iterations: int,
    seconds: float,
    history: list[Point],
) -> SolveResult:
    found = None if profile is None else exploitability(profile)
    return SolveResult(
        game=text,
        solver=solver,
        value=None if profile is None else value_of_first_actor(profile),
        exploitability=None if found is None else found.total,
        iterations=iterations,
        seconds=seconds,
        history=tuple(history),
        measurement=found,
        profile=profile,
        _tables=tables,
        _cards=cards,
    )
