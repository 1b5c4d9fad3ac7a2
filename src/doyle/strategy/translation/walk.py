"""Walks: where in the abstract game a player may be, carried along a real history.

Soft translation in its exact form (Schnizlein 2009, section 4.3.1): a real history is a weighted set
of abstract histories. What an opponent does splits the weights by the mapping's probabilities; what
the player does itself multiplies them by the probability that its strategy would have done so. Weights
are joint probabilities, never normalised: their sum is the player's own reach, and a branch that its
strategy cannot reach has no weight.

A weight is a number for one private state, or an array with one number for each of many. One `Walker`
serves both, and all translations. Two of them are not linear in the weights: where pseudo-dominated
actions are removed, the row of the strategy at a branch depends on the other branches; with
`Translation.defend`, who folds depends on the other private states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, State
from doyle.strategy.translation.cache import WAITING, Branch, CachedHistory, TranslationCache
from doyle.strategy.translation.defence import Answers, Order, call_factor, defended, fold_factor
from doyle.strategy.translation.steps import waiting

Floats: TypeAlias = npt.NDArray[np.float64]
Weight: TypeAlias = Any
"""A number for one private state, or an array with one number for each of many."""
Row: TypeAlias = Sequence[float] | Floats
"""The probability of each action of the strategy at a node: a `Weight` each."""
Rows: TypeAlias = Callable[[int], Row]
"""Node -> the strategy's row there."""
Beliefs: TypeAlias = dict[Branch, Weight]

_ALWAYS = (1.0,)
"""The row of a branch that waits: its one action, whose column is the last."""


class OtherHandsMatterError(DoyleError):
    """A walk of one private state came where what it does depends on the others."""


class Position:
    """Where a player may be after one public history. It is not changed once it is made."""

    __slots__ = ("beliefs", "history")

    def __init__(self, history: CachedHistory, beliefs: Beliefs) -> None:
        self.history = history
        self.beliefs = beliefs

    @property
    def state(self) -> State:
        """The betting so far, without cards."""
        return self.history.state

    def reach(self) -> Weight:
        """The probability of the player's own actions so far."""
        return sum(self.beliefs.values())


class Walker:
    """A player: a translation in a tree, the rows of its strategy, and the order of its hands.

    `order` gives the order of all private states at a real state; only a translation that defends
    asks for it. A walk of a single state has none, and raises `OtherHandsMatterError` where it would be
    needed.
    """

    __slots__ = ("_remaining", "cache", "order", "rows")

    def __init__(
        self, cache: TranslationCache, rows: Rows, order: Callable[[State], Order] | None = None
    ) -> None:
        self.cache = cache
        self.rows = rows
        self.order = order
        self._remaining: tuple[Position, dict[Branch, Row]] | None = None

    def start(self, weight: Weight) -> Position:
        """Before any action: at the root with certainty."""
        return Position(self.cache.start(), {Branch(0): weight})

    def after(self, position: Position, action: Action, *, own: bool) -> Position:
        """The position after the real `action`, which was the player's `own` or an opponent's."""
        beliefs = self._acted(position, action) if own else _seen(position, action)
        return Position(position.history.after(action), beliefs)

    def joint(self, position: Position) -> list[tuple[Action, Weight]]:
        """The joint weight of every real action the player may take, ascending."""
        history, weights = position.history, dict[Action, Weight]()
        for branch, weight in position.beliefs.items():
            row = self.row(position, branch)
            for action, column in history.choices(branch):
                part = weight * row[column]
                weights[action] = weights[action] + part if action in weights else part
        answers = self._contested(position)
        if answers is not None:
            weights[FOLD] = defended(answers, order=self._order(position))
            weights[CALL] = np.maximum(weights[CALL] + answers.folds - weights[FOLD], 0.0)
        return sorted(weights.items())

    def row(self, position: Position, branch: Branch) -> Row:
        """What the strategy does at a branch; a branch that waits has one action, its call."""
        if position.history.choices(branch)[0][1] == WAITING:
            return _ALWAYS
        if self.cache.translation.least_probability is None:
            return self.rows(branch.node)
        if self._remaining is None or self._remaining[0] is not position:
            self._remaining = position, self._rows_without_dominated(position)
        return self._remaining[1][branch]

    def _acted(self, position: Position, action: Action) -> Beliefs:
        history, after = position.history, Beliefs()
        answers = self._contested(position) if action <= CALL else None
        factor: Weight = 1.0
        if answers is not None:
            change = call_factor if action == CALL else fold_factor
            factor = change(answers, order=self._order(position))
        for branch, weight in position.beliefs.items():
            step = history.own_step(branch, action)
            if not step:
                continue
            row = self.row(position, branch)
            changed = answers is not None and (action == FOLD or history.unread(branch))
            whole = weight * factor if changed else weight
            for column, reached, share in step:
                joint = whole * row[column]
                if share != 1.0:
                    joint = joint * share
                if joint > 0 if isinstance(joint, float) else joint.any():
                    after[reached] = after[reached] + joint if reached in after else joint
        return after

    # Defence ----------------------------------------------------------------------------------

    def _contested(self, position: Position) -> Answers | None:
        """What the strategy does about the bet the actor faces, if a defence changes it."""
        history = position.history
        if not (history.state.can_fold and self.cache.translation.defends(history.state)):
            return None
        folds: Weight = 0.0
        facing: Weight = 0.0
        calls: Weight = 0.0
        for branch, weight in position.beliefs.items():
            row, missing = self.row(position, branch), history.unread(branch)
            for action, column in history.choices(branch):
                if action == FOLD:
                    folds = folds + weight * row[column]
                    facing = facing + weight
                elif action == CALL and missing:
                    calls = calls + weight * row[column]
        return Answers(folds, facing, calls) if np.any((folds > 0) & (calls > 0)) else None

    def _order(self, position: Position) -> Order:
        if self.order is None:
            raise OtherHandsMatterError("translation: +defend needs the equities of all hands")
        return self.order(position.state)

    # Pseudo-dominated actions -----------------------------------------------------------------

    def _rows_without_dominated(self, position: Position) -> dict[Branch, Row]:
        """The strategy's rows without pseudo-dominated actions: a call if none is left."""
        tree, state = self.cache.tree, position.state
        asked = [b for b in position.beliefs if not waiting(tree, b.node, state)]
        tables = {branch: _table(self.rows(branch.node)) for branch in asked}
        kinds = {branch: action_kinds(tree, branch.node) for branch in asked}
        removed = self._dominated(position, tables, kinds)
        rows: dict[Branch, Row] = {}
        for branch, table in tables.items():
            kept = table.copy()
            for column, kind in enumerate(kinds[branch]):
                kept[removed[kind], column] = 0.0
            total = kept.sum(axis=1, keepdims=True)
            calls = np.array([kind == CALL for kind in kinds[branch]], dtype=float)
            rows[branch] = np.where(total > 0, kept / np.where(total > 0, total, 1.0), calls).T
        return rows

    def _dominated(
        self,
        position: Position,
        tables: dict[Branch, Floats],
        kinds: dict[Branch, list[ActionKind]],
    ) -> dict[ActionKind, npt.NDArray[np.bool_]]:
        """For each kind of action, the private states where some branch hardly ever takes it."""
        least = self.cache.translation.least_probability
        assert least is not None
        total = sum(position.beliefs.values(), np.zeros(1))
        removed: dict[ActionKind, npt.NDArray[np.bool_]] = {}
        for branch, table in tables.items():
            present = position.beliefs[branch] > least * total
            for column, kind in enumerate(kinds[branch]):
                here = present & (table[:, column] < least)
                removed[kind] = removed[kind] | here if kind in removed else here
        return removed


ActionKind: TypeAlias = int | str | tuple[str, Fraction]
"""Fold, call, all-in, or a fraction of the pot (a bet of the whole pot is not a call, which is 1)."""


def action_kinds(tree: BettingTree, node: int) -> list[ActionKind]:
    """What makes actions of different nodes the same."""
    spent, actor = tree.spent[node], int(tree.actor[node])
    bet, stack = int(spent.max()), tree.game.stacks[actor]
    pot = int(spent.sum()) + bet - int(spent[actor])
    return [
        action
        if action in (FOLD, CALL)
        else "all-in"
        if action >= stack
        else ("pot", Fraction(action - bet, pot))
        for action in tree.actions_of(node).tolist()
    ]


def _table(row: Row) -> Floats:
    """A row of weights as [private states, actions]."""
    return np.ascontiguousarray(np.array(row).reshape(len(row), -1).T)


def _seen(position: Position, action: Action) -> Beliefs:
    """The beliefs after an action of an opponent."""
    history, after = position.history, Beliefs()
    for branch, weight in position.beliefs.items():
        for reached, share in history.readings(branch, action):
            part = weight if share == 1.0 else weight * share
            after[reached] = after[reached] + part if reached in after else part
    return after


def normalised(
    joint: list[tuple[Action, Weight]], states: int
) -> tuple[tuple[Action, ...], Floats]:
    """Joint weights of many private states as actions and probabilities [states, actions].

    A private state with zero reach calls; that is without effect on anything the player can reach.
    """
    actions = [action for action, _ in joint]
    table = np.array([weight for _, weight in joint]).reshape(len(joint), states)
    total = table.sum(axis=0)
    if total.min() > 0:
        table /= total
        return tuple(actions), table.T
    if CALL not in actions:
        actions = sorted([*actions, CALL])
        table = np.insert(table, actions.index(CALL), 0.0, axis=0)
    nowhere = total <= 0
    table /= np.where(nowhere, 1.0, total)
    table[actions.index(CALL), nowhere] = 1.0
    return tuple(actions), table.T
