"""The files of `starter`: a strategy with one byte per probability, and the tables of its buckets.

`NAME.npz` of a strategy holds the arrays of its betting tree, so that no tree is enumerated, and of each
round a table uint8[bucket, actions]; a row of a decision is rescaled to sum to 1 when it is read.
`buckets.npz` is shared by all of them. Neither holds objects: nothing is unpickled.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.public_tree import PublicTree
from doyle.agents.starter.buckets import StarterBuckets
from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.strategy import StrategyInfo, TableStrategy

FOLDER = Path(__file__).parent
LARGEST_FILE = 2_000_000
"""Bytes; bundled files stay small."""

_TREE_FIELDS = tuple(field.name for field in fields(PublicTree))


def write_strategy(path: Path, strategy: TableStrategy) -> None:
    """Write a strategy with one byte per probability."""
    tree = strategy.tree
    arrays: dict[str, npt.NDArray[Any]] = {
        f"tree_{name}": np.asarray(getattr(tree, name)) for name in _TREE_FIELDS
    }
    for number, table in enumerate(strategy.tables):
        arrays[f"round{number}"] = _bytes_of(strategy, number, np.asarray(table, np.float64))
    about = {"game": tree.game.name, "betting": str(tree.model), **strategy.info.document()}
    arrays["about"] = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
    write_arrays(path, arrays)


def read_strategy(path: Path) -> TableStrategy:
    """A strategy that `write_strategy` wrote."""
    arrays = read_arrays(path)
    about = json.loads(arrays["about"].tobytes())
    parts: dict[str, Any] = {name: arrays[f"tree_{name}"] for name in _TREE_FIELDS}
    model, game = BettingModel.parse(about["betting"]), Game.named(about["game"])
    tree = BettingTree(model=model, game=game, **parts)
    tables = [arrays[f"round{number}"].astype(np.float32) for number in range(tree.game.rounds)]
    return TableStrategy(tree, tables, StrategyInfo.of(about, where=path))


def write_buckets(path: Path, buckets: StarterBuckets) -> None:
    write_arrays(
        path,
        {
            "preflop": buckets.preflop,
            "preflop_equity": buckets.preflop_equity,
            "flops": buckets.flops,
            "flop_buckets": buckets.flop_buckets,
        },
    )


def read_buckets(path: Path) -> StarterBuckets:
    arrays = read_arrays(path)
    return StarterBuckets(**arrays)


def write_arrays(path: Path, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write arrays compressed, whole or not at all; the same arrays give the same bytes."""
    with replacing(path, "wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise DoyleError(f"{path}: {size:,} bytes; a file of the package has at most 2 MB")


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as loaded:
            return {name: loaded[name] for name in loaded.files}
    except (OSError, ValueError, KeyError) as error:
        raise DoyleError(f"{path}: cannot be read ({error}); install doyle again") from None


def _bytes_of(
    strategy: TableStrategy, number: int, table: npt.NDArray[np.float64]
) -> npt.NDArray[np.uint8]:
    """The probabilities of a round in 255ths that sum to 255, the largest remainders rounded up.

    Rows that were never visited stay 0, which is even.
    """
    tree, layout = strategy.tree, strategy.layout
    out = np.zeros(table.shape, np.uint8)
    for node in tree.decisions[tree.round[tree.decisions] == number]:
        start = int(layout.offset[node])
        stop = start + int(tree.child_count[node])
        rows = table[:, start:stop]
        totals = rows.sum(axis=1, keepdims=True)
        shares = np.divide(rows, totals, out=np.zeros_like(rows), where=totals > 0)
        lower = np.floor(255 * shares)
        missing = np.where(totals > 0, 255 - lower.sum(axis=1, keepdims=True), 0)
        largest_first = np.argsort(lower - 255 * shares, axis=1, kind="stable")
        place = np.argsort(largest_first, axis=1, kind="stable")
        out[:, start:stop] = (lower + (place < missing)).astype(np.uint8)
    return out
