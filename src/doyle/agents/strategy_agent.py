"""The strategy agent: a strategy, a translation and a card abstraction, as agent and policy.

It reads the real history as a weighted set of abstract histories (exact soft translation): weights
follow the mapping's probabilities and the agent's own, so a part of the tree that its strategy says
it cannot have reached has no weight and is never asked. Deterministic mappings leave one history.
One walk serves one hand (`act`, weights are numbers) and all of them (`probabilities`, weights are
arrays: 1,326 in Hold'em, one per card in games with one hole card). Both are pure functions of what they are given; what is remembered only saves time.

A hand that the agent would have played differently before cannot be here; it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.agents.remembered_steps import WAITING, PublicHistory, RememberedSteps
from doyle.errors import DoyleError
from doyle.games import CALL, Action, Game, State, View
from doyle.solving.table_rows import policy_row, policy_rows
from doyle.strategy import Strategy
from doyle.translation.beliefs import Beliefs, Branch, Player
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


class StrategyAgent:
    """Plays `strategy` in the game of its tree, whatever the opponent bets."""

    def __init__(
        self,
        name: str,
        strategy: Strategy,
        *,
        bucketing: Bucketing,
        translation: Translation,
        histories_remembered: int = 1 << 14,
    ) -> None:
        self.name = name
        self.strategy = strategy
        self.bucketing = bucketing
        self.translation = translation
        self._hands = policy_rows(strategy.tree.game)
        self._steps = RememberedSteps(
            translation, strategy.tree, most_histories=histories_remembered
        )
        self._buckets = lru_cache(_BOARDS_REMEMBERED)(bucketing.buckets)
        self._remembered_row = lru_cache(_ROWS_REMEMBERED)(self._read_row)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is remembered stays behind when an agent goes to another process."""
        return _made, (self.name, self.strategy, self.bucketing, self.translation)

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

    def read(self, state: State, *, hole: Cards | None = None) -> tuple[Player, Beliefs]:
        """The abstract histories the actor may be in, weighted for one hole or for every hole.

        This is the definition, with nothing remembered; weights are joint probabilities. There are
        none if no such hand can have come here.
        """
        self._check(state)
        return self._read(state, state.board, hole)

    def bucket(self, hole: Cards, board: Cards) -> int:
        """The bucket of a hole on the visible board."""
        return int(self._buckets(board)[policy_row(self.game, hole)])

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
            player, readings = self._read(state, board, hole)
            if not readings:
                return []
            actions, joint, _ = player.choices(readings, state)
            return list(zip(actions, joint if hole is None else joint[:, 0], strict=True))
        row = self._rows(board) if hole is None else self._rows_of(hole, board)
        history, beliefs = self._walk(state, row, 1.0 if hole else np.ones(self._hands))
        weights: dict[Action, Weight] = {}
        for branch, weight in beliefs.items():
            choices = history.choices(branch)
            shares = _ALWAYS if choices[0][1] == WAITING else row(state.round, branch.node)
            for action, column in choices:
                weights[action] = weights.get(action, 0.0) + weight * shares[column]
        return sorted(weights.items())

    def _walk(
        self, state: State, row: Row, start: Weight
    ) -> tuple[PublicHistory, dict[Branch, Weight]]:
        """The beliefs of the actor at `state`, by remembered steps."""
        history = self._steps.start()
        beliefs: dict[Branch, Weight] = {Branch(0): start}
        single = isinstance(start, float)
        for actions in state.betting:
            for action in actions:
                after: dict[Branch, Weight] = {}
                if history.state.actor == state.actor:
                    for branch, weight in beliefs.items():
                        step = history.own_step(branch, action)
                        if not step:
                            continue
                        waits = step[0][0] == WAITING
                        shares = _ALWAYS if waits else row(history.state.round, branch.node)
                        for column, reached, share in step:
                            joint = weight * shares[column] * share
                            if joint > 0 if single else joint.any():
                                after[reached] = after.get(reached, 0.0) + joint
                else:
                    for branch, weight in beliefs.items():
                        for reached, share in history.readings(branch, action):
                            after[reached] = after.get(reached, 0.0) + weight * share
                beliefs, history = after, history.after(action)
        return history, beliefs

    def _rows_of(self, hole: Cards, board: Cards) -> Row:
        """The strategy of one hand."""
        place, ends = policy_row(self.game, hole), self.game.board_ends

        def row(round_: int, node: int) -> Sequence[float] | Floats:
            return self._remembered_row(node, int(self._buckets(board[: ends[round_]])[place]))

        return row

    def _rows(self, board: Cards) -> Row:
        """The strategy of every hand on a board; hands that collide with it take bucket 0."""
        ends = self.game.board_ends

        def row(round_: int, node: int) -> Floats:
            buckets = np.maximum(self._buckets(board[: ends[round_]]), 0)
            return self.strategy.probabilities(node, buckets).T

        return row

    def _read_row(self, node: int, bucket: int) -> tuple[float, ...]:
        return tuple(self.strategy.probabilities(node, np.array([bucket]))[0].tolist())

    def _read(self, state: State, board: Cards, hole: Cards | None) -> tuple[Player, Beliefs]:
        row = self._rows(board) if hole is None else self._rows_of(hole, board)
        tree = self.strategy.tree

        def table(node: int) -> Floats:
            return np.array(row(int(tree.round[node]), node)).reshape(tree.child_count[node], -1).T

        player = Player(self.translation, tree, table)
        beliefs = player.start(self._hands if hole is None else 1)
        current = State.start(self.game)
        for actions in state.betting:
            for action in actions:
                if beliefs:
                    step = player.act if current.actor == state.actor else player.see
                    beliefs = step(beliefs, current, action)
                current = current.apply(action)
        return player, beliefs


_ALWAYS = (1.0,)
"""The row of a branch that waits: its one action, whose column is the last."""


def _made(
    name: str, strategy: Strategy, bucketing: Bucketing, translation: Translation
) -> StrategyAgent:
    return StrategyAgent(name, strategy, bucketing=bucketing, translation=translation)
