"""The payoff products as straight-line code: one line of C per leaf, as the paper generated C++.

The comparison of the benchmark; solvers run `doyle.solving.bml_program`.
The generated functions follow listing 2 of Gilpin, Sandholm and Sørensen 2008: for one pair of buckets
(i, j) of a round, every leaf adds `x[j + number] * prob * payoff` to `b[i + number]`, so vectors are
[bucket][sequence] inside a round here. Needs a C compiler (`cc`).
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.bml.document import EMPTY, BmlDocument
from doyle.abstractions.betting.bml.interpreter import FloatArray, VectorLayout
from doyle.base.errors import DoyleError

# Above this compilers take minutes; functions are split because one long block is worse still.
MOST_LEAVES = 20_000
_LINES_PER_FUNCTION = 256
_FLAGS = ("-O3", "-march=native", "-std=c99", "-shared", "-fPIC")

_LOOP = """
void {name}(const {real} *vector, {real} *out, const {real} *weight, long low, long high, long width)
{{
    /* vector[0] and out[0] are the empty sequence. */
    for (long i = low; i < high; i++)
        for (long j = 0; j < width; j++) {{
            const {real} prob = weight[i * width + j];
            const {real} *x = vector + 1 + {other} * j;
            {real} *b = out + 1 + {own} * i;
{calls}
        }}
}}
"""


@dataclass(frozen=True, eq=False)
class LeafGroup:
    """The leaves of one round and kind: rows of both players' matrices (EMPTY for none), amounts."""

    round: int
    showdown: bool
    rows: tuple[list[int], list[int]]
    amounts: list[float]
    names: list[str]


def leaf_groups(document: BmlDocument) -> list[LeafGroup]:
    """The leaves that share a bucket matrix, round by round."""
    layouts = [VectorLayout.of(document, player, [1] * document.rounds) for player in (0, 1)]
    found: dict[tuple[int, bool], LeafGroup] = {}
    for leaf in sorted(document.leaves, key=lambda leaf: (leaf.round, leaf.kind)):
        key = (leaf.round, leaf.kind == "showdown")
        group = found.setdefault(key, LeafGroup(*key, ([], []), [], []))
        for player, number in enumerate(leaf.numbers):
            first = layouts[player].first[leaf.round]
            group.rows[player].append(EMPTY if number == EMPTY else number - first)
        group.amounts.append(leaf.amount)
        group.names.append(leaf.sequence)
    return list(found.values())


def compiler() -> str | None:
    """The C compiler to use, if there is one."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def c_source(
    document: BmlDocument, *, dtype: npt.DTypeLike = np.float64, players: Sequence[int] = (0, 1)
) -> str:
    """C source with a function per round, kind of leaf and product (0: Ay, 1: x'A)."""
    sizes = [
        np.diff(VectorLayout.of(document, player, [1] * document.rounds).first).tolist()
        for player in (0, 1)
    ]
    real = "float" if np.dtype(dtype) == np.float32 else "double"
    parts = [f"/* {document.name.replace('*/', '')}: one line per leaf */\n"]
    for group in leaf_groups(document):
        here = (sizes[0][group.round], sizes[1][group.round])
        for player in players:
            parts += _functions(here, group, player, real)
    return "".join(parts)


def _functions(sizes: tuple[int, int], group: LeafGroup, player: int, real: str) -> list[str]:
    """The helpers of one group of leaves, and the loop over bucket pairs that calls them."""
    stem = _stem(group, player)
    suffix = "f" if real == "float" else ""
    own, other = group.rows[player], group.rows[1 - player]
    lines = [
        f"    {'out[0]' if b < 0 else f'b[{b}]'} += {'vector[0]' if x < 0 else f'x[{x}]'}"
        f" * prob * {amount!r}{suffix}; /* {sequence} */\n"
        for b, x, amount, sequence in zip(own, other, group.amounts, group.names, strict=True)
    ]
    parts: list[str] = []
    calls: list[str] = []
    for low in range(0, len(lines), _LINES_PER_FUNCTION):
        name = f"{stem}_{low // _LINES_PER_FUNCTION}"
        parts.append(
            f"static void {name}(const {real} *vector, {real} *out,\n"
            f"    const {real} *x, {real} *b, const {real} prob)\n{{\n"
            + "".join(lines[low : low + _LINES_PER_FUNCTION])
            + "}\n"
        )
        calls.append(f"            {name}(vector, out, x, b, prob);")
    here = {"own": sizes[player], "other": sizes[1 - player]}
    parts.append(_LOOP.format(name=stem, real=real, calls="\n".join(calls), **here))
    return parts


def _stem(group: LeafGroup, player: int) -> str:
    return f"product{player + 1}_round{group.round + 1}_{'showdown' if group.showdown else 'fold'}"


class StraightLineProducts:
    """Ay and x'A by compiled straight-line code; the same interface as `BmlProgram`."""

    def __init__(
        self,
        document: BmlDocument,
        fold_weights: Sequence[FloatArray],
        showdown_weights: Sequence[FloatArray],
        *,
        dtype: npt.DTypeLike = np.float64,
        players: Sequence[int] = (0, 1),
    ) -> None:
        if len(document.leaves) > MOST_LEAVES:
            raise DoyleError(
                f"straight-line code: {len(document.leaves):,} leaves; at most {MOST_LEAVES:,} compile "
                "in reasonable time, use the solvers' program"
            )
        self.dtype = np.dtype(dtype)
        self.groups = leaf_groups(document)
        self.layouts = tuple(
            VectorLayout.of(document, player, [weight.shape[player] for weight in fold_weights])
            for player in (0, 1)
        )
        self._weights = {
            (group.round, group.showdown, player): np.ascontiguousarray(
                self._turned(
                    (showdown_weights if group.showdown else fold_weights)[group.round], player
                ),
                dtype=self.dtype,
            )
            for group in self.groups
            for player in players
        }
        self._library = _build(c_source(document, dtype=dtype, players=players))

    @staticmethod
    def _turned(weight: FloatArray, player: int) -> FloatArray:
        return weight if player == 0 else weight.T

    def times(self, y: FloatArray) -> FloatArray:
        """Ay for player 2's vector y."""
        return self._product(0, y)

    def transposed_times(self, x: FloatArray) -> FloatArray:
        """x'A for player 1's vector x."""
        return self._product(1, x)

    def _product(self, player: int, vector: FloatArray) -> FloatArray:
        inputs = self.layouts[1 - player].rounds(vector)
        out = np.zeros(self.layouts[player].size, dtype=self.dtype)
        outputs = self.layouts[player].rounds(out)
        for group in self.groups:
            buckets, sequences = outputs[group.round].shape[::-1]
            result = np.zeros(1 + buckets * sequences, dtype=self.dtype)
            packed = self.pack(inputs[group.round], vector[0])
            self.run(group, player, packed=packed, result=result, buckets=(0, buckets))
            out[0] += result[0]
            outputs[group.round] += result[1:].reshape(buckets, sequences).T
        return out

    def pack(self, rows: FloatArray, empty: float) -> FloatArray:
        """One round of a vector as the generated code wants it: [empty], then [bucket][sequence]."""
        return np.concatenate([[empty], rows.T.ravel()]).astype(self.dtype)

    def run(
        self,
        group: LeafGroup,
        player: int,
        *,
        packed: FloatArray,
        result: FloatArray,
        buckets: tuple[int, int],
    ) -> None:
        """Add the product of one group, for a range of the player's buckets, to packed `result`."""
        weight = self._weights[group.round, group.showdown, player]
        pointer = ctypes.c_void_p
        getattr(self._library, _stem(group, player))(
            pointer(packed.ctypes.data),
            pointer(result.ctypes.data),
            pointer(weight.ctypes.data),
            ctypes.c_long(buckets[0]),
            ctypes.c_long(buckets[1]),
            ctypes.c_long(weight.shape[1]),
        )


def _build(source: str) -> ctypes.CDLL:
    """Compile and load; the files are gone afterwards, the loaded code stays."""
    found = compiler()
    if found is None:
        raise DoyleError("straight-line code needs a C compiler, and no cc, gcc or clang was found")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "products.c"
        path.write_text(source)
        library = Path(folder) / "products.so"
        done = subprocess.run(
            [found, *_FLAGS, "-o", str(library), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            first = (done.stderr.strip().splitlines() or ["no message"])[0]
            raise DoyleError(f"straight-line code: {found} failed: {first}")
        return ctypes.CDLL(str(library))
