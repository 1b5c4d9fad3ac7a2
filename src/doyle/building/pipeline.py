"""The pipeline of a build: its plan, betting tree, card abstraction, solve, strategy file.

A build resumes where it stopped: the abstraction is an artifact, the solve has checkpoints, and the
strategy is a snapshot that replaces an older one only when it is whole. Only one process at a time
builds an agent. Exploitability in the abstract game (as solved, and as played after purification) is known
after a walk over the whole tree; sampling leaves it null and reports the reason (`exploitability_note`), as
the pairs of buckets it needs may take longer to count than the solve.

The record of a build's parameters: kept with it, so a folder is never used or resumed for a
different one.

An agent's folder is named by its description's name alone. `build.json` in it records the fields
that determine the solve; a description that has been changed since, or another one of the same
name, no longer fits it. How the strategy is played (translation, purification) may change.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from doyle.abstractions.betting import BettingTree
from doyle.abstractions.cards import CardAbstraction, registry
from doyle.abstractions.cards.registry import describe
from doyle.base.artifacts import Checkpoints, Store
from doyle.base.artifacts.documents import Tagged, read_json
from doyle.base.artifacts.files import locked, write_json
from doyle.base.artifacts.manifest import sealed
from doyle.base.errors import DoyleError, FieldError
from doyle.base.paths import cache_folder
from doyle.base.workers import Progress, Workers
from doyle.base.workers.memory import one_blas_thread
from doyle.building.description import TIME_ALLOWANCE, BuildDescription
from doyle.building.planning import BuildSize, Capacity, Plan, Speeds, TreeShape, plan_solve
from doyle.building.planning.cards import CardsSize
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import exploitability, profile_of
from doyle.solving.run import CHECKPOINT_SECONDS, Limits
from doyle.solving.sampling.solver import SamplingSolver
from doyle.solving.solve import Method, Problem, Solution, run_info, tree_to_solve
from doyle.strategy import (
    StrategyInfo,
    TableStrategy,
    load_strategy,
    purified,
    save_strategy,
)

FILE = "build.json"


def identity(description: BuildDescription) -> dict[str, Any]:
    """The fields that determine the solve, in their canonical form."""
    game = description.rules
    return {
        "game": game.name,
        "game_definition": game.to_text(),
        "betting": str(description.betting_model),
        "cards": describe(description.cards.value).parameters["spec"],
        "solver": description.solver.value,
        "seed": description.seed.value,
        "prune_below": description.prune_below.value,
        "tremble": description.tremble.value,
    }


def check_fits(description: BuildDescription, folder: Path) -> None:
    """Refuse the contents of `folder` if they do not match `description`."""
    record = _record(folder)
    if record is None:
        return
    wanted, found = identity(description), record["described"]
    for key in wanted:
        if key != "game" and key in found and found[key] != wanted[key]:
            then, now = found[key], wanted[key]
            if key == "game_definition":
                key, then, now = "game", found["game"], wanted["game"]
            difference = f"{key} = {then!r}" if then != now else f"another definition of {then}"
            raise DoyleError(
                f"{folder}: was built with {difference}, and the description of "
                f"{description.name!r} has {now!r}; remove that folder, or change the name"
            )


def claim(
    description: BuildDescription,
    folder: Path,
    *,
    seed: int | None = None,
    shards: int = 0,
    merge: int = 0,
) -> None:
    """Record that `folder` holds the build of `description`, and with which options of the command.

    Refuses a folder in which another description, or other options, have left a solve.
    """
    used = {
        "seed": description.seed.value if seed is None else seed,
        "shards": shards,
        "merge": merge,
    }
    if has_snapshot(folder / "checkpoint") or has_snapshot(folder / "strategy"):
        check_fits(description, folder)
        record = _record(folder) or {}
        for option, value in record.get("used", used).items():
            if value != used[option]:
                raise FieldError(
                    option,
                    f"{folder} was built with {value}; give {value} to resume it, or remove that "
                    "folder to begin again",
                    value=used[option],
                )
    write_json(folder / FILE, sealed({"described": identity(description), "used": used}))


def has_snapshot(folder: Path) -> bool:
    """Whether there is a whole one; a process killed before its first leaves an empty folder."""
    return Checkpoints(folder).latest() is not None


def _record(folder: Path) -> dict[str, Any] | None:
    """The record of `claim`; None if absent."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        record = read_json(path)
        return {"described": dict(record["described"]), "used": dict(record["used"])}
    except (OSError, DoyleError, ValueError, KeyError, TypeError):
        raise DoyleError(f"{path}: damaged; remove the folder and build again") from None


logger = logging.getLogger(__name__)


@dataclass
class BuildResult:
    """The result of a build, and the time of each stage."""

    description: BuildDescription
    folder: Path
    stages: dict[str, float] = field(default_factory=dict)
    info: StrategyInfo = field(default_factory=StrategyInfo)
    wanted_iterations: int | None = None
    """The requested work; None if only time limits the solve."""

    @property
    def cut_short(self) -> bool:
        """Whether the time limit ended the solve before its iterations were done."""
        return (self.info.iterations or 0) < (self.wanted_iterations or 0)

    def strategy(self) -> TableStrategy:
        return load_strategy(self.folder / "strategy")

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage, and report its seconds."""
        started = time.monotonic()
        yield
        self.stages[name] = time.monotonic() - started
        logger.info("%s: %.1f s", name, self.stages[name])


def agent_folder(name: str) -> Path:
    """Where the build of that name is kept."""
    return cache_folder() / "agents" / name


@contextmanager
def agent_lock(name: str) -> Iterator[None]:
    """Hold the exclusive lock for building the agent of that name, after waiting for other
    holders."""
    folder = agent_folder(name)
    waiting = f"another process is building {name}: waiting for it ({folder})"
    with locked(folder / "lock", on_wait=lambda: logger.info(waiting)):
        yield


def build(
    description: BuildDescription,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    shards: int = 0,
    merge: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
    lock: bool = True,
    solve_here: bool = False,
) -> BuildResult:
    """Build, or resume building, an agent from its description.

    `seconds` or `iterations` (in all) bound this run's solving; by default the description's
    iterations within its time limit, or its seconds if it has no iterations. `seed` replaces the
    description's. `shards` > 1 samples into that many copies of the tables, for the same bytes with
    any number of workers; they are merged after `merge` iterations of each. A cluster samples in
    shards only; with `solve_here` it does the rest, and sampling without shards runs on threads of
    this machine. Pass `lock=False` if the caller already holds the agent's lock.
    """
    with agent_lock(description.name) if lock else nullcontext():
        workers = workers or Workers()
        result = BuildResult(description, agent_folder(description.name))
        chosen = description
        if seed is not None:
            given = Tagged[int](value=seed, note="given for this build")
            chosen = description.model_copy(update={"seed": given})
        method = chosen.method(shards=shards, merge=merge)
        if method.samples:
            method.sampling_options()  # refused before any slow step
        solvers = workers
        if workers.cluster is not None and method.samples and shards < 2:
            if not solve_here:
                raise FieldError("shards", "a cluster samples in shards: give 2 for each core")
            solvers = workers.here
        limit, iterations = _limits(description, seconds, iterations)
        result.wanted_iterations = iterations
        claim(description, result.folder, seed=seed, shards=shards, merge=merge)
        with result.stage("betting tree"):
            tree = _tree(description, method)
            _check_capacity(chosen, tree, workers, shards=shards)
        with result.stage("cards"):
            cards = description.cards.value
            abstraction = registry.build(cards, workers=workers, progress=progress)
        problem = Problem(chosen.name, tree, str(tree.model), abstraction.spec, abstraction)
        if not method.samples:
            with result.stage("pairs of buckets"):
                problem = replace(problem, matrices=problem.matrix_game(progress=progress))
        solution = _solved(problem, method, result, limit, iterations, solvers, progress)
        strategy = _strategy(chosen, abstraction, solution)
        with result.stage("strategy"):
            result.info = strategy.info
            save_strategy(strategy, result.folder / "strategy", step=strategy.info.iterations or 0)
    return result


def plan_build(
    description: BuildDescription,
    speeds: Speeds,
    capacity: Capacity,
    *,
    shape: TreeShape | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    hands: int = 0,
    shards: int = 0,
    merge: int = 0,
    store: Store | None = None,
) -> Plan:
    """The stages of a build; `shape` is that of its betting tree, where that has been made."""
    if shape is None:
        shape = TreeShape.of(description.betting_model, description.rules)
    described = None if description.iterations is None else description.iterations.value
    size = BuildSize(
        name=description.name,
        shape=shape,
        cards=CardsSize.of(description.cards.value),
        solver=description.solver.value,
        seconds=description.seconds.value if seconds is None else seconds,
        iterations=described if iterations is None and seconds is None else iterations,
        hands=hands,
        shards=shards,
        merge=merge,
    )
    return plan_solve(size, speeds, capacity, store or Store())


def _check_capacity(
    description: BuildDescription, tree: BettingTree, workers: Workers, *, shards: int = 0
) -> None:
    """Refuse a build that cannot fit in the memory or on the disk of this machine.

    Bucket counts known only after building do not cause a refusal. Resources of a cluster's other
    machines are unknown here.
    """
    plan = plan_build(
        description,
        Speeds(),
        Capacity.here(workers=workers.count),
        shape=replace(TreeShape.of_tree(tree), tree=None),  # times do not matter
        shards=shards,
    )
    if plan.exact:
        plan.check_fits()


def _limits(
    description: BuildDescription, seconds: float | None, iterations: int | None
) -> tuple[float | None, int | None]:
    """The seconds and the iterations that bound a run."""
    if iterations is not None:
        return None, iterations
    if seconds is None and description.iterations is not None:
        return TIME_ALLOWANCE * description.seconds.value, description.iterations.value
    limit = description.seconds.value if seconds is None else seconds
    if not 0 < limit < float("inf"):
        raise DoyleError(f"{limit} seconds of solving: expected a finite number above 0")
    return limit, None


def _tree(description: BuildDescription, method: Method) -> BettingTree:
    """The betting tree, made before any slow step: it may be too large."""
    try:
        return tree_to_solve(
            description.betting_model, description.rules, description.cards.value, method
        )
    except DoyleError as error:
        raise DoyleError(f"{description.name}: key 'betting': {error}") from None


def _solved(
    problem: Problem,
    method: Method,
    result: BuildResult,
    seconds: float | None,
    iterations: int | None,
    workers: Workers,
    progress: Progress | None,
) -> Solution:
    """Solve, or resume solving: `seconds` bound this run, `iterations` count in all."""
    run = problem.begin(
        method,
        checkpoint=result.folder / "checkpoint",
        every_seconds=CHECKPOINT_SECONDS,
        workers=workers,
    )
    run.restore()
    before = run.seconds
    limits = Limits(seconds=None if seconds is None else before + seconds, iterations=iterations)

    def show() -> None:
        if progress is None:
            return
        if iterations is not None:
            progress("solving (iterations)", min(run.solver.iteration, iterations), iterations)
        elif seconds is not None:
            whole = max(1, int(seconds))
            progress("solving (seconds)", min(int(run.seconds - before), whole), whole)

    with result.stage("solving"):
        run.until(limits, tick=show)
    if iterations is not None and run.solver.iteration < iterations:
        logger.info(
            f"stopped by the limit of {seconds:g} s after {run.solver.iteration:,} of "
            f"{iterations:,} iterations: a weaker agent; run it again to resume"
        )
    return Solution(problem, method, run)


def _strategy(
    chosen: BuildDescription, abstraction: CardAbstraction, solution: Solution
) -> TableStrategy:
    """The tables with their metadata; measured in the abstract game after a walk."""
    info = replace(
        run_info(solution.run),
        agent=chosen.name,
        cards=abstraction.spec,
        solver=chosen.solver.value,
        seed=chosen.seed.value,
        bucket_counts=tuple(abstraction.bucket_count(number) for number in range(4)),
        translation=chosen.translation.value,
        purification=chosen.purification.value,
        threshold=chosen.threshold.value,
        fields=tuple(chosen.tags()),
    )
    strategy = replace(solution.tables(), info=info)
    solver = solution.run.solver
    if isinstance(solver, SamplingSolver):
        return strategy
    with one_blas_thread():
        return _measured(solver.form, strategy)


def _measured(form: SequenceForm, strategy: TableStrategy) -> TableStrategy:
    """The strategy with its exploitability in the abstract game: of the tables, and as played."""
    as_played = purified(strategy, strategy.info.purification, strategy.info.threshold)
    solved = exploitability(profile_of(form, strategy)).record
    played = solved if as_played is strategy else exploitability(profile_of(form, as_played)).record
    return strategy.with_info(exploitability=solved, exploitability_as_played=played)
