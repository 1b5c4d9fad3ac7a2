"""A card abstraction: (round, hole cards, board) -> bucket, for one hand, a board or many deals.

Tables are memory-mapped, so opening one costs nothing and processes share the memory. The order of
the board matters to perfect recall: its first three cards are the flop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards import _lookup_kernels as kernels
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.abstractions.cards.tables import ROUNDS, BucketTables
from doyle.base.errors import DoyleError
from doyle.cards.cards import HOLE_COUNT, HOLES, check_cards, hole_index
from doyle.cards.suits.boards import (
    BINOMIALS,
    CARD_MAPS,
    COMPOSITIONS,
    HOLE_MAPS,
    boards,
    flop_turns,
)

BOARD_CARDS = (0, 3, 4, 5)
"""Cards on the board, by round."""


class CardAbstraction:
    """Buckets of every hand of Texas Hold'em, by round."""

    def __init__(self, spec: str, tables: BucketTables, atlas: Atlas) -> None:
        self.spec = spec
        self.tables = tables
        self._atlas = atlas

    def __repr__(self) -> str:
        return f"CardAbstraction({self.spec!r}, buckets={self.tables.counts})"

    @property
    def rounds(self) -> int:
        return ROUNDS

    def bucket_count(self, round: int) -> int:
        """Buckets of a round, remembered ones included (the thesis's bucket sequences)."""
        return int(self.tables.counts[_checked_round(round)])

    def parents(self, round: int) -> NDArray[Any] | None:
        """Each bucket's bucket on the round before; None where that is not remembered."""
        return self.tables.parents[_checked_round(round)]

    def masses(self, round: int) -> NDArray[np.float64]:
        """The probability of each bucket of a round."""
        deals = np.asarray(self.tables.masses[_checked_round(round)], np.float64)
        return np.asarray(deals / deals.sum())

    def bucket(self, round: int, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of one hand; board cards beyond the round's are not looked at."""
        needed = BOARD_CARDS[_checked_round(round)]
        cards = check_cards((*hole, *board), what="hand")
        if len(hole) != 2 or len(board) < needed:
            raise DoyleError(
                f"round {round} needs two hole cards and a board of {needed}, "
                f"not {len(hole)} and {len(board)}"
            )
        return int(self.buckets(cards[2 : 2 + needed])[hole_index(cards[0], cards[1])])

    def buckets(self, board: Sequence[int]) -> NDArray[np.int32]:
        """The bucket of every hole, int32[1326]; -1 where it shares a card with the board."""
        cards = np.array(board, np.int64)
        if len(cards) not in BOARD_CARDS:
            raise DoyleError(f"board of {len(cards)} cards: expected 0, 3, 4 or 5")
        check_cards(board, what="board")
        out = np.empty(HOLE_COUNT, np.int32)
        kernels.board_buckets(self.lookup, cards, len(cards), HOLES, out)
        return out

    def deal_buckets(self, holes: NDArray[Any], boards: NDArray[Any]) -> NDArray[np.int32]:
        """Buckets int32[n, seats, 4] of the hands holes[n, seats, 2] on boards[n, 5].

        For solvers: cards are not checked, and the kernel releases the GIL.
        """
        if holes.ndim != 3 or holes.shape[2] != 2 or boards.shape != (len(holes), 5):
            raise DoyleError(
                f"deals of shapes {holes.shape} and {boards.shape}: expected [n, seats, 2], [n, 5]"
            )
        out = np.empty((*holes.shape[:2], ROUNDS), np.int32)
        kernels.deal_buckets(self.lookup, holes.astype(np.int64), boards.astype(np.int64), out)
        return out

    @cached_property
    def lookup(self) -> kernels.Lookup:
        """What kernels take; `_kernels.deal_buckets` may be called with it from other kernels."""
        tables = self.tables
        strength = self._atlas.river_strength if tables.by_strength else np.empty((0, 0), np.uint16)
        return kernels.Lookup(
            # Plain views: Numba takes much longer to recognise a subclass such as memmap.
            preflop=np.asarray(tables.preflop),
            flop=np.asarray(tables.flop),
            turn=np.asarray(tables.turn),
            turn_memory=np.asarray(tables.turn_memory),
            river_by_strength=np.asarray(tables.river_by_strength),
            river=np.asarray(tables.river),
            strength=np.asarray(strength),
            flop_table=boards(3).table,
            turn_table=boards(4).table,
            river_table=boards(5).table,
            sequence_table=flop_turns().table,
            card_maps=CARD_MAPS,
            hole_maps=HOLE_MAPS,
            compositions=COMPOSITIONS,
            binomials=BINOMIALS,
            by_sequence=int(tables.by_sequence),
            by_strength=int(tables.by_strength),
        )


def _checked_round(round: int) -> int:
    if not 0 <= round < ROUNDS:
        raise DoyleError(f"round {round}: expected 0 (preflop) to 3 (river)")
    return round
