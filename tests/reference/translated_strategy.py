"""Plain twin of `doyle.strategy.translation.walk`: arrays of weights, each step from its definition.

Soft translation in its exact form (Schnizlein 2009, section 4.3.1): a real history is a weighted set
of abstract histories, and the weights are multiplied by the probability that the player would have
acted as it did, which depends on its private state. Weights here are joint probabilities: they are
never normalised, so a branch that the player's own strategy cannot reach has weight zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Action, State
from doyle.strategy.translation.defence import Answers, Order, call_factor, defended, unread
from doyle.strategy.translation.steps import CALL, FOLD, Translation, caught_up, waiting
from doyle.strategy.translation.walk import Branch

Weights = npt.NDArray[np.float64]
ActionRows = Callable[[int], npt.NDArray[np.float64]]
"""Action probabilities [private states of the round, actions] of the abstract strategy at a node."""

Move = tuple[int, "Branch", int, Weights]
"""(real action, branch, abstract action, joint weights); the abstract action is -1 while waiting."""


ActionKind = int | str | tuple[str, Fraction]
"""Fold, call, all-in, or a fraction of the pot (a bet of the whole pot is not a call, which is 1)."""


Beliefs = dict[Branch, Weights]


@dataclass(frozen=True)
class TranslatedStrategy:
    """A seat with an abstract strategy and a translation: one exact strategy of the real game.

    `order` is the order of all private states at a real state, which `Translation.defend` needs.
    """

    translation: Translation
    tree: BettingTree
    table: ActionRows
    order: Callable[[State], Order] | None = None

    def __post_init__(self) -> None:
        if self.translation.defend != "never" and self.order is None:
            raise DoyleError("translation: +defend needs the equities of the hands")

    def start(self, states: int) -> Beliefs:
        """At the root with certainty, in any private state."""
        return {Branch(0): np.ones(states)}

    def choices(
        self, beliefs: Beliefs, state: State
    ) -> tuple[list[Action], npt.NDArray[np.float64], list[Move]]:
        """What the player does in `state`: real actions, their joint weights [actions, states],
        and the moves behind them."""
        moves = self.moves(beliefs, state)
        if self.translation.defends(state):
            moves = self._defended(beliefs, state, moves)
        actions = sorted({move[0] for move in moves})
        joint = np.zeros((len(actions), len(next(iter(beliefs.values())))))
        for real, _, _, weights in moves:
            joint[actions.index(real)] += weights
        return actions, joint, moves

    def moves(self, beliefs: Beliefs, state: State) -> list[Move]:
        """What the strategy does in `state` at each branch, before any defence."""
        moves: list[Move] = []
        for branch, weights in beliefs.items():
            if waiting(self.tree, branch.node, state):
                moves.append((CALL, branch, -1, weights))
                continue
            table = self._allowed(beliefs, branch, state)
            for column, abstract in enumerate(self.tree.actions_of(branch.node).tolist()):
                real = self.translation.out_step(self.tree, branch.node, abstract, state=state)
                moves.append((real, branch, abstract, weights * table[:, column]))
        return moves

    def _defended(self, beliefs: Beliefs, state: State, moves: list[Move]) -> list[Move]:
        """The same moves with the folds given to the worst private states."""
        folding = {move[1] for move in moves if move[0] == FOLD}
        missing = {move[1] for move in moves if unread(self.tree, move[1].node, state)}
        if self.order is None or not folding or not missing:
            return moves
        none = np.zeros(len(moves[0][3]))
        facing = sum((beliefs[branch] for branch in folding), none)
        folds = sum((weights for real, _, _, weights in moves if real == FOLD), none)
        calls = sum(
            (weights for real, branch, _, weights in moves if real == CALL and branch in missing),
            none,
        )
        order = self.order(state)
        if len(order.place) != len(none):
            raise DoyleError("translation: +defend needs the beliefs of all hands, not of one")
        answers = Answers(folds, facing, calls)
        new = defended(answers, order=order)
        fewer = np.divide(new, folds, out=np.zeros_like(folds), where=folds > 0)
        more = call_factor(answers, order=order)
        return [
            (real, branch, abstract, weights * fewer)
            if real == FOLD
            else (real, branch, abstract, weights * more)
            if real == CALL and branch in missing
            else (real, branch, abstract, weights)
            for real, branch, abstract, weights in moves
        ]

    def probabilities(
        self, beliefs: Beliefs, state: State
    ) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Real actions and their probabilities [states, actions]; a call where nothing is known."""
        actions, joint, _ = self.choices(beliefs, state)
        return actions, normalised(actions, joint)

    def act(self, beliefs: Beliefs, state: State, action: Action) -> Beliefs:
        """The beliefs after the player itself took the real `action` in `state`."""
        _, _, moves = self.choices(beliefs, state)
        after = state.apply(action)
        result: Beliefs = {}
        for real, branch, abstract, weights in moves:
            if real != action or not weights.any():
                continue
            if abstract < 0:
                self._add(result, branch, weights, after)
            elif self.translation.remember:
                child = self.tree.child(branch.node, abstract)
                # A call keeps what may become of the last raise; a raise of one's own is known.
                kept = branch.if_last if abstract == CALL else None
                self._add(result, Branch(child, kept), weights, after)
            else:
                self._read(result, branch, weights, state, action, after)
        return result

    def see(self, beliefs: Beliefs, state: State, action: Action) -> Beliefs:
        """The beliefs after the opponent took the real `action` in `state`."""
        after = state.apply(action)
        result: Beliefs = {}
        for branch, weights in beliefs.items():
            self._read(result, branch, weights, state, action, after)
        return result

    def _read(
        self,
        result: Beliefs,
        branch: Branch,
        weights: Weights,
        state: State,
        action: Action,
        after: State,
    ) -> None:
        for reading in self.translation.in_step(self.tree, branch.node, state=state, action=action):
            kept = reading.if_last if action > CALL else branch.if_last
            self._add(result, Branch(reading.node, kept), weights * float(reading.weight), after)

    def _add(self, result: Beliefs, branch: Branch, weights: Weights, after: State) -> None:
        """Add a branch, brought into the real round; a finished round settles its last raise."""
        if branch.if_last is not None and not after.betting[-1]:
            called, share = branch.if_last
            self._add(result, Branch(called), weights * float(share), after)
            self._add(result, Branch(branch.node), weights * float(1 - share), after)
            return
        settled = Branch(caught_up(self.tree, branch.node, after), branch.if_last)
        result[settled] = result.get(settled, 0.0) + weights

    def _allowed(self, beliefs: Beliefs, branch: Branch, state: State) -> npt.NDArray[np.float64]:
        """The strategy at a branch, without pseudo-dominated actions if those are removed."""
        table = self.table(branch.node)
        least = self.translation.least_probability
        if least is None:
            return table
        removed = self._dominated(beliefs, state, least)
        kept = table.copy()
        for column, key in enumerate(self._keys(branch.node)):
            if key in removed:
                kept[removed[key], column] = 0.0
        total = kept.sum(axis=1, keepdims=True)
        calls = np.array([key == CALL for key in self._keys(branch.node)], dtype=float)
        return np.where(total > 0, kept / np.where(total > 0, total, 1.0), calls)

    def _dominated(
        self, beliefs: Beliefs, state: State, least: float
    ) -> dict[ActionKind, npt.NDArray[np.bool_]]:
        """For each kind of action, the private states where some branch hardly ever takes it."""
        total = sum(beliefs.values(), np.zeros(1))
        removed: dict[ActionKind, npt.NDArray[np.bool_]] = {}
        for branch, weights in beliefs.items():
            if waiting(self.tree, branch.node, state):
                continue
            present = weights > least * total
            table = self.table(branch.node)
            for column, key in enumerate(self._keys(branch.node)):
                here = present & (table[:, column] < least)
                removed[key] = removed[key] | here if key in removed else here
        return removed

    def _keys(self, node: int) -> list[ActionKind]:
        """What makes actions of different nodes the same: fold, call, all-in, or the pot fraction."""
        spent = self.tree.spent[node]
        bet, stack = int(spent.max()), max(self.tree.game.stacks)
        pot = int(spent.sum()) + bet - int(spent[self.tree.actor[node]])
        return [
            action
            if action in (FOLD, CALL)
            else "all-in"
            if action >= stack
            else ("pot", Fraction(action - bet, pot))
            for action in self.tree.actions_of(node).tolist()
        ]


def normalised(actions: list[Action], joint: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Joint weights [actions, states] as probabilities [states, actions].

    A private state in which the player cannot have come here gets a call; the choice is without
    effect on anything the player can reach.
    """
    total = joint.sum(axis=0)
    calls = np.array([[1.0 if action == CALL else 0.0] for action in actions])
    if not calls.any():
        calls[:] = 1.0 / len(actions)
    return np.where(total > 0, joint / np.where(total > 0, total, 1.0), calls).T
