"""Kernels that rank hands through `RankTables`: batches, all hands of a board, enumerations.

Twins: tests/reference/cards_ranking.py. Indices are uint64 throughout (see `RankTables` for keys).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards.ranking import RankTables

_FLUSH_BITS = np.uint64(0x8888 << 32)
_SUM_MASK = np.uint64((1 << 32) - 1)
_COLUMN_BITS = np.uint64(9)
_COLUMN_MASK = np.uint64(511)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_MASK13 = np.uint64(0x1FFF)


@kernel
def flush_suit(bits: np.uint64) -> np.uint64:
    """The suit (uint64) whose flush bit is set in `bits` = key & flush bits, not zero."""
    if bits & np.uint64(0x0088 << 32):
        if bits & np.uint64(0x0008 << 32):
            return np.uint64(0)
        return np.uint64(1)
    if bits & np.uint64(0x0800 << 32):
        return np.uint64(2)
    return np.uint64(3)


@kernel
def card_bit(card: np.uint64) -> np.uint64:
    """The bit of a card (uint64) in a mask of 16 bits for each suit."""
    return _ONE << (((card & _THREE) << _FOUR) + (card >> _TWO))


@kernel
def rank_of(tables: RankTables, key: np.uint64, mask: np.uint64) -> np.uint16:
    """The rank of the hand with this key and this mask of 16 bits for each suit (both uint64)."""
    bits = key & _FLUSH_BITS
    if bits != np.uint64(0):
        return np.uint16(tables.flush[(mask >> (flush_suit(bits) << _FOUR)) & _MASK13])
    total = key & _SUM_MASK
    row = np.uint64(tables.offsets[total >> _COLUMN_BITS])
    return np.uint16(tables.ranks[row + (total & _COLUMN_MASK)])


@kernel
def evaluate_sevens(
    tables: RankTables, hands: NDArray[np.uint8], ranks: NDArray[np.uint16]
) -> None:
    """Write the rank of each row of `hands` (uint8[n, 7], contiguous) into `ranks` (uint16[n])."""
    keys = tables.keys
    for i in range(np.uint64(len(hands))):
        row = np.uint64(i)
        key = (
            keys[52]
            + keys[hands[row, 0]]
            + keys[hands[row, 1]]
            + keys[hands[row, 2]]
            + keys[hands[row, 3]]
            + keys[hands[row, 4]]
            + keys[hands[row, 5]]
            + keys[hands[row, 6]]
        )
        bits = key & _FLUSH_BITS
        if bits != np.uint64(0):
            ranks[row] = _flush_rank(tables, hands, row, flush_suit(bits))
        else:
            total = key & _SUM_MASK
            ranks[row] = tables.ranks[
                np.uint64(tables.offsets[total >> _COLUMN_BITS]) + (total & _COLUMN_MASK)
            ]


@kernel
def _flush_rank(
    tables: RankTables, hands: NDArray[np.uint8], row: np.uint64, suit: np.uint64
) -> np.uint16:
    mask = np.uint64(0)
    for j in range(hands.shape[1]):
        card = np.uint64(hands[row, np.uint64(j)])
        if card & _THREE == suit:
            mask |= _ONE << (card >> _TWO)
    return np.uint16(tables.flush[mask])


@kernel
def evaluate_hands(tables: RankTables, hands: NDArray[np.uint8], ranks: NDArray[np.uint16]) -> None:
    """As `evaluate_sevens` for rows of any size that `tables` are for."""
    keys = tables.keys
    size = np.uint64(hands.shape[1])
    for i in range(np.uint64(len(hands))):
        row = np.uint64(i)
        key = keys[52]
        for j in range(size):
            key += keys[hands[row, np.uint64(j)]]
        bits = key & _FLUSH_BITS
        if bits != np.uint64(0):
            ranks[row] = _flush_rank(tables, hands, row, flush_suit(bits))
        else:
            total = key & _SUM_MASK
            ranks[row] = tables.ranks[
                np.uint64(tables.offsets[total >> _COLUMN_BITS]) + (total & _COLUMN_MASK)
            ]


@kernel
def count_ranks(tables: RankTables, first: int, size: int, counts: NDArray[np.int64]) -> None:
    """Add to `counts` (int64[7463]) the ranks of all hands of `size` cards whose top card is `first`.

    Cards are visited in descending order by an odometer over the other cards.
    """
    keys = tables.keys
    chosen = np.zeros(8, np.uint64)
    key = np.zeros(8, np.uint64)
    mask = np.zeros(8, np.uint64)
    chosen[0] = np.uint64(first)
    key[0] = keys[52] + keys[np.uint64(first)]
    mask[0] = card_bit(np.uint64(first))
    depth = 1
    chosen[1] = chosen[0]
    while depth >= 1:
        # The card at `depth` steps down; below it there must be room for the cards that follow.
        if chosen[depth] <= np.uint64(size - 1 - depth):
            depth -= 1
            continue
        chosen[depth] -= _ONE
        if depth == size - 2:
            base = key[depth - 1] + keys[chosen[depth]]
            base_mask = mask[depth - 1] | card_bit(chosen[depth])
            for i in range(chosen[depth]):
                card = np.uint64(i)
                rank = rank_of(tables, base + keys[card], base_mask | card_bit(card))
                counts[np.uint64(rank)] += 1
        else:
            key[depth] = key[depth - 1] + keys[chosen[depth]]
            mask[depth] = mask[depth - 1] | card_bit(chosen[depth])
            depth += 1
            chosen[depth] = chosen[depth - 1]


@kernel
def rank_board(tables: RankTables, board: NDArray[np.uint8], ranks: NDArray[np.uint16]) -> None:
    """Rank every hole pair with `board` (uint8[3..5]) into `ranks` (uint16[1326]); 0 if it collides."""
    keys = tables.keys
    base = keys[52]
    base_mask = np.uint64(0)
    dead = np.uint64(0)
    for i in range(len(board)):
        card = np.uint64(board[np.uint64(i)])
        base += keys[card]
        base_mask |= card_bit(card)
        dead |= _ONE << card
    position = np.uint64(0)
    for i in range(np.uint64(52)):
        high = np.uint64(i)
        if (dead >> high) & _ONE:
            for j in range(high):
                ranks[position + np.uint64(j)] = 0
        else:
            key_high = base + keys[high]
            mask_high = base_mask | card_bit(high)
            for j in range(high):
                low = np.uint64(j)
                if (dead >> low) & _ONE:
                    ranks[position + low] = 0
                else:
                    ranks[position + low] = rank_of(
                        tables, key_high + keys[low], mask_high | card_bit(low)
                    )
        position += high
