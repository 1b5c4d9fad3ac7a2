"""The pipeline of a build: card abstraction, betting tree, solve, strategy file.

A build goes on where it stopped: the abstraction is an artifact, the solve has checkpoints, and the
strategy is a snapshot that replaces an older one only when it is whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from doyle.betting import BettingModel, BettingTree
from doyle.building.description import BuildDescription
from doyle.building.solves import Job, sampled_strategy, timed_stage, walked_strategy
from doyle.card_abstraction.registry import build as build_abstraction
from doyle.games import Game
from doyle.paths import cache_folder
from doyle.solving.sampling import METHODS
from doyle.strategy import TableStrategy, load_strategy, save_strategy
from doyle.workers import Progress, Workers


@dataclass
class BuildResult:
    """What a build made and how long each stage took."""

    description: BuildDescription
    folder: Path
    stages: dict[str, float] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)

    def strategy(self) -> TableStrategy:
        return load_strategy(self.folder / "strategy")


def agent_folder(name: str) -> Path:
    """Where the build of that name is kept."""
    return cache_folder() / "agents" / name


def build(
    description: BuildDescription,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> BuildResult:
    """Build, or go on building, what `description` says.

    `seconds` (by default the description's) or `iterations` (in all) bound this run's solving.
    """
    workers = workers or Workers()
    result = BuildResult(description, agent_folder(description.name))
    stage = partial(timed_stage, result.stages, say)
    game = Game.named(description.game.value)
    with stage("cards"):
        abstraction = build_abstraction(description.cards.value, workers=workers, progress=progress)
    with stage("betting tree"):
        tree = BettingTree.build(BettingModel.parse(description.betting.value), game)
    job = Job(
        description=description,
        tree=tree,
        abstraction=abstraction,
        folder=result.folder,
        seconds=None if iterations is not None else (seconds or description.seconds.value),
        iterations=iterations,
        workers=workers,
        progress=progress,
        say=say,
        stage=stage,
    )
    sampling = description.solver.value in METHODS
    strategy = sampled_strategy(job) if sampling else walked_strategy(job)
    with stage("strategy"):
        result.info = strategy.info
        step = int(strategy.info["iterations"])
        save_strategy(strategy, result.folder / "strategy", step=step)
    return result
