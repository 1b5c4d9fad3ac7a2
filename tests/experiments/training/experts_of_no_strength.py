"""Strategies of random tables with buckets that need no atlas, saved as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents import named_strategy as module
from doyle.games import Game
from doyle.strategy import TableStrategy, save_strategy, uniform_tables
from doyle.strategy.info import StrategyInfo
from tests.building.rank_cards import RankCards

BUCKETS = (13, 13, 13, 13)


def use_rank_cards(patch: pytest.MonkeyPatch) -> None:
    """Let strategies of files play with buckets by rank."""
    patch.setattr(module, "build_abstraction", lambda *_, **__: RankCards())


def save_random(
    folder: Path, *, game: str = "holdem-limit-2p", betting: str = "limit", seed: int = 1
) -> str:
    """The text of an agent with random probabilities, a third of them 0."""
    tree = BettingTree.build(BettingModel.parse(betting), Game.named(game))
    rng = np.random.default_rng(seed)
    tables = []
    for table in uniform_tables(tree, BUCKETS):
        kept = rng.random(table.shape) > 1 / 3
        tables.append((rng.random(table.shape) * kept).astype(np.float32))
    info = StrategyInfo(agent=folder.name, cards=RankCards.spec, bucket_counts=BUCKETS)
    save_strategy(TableStrategy(tree, tables, info), folder)
    return str(folder)
