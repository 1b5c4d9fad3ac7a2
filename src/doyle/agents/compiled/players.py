"""The compiled forms of agents: the data from which a kernel makes their decisions.

A strategy agent and a case-based one need the buckets of their hands; `ev` their equities; a script
needs neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from doyle.games import Action, Game, State
from doyle.games.policies import CardBlind, policy_row
from doyle.strategy import Purified, Strategy, TableStrategy, Thresholded
from doyle.strategy.translation.walk import TranslationCache

if TYPE_CHECKING:
    from doyle.agents.expected_value import ExpectedValue
    from doyle.agents.exploiters.goodness import Good
    from doyle.agents.strategy_agent import Bucketing, StrategyAgent

Cards: TypeAlias = tuple[int, ...]
Deals: TypeAlias = npt.NDArray[np.uint8]
Buckets: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]

_MANY = 1 << 60

Reading = Literal["as it is", "purified", "thresholded"]
"""How the rows of a strategy's tables are read."""


class NotCompilable(Exception):
    """An agent or a match that is played hand by hand through `act`; the text has the reason."""


@runtime_checkable
class DealBucketing(Protocol):
    """Buckets of many deals of Hold'em at once: int32[n, seats, rounds]."""

    def deal_buckets(self, holes: npt.NDArray[Any], boards: npt.NDArray[Any]) -> Buckets: ...


@dataclass(frozen=True, eq=False)
class StrategyPlayer:
    """A strategy agent: its tables, how they are read, and its translation by public history."""

    agent: StrategyAgent
    source: TableStrategy
    reading: Reading
    threshold: float = 0.0
    good: Good | None = None
    """By round, whether a bucket is good; it determines the bet sizes of exploiters."""

    @classmethod
    def of(cls, agent: StrategyAgent, good: Good | None = None) -> StrategyPlayer:
        """The form of a strategy agent; `NotCompilable` if it does not play from plain tables."""
        strategy: Strategy = agent.strategy
        reading: Reading = "as it is"
        threshold = 0.0
        if type(strategy) is Purified:
            reading, strategy = "purified", strategy.source
        elif type(strategy) is Thresholded:
            reading, threshold = "thresholded", strategy.threshold
            strategy = strategy.source
        if type(strategy) is not TableStrategy:
            raise NotCompilable(f"{agent.name} does not read its probabilities from tables")
        if any(np.asarray(table).dtype != np.float32 for table in strategy.tables):
            raise NotCompilable(f"{agent.name} has tables of another type than float32")
        return cls(agent, strategy, reading, threshold, good)

    @cached_property
    def cache(self) -> TranslationCache:
        """Steps of translation, shared by the plans of all seatings."""
        return self.agent.make_cache(_MANY)

    def goodness(self, buckets: Buckets) -> npt.NDArray[np.bool_]:
        """Whether hands are good: bool[deals, rounds] from their buckets."""
        if self.good is None:
            return np.zeros(buckets.shape, bool)
        rounds = [row[np.maximum(buckets[:, n], 0)] for n, row in enumerate(self.good)]
        return np.stack(rounds, axis=1)

    @cached_property
    def tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        """The tables as plain read-only arrays, the type that kernels are compiled for."""
        return tuple(readable(np.asarray(table)) for table in self.source.tables)

    def buckets(self, game: Game, deals: Deals) -> Buckets:
        """The bucket of every seat's hand in every round: int32[deals, seats, rounds]."""
        bucketing = self.agent.bucketing
        if isinstance(bucketing, DealBucketing):
            holes = deals[:, : 2 * game.players].reshape(-1, game.players, 2)
            return bucketing.deal_buckets(holes, deals[:, 2 * game.players :])
        return by_board(game, deals, _Buckets(game, bucketing), np.int32)


@dataclass(frozen=True, eq=False)
class ScriptedPlayer:
    """A player that does not look at its cards."""

    agent: CardBlind

    def choose(self, state: State) -> Action:
        """Its action; `NotCompilable` if it fails, which is for the match to judge."""
        try:
            action = self.agent.choose(state)
        except Exception as error:
            raise NotCompilable(f"a script raised {type(error).__name__}") from error
        if type(action) is not int or not state.is_legal(action):
            raise NotCompilable("a script acted illegally")
        return action


@dataclass(frozen=True, eq=False)
class ValuePlayer:
    """`ev`, which looks at its equity alone."""

    agent: ExpectedValue

    def equities(self, game: Game, deals: Deals) -> Floats:
        """The equity of every seat's hand in every round: float64[deals, seats, rounds]."""
        from doyle.agents import equity

        if game.is_holdem:
            holes = deals[:, : 2 * game.players].reshape(-1, game.players, 2)
            return equity.deal_equities(holes, deals[:, 2 * game.players :])
        return by_board(game, deals, lambda board: equity.equities(game, board), np.float64)


@dataclass(frozen=True)
class _Buckets:
    """The buckets of all hands of a board, by policy row."""

    game: Game
    bucketing: Bucketing

    def __call__(self, board: Cards) -> Buckets:
        return self.bucketing.buckets(board)


def by_board(game: Game, deals: Deals, of_board: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The values of `of_board` for the hands of many deals.

    [deals, seats, rounds]; `of_board(board)` is called once for each board and round.
    """
    size, players = game.hole_cards, game.players
    found = np.empty((len(deals), players, game.rounds), dtype)
    rows = np.array(
        [[_row(game, deal, seat) for seat in range(players)] for deal in deals.tolist()]
    )
    for round_, end in enumerate(game.board_ends):
        visible = deals[:, players * size : players * size + end]
        boards, which = np.unique(visible, axis=0, return_inverse=True)
        values = [of_board(tuple(board)) for board in boards.tolist()]
        for deal, board in enumerate(which.reshape(-1).tolist()):
            found[deal, :, round_] = values[board][rows[deal]]
    return found


def _row(game: Game, deal: list[int], seat: int) -> int:
    size = game.hole_cards
    return policy_row(game, tuple(deal[seat * size : (seat + 1) * size]))


def readable(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A contiguous view that cannot be written to."""
    view = np.ascontiguousarray(table).view()
    view.flags.writeable = False
    return view
