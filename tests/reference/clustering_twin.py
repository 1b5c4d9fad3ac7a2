"""Plain twins of the kernels behind clusterings: opponent clusters by enumeration, walks over turn
hands one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.cards import HOLES, rank_hand
from doyle.cards.suits.boards import HOLE_MAPS, flop_turns, hands


def strength_against(
    hole: int, board: Sequence[int], cluster_of: npt.NDArray[Any], cluster: int
) -> float:
    """HS of a hole against the uniform hand of a cluster, opponent by opponent."""
    own = {int(card) for card in HOLES[hole]} | set(board)
    rank = rank_hand((*map(int, HOLES[hole]), *board))
    met, beaten = 0, 0.0
    for other, cards in enumerate(HOLES):
        if cluster_of[other] == cluster and not own & {int(card) for card in cards}:
            theirs = rank_hand((*map(int, cards), *board))
            met += 1
            beaten += 1.0 if rank > theirs else 0.5 if rank == theirs else 0.0
    return beaten / met


def walk_turns(
    rows: Sequence[int], flop: npt.NDArray[Any]
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """(row, hole, parent, turn hand, turn row, hole on the turn row) of every possible deal."""
    numbered, index = flop_turns(), hands(2).index
    for row in rows:
        source, permutation = divmod(int(numbered.turn_code[row]), 32)
        for hole in range(len(HOLES)):
            parent = int(flop[numbered.flop_row[row], hole])
            mapped = int(HOLE_MAPS[permutation, hole])
            hand = int(index[source, mapped])
            if parent >= 0 and hand >= 0:
                yield row, hole, parent, hand, source, mapped


def nearest_child(
    features: npt.NDArray[Any], centroids: npt.NDArray[Any], start: int, stop: int
) -> int:
    gaps = ((features.astype(np.float64) - centroids[start:stop]) ** 2).sum(axis=1)
    return start + int(gaps.argmin())
