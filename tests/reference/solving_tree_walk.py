"""Plain twins of the solving kernels: nested loops over nodes, states and pairs of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, FOLD_LEAF
from doyle.solving.games import MatrixGame
from doyle.solving.methods.sequence_form import SequenceForm

Behaviour = dict[int, npt.NDArray[np.float64]]
"""Decision node -> probabilities[state, action]."""


def tables(form: SequenceForm, behaviours: tuple[Any, Any]) -> Behaviour:
    tree = form.game.tree
    return {int(n): form.table(int(n), behaviours[int(tree.actor[n])]) for n in tree.decisions}


def random_behaviour(form: SequenceForm, seat: int, rng: np.random.Generator) -> Any:
    """Positive random action probabilities at every decision of `seat`."""
    behaviour = np.ones(form.sizes[seat])
    tree = form.game.tree
    for node in tree.decisions[tree.actor[tree.decisions] == seat]:
        shape = form.table(int(node), behaviour).shape
        table = rng.random(shape) + 0.05
        form.put_table(int(node), table / table.sum(axis=1, keepdims=True), behaviour)
    return behaviour


def reaches(game: MatrixGame, behaviour: Behaviour) -> list[list[Any]]:
    """reach[node][seat][state of the node's round]: the seat's own probability of getting there."""
    tree = game.tree
    result: list[list[Any]] = [[None, None] for _ in range(len(tree))]
    for seat in (0, 1):
        result[0][seat] = np.ones(game.states(int(tree.round[0]), seat))
    for node in range(1, len(tree)):
        parent = int(tree.parent[node])
        action = tree.children_of(parent).tolist().index(node)
        for seat in (0, 1):
            reach = result[parent][seat]
            if int(tree.actor[parent]) == seat:
                reach = reach * behaviour[parent][:, action]
            up = game.ancestors(seat, round=int(tree.round[node]), earlier=int(tree.round[parent]))
            result[node][seat] = reach[up]
    return result


def leaf_values(game: MatrixGame, node: int, seat: int, other_reach: Any) -> Any:
    """What each state of `seat` earns at a leaf, state by state and pair by pair."""
    tree = game.tree
    states = game.private_states[int(tree.round[node])]
    matrix = (states.joint if tree.kind[node] == FOLD_LEAF else states.showdown).dense()
    amount = float(tree.leaf_chips(0)[node])
    own = np.zeros(matrix.shape[seat])
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            if seat == 0:
                own[i] += amount * matrix[i, j] * other_reach[j]
            else:
                own[j] -= amount * matrix[i, j] * other_reach[i]
    return own


def expected_value(game: MatrixGame, behaviour: Behaviour) -> float:
    """Chips for seat 0: the sum over leaves and pairs of states."""
    reach = reaches(game, behaviour)
    return float(
        sum(
            reach[node][0] @ leaf_values(game, node, 0, reach[node][1])
            for node in range(len(game.tree))
            if game.tree.kind[node] != DECISION
        )
    )


def state_values(game: MatrixGame, seat: int, behaviour: Behaviour, *, best: bool) -> list[Any]:
    """Counterfactual values[node][state of `seat`]: playing `behaviour`, or the best action."""
    tree = game.tree
    reach = reaches(game, behaviour)
    values: list[Any] = [None] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        if tree.kind[node] != DECISION:
            values[node] = leaf_values(game, node, seat, reach[node][1 - seat])
            continue
        below = np.stack(
            [child_value(game, seat, node, int(c), values) for c in tree.children_of(node)], 1
        )
        if int(tree.actor[node]) != seat:
            values[node] = below.sum(axis=1)
        elif best:
            values[node] = below.max(axis=1)
        else:
            values[node] = (behaviour[node] * below).sum(axis=1)
    return values


def child_value(game: MatrixGame, seat: int, node: int, child: int, values: list[Any]) -> Any:
    """The child's values added up over the states that come from each state of the node."""
    tree = game.tree
    up = game.ancestors(seat, round=int(tree.round[child]), earlier=int(tree.round[node]))
    count = game.states(int(tree.round[node]), seat)
    return np.bincount(up, weights=values[child], minlength=count)


def best_response_value(game: MatrixGame, seat: int, behaviour: Behaviour) -> float:
    return float(state_values(game, seat, behaviour, best=True)[0].sum())


class PlainRegrets:
    """One iteration at a time, node by node: the twin of the kernel `iterate_cfr`."""

    def __init__(self, form: SequenceForm) -> None:
        self.game = form.game
        tree = form.game.tree
        uniform = (form.uniform_behaviour(0), form.uniform_behaviour(1))
        self.behaviour = tables(form, uniform)
        self.regret = {node: np.zeros_like(table) for node, table in self.behaviour.items()}
        self.average = {node: np.zeros_like(table) for node, table in self.behaviour.items()}
        self.seat_of = {int(node): int(tree.actor[node]) for node in tree.decisions}

    def iterate(self, positive: float, negative: float, prediction: float, weight: float) -> None:
        for seat in (0, 1):
            values = state_values(self.game, seat, self.behaviour, best=False)
            if seat == 1:
                self._add_to_average(weight)
            for node, owner in self.seat_of.items():
                if owner == seat:
                    self._update(node, seat, values, (positive, negative, prediction))

    def _add_to_average(self, weight: float) -> None:
        reach = reaches(self.game, self.behaviour)
        for node, seat in self.seat_of.items():
            self.average[node] += weight * reach[node][seat][:, None] * self.behaviour[node]

    def _update(self, node: int, seat: int, values: list[Any], factors: tuple[float, ...]) -> None:
        children = self.game.tree.children_of(node)
        worth = np.stack(
            [child_value(self.game, seat, node, int(child), values) for child in children], 1
        )
        now = worth - (self.behaviour[node] * worth).sum(axis=1, keepdims=True)
        kept = self.regret[node] + now
        kept = np.where(kept > 0, kept * factors[0], kept * factors[1])
        self.regret[node] = kept
        hope = np.maximum(kept + factors[2] * now, 0.0)
        total = hope.sum(axis=1, keepdims=True)
        even = np.full_like(hope, 1 / hope.shape[1])
        self.behaviour[node] = np.where(total > 0, hope / np.where(total > 0, total, 1), even)
