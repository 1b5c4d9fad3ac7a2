"""The solve of a build: by sampling, or over the whole tree of the abstract game.

Both go on from the checkpoint of an earlier run and end with a strategy that carries what is known
about it. Exploitability in the abstract game (as solved, and as played after purification) is known
after a walk over the whole tree; sampling leaves it null and says why (`exploitability_note`), as
the pairs of buckets it needs may take longer to count than the solve.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doyle.betting import BettingTree
from doyle.building.description import BuildDescription
from doyle.card_abstraction import CardAbstraction
from doyle.solving.exploitability import exploitability
from doyle.solving.games.holdem import bucket_states
from doyle.solving.games.poker import bucket_game
from doyle.solving.methods.by_name import make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile_tables import profile_of, strategy_of
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.sampled import unmeasured_reason
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.solving.solver import Limits, Point, Solver
from doyle.solving.solver_checkpoints import SolverCheckpoints
from doyle.strategy import TableStrategy, purified
from doyle.workers import Progress, Workers

CHECKPOINT_SECONDS = 60.0

Info = dict[str, Any]
Stage = Callable[[str], Any]
"""A context manager that times a named stage."""


@dataclass(frozen=True)
class Job:
    """What is solved, where it is kept and how long it may take.

    `seconds` bound this run, `iterations` count in all; exactly one of the two is given.
    """

    description: BuildDescription
    tree: BettingTree
    abstraction: CardAbstraction
    folder: Path
    seconds: float | None
    iterations: int | None
    workers: Workers
    progress: Progress | None
    say: Callable[[str], None]
    stage: Stage

    def show(self, seconds: float, iterations: int) -> None:
        """Move the progress bar."""
        if self.progress is not None and self.seconds is not None:
            whole = max(1, int(self.seconds))
            self.progress("solving (seconds)", min(int(seconds), whole), whole)
        elif self.progress is not None and self.iterations is not None:
            done = min(iterations, self.iterations)
            self.progress("solving (iterations)", done, self.iterations)

    def facts(self) -> Info:
        """What the strategy file says of the description."""
        chosen = self.description
        return {
            "agent": chosen.name,
            "cards": self.abstraction.spec,
            "solver": chosen.solver.value,
            "seed": chosen.seed.value,
            "bucket_counts": [self.abstraction.bucket_count(number) for number in range(4)],
            "translation": chosen.translation.value,
            "purification": chosen.purification.value,
            "threshold": chosen.threshold.value,
            "fields": chosen.tags(),
        }


def sampled_strategy(job: Job, options: SamplingOptions) -> TableStrategy:
    """Solve by `external`, `pure` or `pcs`."""
    solver = SamplingSolver(job.tree, HoldemDeals(job.abstraction), options)
    if solver.restore(job.folder / "checkpoint"):
        job.say(f"going on from {solver.iterations:,} iterations")
    with job.stage("solving"):
        _sample(job, solver)
    strategy = TableStrategy(job.tree, solver.tables(), job.facts())
    strategy.info.update(
        {
            "iterations": solver.iterations,
            "deterministic": solver.deterministic,
            "infosets": solver.sizes()[0],
            "table_bytes": solver.table_bytes,
            "history": solver.history,
        }
    )
    strategy.info.update(_unknown(unmeasured_reason(job.abstraction)))
    return strategy


def _sample(job: Job, solver: SamplingSolver) -> None:
    before, saved = solver.seconds, time.monotonic()

    def report(current: SamplingSolver) -> None:
        nonlocal saved
        current.history.append(
            {
                "iterations": float(current.iterations),
                "seconds": current.seconds,
                "regret_bound": sum(current.regret_bound()) / 2,
            }
        )
        job.show(current.seconds - before, current.iterations)
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            current.save(job.folder / "checkpoint")
            saved = time.monotonic()

    solver.run(iterations=job.iterations, seconds=job.seconds, workers=job.workers, report=report)
    solver.save(job.folder / "checkpoint")


def walked_strategy(job: Job) -> TableStrategy:
    """Solve by `lp`, `egt` or a regret minimiser over the whole tree of the abstract game."""
    with job.stage("pairs of buckets"):
        rounds = bucket_states(job.abstraction, progress=job.progress)
    name = f"{job.tree.game.name} {job.tree.model} {job.abstraction.spec}"
    form = SequenceForm(bucket_game(name, job.tree, rounds), workers=job.workers)
    solver = make_solver(job.description.solver.value, form)
    keep = SolverCheckpoints(job.folder / "checkpoint", solver, every_seconds=CHECKPOINT_SECONDS)
    if keep.restore(solver):
        job.say(f"going on from {solver.iteration:,} iterations")
    before = solver.seconds
    seconds = None if job.seconds is None else before + job.seconds

    def report(point: Point) -> None:
        job.show(point.seconds - before, point.iteration)

    with job.stage("solving"):
        profile = solver.run(
            Limits(seconds=seconds, iterations=job.iterations),
            report=report,
            checkpoint=keep.save_if_due,
        )
        keep.save(solver)
    strategy = strategy_of(profile, job.tree)
    strategy.info.update(job.facts())
    strategy.info.update(
        {
            "iterations": solver.iteration,
            "deterministic": True,
            "infosets": list(form.game.information_sets()),
            "table_bytes": sum(array.nbytes for array in solver.arrays().values()),
            "history": _points(solver),
        }
    )
    strategy.info.update(_measured(form, strategy))
    return strategy


def _points(solver: Solver) -> list[dict[str, float]]:
    return [
        {
            "iterations": float(point.iteration),
            "seconds": point.seconds,
            "exploitability": point.exploitability,
        }
        for point in solver.history
    ]


def _measured(form: SequenceForm, strategy: TableStrategy) -> Info:
    """Exploitability in the abstract game: of the tables, and of what is played."""
    as_played = purified(strategy, strategy.info)
    solved = exploitability(profile_of(form, strategy)).document()
    played = (
        solved if as_played is strategy else exploitability(profile_of(form, as_played)).document()
    )
    return {
        "exploitability": solved,
        "exploitability_as_played": played,
        "exploitability_note": None,
    }


def _unknown(reason: str) -> Info:
    return {
        "exploitability": None,
        "exploitability_as_played": None,
        "exploitability_note": reason,
    }


@contextmanager
def timed_stage(stages: dict[str, float], say: Callable[[str], None], name: str) -> Iterator[None]:
    """Put the seconds of a stage into `stages` and say them."""
    started = time.monotonic()
    yield
    stages[name] = time.monotonic() - started
    say(f"{name}: {stages[name]:.1f} s")
