"""The strategy agent: a strategy, a translation and a card abstraction, as agent and policy.

It reads the real history as a weighted set of abstract histories (`doyle.strategy.translation.walk`). One walk
serves one hand (`act`, weights are numbers) and all of them (`probabilities` and `reach`, weights are
arrays: 1,326 in Hold'em, one per card in games with one hole card). A walk resumes at the last history
that it shares with the walk before; all results are pure functions of the arguments, and caches
only save time. With `Translation.defend` it depends on the other hands whether a hand folds; where
that matters one hand is a row of the walk of all hands.

Hands with zero reach call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.games import CALL, Action, Game, State, View
from doyle.games.policies import board_missing, check_decision, policy_row, policy_rows
from doyle.strategy import Strategy
from doyle.strategy.translation.defence import Order
from doyle.strategy.translation.steps import Translation
from doyle.strategy.translation.walk import (
    OtherHandsMatterError,
    Position,
    Row,
    TranslationCache,
    Walker,
    Weight,
    normalised,
)

if TYPE_CHECKING:
    from doyle.agents.compiled import CompiledPlayer

Cards: TypeAlias = tuple[int, ...]
Floats: TypeAlias = npt.NDArray[np.float64]

_BOARDS_KEPT = 1 << 9
_ROWS_KEPT = 1 << 16
_ROWS_OF_ALL_KEPT = 1 << 7


class Bucketing(Protocol):
    """Buckets of all holes on a board, in the order of a policy; below 0 where they share a card."""

    def buckets(self, board: Cards) -> npt.NDArray[np.int32]: ...


Equities: TypeAlias = Callable[[Cards], Floats]
"""The equity of every hole on a board, in the order of a policy."""


class LastWalk(NamedTuple):
    """The positions along the last queried history, with their dependencies.

    `positions[n]` is the position after n actions; it depends on the first `cards[n]` cards of the
    board.
    """

    hole: Cards | None
    board: Cards
    actions: tuple[Action, ...]
    positions: tuple[Position, ...]
    cards: tuple[int, ...]

    def shared(self, actions: tuple[Action, ...], board: Cards) -> int:
        """How many actions of another history on another board lead to the same positions."""
        count = len(self.actions)
        if self.actions != actions[:count]:
            pairs = enumerate(zip(self.actions, actions, strict=False))
            different = (number for number, (ours, theirs) in pairs if ours != theirs)
            count = next(different, min(count, len(actions)))
        while self.board[: self.cards[count]] != board[: self.cards[count]]:
            count -= 1
        return count


class StrategyAgent:
    """Plays `strategy` in the game of its tree, against any bets of the opponent.

    `equities` are needed only by a translation that defends.
    """

    def __init__(
        self,
        name: str,
        strategy: Strategy,
        *,
        bucketing: Bucketing,
        translation: Translation,
        equities: Equities | None = None,
        histories_remembered: int = 1 << 14,
    ) -> None:
        self.name = name
        self.strategy = strategy
        self.bucketing = bucketing
        self.translation = translation
        self.equities = equities
        self._hands = policy_rows(strategy.tree.game)
        self._cache = self.make_cache(histories_remembered)
        self._last: dict[tuple[int, bool], LastWalk] = {}
        self._buckets = lru_cache(_BOARDS_KEPT)(bucketing.buckets)
        self._distinct = lru_cache(_BOARDS_KEPT)(self._distinct_buckets)
        self._row_of_hand = lru_cache(_ROWS_KEPT)(self._read_row)
        self._row_of_all = lru_cache(_ROWS_OF_ALL_KEPT)(self._read_row_of_all)
        self._order = lru_cache(_BOARDS_KEPT)(self._order_on)
        if translation.defend != "never":
            self._order(())  # without equities it is refused now, not in the middle of a match

    def __reduce__(self) -> tuple[Any, ...]:
        """Caches are not pickled when an agent is sent to another process."""
        return _made, (self.name, self.strategy, self.bucketing, self.translation, self.equities)

    def compiled(self) -> CompiledPlayer:
        """Its tables and translation for kernels."""
        from doyle.agents.compiled import StrategyPlayer

        return StrategyPlayer.of(self)

    def make_cache(self, most_histories: int) -> TranslationCache:
        """An empty cache of the steps of this agent's translation."""
        return TranslationCache(self.translation, self.strategy.tree, most_histories=most_histories)

    def columns(self, node: int) -> Floats:
        """The strategy at a node for all buckets [actions, buckets], as the cache offers its actions."""
        count = self.strategy.bucket_count(int(self.strategy.tree.round[node]))
        return np.ascontiguousarray(self.strategy.probabilities(node, np.arange(count)).T)

    @property
    def game(self) -> Game:
        return self.strategy.tree.game

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        weights = self._weights_of_hand(view.state, view.hole, view.board)
        possible = [entry for entry in weights if entry[1] > 0]
        if not possible:
            return CALL
        if len(possible) > 1:
            total = 0.0
            for _, weight in possible:  # not `sum`, which rounds differently from Python 3.12 on
                total += weight
            left = view.rng().random() * total
            for action, weight in possible:
                left -= weight
                if left < 0:
                    return action
        return possible[-1][0]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [hands, actions]; the state needs its board."""
        check_decision(state)
        walker, position = self.walk(state, state.actor)
        return normalised(walker.joint(position), self._hands)

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every hand.

        Any state will do, also between rounds and at the end of a hand; it needs the board of every
        round in which the seat acted.
        """
        _, position = self.walk(state, seat)
        return np.asarray(position.reach() + np.zeros(self._hands), np.float64)

    def walk(self, state: State, seat: int) -> tuple[Walker, Position]:
        """The seat's possible places in the abstract game with every hand, and the walker that
        found them."""
        walker = self.walker(state.board)
        return walker, self._resumed(walker, state, state.board, seat=seat, hole=None)

    def walker(self, board: Cards) -> Walker:
        """The walker of all hands on a board."""
        return Walker(
            self._cache,
            lambda node: self._row_of_all(node, board[: self._board_end(node)]),
            lambda now: self._order(board[: self.game.board_ends[now.round]]),
        )

    def distinct_buckets(self, board: Cards) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The buckets on a board, each once, and the place of every hand among them.

        Hands that collide with the board take bucket 0.
        """
        return self._distinct(board)

    def bucket(self, hole: Cards, board: Cards) -> int:
        """The bucket of a hole on the visible board."""
        return int(self._buckets(board)[policy_row(self.game, hole)])

    def order(self, state: State) -> Order:
        """The hands by equity on the board of `state`; for translations that defend."""
        return self._order(state.board)

    def _weights_of_hand(
        self, state: State, hole: Cards, board: Cards
    ) -> list[tuple[Action, float]]:
        """The joint weight of every real action that one hand may take, ascending."""
        place = policy_row(self.game, hole)

        def row(node: int) -> Row:
            return self._row_of_hand(
                node, int(self._buckets(board[: self._board_end(node)])[place])
            )

        walker = Walker(self._cache, row)
        try:
            position = self._resumed(walker, state, board, seat=state.actor, hole=hole)
            weights = walker.joint(position)
        except OtherHandsMatterError:
            walker, position = self.walk(state, state.actor)
            return [(action, float(weight[place])) for action, weight in walker.joint(position)]
        if self.translation.least_probability is None:
            return weights
        return [(action, weight.item()) for action, weight in weights]

    def _resumed(
        self, walker: Walker, state: State, board: Cards, *, seat: int, hole: Cards | None
    ) -> Position:
        """The position of `seat` at `state`: the steps that the last walk has not made yet."""
        actions = tuple(chain.from_iterable(state.betting))
        key, ends = (seat, hole is None), self.game.board_ends
        last = self._last.get(key)
        if (
            last is None
            or last.hole != hole
            or last.positions[0].history is not self._cache.start()
        ):
            positions, cards = [walker.start(self._certain(hole))], [0]
        else:
            shared = last.shared(actions, board)
            if shared == len(actions):
                return last.positions[shared]
            positions, cards = list(last.positions[: shared + 1]), list(last.cards[: shared + 1])
        position = positions[-1]
        for action in actions[len(positions) - 1 :]:
            now = position.state
            position = walker.after(position, action, own=now.actor == seat)
            positions.append(position)
            cards.append(ends[now.round])
        self._last[key] = LastWalk(hole, board, actions, tuple(positions), tuple(cards))
        return position

    def _certain(self, hole: Cards | None) -> Weight:
        """The weight of the start of a hand."""
        if hole is None:
            return np.ones(self._hands)
        # Pseudo-dominated actions are removed from arrays, be it of one number.
        return 1.0 if self.translation.least_probability is None else np.ones(1)

    def _board_end(self, node: int) -> int:
        return self.game.board_ends[int(self.strategy.tree.round[node])]

    def _order_on(self, board: Cards) -> Order:
        if self.equities is None:
            raise DoyleError(f"agent {self.name!r}: +defend needs the equities of the hands")
        return Order.of(self.equities(board), possible=self._buckets(board) >= 0)

    def _read_row(self, node: int, bucket: int) -> tuple[float, ...]:
        return tuple(self.strategy.probabilities(node, np.array([bucket]))[0].tolist())

    def _read_row_of_all(self, node: int, board: Cards) -> Floats:
        """The strategy of every hand [actions, hands]; hands that collide with the board take bucket 0."""
        if len(board) != self._board_end(node):
            raise board_missing()
        buckets, places = self._distinct(board)
        return np.take(self.strategy.probabilities(node, buckets).T, places, axis=1)

    def _distinct_buckets(self, board: Cards) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        buckets = np.maximum(self._buckets(board), 0)
        place = np.zeros(int(buckets.max()) + 1, np.intp)
        place[buckets] = 1
        distinct = np.flatnonzero(place)
        place[distinct] = np.arange(len(distinct))
        return distinct, place[buckets]


def _made(
    name: str,
    strategy: Strategy,
    bucketing: Bucketing,
    translation: Translation,
    equities: Equities | None,
) -> StrategyAgent:
    return StrategyAgent(
        name, strategy, bucketing=bucketing, translation=translation, equities=equities
    )
