"""The pipeline of a build: card abstraction, betting tree, solve, strategy file.

A build goes on where it stopped: the abstraction is an artifact, the solve has checkpoints, and the
strategy is a snapshot that replaces an older one only when it is whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doyle.betting import BettingModel, BettingTree
from doyle.building.description import BuildDescription
from doyle.card_abstraction.registry import build as build_abstraction
from doyle.games import Game
from doyle.paths import cache_folder
from doyle.solving.deals import HoldemDeals
from doyle.solving.sampling import SamplingOptions, SamplingSolver
from doyle.strategy import TableStrategy, load_strategy, save_strategy
from doyle.workers import Progress, Workers

CHECKPOINT_SECONDS = 60.0


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
    game = Game.named(description.game.value)
    with _stage(result, "cards", say):
        abstraction = build_abstraction(description.cards.value, workers=workers, progress=progress)
    with _stage(result, "betting tree", say):
        tree = BettingTree.build(BettingModel.parse(description.betting.value), game)
    options = SamplingOptions(method=description.solver.value, seed=description.seed)
    solver = SamplingSolver(tree, HoldemDeals(abstraction), options)
    checkpoints = result.folder / "checkpoint"
    history: list[dict[str, float]] = []
    before = 0.0
    if solver.restore(checkpoints):
        history = list(result.strategy().info.get("history", []))
        before = float(history[-1]["seconds"]) if history else 0.0
        say(f"going on from {solver.iterations:,} iterations")
    with _stage(result, "solving", say):
        limit = None if iterations is not None else (seconds or description.seconds.value)
        _solve(solver, checkpoints, history, before, limit, iterations, workers, progress)
    with _stage(result, "strategy", say):
        result.info = _info(description, solver, history, workers)
        strategy = TableStrategy(tree, solver.tables(), result.info)
        save_strategy(strategy, result.folder / "strategy", step=solver.iterations)
    return result


def _solve(
    solver: SamplingSolver,
    checkpoints: Path,
    history: list[dict[str, float]],
    before: float,
    seconds: float | None,
    iterations: int | None,
    workers: Workers,
    progress: Progress | None,
) -> None:
    started = time.monotonic()
    saved = started

    def report(current: SamplingSolver) -> None:
        nonlocal saved
        now = time.monotonic()
        first, second = current.regret_bound()
        history.append(
            {
                "iterations": float(current.iterations),
                "seconds": before + now - started,
                "regret_bound": (first + second) / 2,
            }
        )
        if progress is not None and seconds is not None:
            progress("solving (seconds)", min(int(now - started), int(seconds)), int(seconds))
        elif progress is not None and iterations is not None:
            progress("solving (iterations)", min(current.iterations, iterations), iterations)
        if now - saved > CHECKPOINT_SECONDS:
            current.save(checkpoints)
            saved = now

    solver.run(iterations=iterations, seconds=seconds, workers=workers, report=report)
    solver.save(checkpoints)


def _info(
    description: BuildDescription,
    solver: SamplingSolver,
    history: list[dict[str, float]],
    workers: Workers,
) -> dict[str, Any]:
    deterministic = workers.count == 1 or solver.options.shards > 1
    return {
        "agent": description.name,
        "cards": description.cards.value,
        "solver": description.solver.value,
        "seed": description.seed,
        "iterations": solver.iterations,
        "deterministic": deterministic,
        "bucket_counts": list(solver.source.bucket_counts),
        "infosets": solver.infoset_count(),
        "table_bytes": solver.table_bytes,
        "exploitability": None,
        "translation": description.translation.value,
        "purification": description.purification.value,
        "threshold": description.threshold,
        "fields": description.tags(),
        "history": history,
    }


@contextmanager
def _stage(result: BuildResult, name: str, say: Callable[[str], None]) -> Iterator[None]:
    started = time.monotonic()
    yield
    result.stages[name] = time.monotonic() - started
    say(f"{name}: {result.stages[name]:.1f} s")
