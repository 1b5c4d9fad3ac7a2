"""Strategy files: snapshots with one memory-mapped table per round and everything needed to play.

The manifest's metadata holds the game's definition, the betting model, the card abstraction, the
solver, its seed and iterations, exploitability where it is known, and the history of the solve.
Several processes may read one at the same time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from doyle.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.betting import BettingModel, BettingTree
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.strategy.strategy import TableStrategy

VERSION = 1


def save_strategy(strategy: TableStrategy, folder: Path, *, step: int = 0) -> Path:
    """Write `strategy` as the newest snapshot under `folder`; returns the snapshot's folder."""
    tree = strategy.tree
    metadata = {
        **strategy.info,
        "game": tree.game.name,
        "game_definition": tree.game.to_text(),
        "betting": str(tree.model),
    }

    def build(builder: Builder) -> None:
        for number, table in enumerate(strategy.tables):
            builder.put(f"round{number}", np.asarray(table, dtype=np.float32))
        builder.metadata.update(metadata)

    description = Description("strategy", VERSION, {"step": step})
    return Checkpoints(folder).save(step, description, build).folder


def load_strategy(folder: Path) -> TableStrategy:
    """The strategy in `folder`: a snapshot itself, or the newest of the snapshots under it."""
    if (folder / "manifest.json").is_file():
        artifact: Artifact | None = Artifact(folder)
        if artifact is not None:
            artifact.check_once()
    else:
        artifact = Checkpoints(folder).latest()
    if artifact is None:
        raise DoyleError(f"{folder}: no strategy here (no manifest.json, no finished snapshot)")
    path = artifact.folder / "manifest.json"
    if artifact.manifest["kind"] != "strategy":
        raise DoyleError(f"{path}: field 'kind' is {artifact.manifest['kind']!r}, not 'strategy'")
    info = artifact.metadata
    game = Game.parse(_text(info, "game_definition", path), name=_text(info, "game", path))
    tree = BettingTree.build(BettingModel.parse(_text(info, "betting", path)), game)
    tables = [artifact.array(f"round{number}") for number in range(game.rounds)]
    for number, table in enumerate(tables):
        if table.ndim != 2 or table.dtype != np.float32:
            raise DoyleError(f"{path}: array 'round{number}' is not a float32 table")
    return TableStrategy(tree, tables, info)


def _text(info: dict[str, Any], field: str, path: Path) -> str:
    value = info.get(field)
    if not isinstance(value, str):
        raise DoyleError(f"{path}: field 'metadata.{field}' is missing or not text")
    return value
