"""`StreetSolver`: one street solved to a depth limit at its end, with all hands of both ranges.

At the limit each seat decides once more, hand by hand, among continuations, without knowing what the other
chooses; for each pair of them values are a matrix over pairs of hands. A seat with one continuation has no
choice. Folds and all-ins are worth what they are. The variant of counterfactual regret minimisation is that
of other searches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import FOLD_LEAF, BettingTree
from doyle.abstractions.betting.public_tree import DECISION
from doyle.solving.run import gain
from doyle.solving.solvers import Discounting

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Pair = tuple[Singles, Singles]


@dataclass(frozen=True, eq=False)
class Street:
    """A street as the solver sees it: matrices are chips of the first seat [its hands, other hands].

    `limits` has the values of continuations [those of each seat, hands of each seat] by the node at which
    the next street begins; `apart` is 1 where two hands can meet, `equity` the mean of wins less losses
    there if nobody bets any more.
    """

    tree: BettingTree
    weights: tuple[Floats, Floats]
    apart: Singles
    equity: Singles
    limits: dict[int, Singles]

    @property
    def mass(self) -> float:
        """The weight of all pairs of hands that can meet."""
        return float(self.weights[0] @ self.apart @ self.weights[1])


class StreetSolver:
    """One solve of one street; nodes are those of its betting tree.

    Tables [options, hands] are by node and seat: of the seat that acts there, at a limit of both.
    """

    def __init__(self, street: Street, discounting: Discounting) -> None:
        self.discounting, self.iteration, self.tree = discounting, 0, street.tree
        self._street: Street | None = street
        tree, self._exploitability = street.tree, 0.0
        self.decisions: list[int] = []
        self._folds: list[int] = []
        self._all_ins: list[int] = []
        sizes: dict[tuple[int, int], int] = {}
        for node in range(tree.node_count):
            if node and tree.round[tree.parent[node]] != tree.round[0]:
                continue
            if node in street.limits:
                sizes |= {(node, seat): street.limits[node].shape[seat] for seat in (0, 1)}
            elif tree.kind[node] == DECISION:
                self.decisions.append(node)
                sizes[node, int(tree.actor[node])] = int(tree.child_count[node])
            else:
                (self._folds if tree.kind[node] == FOLD_LEAF else self._all_ins).append(node)
        shapes = {key: (count, len(street.weights[key[1]])) for key, count in sizes.items()}
        self.regrets = {key: np.zeros(shape) for key, shape in shapes.items()}
        self.averages = {key: np.zeros(shape) for key, shape in shapes.items()}

    @property
    def street(self) -> Street:
        if self._street is None:
            raise RuntimeError("the street was forgotten")
        return self._street

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tables, and of the matrices at limits until they are forgotten."""
        tables = (*self.regrets.values(), *self.averages.values())
        limits = () if self._street is None else self._street.limits.values()
        return sum(table.nbytes for table in (*tables, *limits))

    working_bytes = 0

    def forget(self) -> None:
        """Keep the average strategy and how exploitable it is, and nothing that iterations need."""
        self._exploitability = self.exploitability()
        self._street, self.regrets = None, {}

    def advance(self, iterations: int, *, deadline: float | None = None) -> None:
        """Run so many more iterations; after the second none that begins beyond a moment."""
        rows = self.discounting.schedule(self.iteration + 1, iterations)
        for upper, lower in rows[:, :2].tolist():
            if deadline is not None and self.iteration >= 2 and time.monotonic() > deadline:
                return
            number = self.iteration + 1
            decay = ((number - 1) / number) ** self.discounting.average
            for seat in (0, 1):
                self._pull(seat, self._pushed(1 - seat, self.regrets, decay), upper, lower)
            self.iteration = number

    def probabilities(self, node: int) -> Floats:
        """The average strategy at a decision [hands, actions]; evenly where never reached."""
        return matched(self.averages[node, int(self.tree.actor[node])]).T

    def exploitability(self) -> float:
        """The mean of what best responses win within the street and its continuations, in chips."""
        if self._street is None:
            return self._exploitability
        won = [float(self.street.weights[s] @ self.best_values(s)) for s in (0, 1)]
        return gain(sum(won) / (2 * self.street.mass))

    def best_values(self, seat: int) -> Floats:
        """What a best response wins with each hand, in chips times the weight that it meets."""
        return self._pull(seat, self._pushed(1 - seat, self.averages, None))

    def _pushed(
        self, seat: int, tables: dict[tuple[int, int], Floats], decay: float | None
    ) -> dict[int, Floats]:
        """The seat's reach of every node, at a limit by continuation; averaged with a `decay`."""
        street, tree = self.street, self.street.tree
        reach: dict[int, Floats] = {0: street.weights[seat]}
        for node in (*self.decisions, *street.limits):
            here, table = reach[node], tables.get((node, seat))
            if table is None:
                reach.update(dict.fromkeys(tree.children_of(node).tolist(), here))
                continue
            own = matched(table) * here
            if decay is not None:
                average = self.averages[node, seat]
                average *= decay
                average += own
            if node in street.limits:
                reach[node] = own
            else:
                reach.update(zip(tree.children_of(node).tolist(), own, strict=True))
        return reach

    def _pull(
        self, seat: int, reach: dict[int, Floats], upper: float | None = None, lower: float = 1.0
    ) -> Floats:
        """The values of the root for a seat against a reach: improving regrets, or of a best response."""
        values = self._leaves(seat, reach)
        for node, options in self._limits(seat, reach):
            values[node] = self._chosen((node, seat), options, upper, lower)
        for node in reversed(self.decisions):
            below = [values[child] for child in self.tree.children_of(node).tolist()]
            if self.tree.actor[node] == seat:
                values[node] = self._chosen((node, seat), np.stack(below), upper, lower)
            else:
                values[node] = np.sum(below, axis=0)
        return values[0]

    def _chosen(
        self, key: tuple[int, int], options: Floats, upper: float | None, lower: float
    ) -> Floats:
        """What a seat's options [options, hands] are worth to it."""
        if upper is None:
            return np.asarray(options.max(axis=0))
        regrets = self.regrets[key]
        value = (matched(regrets) * options).sum(axis=0)
        regrets += options - value
        regrets *= np.where(regrets > 0, upper, lower)
        return np.asarray(value)

    def _leaves(self, seat: int, reach: dict[int, Floats]) -> dict[int, Floats]:
        """What folds and all-ins are worth to a seat."""
        values: dict[int, Floats] = {}
        for nodes, matrix, factor in (
            (self._folds, self.street.apart, 1.0),
            (self._all_ins, self.street.equity, 1.0 if seat == 0 else -1.0),
        ):
            if nodes:
                chips = factor * self.tree.leaf_chips(seat)[nodes]
                met = _times(matrix, seat, np.stack([reach[node] for node in nodes]))
                values.update(zip(nodes, chips[:, None] * met, strict=True))
        return values

    def _limits(self, seat: int, reach: dict[int, Floats]) -> Iterator[tuple[int, Floats]]:
        """What a seat's continuations [continuations, hands] are worth to it, by limit."""
        for node, matrices in self.street.limits.items():
            rows = [
                sum(_times(one, seat, own) for one, own in zip(pairs, reach[node], strict=True))
                for pairs in (matrices if seat == 0 else matrices.swapaxes(0, 1))
            ]
            yield node, np.stack(rows) if seat == 0 else -np.stack(rows)


def _times(matrix: Singles, seat: int, reach: Floats) -> Floats:
    """What a matrix makes of the other seat's reach [..., hands] for each hand of a seat."""
    vectors = reach.astype(np.float32)
    found = vectors @ (matrix.T if seat == 0 else matrix)
    return found.astype(np.float64)


def matched(table: Floats) -> Floats:
    """Shares [actions, hands] by the positive parts of a table; even ones if there are none."""
    positive = np.maximum(table, 0.0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1.0 / len(table))
