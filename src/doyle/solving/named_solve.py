"""`NamedSolve`: a solve by the names of its game and solver, and what is known when it ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from doyle.betting import BettingTree
from doyle.card_abstraction.registry import kept_name
from doyle.errors import DoyleError, FieldError
from doyle.games import Game
from doyle.solving.games.named_games import ONE_BET_GAMES, named_game
from doyle.solving.methods.by_name import check_solver, make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile, exploitability, strategy_of, value_of_first_actor
from doyle.solving.run import Limits, Run
from doyle.solving.sampling.by_name import make_sampling_solver, unmeasured_reason
from doyle.solving.sampling.solver import METHODS, SamplingSolver
from doyle.solving.solver import WalkingSolver
from doyle.strategy import ExploitabilityRecord, Point, StrategyInfo, TableStrategy
from doyle.workers import Progress, Workers
from doyle.workers.threads import one_blas_thread

GameSolver = WalkingSolver | SamplingSolver

DEFAULT_TARGET = 0.001
"""Big blinds (antes, chips) per hand of exploitability to which solvers go that walk the tree."""
SAMPLED_TARGET = 0.02
"""The same for sampling in games with a small deck."""
DEFAULT_SECONDS = 60.0
"""Of sampling where exploitability is not measured."""


@dataclass(frozen=True)
class SolveRequest:
    """What is to be solved and how; without `betting` and `cards` the unabstracted game."""

    game: Game | str
    solver: str = "dcfr"
    betting: str | None = None
    cards: str | None = None
    seed: int = 0
    shards: int = 0
    merge: int = 0
    prune_below: float = -math.inf
    tremble: float = 0.0
    workers: Workers | None = None

    @property
    def samples(self) -> bool:
        """Whether its solver samples deals."""
        return self.solver in METHODS

    @property
    def is_one_bet_game(self) -> bool:
        """Whether the game has no definition, and so no betting tree."""
        return isinstance(self.game, str) and self.game.partition(":")[0] in ONE_BET_GAMES

    @property
    def game_name(self) -> str:
        """The game as it was given, or the name of one given as a value."""
        return self.game if isinstance(self.game, str) else self.game.name

    def check(self) -> None:
        """Refuse what needs no time to be refused."""
        check_solver(self.solver)
        if self.samples and self.is_one_bet_game:
            raise DoyleError(
                f"solver {self.solver}: deals cards of a poker game; {self.game_name} is none, use lp, "
                "egt or one of the cfr family"
            )
        if (self.shards or self.merge) and not self.samples:
            raise FieldError(
                "shards" if self.shards else "merge",
                f"for {', '.join(METHODS)}; {self.solver} gives the same bytes anyway",
            )

    def default_limits(self) -> Limits:
        """When to stop if nothing is said.

        >>> SolveRequest("leduc").default_limits().target
        0.001
        """
        if self.solver == "lp":
            return Limits(target=0.0)  # it ends by itself
        if self.samples and self.cards is not None:
            return Limits(seconds=DEFAULT_SECONDS)
        unit = 1.0 if self.is_one_bet_game else float(Game.of(self.game).big_blind)
        return Limits(target=unit * (SAMPLED_TARGET if self.samples else DEFAULT_TARGET))


class NamedSolve:
    """The run of a request's solver; its game, cards and tables are made at the start."""

    def __init__(
        self,
        request: SolveRequest,
        limits: Limits | None = None,
        *,
        checkpoint: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        request.check()
        self.request = request
        self.limits = limits or request.default_limits()
        self.betting: BettingTree | None
        solver: GameSolver
        if request.samples:
            solver = self._sampling(progress)
            self.betting = solver.tree
        else:
            game = named_game(request.game, request.betting, cards=request.cards, progress=progress)
            self.betting = game.tree if isinstance(game.tree, BettingTree) else None
            form = SequenceForm(game, workers=request.workers)
            solver = make_solver(request.solver, form)
        self.run: Run[GameSolver] = Run(solver, checkpoint)
        self._profile: Profile | None = None

    def _sampling(self, progress: Progress | None) -> SamplingSolver:
        request = self.request
        solver = make_sampling_solver(
            request.solver,
            Game.of(request.game),
            betting=request.betting,
            cards=request.cards,
            seed=request.seed,
            shards=request.shards,
            merge=request.merge,
            prune_below=request.prune_below,
            tremble=request.tremble,
            measured=self.limits.target is not None,
            workers=request.workers,
            progress=progress,
        )
        reason = unmeasured_reason(solver)
        if self.limits.target is not None and reason is not None:
            raise FieldError("target", f"{reason}; give seconds or iterations")
        return solver

    def solve(
        self,
        *,
        resume: bool = False,
        report: Callable[[Point], None] | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> NamedSolve:
        """Solve until the limits; `resume` continues from the checkpoint if there is one."""
        if resume and self.run.restore():
            say(self.run.resumed)
        self.run.until(self.limits, report=report)
        self._profile = None
        return self

    @property
    def history(self) -> list[Point]:
        """All measurements, those before a checkpoint too."""
        return self.run.history

    @property
    def profile(self) -> Profile | None:
        """What was found, in the game it is measured in; None where it is not measured."""
        if self._profile is None:
            self._profile = self.run.solver.profile()
        return self._profile

    def info(self) -> StrategyInfo:
        """What is known, as a strategy file says it."""
        cards = self.request.cards
        return replace(
            solved_info(self.run, self.profile),
            cards=None if cards is None else kept_name(cards),
            solver=self.request.solver,
            seed=self.request.seed,
        )

    def document(self) -> dict[str, Any]:
        """What is known, as one JSON document."""
        info, request = self.info().document(), self.request
        asked = {
            "game": request.game_name,
            "betting": request.betting,
            "cards": request.cards,
            "solver": request.solver,
            "seed": request.seed,
            "value": None,
        }
        names = [
            *("value", "exploitability", "exploitability_note", "infosets", "sequences"),
            *("iterations", "seconds", "deterministic", "regret_bound"),
        ]
        document = asked | {name: info[name] for name in names if name in info}
        return document | {"seconds": round(self.run.seconds, 6)}

    def strategy(self) -> TableStrategy:
        """What was found as tables that can be saved and played."""
        solver = self.run.solver
        if isinstance(solver, SamplingSolver):
            return replace(solver.strategy(), info=self.info())
        if self.betting is None or self.profile is None:
            raise DoyleError(
                f"{self.request.game_name}: has no betting tree that a strategy file could name"
            )
        return replace(strategy_of(self.profile, self.betting), info=self.info())


def solved_info(run: Run[Any], profile: Profile | None) -> StrategyInfo:
    """What a run says of what it found; with a `profile`, its value and exploitability too."""
    solver: GameSolver = run.solver
    infosets, sequences = solver.sizes()
    info = StrategyInfo(
        iterations=solver.iteration,
        seconds=run.seconds,
        deterministic=solver.deterministic,
        infosets=tuple(infosets),
        sequences=tuple(sequences),
        table_bytes=solver.table_bytes,
        history=tuple(run.history),
    )
    if isinstance(solver, SamplingSolver):
        info = replace(
            info,
            regret_bound=tuple(solver.regret_bound()),
            exploitability_note=unmeasured_reason(solver),
        )
    if profile is None:
        return info
    with one_blas_thread():
        return replace(
            info,
            value=value_of_first_actor(profile),
            exploitability=measured_record(profile),
        )


def measured_record(profile: Profile) -> ExploitabilityRecord:
    """The exploitability of a profile as strategy files keep it."""
    found = exploitability(profile)
    return ExploitabilityRecord(found.players, found.total)
