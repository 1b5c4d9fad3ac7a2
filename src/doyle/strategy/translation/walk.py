"""Walks: where in the abstract game a player may be, carried along a real history.

Soft translation in its exact form (Schnizlein 2009, section 4.3.1): a real history is a weighted set
of abstract histories. An opponent's action splits the weights by the mapping's probabilities; the
player's own action multiplies them by its strategy's probability of it. Weights are joint
probabilities, never normalised: their sum is the player's own reach, and a branch that its strategy
cannot reach has no weight.

A weight is a number for one private state, or an array with one number for each of many. One `Walker`
serves both, and all translations. Two of them are not linear in the weights: where pseudo-dominated
actions are removed, the row of the strategy at a branch depends on the other branches; with
`Translation.defend`, a state's folds depend on the other private states.

Steps of translation, cached by public history.

A `Branch` is a place in the abstract game where a player may be. The reading of a real bet, and the
real action for an action of the strategy, depend on the public history alone: not on the player's
hand, on how likely the branch is, or on the strategy. So the steps from a branch are computed once
and kept in the `CachedHistory` of the betting so far. They are a pure function of the betting;
dropping them has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, State
from doyle.strategy.translation.defence import (
    Answers,
    Order,
    call_factor,
    defended,
    fold_factor,
    unread,
)
from doyle.strategy.translation.steps import Translation, caught_up, waiting

WAITING = -1
"""The column of a call that waits for the real game, independent of the strategy."""


class Branch(NamedTuple):
    """An abstract node, and ExtendCall's reading of the last raise if no further raise follows."""

    node: int
    if_last: tuple[int, Fraction] | None = None


Choices: TypeAlias = tuple[tuple[Action, int], ...]
"""(real action, column of the strategy's row)."""
OwnStep: TypeAlias = tuple[tuple[int, Branch, float], ...]
"""(column of the strategy's row, branch after it, share of it)."""
Readings: TypeAlias = tuple[tuple[Branch, float], ...]
"""(branch after the action, its share)."""


class TranslationCache:
    """The public histories of one translation in one tree; dropped when there are too many."""

    def __init__(
        self, translation: Translation, tree: BettingTree, *, most_histories: int = 1 << 14
    ) -> None:
        self.translation = translation
        self.tree = tree
        self._most = most_histories
        self._count = 0
        self._start = CachedHistory(self, State.start(tree.game))

    def start(self) -> CachedHistory:
        """The history before any action. Another object than before if the cache was emptied."""
        if self._count > self._most:
            self._count = 0
            self._start = CachedHistory(self, State.start(self.tree.game))
        return self._start

    def spoken(self, node: int, state: State) -> Choices:
        """The real action for each action of the strategy at a node.

        A cache may offer an action in several sizes, all of the first, then all of the second, ...; rows of
        the strategy then have as many columns.
        """
        return tuple(
            (self.translation.out_step(self.tree, node, abstract, state=state), column)
            for column, abstract in enumerate(self.tree.actions_of(node).tolist())
        )

    def likeliest(self, state: State, *, read: int | None = None) -> int:
        """The node of the likeliest reading of a history; the walk starts at the root.

        Actions that match a translated action of the strategy count as that action; all others, and
        all of the seat `read`, are read.
        """
        history, branch = self.start(), Branch(0)
        for action in chain.from_iterable(state.betting):
            spoken = () if history.state.actor == read else history.own_step(branch, action)
            if spoken:
                branch = spoken[0][1]
            else:
                branch = max(history.readings(branch, action), key=lambda reading: reading[1])[0]
            history = history.after(action)
        return branch.node

    def count_one(self) -> None:
        """One more history is kept."""
        self._count += 1


class CachedHistory:
    """One public history: the steps from it, and the histories after it."""

    __slots__ = ("_cache", "_choices", "_following", "_own", "_seen", "_unread", "state")

    def __init__(self, cache: TranslationCache, state: State) -> None:
        self.state = state
        self._cache = cache
        self._following: dict[Action, CachedHistory] = {}
        self._choices: dict[Branch, Choices] = {}
        self._own: dict[tuple[Branch, Action], OwnStep] = {}
        self._seen: dict[tuple[Branch, Action], Readings] = {}
        self._unread: dict[int, bool] = {}

    def after(self, action: Action) -> CachedHistory:
        """The history with one more action."""
        following = self._following.get(action)
        if following is None:
            following = CachedHistory(self._cache, self.state.apply(action))
            self._following[action] = following
            self._cache.count_one()
        return following

    def choices(self, branch: Branch) -> Choices:
        """The real action for each action of the strategy at `branch`; one call while it waits."""
        found = self._choices.get(branch)
        if found is None:
            if waiting(self._cache.tree, branch.node, self.state):
                found = ((CALL, WAITING),)
            else:
                found = self._cache.spoken(branch.node, self.state)
            self._choices[branch] = found
        return found

    def unread(self, branch: Branch) -> bool:
        """Whether the abstract game at `branch` lacks the bet that the actor faces."""
        found = self._unread.get(branch.node)
        if found is None:
            found = self._unread[branch.node] = unread(self._cache.tree, branch.node, self.state)
        return found

    def own_step(self, branch: Branch, action: Action) -> OwnStep:
        """Where the actor's own real `action` leads from `branch`, by action of its strategy."""
        key = branch, action
        found = self._own.get(key)
        if found is None:
            found = self._own[key] = tuple(
                (column, reached, share)
                for real, column in self.choices(branch)
                if real == action
                for reached, share in self._spoken(branch, column, action)
            )
        return found

    def readings(self, branch: Branch, action: Action) -> Readings:
        """How the opponent's real `action` is read at `branch`; the shares sum to 1."""
        key = branch, action
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = tuple(self._read(branch, action))
        return found

    def _spoken(
        self, branch: Branch, column: int, action: Action
    ) -> Iterator[tuple[Branch, float]]:
        """The branch after an action of the strategy that was translated to the real `action`."""
        tree = self._cache.tree
        if column == WAITING:
            yield from self._settled(branch, 1.0, action)
        elif self._cache.translation.remember:
            children = tree.children_of(branch.node)
            child = int(children[column % len(children)])
            # A call keeps the possible readings of the last raise; an own raise is known.
            kept = branch.if_last if tree.action[child] == CALL else None
            yield from self._settled(Branch(child, kept), 1.0, action)
        else:
            yield from self._read(branch, action)

    def _read(self, branch: Branch, action: Action) -> Iterator[tuple[Branch, float]]:
        translation, tree = self._cache.translation, self._cache.tree
        for reading in translation.in_step(tree, branch.node, state=self.state, action=action):
            kept = reading.if_last if action > CALL else branch.if_last
            yield from self._settled(Branch(reading.node, kept), float(reading.weight), action)

    def _settled(
        self, branch: Branch, share: float, action: Action
    ) -> Iterator[tuple[Branch, float]]:
        """A branch advanced to the real round; the end of a round settles its last raise."""
        tree, after = self._cache.tree, self.after(action).state
        if branch.if_last is None or after.betting[-1]:
            parts = [(branch, share)]
        else:
            called, down = branch.if_last
            parts = [
                (Branch(called), share * float(down)),
                (Branch(branch.node), share * float(1 - down)),
            ]
        for part, weight in parts:
            if weight > 0:
                yield Branch(caught_up(tree, part.node, after), part.if_last), weight


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
    """A walk of one private state reached a decision that depends on the others."""


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
    needs it. A walk of a single state has no order, and raises `OtherHandsMatterError` if it is
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
        """The strategy's row at a branch; a branch that waits has one action, its call."""
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
        """The strategy's response to the bet the actor faces, if a defence changes it."""
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
        """The strategy's rows without pseudo-dominated actions: a call if no action is left."""
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
    """The kinds by which actions of different nodes are identified."""
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
