"""Transitions: for every hand, how many of the next round's hands fall into each of its clusters.

These counts, over hands up to suits (`hands`), are the histograms that potential-aware abstraction
compares. A turn hand meets 46 rivers, a flop hand 47 turns, a preflop hand 19,600 flops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.strength import _atlas_kernels as kernels
from doyle.abstractions.cards.strength.atlas import Atlas, count_turn_rivers
from doyle.base.workers import map_threads
from doyle.cards.suits.boards import BINOMIALS, HOLE_MAPS, boards
from doyle.cards.suits.hands import HANDS, hands

Counts = NDArray[Any]
_BLOCKS = 64


def turn_to_river(atlas: Atlas, clusters: NDArray[np.integer[Any]], *, count: int) -> Counts:
    """uint8[13960050, count] from the cluster of each river strength, clusters[1981]."""
    out = np.zeros((HANDS[2], count), np.uint8)
    bins = np.asarray(clusters, np.int64)
    _ = atlas.river_strength, hands(2)  # made once, before the threads ask for them

    def work(rows: NDArray[np.int64]) -> None:
        count_turn_rivers(atlas, rows, bins, out)

    for _done in map_threads(
        work,
        np.array_split(atlas.turn_rows, _BLOCKS),
        workers=atlas.workers,
        progress=atlas.progress,
        label="turn to river",
    ):
        pass
    return out


def flop_to_turn(atlas: Atlas, clusters: NDArray[np.integer[Any]], *, count: int) -> Counts:
    """uint8[1286792, count] from the cluster of each turn hand, clusters[13960050]."""
    numbered, turn_index = hands(1), hands(2).index
    out = np.zeros((HANDS[1], count), np.uint8)

    def work(rows: NDArray[np.int64]) -> None:
        kernels.flop_transitions(
            boards(3).boards, rows, numbered.index, numbered.hole, turn_index, clusters,
            boards(4).table, BINOMIALS, HOLE_MAPS, out,
        )  # fmt: skip

    for _done in map_threads(
        work,
        np.array_split(atlas.flop_rows, _BLOCKS),
        workers=atlas.workers,
        progress=atlas.progress,
        label="flop to turn",
    ):
        pass
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
