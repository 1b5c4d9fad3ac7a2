"""Strategy files: snapshots with one memory-mapped table per round and everything needed to play.

The manifest's metadata holds the game's definition, the betting model and the `StrategyInfo`.
Several processes may read one at the same time. Everything is checked when it is read, because a
manifest is text that anybody may edit.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree, document_text, parse_model
from doyle.abstractions.betting.model import BML_PREFIX
from doyle.abstractions.betting.tree import stored_tree
from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.strategy.info import StrategyInfo
from doyle.strategy.strategy import Layout, Origin, TableStrategy

VERSION = 1
LARGE_TREE = 5_000_000
"""Nodes from which on a tree is mapped from the store, for all processes that play it."""
BML_ARRAY = "betting_bml"
"""The document of a betting tree that was read from a BML file, so that the file is no longer
needed."""


def save_strategy(strategy: TableStrategy, folder: Path, *, step: int = 0) -> Path:
    """Write `strategy` as the newest snapshot under `folder`; returns the snapshot's folder."""
    tree = strategy.tree
    metadata = {
        **strategy.info.document(),
        "game": tree.game.name,
        "game_definition": tree.game.to_text(),
        "betting": str(tree.model),
    }

    def build(builder: Builder) -> None:
        for number, table in enumerate(strategy.tables):
            builder.put(f"round{number}", np.asarray(table, dtype=np.float32))
        bml = document_text(tree.model)
        if bml is not None:
            builder.put(BML_ARRAY, np.frombuffer(bml.encode(), np.uint8))
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
    metadata = artifact.metadata
    info = StrategyInfo.of(metadata, where=path)
    tree = _tree(artifact, metadata, path)
    game = tree.game
    tables = [artifact.array(f"round{number}") for number in range(game.rounds)]
    widths = Layout.of(tree).widths
    for number, table in enumerate(tables):
        if table.ndim != 2 or table.dtype != np.float32 or not len(table):
            raise DoyleError(f"{path}: array 'round{number}' is not a float32 table")
        if table.shape[1] != widths[number]:
            raise DoyleError(
                f"{path}: array 'round{number}' has {table.shape[1]} columns, but field "
                f"'metadata.betting' ({metadata['betting']}) has {widths[number]} actions in that round"
            )
    return TableStrategy(tree, tables, info, Origin(path, _digest(artifact)))


def _tree(artifact: Artifact, metadata: dict[str, Any], path: Path) -> BettingTree:
    name, definition = _text(metadata, "game", path), _text(metadata, "game_definition", path)
    betting = _text(metadata, "betting", path)
    field = "game_definition"
    try:
        game = Game.parse(definition, name=name)
        field = "betting"
        model = _model(artifact, betting)
        if model.document is None and _columns(artifact) >= LARGE_TREE:
            return stored_tree(model, game)
        return BettingTree.build(model, game)
    except DoyleError as error:
        raise DoyleError(f"{path}: field 'metadata.{field}': {error}") from None


def _columns(artifact: Artifact) -> int:
    """How many actions all tables have: about as many as their tree has nodes."""
    shapes = [entry["shape"] for entry in artifact.manifest["arrays"].values()]
    return sum(int(shape[1]) for shape in shapes if len(shape) == 2)


def _model(artifact: Artifact, betting: str) -> BettingModel:
    """The betting model of a file: its text, or the BML document kept beside the tables."""
    if not betting.startswith(BML_PREFIX):
        return BettingModel.parse(betting)
    if BML_ARRAY not in artifact.arrays():
        raise DoyleError(f"{betting}: the array {BML_ARRAY!r} with its document is missing")
    kept = np.asarray(artifact.array(BML_ARRAY))
    model = parse_model(kept.tobytes(), f"array {BML_ARRAY!r}")
    if str(model) != betting:
        raise DoyleError(f"{betting}: the array {BML_ARRAY!r} holds another document, {model}")
    return model


def _digest(artifact: Artifact) -> str:
    """One text for the bytes of all tables, from the checksums in the manifest."""
    entries = [artifact.manifest["arrays"][name] for name in artifact.arrays()]
    checksums = [(entry["file"], entry["checksum"]) for entry in entries]
    return hashlib.blake2b(repr(checksums).encode(), digest_size=16).hexdigest()


def _text(metadata: dict[str, Any], field: str, path: Path) -> str:
    value = metadata.get(field)
    if not isinstance(value, str):
        raise DoyleError(f"{path}: field 'metadata.{field}' is missing or not text")
    return value
