"""Defence: to a bet that is read partly as a check, the worst hands fold first.

A mapping with a check as the bet of 0 reads a small bet as a check with some probability f, and as a
known bet with the rest. The abstract game that saw a check has no bet to fold to, so there the
player calls with every hand. Over its whole range that is as it should be: `rand-pshar` between a
check and the pot makes the player continue against a bet of x pots with the share 1 / (1 + x), at
which a bluff breaks even. But the hands that call for that reason are drawn by lot.

`defended` keeps how often the player folds and changes which hands do. Let a private state have

    folds    weight with which it folds in the histories that have the bet
    facing   weight of those histories
    calls    weight with which it calls in the histories that do not have the bet (`unread`)

Its share phi = folds / facing is its folding frequency against the known bet, and it may fold to
the smaller bet with at most that share: with up to folds + phi * calls. These weights are filled
from the state of least equity upwards until the total is the sum of `folds` as before; the states
above call. States of equal equity fold with equal shares of their weight.

Translations act so in the last round (`+defend`), where the order is final, or in every round
(`+defend-all`); in no-limit Leduc the first lowers exploitability and the second raises it.

Source: ours. The share 1 / (1 + x) is that of Ganzfried and Sandholm 2013, sections 6 and A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.games import State

Floats = npt.NDArray[np.float64]


class Answers(NamedTuple):
    """A player's response to a bet by its strategy alone: the three terms above.

    Each is an array with one number per private state (a number if there is one state only).
    """

    folds: Any
    facing: Any
    calls: Any


@dataclass(frozen=True, eq=False)
class Order:
    """Private states by equity: `place` is 0 for the least, and equal for equal equities.

    States that are not `possible`, such as hands that share a card with the board, do not count.
    """

    place: npt.NDArray[np.intp]
    possible: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, equities: Floats, *, possible: npt.NDArray[np.bool_] | None = None) -> Order:
        """The order of the states with these equities, all of them possible unless said."""
        place = np.unique(equities, return_inverse=True)[1].reshape(-1)
        return cls(place, np.ones(len(place), bool) if possible is None else possible)


def unread(tree: BettingTree, node: int, state: State) -> bool:
    """Whether the bet that the actor of `state` faces is missing in the abstract game at `node`.

    A node with an all-in seat has a bet at least as large.
    """
    if not state.can_fold or tree.folded[node]:
        return False
    spent = tree.spent[node]
    return bool(spent.min() == spent.max() < max(tree.game.stacks))


def defended(answers: Answers, *, order: Order) -> Floats:
    """The weight [states] with which each private state folds; its sum is that of `folds`.

    >>> order = Order.of(np.array([0.1, 0.2, 0.3, 0.4]))
    >>> folds = np.array([0.5, 0.5, 0.5, 0])
    >>> defended(Answers(folds, np.full(4, 0.5), np.full(4, 0.5)), order=order)
    array([1. , 0.5, 0. , 0. ])
    """
    folds, facing, calls = (np.asarray(term, dtype=np.float64) for term in answers)
    moves = (calls > 0) & order.possible
    share = np.divide(folds, facing, out=np.zeros_like(folds), where=facing > 0)
    most = np.where(moves, folds + share * calls, 0.0)
    by_place = np.bincount(order.place, weights=most)
    below = np.cumsum(by_place) - by_place
    left = folds[moves].sum() - below
    filled = np.divide(left, by_place, out=np.zeros_like(left), where=by_place > 0)
    return np.where(moves, most * np.clip(filled, 0.0, 1.0)[order.place], folds)


def call_factor(answers: Answers, *, order: Order) -> Floats:
    """The factor of every unread call of a state: fewer folds are more calls."""
    folds, _, calls = (np.asarray(term, dtype=np.float64) for term in answers)
    kept = np.maximum(calls + folds - defended(answers, order=order), 0.0)
    return np.asarray(np.divide(kept, calls, out=np.ones_like(calls), where=calls > 0))


def fold_factor(answers: Answers, *, order: Order) -> Floats:
    """The factor of every fold of a state."""
    folds = np.asarray(answers.folds, dtype=np.float64)
    fewer = defended(answers, order=order)
    return np.asarray(np.divide(fewer, folds, out=np.zeros_like(folds), where=folds > 0))
