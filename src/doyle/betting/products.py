"""The payoff products Ay and x'A of a two-player betting program, compiled to a plan.

Payoffs are to player 1 (seat 0). In round r a leaf with sequences (s, t) contributes

    payoff   * x_r[s, :] @ fold_weights[r]     @ y_r[t, :]    to a fold,
    potshare * x_r[s, :] @ showdown_weights[r] @ y_r[t, :]    to a showdown,

where `fold_weights[r][i, j]` is the probability that the players are in buckets i and j of round r and
`showdown_weights[r][i, j]` that probability times (chance to win - chance to lose) of player 1. So A is
a sum of Kronecker products (one entry of a small leaf matrix) x (one bucket matrix of the round), and
is never materialised: the plan gathers the rows of a block of leaves, scaled, multiplies the block by
the bucket matrix and scatters it. (One line of code per leaf, as in Gilpin et al. 2008, section 6.1,
does the same sums one bucket pair at a time: `benchmarks.straight_line`.)

A strategy vector is flat: first the empty sequence, then round after round a [sequence][bucket] matrix
(`VectorLayout`). Solvers share this layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.betting._products_kernels import gather_rows, scatter_rows
from doyle.betting.bml.document import EMPTY, BmlDocument
from doyle.errors import DoyleError

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int32]

# Leaves multiplied at once: enough for the full speed of a matrix multiply, small beside its matrix.
BLOCK_LEAVES = 1024
# Entries of a strategy vector: 2 GB of doubles.
LARGEST_VECTOR = 1 << 28


@dataclass(frozen=True)
class VectorLayout:
    """Where one player's sequences are in a flat vector: [empty] then per round [sequence][bucket].

    >>> layout = VectorLayout(sequences=(2, 3), buckets=(4, 5))
    >>> layout.size, [view.shape for view in layout.rounds(np.zeros(layout.size))]
    (24, [(2, 4), (3, 5)])
    """

    sequences: tuple[int, ...]
    buckets: tuple[int, ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each round begins in the vector; the last entry is the size."""
        sizes = [s * b for s, b in zip(self.sequences, self.buckets, strict=True)]
        return tuple(int(n) for n in np.cumsum([1, *sizes]))

    @property
    def size(self) -> int:
        return self.starts[-1]

    def rounds(self, vector: FloatArray) -> list[FloatArray]:
        """The [sequence, bucket] matrices of a vector, as views of it."""
        if vector.shape != (self.size,):
            raise DoyleError(f"strategy vector has shape {vector.shape}; expected ({self.size},)")
        return [
            vector[start : start + s * b].reshape(s, b)
            for start, s, b in zip(self.starts, self.sequences, self.buckets, strict=False)
        ]


@dataclass(frozen=True, eq=False)
class LeafGroup:
    """The leaves of one round and kind: rows of both players' matrices (-1: empty), and amounts."""

    round: int
    showdown: bool
    rows: tuple[IntArray, IntArray]
    amounts: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ProductPlan:
    """The leaves of a betting program, grouped by the bucket matrix they share."""

    sequences: tuple[tuple[int, ...], tuple[int, ...]]
    groups: tuple[LeafGroup, ...]

    @classmethod
    def from_bml(cls, document: BmlDocument) -> ProductPlan:
        """The plan of a BML document."""
        starts = np.zeros((2, document.rounds + 1), dtype=np.int32)
        for decision in document.decisions:
            top = 1 + max(action.number for action in decision.actions)
            place = (decision.player - 1, decision.round + 1)
            starts[place] = max(starts[place], top)
        leaves = document.leaves
        return _plan(
            starts=np.maximum.accumulate(starts, axis=1),
            rounds=np.array([leaf.round for leaf in leaves], dtype=np.int64),
            showdown=np.array([leaf.kind == "showdown" for leaf in leaves], dtype=bool),
            numbers=np.array([leaf.numbers for leaf in leaves], dtype=np.int32).reshape(-1, 2),
            amounts=np.array([leaf.amount for leaf in leaves], dtype=np.float64),
            names=[f"leaf {leaf.sequence!r}" for leaf in leaves],
        )

    @property
    def rounds(self) -> int:
        return len(self.sequences[0])

    def bind(
        self,
        fold_weights: Sequence[FloatArray],
        showdown_weights: Sequence[FloatArray],
        *,
        dtype: npt.DTypeLike = np.float64,
        block_leaves: int = BLOCK_LEAVES,
    ) -> CompiledProducts:
        """The two products for given bucket matrices [buckets of player 1, of player 2] per round."""
        return CompiledProducts(self, fold_weights, showdown_weights, dtype, block_leaves)


def _plan(
    *,
    starts: IntArray,
    rounds: npt.NDArray[np.int64],
    showdown: npt.NDArray[np.bool_],
    numbers: IntArray,
    amounts: npt.NDArray[np.float64],
    names: Sequence[str],
) -> ProductPlan:
    groups: list[LeafGroup] = []
    for number in range(starts.shape[1] - 1):
        for kind in (False, True):
            chosen = np.flatnonzero((rounds == number) & (showdown == kind))
            if not chosen.size:
                continue
            rows: list[IntArray] = []
            for player in range(2):
                low, high = starts[player, number : number + 2]
                sequence = numbers[chosen, player]
                inside = (sequence >= low) & (sequence < high)
                wrong = np.flatnonzero(~(inside | ((sequence == EMPTY) & (number == 0))))
                if wrong.size:
                    raise DoyleError(
                        f"products: {names[chosen[wrong[0]]]} of round {number + 1} is reached "
                        f"although player {player + 1} has not acted in that round"
                    )
                rows.append(np.where(inside, sequence - low, EMPTY).astype(np.int32))
            groups.append(LeafGroup(number, kind, (rows[0], rows[1]), amounts[chosen]))
    first, second = (tuple(int(n) for n in np.diff(starts[player])) for player in range(2))
    return ProductPlan((first, second), tuple(groups))


@dataclass(frozen=True, eq=False)
class _Batch:
    """Leaves whose products go to one block: block row `slots[k]` gets leaf k, `targets` its row."""

    sources: IntArray
    slots: IntArray
    scales: FloatArray
    targets: IntArray


@dataclass(frozen=True, eq=False)
class _Step:
    """The batches of one round that share a bucket matrix."""

    round: int
    matrix: FloatArray
    batches: tuple[_Batch, ...]


class CompiledProducts:
    """Ay and x'A as gather, matrix multiply and scatter over blocks of leaves.

    `layouts` are the vector layouts of the two players; `flops` the floating-point operations of the
    matrix multiplies of one product.
    """

    def __init__(
        self,
        plan: ProductPlan,
        fold_weights: Sequence[FloatArray],
        showdown_weights: Sequence[FloatArray],
        dtype: npt.DTypeLike,
        block_leaves: int,
    ) -> None:
        self.plan = plan
        self.dtype = np.dtype(dtype)
        if self.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise DoyleError(f"products: dtype {self.dtype}; expected float32 or float64")
        buckets = _check_weights(plan, fold_weights, showdown_weights)
        self.layouts = (
            VectorLayout(plan.sequences[0], buckets[0]),
            VectorLayout(plan.sequences[1], buckets[1]),
        )
        largest = max(layout.size for layout in self.layouts)
        if largest > LARGEST_VECTOR:
            raise DoyleError(
                f"products: a strategy vector of {largest:,} entries, more than {LARGEST_VECTOR:,}; "
                "take fewer buckets, or number the actions without large gaps"
            )
        matrices = {
            (group.round, group.showdown): np.ascontiguousarray(
                (showdown_weights if group.showdown else fold_weights)[group.round],
                dtype=self.dtype,
            )
            for group in plan.groups
        }

        def step(group: LeafGroup, player: int) -> _Step:
            matrix = matrices[group.round, group.showdown]
            # Player 1's product multiplies rows of player 2, so by the transposed matrix.
            turned = matrix.T if player == 0 else matrix
            return _Step(group.round, turned, _batches(group, player, self.dtype, block_leaves))

        self._steps = tuple(
            tuple(step(group, player) for group in plan.groups) for player in range(2)
        )
        rows = [len(batch.targets) for steps in self._steps for s in steps for batch in s.batches]
        widest = max((*buckets[0], *buckets[1]))
        self._blocks = np.empty((2, max(rows, default=0) * widest), dtype=self.dtype)

    @property
    def flops(self) -> int:
        return sum(
            2 * len(batch.targets) * step.matrix.size
            for step in self._steps[0]
            for batch in step.batches
        )

    def times(self, y: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """Ay: what each sequence and bucket of player 1 earns against player 2's plan y."""
        return self._product(0, y, out)

    def transposed_times(self, x: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """x'A: what each sequence and bucket of player 2 costs it against player 1's plan x."""
        return self._product(1, x, out)

    def _product(self, player: int, vector: FloatArray, out: FloatArray | None) -> FloatArray:
        """The product with a row per sequence of `player`, for the other player's `vector`."""
        if vector.dtype != self.dtype:
            vector = vector.astype(self.dtype)
        layout = self.layouts[player]
        if out is None:
            out = np.zeros(layout.size, dtype=self.dtype)
        else:
            out[:] = 0
        inputs, outputs = self.layouts[1 - player].rounds(vector), layout.rounds(out)
        for step in self._steps[player]:
            rows_in, rows_out = inputs[step.round], outputs[step.round]
            for batch in step.batches:
                count = len(batch.targets)
                block = self._blocks[0][: count * rows_in.shape[1]].reshape(count, rows_in.shape[1])
                result = self._blocks[1][: count * rows_out.shape[1]].reshape(count, -1)
                gather_rows(block, rows_in, vector[0], batch.sources, batch.slots, batch.scales)
                np.matmul(block, step.matrix, out=result)
                out[0] += scatter_rows(rows_out, result, batch.targets)
        return out


def _check_weights(
    plan: ProductPlan, fold_weights: Sequence[FloatArray], showdown_weights: Sequence[FloatArray]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of buckets of both players by round."""
    for name, weights in (("fold_weights", fold_weights), ("showdown_weights", showdown_weights)):
        if len(weights) != plan.rounds:
            raise DoyleError(
                f"products: {len(weights)} {name}; the program has {plan.rounds} rounds"
            )
    for number, (fold, showdown) in enumerate(zip(fold_weights, showdown_weights, strict=True)):
        if fold.ndim != 2 or fold.shape != showdown.shape:
            raise DoyleError(
                f"products: weights of round {number + 1} have shapes {fold.shape} and "
                f"{showdown.shape}; expected one matrix shape"
            )
    shapes = [fold.shape for fold in fold_weights]
    return tuple(int(shape[0]) for shape in shapes), tuple(int(shape[1]) for shape in shapes)


def _batches(
    group: LeafGroup, player: int, dtype: npt.DTypeLike, block_leaves: int
) -> tuple[_Batch, ...]:
    """Leaves ordered by `player`'s row; leaves that share the row share a row of the block."""
    order = np.argsort(group.rows[player], kind="stable")
    targets, slots = np.unique(group.rows[player][order], return_inverse=True)
    batches: list[_Batch] = []
    for low in range(0, len(targets), block_leaves):
        high = min(low + block_leaves, len(targets))
        inside = order[(slots >= low) & (slots < high)]
        batches.append(
            _Batch(
                sources=group.rows[1 - player][inside],
                slots=(slots[(slots >= low) & (slots < high)] - low).astype(np.int32),
                scales=group.amounts[inside].astype(dtype),
                targets=targets[low:high].astype(np.int32),
            )
        )
    return tuple(batches)
