"""Strategies of no strength for testing agents: random tables and buckets that need no atlas."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.strategy_agent import StrategyAgent
from doyle.cards import HOLES
from doyle.games import CALL, FOLD, Action, Game, View
from doyle.strategy import Strategy, TableStrategy, save_strategy, uniform_tables
from doyle.strategy.translation.named_translations import named_translation

BUCKETS = (7, 5, 5, 5)


class ScrambledBuckets:
    """A bucket for every hole on every board, from its cards and nothing else."""

    spec = "scrambled"

    def bucket_count(self, round_: int) -> int:
        return BUCKETS[round_]

    def parents(self, round_: int) -> None:
        return None

    def buckets(self, board: tuple[int, ...]) -> npt.NDArray[np.int32]:
        round_ = max(0, len(board) - 2)
        mixed = (HOLES * (31, 57)).sum(axis=1) + 13 * sum(board)
        buckets: npt.NDArray[np.int32] = (mixed % BUCKETS[round_]).astype(np.int32)
        buckets[np.isin(HOLES, board).any(axis=1)] = -1
        return buckets


def scrambled_equities(board: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """A number for every hole on every board that puts them in an order; some are equal."""
    mixed: npt.NDArray[np.float64] = (HOLES * (17, 29)).sum(axis=1) + 7.0 * sum(board)
    return mixed % 101 / 101


@cache
def betting_tree(model: str, game: str) -> BettingTree:
    return BettingTree.build(BettingModel.parse(model), Game.named(game))


def random_strategy(tree: BettingTree, *, seed: int, fold_weight: float = 1.0) -> TableStrategy:
    """Random probabilities, a third of them zero; every row keeps at least one action."""
    rng = np.random.default_rng(seed)
    tables = []
    for table in uniform_tables(tree, BUCKETS[: tree.game.rounds]):
        kept = rng.random(table.shape) > 1 / 3
        tables.append((rng.random(table.shape) * kept).astype(np.float32))
    strategy = TableStrategy(tree, tables)
    first = tree.action[tree.children[tree.child_start[tree.decisions]]]
    folding = tree.decisions[first == FOLD]
    for round_, table in enumerate(tables):
        table[:, strategy.layout.offset[folding[tree.round[folding] == round_]]] *= fold_weight
    return strategy


@lru_cache(maxsize=4)
def _strategy(model: str, game: str, seed: int, fold_weight: float) -> TableStrategy:
    return random_strategy(betting_tree(model, game), seed=seed, fold_weight=fold_weight)


def synthetic_agent(
    translation: str,
    *,
    model: str = "fcpa",
    game: str = "holdem-nl-200bb",
    seed: int = 1,
    fold_weight: float = 1.0,
    strategy: Strategy | None = None,
    histories_remembered: int = 1 << 14,
) -> StrategyAgent:
    """An agent whose strategy is random but the same for the same seed."""
    if strategy is None:
        strategy = _strategy(model, game, seed, fold_weight)
    found = named_translation(translation)
    return StrategyAgent(
        f"synthetic-{translation}",
        strategy,
        bucketing=ScrambledBuckets(),
        translation=found,
        equities=None if found.defend == "never" else scrambled_equities,
        histories_remembered=histories_remembered,
    )


def saved_agent(
    folder: Path, *, translation: str = "rand-pshar", purification: str = "none"
) -> str:
    """A folder as a build leaves it; tests put `ScrambledBuckets` in place of its abstraction."""
    source = random_strategy(betting_tree("fcpa", "holdem-nl-200bb"), seed=1)
    strategy = source.with_info(
        agent="toy", cards="7.5.5.5", translation=translation, purification=purification
    )
    save_strategy(strategy, folder / "strategy")
    return str(folder)


class AnyBet:
    """Bets most of the time, any legal size: uniform, uniform in the logarithm, or an end."""

    name = "any-bet"

    def __init__(self) -> None:
        self.bets = 0

    def act(self, view: View) -> Action:
        state = view.state
        rng = view.rng()
        low, high = state.min_raise_to, state.max_raise_to
        if not high or rng.random() < 0.2:
            return CALL
        self.bets += 1
        kind = rng.random()
        if kind < 0.3:
            return int(rng.integers(low, high, endpoint=True))
        if kind < 0.8:
            share = rng.random()
            return int(min(high, max(low, round(low ** (1 - share) * high**share))))
        return low if kind < 0.97 else high
