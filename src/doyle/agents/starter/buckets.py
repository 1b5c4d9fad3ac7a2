"""The buckets of `ir169.iru50hs2.iru50hs2.u50hs2` without the strength atlas.

Before the flop and on it they are tables: a flop is looked up by the least of its 24 relabellings of
suits. On the turn and the river E[HS^2] is counted on the board. They are the buckets that the card
abstraction of that name has, for every hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from doyle.agents.starter.strength import FULL_POINTS, squared_points
from doyle.base.errors import DoyleError
from doyle.cards import live_hands
from doyle.cards.cards import DECK_SIZE, HOLE_COUNT, HOLES
from doyle.cards.suits.relabelling import ALL_SUITS

CARDS = "ir169.iru50hs2.iru50hs2.u50hs2"
INTERVALS = 50
FLOPS = 1755
BUCKET_COUNTS = (169, INTERVALS, INTERVALS, INTERVALS)

_RIVERS = {4: 46, 5: 1}
_SUITS = np.array(ALL_SUITS, np.int64)
_CARD_MAPS = (np.arange(DECK_SIZE) & ~3)[None, :] + _SUITS[:, np.arange(DECK_SIZE) & 3]


@dataclass(frozen=True, eq=False)
class StarterBuckets:
    """Buckets of all holes on a board; `flops` are the codes of the least flops, ascending.

    `preflop_equity` is E[HS] before the flop in 255ths.
    """

    preflop: npt.NDArray[np.uint8]
    preflop_equity: npt.NDArray[np.uint8]
    flops: npt.NDArray[np.int32]
    flop_buckets: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        shapes = (self.preflop.shape, self.preflop_equity.shape, self.flops.shape)
        if shapes != ((HOLE_COUNT,), (HOLE_COUNT,), (FLOPS,)):
            raise DoyleError(f"starter: tables of shapes {shapes}")
        if self.flop_buckets.shape != (FLOPS, HOLE_COUNT):
            raise DoyleError(f"starter: a table of flops of shape {self.flop_buckets.shape}")

    def buckets(self, board: tuple[int, ...]) -> npt.NDArray[np.int32]:
        """The bucket of every hole, int32[1326]; -1 where it shares a card with the board."""
        if not board:
            return self.preflop.astype(np.int32)
        if len(board) == 3:
            code, permutation = least_flop(board)
            row = self.flop_buckets[int(np.searchsorted(self.flops, code))]
            found = row[_hole_map(permutation)].astype(np.int32)
            return np.where(live_hands(HOLES, board), found, np.int32(-1))
        if len(board) not in _RIVERS:
            raise DoyleError(f"board of {len(board)} cards: expected 0, 3, 4 or 5")
        return interval_of(squared_points(board), rivers=_RIVERS[len(board)])

    def strengths(self, board: tuple[int, ...]) -> npt.NDArray[np.float64]:
        """About the equity of every hole: the root of the middle of its interval of E[HS^2].

        E[HS] itself before the flop; 0 where the hole shares a card with the board.
        """
        if not board:
            return np.asarray(self.preflop_equity / 255)
        found = self.buckets(board)
        return np.where(found < 0, 0.0, np.sqrt((np.maximum(found, 0) + 0.5) / INTERVALS))


def interval_of(sums: npt.NDArray[np.int64], *, rivers: int) -> npt.NDArray[np.int32]:
    """The even interval of E[HS^2] in which each sum of squared points lies; -1 for sums below 0."""
    largest = rivers * FULL_POINTS**2
    cuts = np.array([-(-place * largest // INTERVALS) for place in range(1, INTERVALS)], np.int64)
    found = np.searchsorted(cuts, sums, side="right").astype(np.int32)
    return np.where(sums < 0, np.int32(-1), found)


def least_flop(flop: tuple[int, ...]) -> tuple[int, int]:
    """The code of the least relabelling of a flop, and the permutation of suits that leads to it.

    >>> least_flop((3, 7, 11))[0] == least_flop((0, 4, 8))[0]
    True
    """
    images = np.sort(_CARD_MAPS[:, list(flop)], axis=1)
    codes = images @ np.array([DECK_SIZE**2, DECK_SIZE, 1])
    permutation = int(codes.argmin())
    return int(codes[permutation]), permutation


def flop_of(code: int) -> tuple[int, int, int]:
    """The flop of a code.

    >>> flop_of(least_flop((0, 4, 8))[0])
    (0, 4, 8)
    """
    rest, last = divmod(code, DECK_SIZE)
    first, middle = divmod(rest, DECK_SIZE)
    return first, middle, last


@lru_cache(maxsize=24)
def _hole_map(permutation: int) -> npt.NDArray[np.int64]:
    """The hole that each hole becomes."""
    images = np.sort(_CARD_MAPS[permutation][HOLES], axis=1)
    return np.asarray(images[:, 1] * (images[:, 1] - 1) // 2 + images[:, 0])
