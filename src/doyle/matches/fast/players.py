"""Players of fast matches: agents whose decisions a kernel can make, and what it reads for them.

A strategy agent and a case-based one need the buckets of their hands; `ev` their equities; a script nothing.
Everybody else, and every subclass that may act differently, is not such a player: `fast_player` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from doyle.agents import ExpectedValue
from doyle.agents.exploiters.goodness import Good
from doyle.agents.exploiters.sized import Exploiter
from doyle.agents.strategy_agent import Bucketing, StrategyAgent
from doyle.games import Action, Game, State, remembers
from doyle.games.policies import CardBlind, policy_row
from doyle.matches.fast import _play_kernels as kernels
from doyle.matches.fast.case_players import CasePlayer, case_player
from doyle.strategy import Purified, Strategy, TableStrategy, Thresholded
from doyle.translation.cache import TranslationCache

Cards: TypeAlias = tuple[int, ...]
Deals: TypeAlias = npt.NDArray[np.uint8]
Buckets: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]

_MANY = 1 << 60


class PlainOnly(Exception):
    """A match that is played hand by hand through `act`; the text says why."""


@runtime_checkable
class DealBucketing(Protocol):
    """Buckets of many deals of Hold'em at once: int32[n, seats, rounds]."""

    def deal_buckets(self, holes: npt.NDArray[Any], boards: npt.NDArray[Any]) -> Buckets: ...


@dataclass(frozen=True, eq=False)
class StrategyPlayer:
    """A strategy agent: its tables, how they are read, and its translation by public history."""

    agent: StrategyAgent
    source: TableStrategy
    reading: int
    threshold: float = 0.0
    good: Good | None = None
    """By round, whether a bucket is good; for exploiters, whose sizes depend on it."""

    @property
    def least(self) -> float:
        """Actions below it are pseudo-dominated and removed; negative if none are."""
        least = self.agent.translation.least_probability
        return kernels.NONE_REMOVED if least is None else least

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
        """The tables as plain arrays that cannot be written to, which is what kernels are compiled for."""
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
        """Its action; `PlainOnly` if it fails, which is for the match to judge."""
        try:
            action = self.agent.choose(state)
        except Exception as error:
            raise PlainOnly(f"a script raised {type(error).__name__}") from error
        if type(action) is not int or not state.is_legal(action):
            raise PlainOnly("a script acted illegally")
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


FastPlayer: TypeAlias = StrategyPlayer | ScriptedPlayer | ValuePlayer | CasePlayer


def fast_player(agent: object) -> FastPlayer:
    """The player that acts as `agent` does; `PlainOnly` if there is none."""
    name = getattr(agent, "name", type(agent).__name__)
    if type(agent) is StrategyAgent:
        return _strategy_player(agent)
    if type(agent) is Exploiter:
        player = _strategy_player(agent.player)
        return replace(player, good=agent.player.good)
    if type(agent) is ExpectedValue:
        return ValuePlayer(agent)
    scripted = isinstance(agent, CardBlind) and type(agent).act is CardBlind.act
    if scripted and not remembers(agent) and not hasattr(agent, "watch"):
        return ScriptedPlayer(agent)  # type: ignore[arg-type]
    cases = case_player(agent)
    if cases is not None:
        return cases
    raise PlainOnly(f"{name} is not a strategy, a script, ev or a case-based agent of a limit game")


def _strategy_player(agent: StrategyAgent) -> StrategyPlayer:
    strategy: Strategy = agent.strategy
    reading, threshold = kernels.AS_IT_IS, 0.0
    if type(strategy) is Purified:
        reading, strategy = kernels.PURIFIED, strategy.source
    elif type(strategy) is Thresholded:
        reading, threshold = kernels.THRESHOLDED, strategy.threshold
        strategy = strategy.source
    if type(strategy) is not TableStrategy:
        raise PlainOnly(f"{agent.name} does not read its probabilities from tables")
    if any(np.asarray(table).dtype != np.float32 for table in strategy.tables):
        raise PlainOnly(f"{agent.name} has tables of another type than float32")
    return StrategyPlayer(agent, strategy, reading, threshold)


@dataclass(frozen=True)
class _Buckets:
    """The buckets of all hands of a board, by policy row."""

    game: Game
    bucketing: Bucketing

    def __call__(self, board: Cards) -> Buckets:
        return self.bucketing.buckets(board)


def by_board(game: Game, deals: Deals, of_board: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """What `of_board` gives for every hole of a board, for the hands of many deals.

    [deals, seats, rounds]; `of_board(board)` is asked once for each board and round.
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


NO_TABLE = readable(np.zeros((1, 1), np.float32))
