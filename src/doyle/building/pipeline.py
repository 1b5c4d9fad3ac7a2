"""The pipeline of a build: card abstraction, betting tree, solve, strategy file.

A build resumes where it stopped: the abstraction is an artifact, the solve has checkpoints, and the
strategy is a snapshot that replaces an older one only when it is whole. Only one process at a time
builds an agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from doyle.artifacts.locks import locked
from doyle.artifacts.sourced import Tagged
from doyle.betting import BettingModel, BettingTree
from doyle.building.capacity import check_capacity
from doyle.building.description import TIME_ALLOWANCE, BuildDescription
from doyle.building.identity import claim
from doyle.building.solves import Job, solved_strategy, timed_stage
from doyle.card_abstraction import registry
from doyle.errors import DoyleError, FieldError
from doyle.games import Game
from doyle.paths import cache_folder
from doyle.solving.games.small_games import solvable_tree
from doyle.solving.sampling.solver import METHODS, SamplingOptions
from doyle.strategy import StrategyInfo, TableStrategy, load_strategy, save_strategy
from doyle.strategy.layout import SAMPLED_BYTES, WALKED_BYTES, check_room
from doyle.workers import Progress, Workers


@dataclass
class BuildResult:
    """What a build made and how long each stage took."""

    description: BuildDescription
    folder: Path
    stages: dict[str, float] = field(default_factory=dict)
    info: StrategyInfo = field(default_factory=StrategyInfo)
    wanted_iterations: int | None = None
    """The work that was asked for; None where time alone bounds the solve."""

    @property
    def cut_short(self) -> bool:
        """Whether the time limit ended the solve before its iterations were done."""
        return (self.info.iterations or 0) < (self.wanted_iterations or 0)

    def strategy(self) -> TableStrategy:
        return load_strategy(self.folder / "strategy")


def agent_folder(name: str) -> Path:
    """Where the build of that name is kept."""
    return cache_folder() / "agents" / name


@contextmanager
def agent_lock(name: str, say: Callable[[str], None] = lambda line: None) -> Iterator[None]:
    """Be the only one who builds the agent of that name, after waiting for another who does."""
    folder = agent_folder(name)
    waiting = f"another process is building {name}: waiting for it ({folder})"
    with locked(folder / "lock", on_wait=lambda: say(waiting)):
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
    say: Callable[[str], None] = lambda line: None,
    lock: bool = True,
    solve_here: bool = False,
) -> BuildResult:
    """Build, or resume building, what `description` says.

    `seconds` or `iterations` (in all) bound this run's solving; by default the description's
    iterations do, within its allowance of time, or its seconds if it has none.
    `seed` takes the place of the description's. `shards` > 1 samples into that many copies of the
    tables, for the same bytes with any number of workers; they are merged after `merge` iterations
    of each. A cluster samples in shards only; with `solve_here` it does the rest, and sampling
    without shards runs on threads of this machine. `lock=False` is for a caller who holds the agent's
    lock already.
    """
    with agent_lock(description.name, say) if lock else nullcontext():
        workers = workers or Workers()
        result = BuildResult(description, agent_folder(description.name))
        stage = partial(timed_stage, result.stages, say)
        chosen = description
        if seed is not None:
            given = Tagged[int](value=seed, note="given for this build")
            chosen = description.model_copy(update={"seed": given})
        options = sampling_options(chosen, shards, merge)
        solvers = workers
        if workers.cluster is not None and options is not None and shards < 2:
            if not solve_here:
                raise FieldError("shards", "a cluster samples in shards: give 2 for each core")
            solvers = workers.here
        limit, iterations = _limits(description, seconds, iterations)
        result.wanted_iterations = iterations
        claim(description, result.folder, seed=seed, shards=shards, merge=merge)
        with stage("betting tree"):
            tree = _tree(description)
            check_capacity(chosen, tree, workers, shards=shards)
        with stage("cards"):
            cards = description.cards.value
            abstraction = registry.build(cards, workers=workers, progress=progress)
        job = Job(
            description=chosen,
            tree=tree,
            abstraction=abstraction,
            sampling=options,
            folder=result.folder,
            seconds=limit,
            iterations=iterations,
            workers=solvers,
            progress=progress,
            say=say,
            stage=stage,
        )
        strategy = solved_strategy(job)
        with stage("strategy"):
            result.info = strategy.info
            save_strategy(strategy, result.folder / "strategy", step=strategy.info.iterations or 0)
    return result


def sampling_options(
    description: BuildDescription, shards: int, merge: int = 0
) -> SamplingOptions | None:
    """How the description samples; None if its solver walks the whole tree."""
    method = description.solver.value
    for known in METHODS:
        if method == known:
            return SamplingOptions(
                method=known,
                seed=description.seed.value,
                shards=shards,
                merge=merge,
                prune_below=description.prune_below.value or float("-inf"),
                tremble=description.tremble.value,
            )
    if shards or merge:
        raise FieldError(
            "shards" if shards else "merge",
            f"for {', '.join(METHODS)}; {method} gives the same bytes anyway",
        )
    return None


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


def _tree(description: BuildDescription) -> BettingTree:
    """The betting tree, made before anything that takes long: it may be too large."""
    model, game = BettingModel.named(description.betting.value), description.game.value
    walks = description.solver.value not in METHODS
    try:
        tree = (solvable_tree if walks else BettingTree.build)(model, Game.named(game))
        counts = registry.bucket_counts(description.cards.value)
        if counts is not None:
            check_room(tree, counts, bytes_each=WALKED_BYTES if walks else SAMPLED_BYTES)
        return tree
    except DoyleError as error:
        raise DoyleError(f"{description.name}: key 'betting': {error}") from None
