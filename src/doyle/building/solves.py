"""The solve of a build: by sampling, or over the whole tree of the abstract game.

Both resume from the checkpoint of an earlier run and end with a strategy that carries what is known
about it. Exploitability in the abstract game (as solved, and as played after purification) is known
after a walk over the whole tree; sampling leaves it null and says why (`exploitability_note`), as
the pairs of buckets it needs may take longer to count than the solve.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from doyle.betting import BettingTree
from doyle.building.description import BuildDescription
from doyle.card_abstraction import CardAbstraction
from doyle.solving.games.holdem import bucket_states
from doyle.solving.games.small_games import bucket_game
from doyle.solving.methods.by_name import make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.named_solve import GameSolver, measured_record, solved_info
from doyle.solving.profile import profile_of, strategy_of
from doyle.solving.run import CHECKPOINT_SECONDS, Limits, Run
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import StrategyInfo, TableStrategy, purified
from doyle.workers import Progress, Workers
from doyle.workers.threads import one_blas_thread

Stage = Callable[[str], Any]
"""A context manager that times a named stage."""


@dataclass(frozen=True)
class Job:
    """What is solved, where it is kept and how long it may take.

    `seconds` bound this run, `iterations` count in all; one of the two at least is given. Without
    `sampling` the solver walks the whole tree.
    """

    description: BuildDescription
    tree: BettingTree
    abstraction: CardAbstraction
    sampling: SamplingOptions | None
    folder: Path
    seconds: float | None
    iterations: int | None
    workers: Workers
    progress: Progress | None
    say: Callable[[str], None]
    stage: Stage

    def solver(self) -> GameSolver:
        """The solver before its first iteration; for a walk the pairs of buckets are counted."""
        if self.sampling is not None:
            deals = HoldemDeals(self.abstraction, self.tree.game.players)
            return SamplingSolver(self.tree, deals, self.sampling, self.workers)
        with self.stage("pairs of buckets"):
            chances = bucket_states(self.abstraction, progress=self.progress)
        name = f"{self.tree.game.name} {self.tree.model} {self.abstraction.spec}"
        form = SequenceForm(bucket_game(name, self.tree, chances), workers=self.workers)
        return make_solver(self.description.solver.value, form)

    def show(self, seconds: float, iterations: int) -> None:
        """Move the progress bar."""
        if self.progress is not None and self.iterations is not None:
            done = min(iterations, self.iterations)
            self.progress("solving (iterations)", done, self.iterations)
        elif self.progress is not None and self.seconds is not None:
            whole = max(1, int(self.seconds))
            self.progress("solving (seconds)", min(int(seconds), whole), whole)

    def described(self, info: StrategyInfo) -> StrategyInfo:
        """`info` with what the strategy file says of the description."""
        chosen = self.description
        return replace(
            info,
            agent=chosen.name,
            cards=self.abstraction.spec,
            solver=chosen.solver.value,
            seed=chosen.seed.value,
            bucket_counts=tuple(self.abstraction.bucket_count(number) for number in range(4)),
            translation=chosen.translation.value,
            purification=chosen.purification.value,
            threshold=chosen.threshold.value,
            fields=tuple(chosen.tags()),
        )


def solved_strategy(job: Job) -> TableStrategy:
    """Solve, or resume solving, what a job says."""
    solver = job.solver()
    run = Run(solver, job.folder / "checkpoint", every_seconds=CHECKPOINT_SECONDS)
    if run.restore():
        job.say(run.resumed)
    before = run.seconds
    limits = Limits(
        seconds=None if job.seconds is None else before + job.seconds, iterations=job.iterations
    )
    with job.stage("solving"):
        run.until(limits, tick=lambda: job.show(run.seconds - before, solver.iteration))
    if job.iterations is not None and solver.iteration < job.iterations:
        job.say(
            f"stopped by the limit of {job.seconds:g} s after {solver.iteration:,} of "
            f"{job.iterations:,} iterations: a weaker agent; run it again to resume"
        )
    info = job.described(solved_info(run, None))
    if isinstance(solver, SamplingSolver):
        return replace(solver.strategy(), info=info)
    strategy = replace(strategy_of(solver.profile(), job.tree), info=info)
    with one_blas_thread():
        return _measured(solver.form, strategy)


def _measured(form: SequenceForm, strategy: TableStrategy) -> TableStrategy:
    """The strategy with its exploitability in the abstract game: of the tables, and as played."""
    as_played = purified(strategy, strategy.info.purification, strategy.info.threshold)
    solved = measured_record(profile_of(form, strategy))
    played = solved if as_played is strategy else measured_record(profile_of(form, as_played))
    return strategy.with_info(exploitability=solved, exploitability_as_played=played)


@contextmanager
def timed_stage(stages: dict[str, float], say: Callable[[str], None], name: str) -> Iterator[None]:
    """Put the seconds of a stage into `stages` and say them."""
    started = time.monotonic()
    yield
    stages[name] = time.monotonic() - started
    say(f"{name}: {stages[name]:.1f} s")
