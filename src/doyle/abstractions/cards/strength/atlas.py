"""The strength atlas: exact hand strength of every hand against a uniform opponent.

On the river a hand's strength is the integer 2 * wins + ties over its 990 opponents, so that
HS = strength / 1980. Earlier rounds hold exact integer sums over all run-outs of strength, its
square and its cube, and histograms of it; E[HS^p] = sum / (run-outs * 1980^p). Tables are over
(board row, hole), histograms over hands (`boards`, `hands`). Each part is an artifact of its own,
made when first asked for: the river from the 134,459 boards up to suits, each earlier round from the
next. A restricted atlas holds only boards that some flops lead to; its other rows are zero, and its
preflop sums are over those flops alone.

Transitions count for every hand up to suits how many of the next round's hands fall into each of its
clusters: the histograms that potential-aware abstraction compares. A turn hand meets 46 rivers, a flop
hand 47 turns, a preflop hand 19,600 flops.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.strength import _atlas_kernels as kernels
from doyle.base.artifacts import Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_items, map_threads
from doyle.cards._strength_kernels import board_scratch
from doyle.cards.cards import HOLES
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import BINOMIALS, FULL, HANDS, boards, flop_turns, hands

VERSION = 2
FULL_STRENGTH = 1980
"""Strength of a hand that beats all 990 opponents."""

RUNOUTS = (comb(50, 5), comb(47, 2), 46, 1)
"""Boards to come for one hand, by round."""

BINS = 30
"""Bins of the histograms: 66 of the 1,980 strengths each, the last with full strength too."""

Rows = NDArray[np.int64]
Powers = tuple[int, ...]

_MADE_TOGETHER: tuple[Powers, ...] = ((1, 2), (3,))
_STAGES = 16
_BLOCKS_IN_STAGE = 8


class Atlas:
    """Exact strengths, read from the store and built there when missing.

    `flops` restricts the atlas to the boards that these flop rows lead to.
    """

    def __init__(
        self,
        *,
        flops: tuple[int, ...] | None = None,
        store: Store | None = None,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.flops = None if flops is None else tuple(sorted(set(flops)))
        self.store = store or Store()
        self.workers = workers or Workers()
        self.progress = progress
        self._opened: dict[tuple[str, int], NDArray[Any]] = {}

    @cached_property
    def flop_rows(self) -> Rows:
        return np.arange(len(boards(3))) if self.flops is None else np.array(self.flops, np.int64)

    @cached_property
    def sequence_rows(self) -> Rows:
        """The (flop, turn card) rows of these flops."""
        if self.flops is None:
            return np.arange(len(flop_turns()))
        return np.flatnonzero(np.isin(flop_turns().flop_row, self.flop_rows))

    @cached_property
    def turn_rows(self) -> Rows:
        if self.flops is None:
            return np.arange(len(boards(4)))
        return np.unique(flop_turns().turn_code[self.sequence_rows] >> 5).astype(np.int64)

    @cached_property
    def river_rows(self) -> Rows:
        if self.flops is None:
            return np.arange(len(boards(5)))
        turns = boards(4).boards[self.turn_rows].astype(np.int64)
        found = [np.empty(0, np.int64)]
        for card in range(52):
            fit = turns[(turns != card).all(axis=1)]
            whole = np.sort(np.column_stack([fit, np.full(len(fit), card)]), axis=1)
            ranks = sum(BINOMIALS[whole[:, place], place + 1] for place in range(5))
            found.append(boards(5).table[ranks].astype(np.int64) >> 5)
        return np.unique(np.concatenate(found))

    @property
    def river_strength(self) -> NDArray[np.uint16]:
        """uint16[134459, 1326]: 2 * wins + ties; 65535 where hole and board share a card."""
        return self._array("river", 0, self._build_river)

    def sums(self, round: int, power: int) -> NDArray[Any]:
        """[rows, 1326]: sums of strength ** power over all run-outs; 0 on collisions.

        The preflop has one row, the river is its own sum: strength ** power.
        """
        if not (0 <= round <= 2 and 1 <= power <= 3):
            raise DoyleError(f"atlas: no sums of power {power} on round {round}")
        name = ("preflop", "flop", "turn")[round]
        build = (self._build_preflop, self._build_flop, self._build_turn)[round]
        powers = next(powers for powers in _MADE_TOGETHER if power in powers)
        table = self._array(name, powers[0], lambda builder: build(builder, powers))
        return np.asarray(table[powers.index(power)])

    def histograms(self, round: int) -> NDArray[Any]:
        """[hands, 30]: run-outs by strength; uint8 on the turn, uint16 on the flop."""
        if round not in (1, 2):
            raise DoyleError(f"atlas: histograms are for the flop and turn, not round {round}")
        name = "flop-histograms" if round == 1 else "turn-histograms"
        build = self._build_flop_histograms if round == 1 else self._build_turn_histograms
        return self._array(name, BINS, build)

    def _array(self, name: str, number: int, build: Callable[[Builder], None]) -> NDArray[Any]:
        key = (name, number)
        if key not in self._opened:
            parameters: dict[str, Any] = {"part": name, "number": number}
            if self.flops is not None:
                parameters["flops"] = list(self.flops)
            artifact = self.store.get(Description("atlas", VERSION, parameters), build)
            self._opened[key] = artifact.array("values")
        return self._opened[key]

    def _filled(
        self,
        builder: Builder,
        part: str,
        rows: Rows,
        out: NDArray[Any],
        *,
        label: str,
        number: int = 0,
    ) -> None:
        """Fill `out` block by block, in stages that a killed build keeps.

        Threads of this machine, or tasks of a cluster, which write their rows of the same file: its
        nodes see one cache folder.
        """
        file = ArrayFile(builder.folder / "values.bin", out.shape, out.dtype.str)
        where = (self.store.root.parent, self.flops)
        stages = np.array_split(rows, _STAGES)
        for done, stage in enumerate(stages):
            if not builder.finished(f"stage {done}"):
                blocks = [block for block in np.array_split(stage, _BLOCKS_IN_STAGE) if len(block)]
                if self.workers.cluster is None:
                    work = partial(FILLS[part], self, number, out=out)
                    list(map_threads(work, blocks, workers=self.workers))
                else:
                    items = [BlockWork(part, number, block, file, *where) for block in blocks]
                    list(map_items(fill_block, items, workers=self.workers))
                builder.finish(f"stage {done}")
            if self.progress is not None:
                self.progress(label, done + 1, len(stages))

    def _build_river(self, builder: Builder) -> None:
        out = builder.array("values", (len(boards(5)), len(HOLES)), np.uint16)
        self._filled(builder, "river", self.river_rows, out, label="river strength")

    def _build_turn(self, builder: Builder, powers: Powers) -> None:
        sums = _sums_array(builder, len(boards(4)), 2, powers)
        label = f"turn sums, powers {powers}"
        _ = self.river_strength  # what blocks read is there before they begin
        self._filled(builder, "turn", self.turn_rows, sums, label=label, number=powers[0])

    def _build_flop(self, builder: Builder, powers: Powers) -> None:
        sums = _sums_array(builder, len(boards(3)), 1, powers)
        label = f"flop sums, powers {powers}"
        _ = self.sums(2, powers[0])
        self._filled(builder, "flop", self.flop_rows, sums, label=label, number=powers[0])

    def _build_preflop(self, builder: Builder, powers: Powers) -> None:
        sums = _sums_array(builder, 1, 0, powers)
        for target, power in zip(sums, powers, strict=True):
            target[0] = self._preflop_sums(power)

    def _preflop_sums(self, power: int) -> NDArray[np.uint64]:
        preflop, flop_weights = hands(0), boards(3).weights
        weighted = np.zeros(len(HOLES), np.uint64)
        deals = np.zeros(len(HOLES), np.uint64)
        for row in self.flop_rows:
            values = self.sums(1, power)[row].astype(np.uint64)
            weighted += values * np.uint64(flop_weights[row])
            deals += (values > 0) * np.uint64(flop_weights[row])
        total, dealt = (np.zeros(len(preflop), np.uint64) for _ in range(2))
        np.add.at(total, preflop.index[0], weighted)
        np.add.at(dealt, preflop.index[0], deals)
        # Each board of five holds ten flops; a hand's deals share its sum equally. A restricted
        # atlas scales what its flops give to the number of flops that a hand can meet.
        flops = comb(50, 3)
        pairs = zip(total.tolist(), dealt.tolist(), strict=True)
        each = [sums * flops // (10 * max(1, deals)) for sums, deals in pairs]
        return np.asarray(np.array(each, np.uint64)[preflop.index[0]])

    def _build_turn_histograms(self, builder: Builder) -> None:
        out = builder.array("values", (HANDS[2], BINS), np.uint8)
        _ = self.river_strength
        self._filled(builder, "turn-histograms", self.turn_rows, out, label="turn histograms")

    def _build_flop_histograms(self, builder: Builder) -> None:
        out = builder.array("values", (HANDS[1], BINS), np.uint16)
        _ = self.histograms(2)
        self._filled(builder, "flop-histograms", self.flop_rows, out, label="flop histograms")


# Each of these fills some rows of one part: atlas, number of the part, rows, array of the part.


def _fill_river(atlas: Atlas, number: int, rows: Rows, *, out: NDArray[Any]) -> None:
    counts = np.empty((3, len(HOLES)), np.int32)
    kernels.river_strength(
        rank_tables(7), boards(5).boards, rows, HOLES, board_scratch(), counts, out
    )


def _fill_turn(atlas: Atlas, number: int, rows: Rows, *, out: NDArray[Any]) -> None:
    kernels.turn_sums(boards(4).boards, rows, atlas.river_strength, FULL.next_boards(4), out)


def _fill_flop(atlas: Atlas, number: int, rows: Rows, *, out: NDArray[Any]) -> None:
    total = np.empty(len(HOLES), np.uint64)
    powers = next(powers for powers in _MADE_TOGETHER if number in powers)
    for power, target in zip(powers, out, strict=True):
        kernels.flop_sums(
            boards(3).boards, rows, atlas.sums(2, power), FULL.next_boards(3), total, target
        )


def _fill_turn_histograms(atlas: Atlas, number: int, rows: Rows, *, out: NDArray[Any]) -> None:
    bins = np.minimum(np.arange(FULL_STRENGTH + 1) // (FULL_STRENGTH // BINS), BINS - 1)
    count_turn_rivers(atlas, rows, bins, out)


def _fill_flop_histograms(atlas: Atlas, number: int, rows: Rows, *, out: NDArray[Any]) -> None:
    numbered = hands(1)
    kernels.flop_histograms(
        boards(3).boards, rows, numbered.starts, numbered.hole, hands(2).index,
        atlas.histograms(2), FULL.next_boards(3), out,
    )  # fmt: skip


FILLS: dict[str, Callable[..., None]] = {
    "river": _fill_river,
    "turn": _fill_turn,
    "flop": _fill_flop,
    "turn-histograms": _fill_turn_histograms,
    "flop-histograms": _fill_flop_histograms,
}


class ArrayFile(NamedTuple):
    """An array of an artifact that is being built, for whoever sees the same folder."""

    path: Path
    shape: tuple[int, ...]
    dtype: str


class BlockWork(NamedTuple):
    """Some rows of a part, and where the parts before it are kept."""

    part: str
    number: int
    rows: Rows
    file: ArrayFile
    store: Path
    flops: tuple[int, ...] | None


def fill_block(work: BlockWork) -> None:
    """Fill the rows in the file itself, on any machine that sees the folder."""
    out = np.memmap(work.file.path, work.file.dtype, mode="r+", shape=work.file.shape)
    FILLS[work.part](_opened(work.store, work.flops), work.number, work.rows, out=out)
    out.flush()


@lru_cache(maxsize=1)
def _opened(store: Path, flops: tuple[int, ...] | None) -> Atlas:
    """The atlas of one cache folder, kept between the items of a worker."""
    return Atlas(flops=flops, store=Store(store))


def count_turn_rivers(atlas: Atlas, rows: Rows, bins: NDArray[np.int64], out: NDArray[Any]) -> None:
    """Count the 46 rivers of each hand of some turn rows by bins[strength] into out[hands, :]."""
    numbered = hands(2)
    matrix = np.empty((len(HOLES), 48), np.uint16)
    kernels.turn_histograms(
        boards(4).boards, rows, numbered.starts, numbered.hole, atlas.river_strength, bins,
        FULL.next_boards(4), matrix, out,
    )  # fmt: skip


def largest_sum(round: int, power: int) -> int:
    """The sum of a hand that wins on every run-out: what E[HS^power] = 1 is.

    >>> largest_sum(2, 1), largest_sum(3, 1)
    (91080, 1980)
    """
    return int(RUNOUTS[round] * FULL_STRENGTH**power)


def _sums_array(builder: Builder, rows: int, round: int, powers: Powers) -> NDArray[Any]:
    """An array [powers, rows, 1326] of a type that holds the largest sum."""
    small = largest_sum(round, powers[-1]) < 1 << 32
    return builder.array(
        "values", (len(powers), rows, len(HOLES)), np.uint32 if small else np.uint64
    )


Counts = NDArray[Any]
_BLOCKS = 64


def each_block(atlas: Atlas, rows: Rows, work: Callable[[Rows], None], label: str) -> None:
    """Call `work` with blocks of rows, on threads."""
    blocks = [block for block in np.array_split(rows, _BLOCKS) if len(block)]
    for _ in map_threads(work, blocks, workers=atlas.workers, progress=atlas.progress, label=label):
        pass


def turn_to_river(atlas: Atlas, clusters: NDArray[np.integer[Any]], *, count: int) -> Counts:
    """uint8[13960050, count] from the cluster of each river strength, clusters[1981]."""
    out = np.zeros((HANDS[2], count), np.uint8)
    bins = np.asarray(clusters, np.int64)
    _ = atlas.river_strength, hands(2)  # made once, before the threads ask for them

    each_block(
        atlas, atlas.turn_rows, lambda rows: count_turn_rivers(atlas, rows, bins, out),
        "turn to river",
    )  # fmt: skip
    return out


def flop_to_turn(atlas: Atlas, clusters: NDArray[np.integer[Any]], *, count: int) -> Counts:
    """uint8[1286792, count] from the cluster of each turn hand, clusters[13960050]."""
    numbered, turn_index = hands(1), hands(2).index
    out = np.zeros((HANDS[1], count), np.uint8)

    def work(rows: NDArray[np.int64]) -> None:
        kernels.flop_transitions(
            boards(3).boards, rows, numbered.starts, numbered.hole, turn_index, clusters,
            FULL.next_boards(3), out,
        )  # fmt: skip

    each_block(atlas, atlas.flop_rows, work, "flop to turn")
    return out


def preflop_to_flop(atlas: Atlas, clusters: NDArray[np.integer[Any]], *, count: int) -> Counts:
    """int64[169, count] from the cluster of each flop hand, clusters[1286792]."""
    preflop, flop = hands(0), hands(1)
    used = np.isin(flop.row, atlas.flop_rows)
    start = preflop.index[0][flop.hole[used]].astype(np.int64)
    cells = start * count + np.asarray(clusters, np.int64)[used]
    deals = np.bincount(cells, weights=flop.weight[used], minlength=len(preflop) * count)
    # Deals are exact in float64; a preflop hand's deals share its flops equally.
    return deals.astype(np.int64).reshape(-1, count) // preflop.weight[:, None]
