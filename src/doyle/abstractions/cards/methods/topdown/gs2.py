"""GS2: top-down abstraction by winning probability, `gs2-8-12-4-4` or `gs2-10-150-750-3750`.

Gilpin and Sandholm (Better automated abstraction techniques for imperfect information games, AAMAS
2007): from the first round on, the hands of each bucket are clustered by E[HS] for various numbers
of children, and an integer program decides how many each bucket gets. On a line k-means can be
solved exactly, so every division here is the best there is, over all hands and not a sample.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.abstraction import BucketTables, collisions
from doyle.abstractions.cards.clustering.kmeans import cluster_line
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.division import (
    Sizes,
    Table,
    divide_lines,
    make_top_down,
)
from doyle.abstractions.cards.strength.atlas import Atlas, each_block, largest_sum
from doyle.base.artifacts import Stages
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns, hands

_FLOP_STEP = 1081
"""Flop sums are taken in steps of one strength: 1,980 of the 2,140,380 there are, as on the river."""


def make_gs2(name: str, *, atlas: Atlas, seed: int, stages: Stages | None = None) -> BucketTables:
    """The tables of `gs2-a-b-c-d`; nothing is left to chance, so `seed` changes nothing."""
    sizes = Sizes.parse(name)
    return make_top_down(
        atlas, sizes, stages or Stages(),
        preflop=lambda: _preflop(atlas, sizes.totals[0]),
        flop=lambda preflop: _flop(atlas, sizes, preflop),
        turn=lambda flop: _turn(atlas, sizes, flop),
    )  # fmt: skip


MAKERS = {"gs2-": make_gs2}


def _preflop(atlas: Atlas, buckets: int) -> Table:
    sums = np.asarray(atlas.sums(0, 1)[0], np.float64)
    values, place, times = np.unique(sums, return_inverse=True, return_counts=True)
    line = cluster_line(values / values[-1], weights=times.astype(np.float64), clusters=buckets)
    return np.asarray(line.assignment(min(buckets, len(values)))[place], np.int32)


def _flop(atlas: Atlas, sizes: Sizes, preflop: Table) -> tuple[Table, npt.NDArray[np.int64]]:
    sums = atlas.sums(1, 1)
    counts = np.zeros((sizes.totals[0], largest_sum(1, 1) // _FLOP_STEP + 1), np.int64)
    flop = np.full((len(boards(3)), HOLE_COUNT), -1, np.int32)
    free = {int(row): ~collisions(boards(3).boards[[row]])[0] for row in atlas.flop_rows}
    for row, open_holes in free.items():
        steps = (sums[row][open_holes] // _FLOP_STEP).astype(np.int64)
        np.add.at(counts, (preflop[open_holes], steps), boards(3).weights[row])
    rule, starts = divide_lines(counts, sizes, round=1)
    for row, open_holes in free.items():
        steps = (sums[row][open_holes] // _FLOP_STEP).astype(np.int64)
        flop[row, open_holes] = rule[preflop[open_holes], steps]
    return flop, starts


def _turn(atlas: Atlas, sizes: Sizes, flop: Table) -> tuple[Table, npt.NDArray[np.int64]]:
    numbered, index = flop_turns(), hands(2).index
    # In steps of one strength, as on the flop: 46 rivers for each hand.
    values = (atlas.sums(2, 1) // np.uint32(46)).astype(np.uint16)
    counts = np.zeros((sizes.totals[1], largest_sum(2, 1) // 46 + 1), np.int64)
    kernels.count_turn_values(
        atlas.sequence_rows, numbered.flop_row, numbered.turn_code, numbered.weights, HOLE_MAPS,
        flop, values, index, counts,
    )  # fmt: skip
    rule, starts = divide_lines(counts, sizes, round=2)
    turn = np.full((len(numbered), HOLE_COUNT), -1, np.int32)

    def work(rows: npt.NDArray[np.int64]) -> None:
        kernels.assign_turn_values(
            rows, numbered.flop_row, numbered.turn_code, HOLE_MAPS, flop, values, index, rule, turn
        )

    each_block(atlas, atlas.sequence_rows, work, "turn buckets")
    return turn, starts
