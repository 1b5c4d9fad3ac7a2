"""`StreetSolver`: one street solved to a depth limit at its end, with all hands of both ranges.

At the limit the *chooser* decides, hand by hand, among continuations whose values are matrices over pairs
of hands; the other seat, the *searcher*, has no choice there. Folds and all-ins are worth what they are.
The variant of counterfactual regret minimisation is that of other searches.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import FOLD_LEAF, BettingTree
from doyle.abstractions.betting.public_tree import DECISION
from doyle.solving.methods.discounting import Discounting
from doyle.solving.run import gain

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Pair = tuple[Singles, Singles]


@dataclass(frozen=True, eq=False)
class Street:
    """A street as the solver sees it: matrices are chips of the first seat [its hands, other hands].

    `limits` has the values of the chooser's continuations [continuations, hands, other hands] by the
    node at which the next street begins; `apart` is 1 where two hands can meet, `equity` the mean of
    wins less losses there if nobody bets any more.
    """

    tree: BettingTree
    weights: tuple[Floats, Floats]
    apart: Singles
    equity: Singles
    limits: dict[int, Singles]
    chooser: int

    @property
    def mass(self) -> float:
        """The weight of all pairs of hands that can meet."""
        return float(self.weights[0] @ self.apart @ self.weights[1])


class StreetSolver:
    """One solve of one street; nodes are those of its betting tree."""

    def __init__(self, street: Street, discounting: Discounting) -> None:
        self.discounting, self.iteration, self.tree = discounting, 0, street.tree
        self._street: Street | None = street
        tree, self._exploitability = street.tree, 0.0
        level = tree.round[0]
        self.nodes = [
            node
            for node in range(tree.node_count)
            if not node or tree.round[tree.parent[node]] == level
        ]
        self._folds: list[int] = []
        self._all_ins: list[int] = []
        self._actions: dict[int, int] = {}
        for node in self.nodes:
            if node in street.limits:
                self._actions[node] = len(street.limits[node])
            elif tree.kind[node] == DECISION:
                self._actions[node] = int(tree.child_count[node])
            else:
                (self._folds if tree.kind[node] == FOLD_LEAF else self._all_ins).append(node)
        sizes = {n: (k, len(street.weights[self._actor(n)])) for n, k in self._actions.items()}
        self.regrets = {node: np.zeros(size) for node, size in sizes.items()}
        self.averages = {node: np.zeros(size) for node, size in sizes.items()}

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
                reach = self._pushed(1 - seat, self.regrets, decay)
                self._pull(seat, reach, upper, lower)
            self.iteration = number

    def probabilities(self, node: int) -> Floats:
        """The average strategy at a decision [hands, actions]; evenly where never reached."""
        return matched(self.averages[node]).T

    def exploitability(self) -> float:
        """The mean of what best responses win within the street and its continuations, in chips."""
        if self._street is None:
            return self._exploitability
        won = [float(self.street.weights[s] @ self.best_values(s)) for s in (0, 1)]
        return gain(sum(won) / (2 * self.street.mass))

    def best_values(self, seat: int) -> Floats:
        """What a best response wins with each hand, in chips times the weight that it meets."""
        return self._pull(seat, self._pushed(1 - seat, self.averages, None))

    def _actor(self, node: int) -> int:
        street = self.street
        return street.chooser if node in street.limits else int(street.tree.actor[node])

    def _pushed(
        self, seat: int, tables: dict[int, Floats], decay: float | None
    ) -> dict[int, Floats]:
        """The seat's reach of every node, below a limit of every continuation; averaged with a `decay`."""
        street, tree = self.street, self.street.tree
        reach: dict[int, Floats] = {0: street.weights[seat]}
        for node in self._actions:
            here, children = reach[node], tree.children_of(node).tolist()
            if self._actor(node) == seat:
                own = matched(tables[node]) * here
                if decay is not None:
                    average = self.averages[node]
                    average *= decay
                    average += own
            if node in street.limits:
                reach[node] = own if self._actor(node) == seat else here
            elif self._actor(node) == seat:
                reach.update(zip(children, own, strict=True))
            else:
                reach.update(dict.fromkeys(children, here))
        return reach

    def _pull(
        self, seat: int, reach: dict[int, Floats], upper: float | None = None, lower: float = 1.0
    ) -> Floats:
        """The values of the root for a seat against a reach: improving regrets, or of a best response."""
        values = self._leaves(seat, reach)
        for node in reversed(self._actions):
            limit = node in self.street.limits
            own = values[node] if limit else np.stack(
                [values[child] for child in self.tree.children_of(node).tolist()]
            )  # fmt: skip
            if self._actor(node) != seat:
                values[node] = own if limit else own.sum(axis=0)
            elif upper is None:
                values[node] = own.max(axis=0)
            else:
                regrets = self.regrets[node]
                values[node] = (matched(regrets) * own).sum(axis=0)
                regrets += own - values[node]
                regrets *= np.where(regrets > 0, upper, lower)
        return values[0]

    def _leaves(self, seat: int, reach: dict[int, Floats]) -> dict[int, Floats]:
        """What leaves are worth to a seat; a limit of its own choice has a row for each continuation."""
        street, sign = self.street, 1.0 if seat == 0 else -1.0
        values: dict[int, Floats] = {}
        for nodes, matrix, factor in (
            (self._folds, street.apart, 1.0),
            (self._all_ins, street.equity, sign),
        ):
            if nodes:
                chips = factor * self.tree.leaf_chips(seat)[nodes]
                met = _times(matrix, seat, np.stack([reach[node] for node in nodes]))
                values.update(zip(nodes, chips[:, None] * met, strict=True))
        for node, stack in street.limits.items():
            if seat == street.chooser:
                rows = [_times(matrix, seat, reach[node]) for matrix in stack]
                values[node] = sign * np.stack(rows)
            else:
                rows = [_times(m, seat, one) for m, one in zip(stack, reach[node], strict=True)]
                values[node] = sign * np.sum(rows, axis=0)
        return values


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
