"""The strategy agent: a strategy file, a translation and a purification, as agent and policy.

It reads the real history as a weighted set of abstract histories (exact soft translation): weights
follow the mapping's probabilities and the agent's own, so a part of the tree that its strategy says
it cannot have reached has no weight and is never asked. Deterministic mappings leave one history.
The same code answers for one hand (`act`) and for all 1,326 (`probabilities`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree
from doyle.cards import HOLE_COUNT, hole_index
from doyle.errors import DoyleError
from doyle.games import Action, Game, State, View
from doyle.strategy import Strategy
from doyle.translation.beliefs import Beliefs, Player
from doyle.translation.steps import Reading, Translation

Floats = npt.NDArray[np.float64]


class Bucketing(Protocol):
    """Buckets of all holes on a board."""

    def buckets(self, board: tuple[int, ...]) -> npt.NDArray[np.int32]: ...


class RememberedTranslation:
    """A translation that remembers its steps: the same bets come up again and again."""

    def __init__(self, translation: Translation, size: int = 1 << 16) -> None:
        self._translation = translation
        self.remember = translation.remember
        self.least_probability = translation.least_probability
        self._in_step = lru_cache(size)(self._read)
        self._out_step = lru_cache(size)(self._speak)

    def in_step(
        self, tree: BettingTree, node: int, *, state: State, action: Action
    ) -> tuple[Reading, ...]:
        return self._in_step(_StateKey(tree, state), node, action)

    def out_step(self, tree: BettingTree, node: int, action: Action, *, state: State) -> Action:
        return self._out_step(_StateKey(tree, state), node, action)

    def _read(self, key: _StateKey, node: int, action: Action) -> tuple[Reading, ...]:
        return self._translation.in_step(key.tree, node, state=key.state, action=action)

    def _speak(self, key: _StateKey, node: int, action: Action) -> Action:
        return self._translation.out_step(key.tree, node, action, state=key.state)


class _StateKey:
    """A state as far as betting goes: equal betting, equal key."""

    __slots__ = ("_hash", "state", "tree")

    def __init__(self, tree: BettingTree, state: State) -> None:
        self.tree, self.state = tree, state
        self._hash = hash(state.betting)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _StateKey) and self.state.betting == other.state.betting


@dataclass
class _Memory:
    """Where a hand had got to when the agent last looked."""

    hand: tuple[Any, ...]
    actions: tuple[Action, ...]
    state: State
    beliefs: Beliefs


class StrategyAgent:
    """Plays `strategy` in its own game, whatever the opponent bets."""

    def __init__(
        self, name: str, strategy: Strategy, bucketing: Bucketing, translation: Translation
    ) -> None:
        self.name = name
        self.strategy = strategy
        self.bucketing = bucketing
        self.translation = translation
        self._steps = RememberedTranslation(translation)
        self._buckets = lru_cache(64)(bucketing.buckets)
        self._memory: dict[int, _Memory] = {}

    @property
    def game(self) -> Game:
        return self.strategy.tree.game

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        beliefs, state = self._one_hand(view)
        actions, shares = self._player(view.board, view.hole).probabilities(beliefs, state)
        if len(actions) == 1:
            return actions[0]
        edges = np.cumsum(shares[0])
        place = int(np.searchsorted(edges, view.rng().random() * edges[-1], side="right"))
        return actions[min(place, len(actions) - 1)]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [1326, actions]; the state needs its board."""
        beliefs, player = self.beliefs(state)
        actions, shares = player.probabilities(beliefs, state)
        return tuple(actions), shares

    def beliefs(self, state: State, hole: tuple[int, ...] | None = None) -> tuple[Beliefs, Player]:
        """The abstract histories the actor may be in, weighted per hole (or for one hole)."""
        if state.actor < 0:
            raise DoyleError("the hand is over: nobody acts")
        board = state.board
        if len(board) != sum(self.game.board_cards[: state.round + 1]):
            raise DoyleError("a policy needs the board of the state; start the state from a deal")
        player = self._player(board, hole)
        beliefs = player.start(HOLE_COUNT if hole is None else 1)
        current = State.start(self.game)
        for action in _flat(state):
            step = player.act if current.actor == state.actor else player.see
            beliefs = step(beliefs, current, action)
            current = current.apply(action)
        return beliefs, player

    def _one_hand(self, view: View) -> tuple[Beliefs, State]:
        """The beliefs of this hand, going on from the last decision where that is possible."""
        hand = (view.hand_seed, view.hole)
        actions = _flat(view.state)
        known = self._memory.get(view.seat)
        if (
            known is not None
            and known.hand == hand
            and actions[: len(known.actions)] == known.actions
        ):
            done, state, beliefs = len(known.actions), known.state, known.beliefs
        else:
            done, state = 0, State.start(self.game)
            beliefs = self._player(view.board, view.hole).start(1)
        player = self._player(view.board, view.hole)
        for action in actions[done:]:
            step = player.act if state.actor == view.seat else player.see
            following = step(beliefs, state, action)
            if not following:
                # Not what this agent would have done: then its own action is read as another's.
                following = player.see(beliefs, state, action)
            beliefs = following
            state = state.apply(action)
        self._memory[view.seat] = _Memory(hand, actions, state, beliefs)
        return beliefs, state

    def _player(self, board: tuple[int, ...], hole: tuple[int, ...] | None) -> Player:
        return Player(self._steps, self.strategy.tree, self._table(board, hole))  # type: ignore[arg-type]

    def _table(
        self, board: tuple[int, ...], hole: tuple[int, ...] | None
    ) -> Callable[[int], Floats]:
        """Action probabilities at a node for every hole, or for the one."""
        tree, strategy = self.strategy.tree, self.strategy
        ends = np.cumsum(self.game.board_cards).tolist()
        place = None if hole is None else hole_index(*sorted(hole))

        def table(node: int) -> Floats:
            buckets = self._buckets(board[: ends[int(tree.round[node])]])
            if place is None:
                # Holes that collide with the board take bucket 0; nobody holds them.
                return strategy.probabilities(node, np.maximum(buckets, 0))
            return strategy.probabilities(node, buckets[place : place + 1])

        return table


def _flat(state: State) -> tuple[Action, ...]:
    return tuple(action for actions in state.betting for action in actions)
