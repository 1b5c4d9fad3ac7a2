"""One solve: a problem, a method and limits yield a solution.

1. `Problem`: a betting tree with every card or with buckets, or a one-bet game.
2. `Method`: a solver by name, with its options.
3. `Problem.begin(method)` is a `Run`, which continues until its `Limits`.
4. `Solution`: the result with its value, exploitability and strategy.

Commands, builds and the front door differ in how they come to a problem. Cheap checks precede the
construction of the tree, and the tree precedes the cards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards import CardAbstraction, build
from doyle.abstractions.cards.registry import bucket_counts, kept_name
from doyle.base.display import curve_svg, table_html
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.memory import one_blas_thread
from doyle.games import Game
from doyle.solving.convergence import measured
from doyle.solving.games import MatrixGame
from doyle.solving.games.holdem import abstract_holdem, check_cards, imperfect_recall_reason
from doyle.solving.games.one_bet import is_one_bet_game, one_bet_game
from doyle.solving.games.small_games import check_size, small_game, solvable_tree
from doyle.solving.methods.cfr import RegretSolver, WalkingSolver
from doyle.solving.methods.egt import ExcessiveGapSolver
from doyle.solving.methods.lp import LinearProgramSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import (
    Exploitability,
    Profile,
    exploitability,
    strategy_of,
    value_of_first_actor,
)
from doyle.solving.run import Limits, Run
from doyle.solving.sampling.deals import HoldemDeals, SmallDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver, Yardstick
from doyle.solving.solvers import DRAWING, SAMPLING, VARIANTS, check_solver
from doyle.strategy import Point, StrategyInfo, TableStrategy
from doyle.strategy.strategy import SAMPLED_BYTES, WALKED_BYTES, check_room

GameSolver = WalkingSolver | SamplingSolver

DEFAULT_TARGET = 0.001
"""Big blinds (antes, chips) per hand of exploitability to which solvers go that walk the tree."""
SAMPLED_TARGET = 0.02
"""The same for sampling in games with a small deck."""
DEFAULT_SECONDS = 60.0
"""Of sampling where exploitability is not measured."""
_SMALL_INTERVALS = {"external": (256, 4096), "pure": (256, 4096), "pcs": (16, 256)}
"""Iterations per batch and per interval in games with a small deck."""


@dataclass(frozen=True)
class Method:
    """A solver by its name (`doyle.solving.solvers`), and its options; refused where they do not fit."""

    solver: str = "dcfr"
    seed: int = 0
    shards: int = 0
    merge: int = 0
    prune_below: float = -math.inf
    tremble: float = 0.0

    def __post_init__(self) -> None:
        check_solver(self.solver)
        if (self.shards or self.merge) and not self.samples:
            raise FieldError(
                "shards" if self.shards else "merge",
                f"for {', '.join(SAMPLING)}; {self.solver} gives the same bytes anyway",
            )
        draws, solvers = self.solver in DRAWING, f"for the solvers {' and '.join(DRAWING)}"
        if self.prune_below != -math.inf and not (draws and self.prune_below < 0):
            raise FieldError("prune_below", f"a negative number, {solvers}", value=self.prune_below)
        if self.tremble and not (draws and 0 < self.tremble < 1):
            raise FieldError(
                "tremble", f"a share from 0 to less than 1, {solvers}", value=self.tremble
            )

    @property
    def samples(self) -> bool:
        """Whether the solver samples deals."""
        return self.solver in SAMPLING

    def sampling_options(self, *, small: bool = False) -> SamplingOptions:
        """How deals are sampled, in a game with a small deck or in an abstraction."""
        method = next(name for name in SAMPLING if name == self.solver)
        batch, interval = _SMALL_INTERVALS[method] if small else (0, 0)
        return SamplingOptions(
            method=method,
            seed=self.seed,
            batch=batch,
            interval=interval,
            shards=self.shards,
            merge=self.merge,
            prune_below=self.prune_below,
            tremble=self.tremble,
        )


@dataclass(frozen=True, eq=False)
class Problem:
    """A game to solve; `name`, `betting` and `cards` are the texts by which it was chosen.

    A one-bet game has `matrices` and no tree. Without an abstraction all cards are distinguished.
    """

    name: str
    tree: BettingTree | None
    betting: str | None = None
    cards: str | None = None
    abstraction: CardAbstraction | None = None
    matrices: MatrixGame | None = None

    @classmethod
    def named(
        cls,
        game: Game | str,
        betting: str | None = None,
        cards: str | None = None,
        *,
        method: Method = Method(),
        progress: Progress | None = None,
    ) -> Problem:
        """The game of a name, a file or a value; all legal bets unless a betting model is given.

        >>> Problem.named("kuhn").matrix_game().information_sets()
        (6, 6)
        >>> Problem.named("clairvoyance:n=2,bets=1+2").matrix_game().information_sets()
        (2, 2)
        """
        check_method(game, method)
        if not isinstance(game, Game) and is_one_bet_game(game):
            return cls(game, None, matrices=one_bet_game(game, betting, cards))
        rules = Game.of(game)
        model = BettingModel.named("full" if betting is None else betting)
        tree = tree_to_solve(model, rules, cards, method)
        # Buckets have a seed of their own, so that readers of the strategy find them by name alone.
        abstraction = None if cards is None else build(cards, progress=progress)
        name = game if isinstance(game, str) else game.name
        return cls(name, tree, betting, cards, abstraction)

    def limits(
        self,
        method: Method,
        *,
        target: float | None = None,
        seconds: float | None = None,
        iterations: int | None = None,
    ) -> Limits:
        """These limits, or the default limits of a solve."""
        if (target, seconds, iterations) != (None, None, None):
            return Limits(target=target, seconds=seconds, iterations=iterations)
        if method.solver == "lp":
            return Limits(target=0.0)  # it ends by itself
        if method.samples and self.cards is not None:
            return Limits(seconds=DEFAULT_SECONDS)
        unit = 1.0 if self.tree is None else float(self.tree.game.big_blind)
        return Limits(target=unit * (SAMPLED_TARGET if method.samples else DEFAULT_TARGET))

    def matrix_game(
        self, *, workers: Workers | None = None, progress: Progress | None = None
    ) -> MatrixGame:
        """The game with its matrices; pairs of buckets are counted if they have not been."""
        if self.matrices is not None:
            return self.matrices
        assert self.tree is not None
        if self.abstraction is None:
            return small_game(self.tree.game, self.tree)
        return abstract_holdem(self.tree, self.abstraction, workers=workers, progress=progress)

    def solver(
        self,
        method: Method,
        *,
        measured: bool = False,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> GameSolver:
        """A new solver. `measured` lets exploitability in an abstraction be known while it is sampled,
        for which the pairs of buckets are counted; with a small deck it is always known."""
        if not method.samples:
            form = SequenceForm(self.matrix_game(progress=progress), workers=workers)
            return make_solver(method.solver, form)
        tree, abstraction, workers = self.tree, self.abstraction, workers or Workers()
        assert tree is not None
        options = method.sampling_options(small=abstraction is None)
        two = tree.game.players == 2
        if abstraction is not None:
            deals = HoldemDeals(abstraction, tree.game.players)
            exact = None
            if measured and two and imperfect_recall_reason(abstraction) is None:
                exact = Yardstick(SequenceForm(self.matrix_game(progress=progress)))
            return SamplingSolver(tree, deals, options, workers, exact)
        source = SmallDeals(tree.game)
        if not two:
            return SamplingSolver(tree, source, options, workers)
        # As solvers that walk count them: cards that play alike are one.
        counted = small_game(tree.game, tree)
        exact = small_yardstick(tree, source)
        return SamplingSolver(tree, source, options, workers, exact, counted=counted)

    def begin(
        self,
        method: Method,
        limits: Limits | None = None,
        *,
        checkpoint: Path | None = None,
        every_seconds: float = 30.0,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> Run[GameSolver]:
        """The run of a new solver, before its first iteration; refused if a target cannot be known."""
        aims = limits is not None and limits.target is not None
        solver = self.solver(method, measured=aims, workers=workers, progress=progress)
        reason = unmeasured_reason(solver)
        if aims and reason is not None:
            raise FieldError("target", f"{reason}; give seconds or iterations")
        return Run(solver, checkpoint, every_seconds=every_seconds)


def check_method(game: Game | str, method: Method) -> None:
    """Refuse to sample a game without cards."""
    if method.samples and not isinstance(game, Game) and is_one_bet_game(game):
        raise DoyleError(
            f"solver {method.solver}: deals cards of a poker game; {game} is none, use lp, egt or one "
            "of the cfr family"
        )


def tree_to_solve(
    model: BettingModel, game: Game, cards: str | None, method: Method
) -> BettingTree:
    """The betting tree of a problem, if its tables would fit in memory as far as that is known."""
    if cards is not None:
        check_cards(game, cards)
    elif not method.samples or game.hole_cards == 1:
        check_size(game)
    else:
        raise DoyleError(f"{game.name}: too many cards to sample; give a card abstraction")
    tree = (BettingTree.build if method.samples else solvable_tree)(model, game)
    counts = None if cards is None else bucket_counts(cards)
    if counts is not None:
        check_room(tree, counts, bytes_each=SAMPLED_BYTES if method.samples else WALKED_BYTES)
    return tree


def make_solver(name: str, form: SequenceForm) -> WalkingSolver:
    """A new solver of that name for a matrix game."""
    if check_solver(name) == "lp":
        return LinearProgramSolver(form)
    if name == "egt":
        return ExcessiveGapSolver(form)
    if name in VARIANTS:
        return RegretSolver(form, VARIANTS[name], name=name)
    raise DoyleError(f"solver {name}: samples deals; it does not take {form.game.name}")


def small_yardstick(tree: BettingTree, source: SmallDeals) -> Yardstick:
    """The game with a small deck in which tables of every card are measured."""
    small = small_game(tree.game, tree, lossless=False)
    rows = [
        np.array([source.bucket(key[0][0], sum(key[1:], ()), number) for key in keys])
        for number, keys in enumerate(small.cards.keys)
    ]
    return Yardstick(SequenceForm(small), rows)


def unmeasured_reason(solver: GameSolver) -> str | None:
    """The reason that exploitability is not measured during a solve; None if it is measured."""
    if not isinstance(solver, SamplingSolver):
        return None
    players = solver.tree.game.players
    if players != 2:
        return f"exploitability is for two players, and {solver.tree.game.name} has {players}"
    if solver.yardstick is not None or not isinstance(solver.source, HoldemDeals):
        return None
    abstraction = solver.source.abstraction
    return imperfect_recall_reason(abstraction) or (
        f"sampling does not count the pairs of buckets of {abstraction.spec}, which takes minutes; "
        "measuring the strategy in the abstract game does"
    )


def run_info(run: Run[Any]) -> StrategyInfo:
    """The facts of a run, without measuring its result."""
    solver: GameSolver = run.solver
    infosets, sequences = solver.sizes()
    bound = solver.regret_bound() if isinstance(solver, SamplingSolver) else None
    return StrategyInfo(
        iterations=solver.iteration,
        seconds=run.seconds,
        deterministic=solver.deterministic,
        infosets=tuple(infosets),
        sequences=tuple(sequences),
        table_bytes=solver.table_bytes,
        history=tuple(run.history),
        regret_bound=None if bound is None else tuple(bound),
        exploitability_note=unmeasured_reason(solver),
    )


@dataclass(eq=False)
class Solution:
    """A problem solved by a method, as far as its run has come."""

    problem: Problem
    method: Method
    run: Run[GameSolver]

    @property
    def game(self) -> str:
        """The name of the game, as it was given."""
        return self.problem.name

    @property
    def solver(self) -> str:
        return self.method.solver

    @property
    def iterations(self) -> int:
        return self.run.solver.iteration

    @property
    def seconds(self) -> float:
        return self.run.seconds

    @property
    def history(self) -> tuple[Point, ...]:
        """All measurements, including those before a checkpoint."""
        return tuple(self.run.history)

    @cached_property
    def profile(self) -> Profile | None:
        """Both seats' plans in the measured game; None if not measured."""
        return self.run.solver.profile()

    @cached_property
    def measurement(self) -> Exploitability | None:
        """Exploitability by seat, with the values of both best responses; None if not measured."""
        if self.profile is None:
            return None
        with one_blas_thread():
            return exploitability(self.profile)

    @property
    def value(self) -> float | None:
        """Chips per hand for the seat that acts first; None if not measured."""
        return self.info.value

    @property
    def exploitability(self) -> float | None:
        """Chips per hand, the mean over both seats of a best response's gain; None if not
        measured."""
        return None if self.measurement is None else self.measurement.total

    @cached_property
    def info(self) -> StrategyInfo:
        """All facts, in the form of a strategy file."""
        cards = self.problem.cards
        info = replace(
            run_info(self.run),
            cards=None if cards is None else kept_name(cards),
            solver=self.method.solver,
            seed=self.method.seed,
        )
        if self.profile is None or self.measurement is None:
            return info
        with one_blas_thread():
            value = value_of_first_actor(self.profile)
        return replace(info, value=value, exploitability=self.measurement.record)

    @cached_property
    def strategy(self) -> TableStrategy:
        """Action probabilities for every (decision, bucket), as files hold them."""
        return replace(self.tables(), info=self.info)

    def tables(self) -> TableStrategy:
        """The tables without the facts of the solve."""
        solver = self.run.solver
        if isinstance(solver, SamplingSolver):
            return solver.strategy()
        if self.problem.tree is None:
            raise DoyleError(f"{self.game}: has no betting tree that a strategy file could name")
        assert self.profile is not None
        return strategy_of(self.profile, self.problem.tree)

    def document(self) -> dict[str, Any]:
        """All facts, as one JSON document."""
        info, problem = self.info.document(), self.problem
        chosen = {
            "game": problem.name,
            "betting": problem.betting,
            "cards": problem.cards,
            "solver": self.method.solver,
            "seed": self.method.seed,
            "value": None,
        }
        names = [
            *("value", "exploitability", "exploitability_note", "infosets", "sequences"),
            *("iterations", "seconds", "deterministic", "regret_bound"),
        ]
        document = chosen | {name: info[name] for name in names if name in info}
        return document | {"seconds": round(self.seconds, 6)}

    def text(self) -> Iterator[str]:
        """All facts, as readable lines."""

        def row(name: str, text: str) -> str:
            return f"{name:<16}{text}"

        yield row("game", self.game)
        yield row("solver", self.solver)
        info, found = self.info, self.measurement
        if found is None or self.profile is None:
            yield row("exploitability", f"not known: {info.exploitability_note}")
            bounds = ", ".join(f"{one:.3g}" for one in info.regret_bound or ())
            yield row("regret bound", f"{bounds} chips per hand")
        else:
            low, high = -found.best_responses[1], found.best_responses[0]
            if int(self.profile.form.game.tree.actor[0]) == 1:
                low, high = -high, -low
            players = ", ".join(f"{one:.3g}" for one in found.players)
            yield row("value", f"{info.value:.9f}  (between {low:.9f} and {high:.9f})")
            yield row(
                "exploitability",
                f"{found.total:.3g} chips per hand, the mean of both players' ({players})",
            )
        for name, counts in (("infosets", info.infosets), ("sequences", info.sequences)):
            yield row(name, ", ".join(f"{count:,}" for count in counts or ()))
        yield row("iterations", f"{self.iterations:,}")
        yield row("seconds", f"{self.seconds:.3f}")

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
            f"{type(self).__name__}({self.game!r}, {self.solver!r}, value={self.value}, "
            f"exploitability={self.exploitability}, iterations={self.iterations})"
        )
