"""The general interpreter of a BML document: the payoff products by walking its tree leaf by leaf.

Payoffs are to player 1 (seat 0). In round r a leaf with sequences (s, t) contributes

    payoff   * x_r[s, :] @ fold_weights[r]     @ y_r[t, :]    to a fold,
    potshare * x_r[s, :] @ showdown_weights[r] @ y_r[t, :]    to a showdown,

where `fold_weights[r][i, j]` is the probability that the players are in buckets i and j of round r and
`showdown_weights[r][i, j]` that probability times (chance to win - chance to lose) of player 1. A
strategy vector is flat: first the empty sequence, then round after round a [sequence][bucket] matrix
(`VectorLayout`).

It follows decisions and actions by their sequences and knows nothing of trees in arrays. The program
that solvers run (`doyle.solving.methods.sequence_form`) is checked against it: this is the "tree-like
representation" of Gilpin et al. 2008, section 6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.bml.document import EMPTY, BmlDecision, BmlDocument, BmlLeaf
from doyle.base.errors import DoyleError

FloatArray = npt.NDArray[np.floating]

LARGEST_VECTOR = 1 << 28
"""Entries of a strategy vector: 2 GB of doubles."""


@dataclass(frozen=True)
class VectorLayout:
    """Where one player's sequences are in a flat vector: [empty] then per round [sequence][bucket].

    `first` is the number of the first sequence of each round, and one past the last.

    >>> layout = VectorLayout(first=(0, 2, 5), buckets=(4, 5))
    >>> layout.size, [view.shape for view in layout.rounds(np.zeros(layout.size))]
    (24, [(2, 4), (3, 5)])
    >>> layout.place(2, round=1)
    slice(9, 14, None)
    """

    first: tuple[int, ...]
    buckets: tuple[int, ...]

    @classmethod
    def of(cls, document: BmlDocument, player: int, buckets: Sequence[int]) -> VectorLayout:
        """The layout of player 0 or 1."""
        first = np.zeros(document.rounds + 1, np.int64)
        for decision in document.decisions:
            if decision.player == player + 1:
                top = 1 + max(action.number for action in decision.actions)
                first[decision.round + 1] = max(first[decision.round + 1], top)
        found = cls(tuple(np.maximum.accumulate(first).tolist()), tuple(buckets))
        if found.size > LARGEST_VECTOR:
            raise DoyleError(
                f"bml: a strategy vector of {found.size:,} entries, more than {LARGEST_VECTOR:,}; "
                "take fewer buckets, or number the actions without large gaps"
            )
        return found

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each round begins in the vector; the last entry is the size."""
        sizes = [int(n) * b for n, b in zip(np.diff(self.first), self.buckets, strict=True)]
        return tuple(int(n) for n in np.cumsum([1, *sizes]))

    @property
    def size(self) -> int:
        return self.starts[-1]

    def rounds(self, vector: FloatArray) -> list[FloatArray]:
        """The [sequence, bucket] matrices of a vector, as views of it."""
        if vector.shape != (self.size,):
            raise DoyleError(f"strategy vector has shape {vector.shape}; expected ({self.size},)")
        return [
            vector[start:end].reshape(-1, b)
            for start, end, b in zip(self.starts, self.starts[1:], self.buckets, strict=False)
        ]

    def place(self, number: int, *, round: int) -> slice:
        """Where the buckets of a sequence are."""
        start = self.starts[round] + (number - self.first[round]) * self.buckets[round]
        return slice(start, start + self.buckets[round])


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
        first, second = (
            VectorLayout.of(document, player, [weight.shape[player] for weight in fold_weights])
            for player in (0, 1)
        )
        self.layouts = (first, second)
        for leaf in document.leaves:
            self._check(leaf)

    def times(self, y: FloatArray) -> FloatArray:
        """Ay for player 2's vector y."""
        return self._product(0, y)

    def transposed_times(self, x: FloatArray) -> FloatArray:
        """x'A for player 1's vector x."""
        return self._product(1, x)

    def _check(self, leaf: BmlLeaf) -> None:
        for player, number in enumerate(leaf.numbers):
            low, high = self.layouts[player].first[leaf.round : leaf.round + 2]
            if not (low <= number < high or (number == EMPTY and leaf.round == 0)):
                raise DoyleError(
                    f"bml: leaf {leaf.sequence!r} of round {leaf.round + 1} is reached although "
                    f"player {player + 1} has not acted in that round"
                )

    def _product(self, player: int, vector: FloatArray) -> FloatArray:
        other = 1 - player
        own, theirs = self.layouts[player], self.layouts[other]
        given = np.asarray(vector, dtype=np.float64)
        theirs.rounds(given)  # refuses another length
        out = np.zeros(own.size)

        def add(leaf: BmlLeaf) -> None:
            weight = self._weights[leaf.kind][leaf.round]
            number = leaf.numbers[other]
            if number == EMPTY:
                row = np.full(theirs.buckets[leaf.round], given[0])
            else:
                row = given[theirs.place(number, round=leaf.round)]
            values = leaf.amount * (weight @ row if player == 0 else row @ weight)
            number = leaf.numbers[player]
            if number == EMPTY:
                out[0] += values.sum()
            else:
                out[own.place(number, round=leaf.round)] += values

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
