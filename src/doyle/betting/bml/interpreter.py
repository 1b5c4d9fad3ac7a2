"""The general interpreter of a BML document: the payoff products by walking its tree leaf by leaf.

It follows decisions and actions by their sequences, knows nothing of plans or blocks, and is what the
compiled forms are checked against (the "tree-like representation" of Gilpin et al. 2008, section 6.1).
Vectors are as in `doyle.betting.products`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from doyle.betting.bml.document import EMPTY, BmlDecision, BmlDocument, BmlLeaf
from doyle.betting.products import FloatArray, ProductPlan, VectorLayout


class BmlInterpreter:
    """Ay and x'A of a document for given bucket matrices, in double precision."""

    def __init__(
        self,
        document: BmlDocument,
        fold_weights: Sequence[FloatArray],
        showdown_weights: Sequence[FloatArray],
    ) -> None:
        self._decisions = {decision.sequence: decision for decision in document.decisions}
        self._leaves = {leaf.sequence: leaf for leaf in document.leaves}
        self._weights = {"fold": fold_weights, "showdown": showdown_weights}
        sequences = ProductPlan.from_bml(document).sequences
        self.layouts = tuple(
            VectorLayout(sequences[player], tuple(weight.shape[player] for weight in fold_weights))
            for player in range(2)
        )
        self._starts = [np.cumsum([0, *sequences[player]]) for player in range(2)]

    def times(self, y: FloatArray) -> FloatArray:
        """Ay for player 2's vector y."""
        return self._product(0, y)

    def transposed_times(self, x: FloatArray) -> FloatArray:
        """x'A for player 1's vector x."""
        return self._product(1, x)

    def _product(self, player: int, vector: FloatArray) -> FloatArray:
        other = 1 - player
        out = np.zeros(self.layouts[player].size)
        inputs = self.layouts[other].rounds(np.asarray(vector, dtype=np.float64))
        outputs = self.layouts[player].rounds(out)

        def add(leaf: BmlLeaf) -> None:
            weight = self._weights[leaf.kind][leaf.round]
            number = leaf.numbers[other]
            if number == EMPTY:
                row = np.full(self.layouts[other].buckets[leaf.round], vector[0], dtype=np.float64)
            else:
                row = inputs[leaf.round][number - self._starts[other][leaf.round]]
            values = leaf.amount * (weight @ row if player == 0 else row @ weight)
            number = leaf.numbers[player]
            if number == EMPTY:
                out[0] += values.sum()
            else:
                outputs[leaf.round][number - self._starts[player][leaf.round]] += values

        self._walk(add)
        return out

    def _walk(self, visit: Callable[[BmlLeaf], None]) -> None:
        """Call `visit` for each leaf, going down from the root action by action."""
        waiting: list[BmlDecision] = [self._decisions[""]]
        while waiting:
            decision = waiting.pop()
            for action in decision.actions:
                sequence = decision.sequence + action.name
                if sequence in self._leaves:
                    visit(self._leaves[sequence])
                else:
                    below = self._decisions.get(sequence)
                    waiting.append(below if below else self._decisions[sequence + "/"])
