"""The strategy agent: a strategy, a translation and a card abstraction, as agent and policy.

It reads the real history as a weighted set of abstract histories (exact soft translation): weights
follow the mapping's probabilities and the agent's own, so a part of the tree that its strategy says
it cannot have reached has no weight and is never asked. Deterministic mappings leave one history.
One walk serves one hand (`act`, weights are numbers) and all of them (`probabilities`, weights are
arrays: 1,326 in Hold'em, one per card in games with one hole card). Both are pure functions of what
they are given; what is remembered only saves time. With `Translation.defend` it depends on the other
hands whether a hand folds; where that matters one hand is a row of the walk of all hands.

A hand that the agent would have played differently before cannot be here; it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.games import CALL, FOLD, Action, Game, State, View
from doyle.solving.small_deck_buckets import policy_row, policy_rows
from doyle.strategy import Strategy
from doyle.translation.beliefs import Beliefs, Branch, TranslatedStrategy
from doyle.translation.cache import WAITING, CachedHistory, TranslationCache
from doyle.translation.defence import Answers, Order, call_factor, defended
from doyle.translation.steps import Translation

Cards: TypeAlias = tuple[int, ...]
Floats: TypeAlias = npt.NDArray[np.float64]
Weight: TypeAlias = Any
"""A number for one hand, or an array with one number for each of all hands."""
Row: TypeAlias = Callable[[int, int], Sequence[float] | Floats]
"""(round, node) -> the strategy's probability of each action there, a `Weight` each."""

_BOARDS_REMEMBERED = 1 << 9
_ROWS_REMEMBERED = 1 << 16


class Bucketing(Protocol):
    """Buckets of all holes on a board, in the order of a policy; below 0 where they share a card."""

    def buckets(self, board: Cards) -> npt.NDArray[np.int32]: ...


Equities: TypeAlias = Callable[[Cards], Floats]
"""The equity of every hole on a board, in the order of a policy."""


class StrategyAgent:
    """Plays `strategy` in the game of its tree, whatever the opponent bets.

    `equities` are needed by a translation that defends, and by no other.
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
        self._steps = TranslationCache(
            translation, strategy.tree, most_histories=histories_remembered
        )
        self._buckets = lru_cache(_BOARDS_REMEMBERED)(bucketing.buckets)
        self._remembered_row = lru_cache(_ROWS_REMEMBERED)(self._read_row)
        self._order = lru_cache(_BOARDS_REMEMBERED)(self._order_on)
        if translation.defend != "never":
            self._order(())  # without equities it is refused now, not in the middle of a match

    def __reduce__(self) -> tuple[Any, ...]:
        """What is remembered stays behind when an agent goes to another process."""
        return _made, (self.name, self.strategy, self.bucketing, self.translation, self.equities)

    @property
    def game(self) -> Game:
        return self.strategy.tree.game

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        weights = self._weights(view.state, board=view.board, hole=view.hole)
        possible = [entry for entry in weights if entry[1] > 0]
        if not possible:
            return CALL
        if len(possible) > 1:
            left = view.rng().random() * sum(weight for _, weight in possible)
            for action, weight in possible:
                left -= weight
                if left < 0:
                    return action
        return possible[-1][0]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [hands, actions]; the state needs its board."""
        self._check(state)
        weights = dict(self._weights(state, board=state.board, hole=None))
        total = sum(weights.values(), np.zeros(self._hands))
        nowhere = total <= 0
        if nowhere.any():
            weights.setdefault(CALL, np.zeros(self._hands))
        actions = tuple(sorted(weights))
        shares = np.empty((self._hands, len(actions)))
        for column, action in enumerate(actions):
            shares[:, column] = float(action == CALL)
            np.divide(weights[action], total, out=shares[:, column], where=~nowhere)
        return actions, shares

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every hand; the state needs its board."""
        if self.translation.least_probability is not None:
            beliefs: dict[Branch, Weight] = dict(self._read(state, state.board, None, seat=seat)[1])
        else:
            walked = self._walk(
                state, self._rows(state.board), np.ones(self._hands), board=state.board, seat=seat
            )
            assert walked is not None  # only a single hand may have to be looked at with all others
            beliefs = walked[1]
        return np.asarray(sum(beliefs.values(), np.zeros(self._hands)), np.float64)

    def read(
        self, state: State, *, hole: Cards | None = None
    ) -> tuple[TranslatedStrategy, Beliefs]:
        """The abstract histories the actor may be in, weighted for one hole or for every hole.

        This is the definition, with nothing remembered; weights are joint probabilities. There are
        none if no such hand can have come here.
        """
        self._check(state)
        return self._read(state, state.board, hole, seat=state.actor)

    def bucket(self, hole: Cards, board: Cards) -> int:
        """The bucket of a hole on the visible board."""
        return int(self._buckets(board)[policy_row(self.game, hole)])

    def order(self, state: State) -> Order:
        """The hands by equity on the board of `state`; for translations that defend."""
        return self._order_at(state, state.board)

    def _check(self, state: State) -> None:
        if state.actor < 0:
            raise DoyleError("the hand is over: nobody acts")
        if len(state.board) != self.game.board_ends[state.round]:
            raise DoyleError("a policy needs the board of the state; start the state from a deal")

    def _weights(
        self, state: State, *, board: Cards, hole: Cards | None
    ) -> list[tuple[Action, Weight]]:
        """The joint weight of every real action the agent may take, ascending."""
        if self.translation.least_probability is not None:
            # What is removed depends on all beliefs together, so steps cannot be remembered.
            player, readings = self._read(state, board, hole, seat=state.actor)
            if not readings:
                return []
            actions, joint, _ = player.choices(readings, state)
            return list(zip(actions, joint if hole is None else joint[:, 0], strict=True))
        if hole is None:
            return self._acts(state, self._rows(board), np.ones(self._hands), board=board) or []
        weights = self._acts(state, self._rows_of(hole, board), 1.0, board=board)
        if weights is not None:
            return weights
        place = policy_row(self.game, hole)
        of_all = self._weights(state, board=board, hole=None)
        return [(action, float(weight[place])) for action, weight in of_all]

    def _acts(
        self, state: State, row: Row, start: Weight, *, board: Cards
    ) -> list[tuple[Action, Weight]] | None:
        """As `_weights`; None for one hand that must be looked at with all others."""
        walked = self._walk(state, row, start, board=board, seat=state.actor)
        if walked is None:
            return None
        history, beliefs = walked
        weights: dict[Action, Weight] = {}
        for branch, weight in beliefs.items():
            choices = history.choices(branch)
            shares = _ALWAYS if choices[0][1] == WAITING else row(state.round, branch.node)
            for action, column in choices:
                weights[action] = weights.get(action, 0.0) + weight * shares[column]
        answers = self._contested(history, beliefs, row)
        if answers is not None:
            if isinstance(start, float):
                return None
            weights[FOLD] = defended(answers, order=self._order_at(state, board))
            weights[CALL] = np.maximum(weights[CALL] + answers.folds - weights[FOLD], 0.0)
        return sorted(weights.items())

    def _contested(
        self, history: CachedHistory, beliefs: dict[Branch, Weight], row: Row
    ) -> Answers | None:
        """What the strategy does about the bet the actor faces, if a defence changes it."""
        if not (history.state.can_fold and self.translation.defends(history.state)):
            return None
        folds: Weight = 0.0
        facing: Weight = 0.0
        calls: Weight = 0.0
        for branch, weight in beliefs.items():
            missing = history.unread(branch)
            for action, column in history.choices(branch):
                if action == FOLD:
                    folds = folds + weight * row(history.state.round, branch.node)[column]
                    facing = facing + weight
                elif action == CALL and missing:
                    waits = column == WAITING
                    shares = _ALWAYS if waits else row(history.state.round, branch.node)
                    calls = calls + weight * shares[column]
        return Answers(folds, facing, calls) if np.any((folds > 0) & (calls > 0)) else None

    def _walk(
        self, state: State, row: Row, start: Weight, *, board: Cards, seat: int
    ) -> tuple[CachedHistory, dict[Branch, Weight]] | None:
        """The beliefs of `seat` at `state`, by remembered steps; None as in `_acts`."""
        history = self._steps.start()
        beliefs: dict[Branch, Weight] = {Branch(0): start}
        for actions in state.betting:
            for action in actions:
                if history.state.actor != seat:
                    beliefs = _seen(history, beliefs, action)
                else:
                    factor: Weight = 1.0
                    contested = self._contested(history, beliefs, row) if action == CALL else None
                    if contested is not None:
                        if isinstance(start, float):
                            return None
                        order = self._order_at(history.state, board)
                        factor = call_factor(contested, order=order)
                    beliefs = _acted(history, beliefs, action, row=row, factor=factor)
                history = history.after(action)
        return history, beliefs

    def _order_at(self, state: State, board: Cards) -> Order:
        return self._order(board[: self.game.board_ends[state.round]])

    def _order_on(self, board: Cards) -> Order:
        if self.equities is None:
            raise DoyleError(f"agent {self.name!r}: +defend needs the equities of the hands")
        return Order.of(self.equities(board), possible=self._buckets(board) >= 0)

    def _rows_of(self, hole: Cards, board: Cards) -> Row:
        """The strategy of one hand."""
        place, ends = policy_row(self.game, hole), self.game.board_ends

        def row(round_: int, node: int) -> Sequence[float] | Floats:
            return self._remembered_row(node, int(self._buckets(board[: ends[round_]])[place]))

        return row

    def _rows(self, board: Cards) -> Row:
        """The strategy of every hand on a board; hands that collide with it take bucket 0."""
        ends = self.game.board_ends

        @cache
        def row(round_: int, node: int) -> Floats:
            buckets = np.maximum(self._buckets(board[: ends[round_]]), 0)
            return self.strategy.probabilities(node, buckets).T

        return row

    def _read_row(self, node: int, bucket: int) -> tuple[float, ...]:
        return tuple(self.strategy.probabilities(node, np.array([bucket]))[0].tolist())

    def _read(
        self, state: State, board: Cards, hole: Cards | None, *, seat: int
    ) -> tuple[TranslatedStrategy, Beliefs]:
        row = self._rows(board) if hole is None else self._rows_of(hole, board)
        tree = self.strategy.tree

        def table(node: int) -> Floats:
            return np.array(row(int(tree.round[node]), node)).reshape(tree.child_count[node], -1).T

        def order(state: State) -> Order:
            return self._order_at(state, board)

        defends = self.translation.defend != "never"
        player = TranslatedStrategy(self.translation, tree, table, order if defends else None)
        beliefs = player.start(self._hands if hole is None else 1)
        current = State.start(self.game)
        for actions in state.betting:
            for action in actions:
                if beliefs:
                    step = player.act if current.actor == seat else player.see
                    beliefs = step(beliefs, current, action)
                current = current.apply(action)
        return player, beliefs


_ALWAYS = (1.0,)
"""The row of a branch that waits: its one action, whose column is the last."""


def _seen(
    history: CachedHistory, beliefs: dict[Branch, Weight], action: Action
) -> dict[Branch, Weight]:
    """The beliefs after an action of the opponent."""
    after: dict[Branch, Weight] = {}
    for branch, weight in beliefs.items():
        for reached, share in history.readings(branch, action):
            after[reached] = after.get(reached, 0.0) + weight * share
    return after


def _acted(
    history: CachedHistory,
    beliefs: dict[Branch, Weight],
    action: Action,
    *,
    row: Row,
    factor: Weight,
) -> dict[Branch, Weight]:
    """The beliefs after an action of one's own; `factor` multiplies calls of an unread bet."""
    after: dict[Branch, Weight] = {}
    for branch, weight in beliefs.items():
        step = history.own_step(branch, action)
        if not step:
            continue
        shares = _ALWAYS if step[0][0] == WAITING else row(history.state.round, branch.node)
        defended_weight = weight * factor if history.unread(branch) else weight
        for column, reached, share in step:
            joint = defended_weight * shares[column] * share
            if joint > 0 if isinstance(joint, float) else joint.any():
                after[reached] = after.get(reached, 0.0) + joint
    return after


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
