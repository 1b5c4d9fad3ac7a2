"""Builds the hand-ranking tables of src/doyle/cards/tables: python tools/build_rank_tables.py

A hand's rank depends on the ranks of its cards, unless five share a suit. Each rank has a weight
such that the sum over the cards of a hand tells which ranks it holds; the weights are those of
K. Shackleton's SpecialKEval. Sums are sparse, so each table is compressed by row displacement
(Tarjan and Yao, "Storing a sparse table", 1979): the high bits of a sum select a row, its low bits
a column, and rows overlap each other where both have holes.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SIZES = (5, 6, 7)
RANK_WEIGHTS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
COLUMN_BITS = 9

Value = tuple[int, ...]


def five_card_value(ranks: Sequence[int], *, flush: bool) -> Value:
    """What a five-card hand is compared by: its category (0 to 8), then its ranks in order."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    order = tuple(rank for _, rank in groups)
    shape = tuple(count for count, _ in groups)
    straight = _straight_top(ranks)
    if straight is not None:
        return (8 if flush else 4, straight)
    if flush:
        return (5, *order)
    category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    return (category, *order)


def _straight_top(ranks: Sequence[int]) -> int | None:
    distinct = set(ranks)
    if len(distinct) == 5:
        if max(distinct) - min(distinct) == 4:
            return max(distinct)
        if distinct == {12, 0, 1, 2, 3}:
            return 3
    return None


def rank_multisets(size: int) -> NDArray[np.int64]:
    """All multisets of `size` ranks with at most four of each: int64[n, size], ascending rows."""
    rows = [
        row
        for row in itertools.combinations_with_replacement(range(13), size)
        if all(row[i] != row[i + 4] for i in range(size - 4))
    ]
    return np.array(rows, dtype=np.int64)


def five_card_ranks() -> tuple[dict[int, int], dict[int, int]]:
    """Ranks 1 to 7,462 of five-card hands: by sum of weights (no flush), by rank mask (flush)."""
    plain = [tuple(int(rank) for rank in row) for row in rank_multisets(5)]
    values = {(row, False): five_card_value(row, flush=False) for row in plain}
    for row in plain:
        if len(set(row)) == 5:
            values[row, True] = five_card_value(row, flush=True)
    ranks = {value: rank for rank, value in enumerate(sorted(set(values.values())), start=1)}
    by_sum = {sum(RANK_WEIGHTS[r] for r in row): ranks[values[row, False]] for row in plain}
    by_mask = {
        sum(1 << rank for rank in row): ranks[value]
        for (row, flush), value in values.items()
        if flush
    }
    return by_sum, by_mask


def plain_table(size: int, by_sum: dict[int, int]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The sums of all hands of `size` cards without a flush, ascending, and their ranks."""
    weights = np.array(RANK_WEIGHTS)[rank_multisets(size)]
    sums = np.array(sorted(by_sum), dtype=np.int64)
    ranks = np.array([by_sum[key] for key in sums.tolist()], dtype=np.uint16)
    best = np.zeros(len(weights), dtype=np.uint16)
    for subset in itertools.combinations(range(size), 5):
        found = np.searchsorted(sums, weights[:, subset].sum(axis=1))
        # A subset of a legal hand is a legal hand, so every sum is found exactly.
        np.maximum(best, ranks[found], out=best)
    keys = weights.sum(axis=1)
    order = np.argsort(keys)
    if len(np.unique(keys)) != len(keys):
        raise AssertionError("two hands share a sum of weights")
    return keys[order], best[order]


def flush_table(by_mask: dict[int, int]) -> NDArray[np.uint16]:
    """The rank of the best flush in each mask of 13 ranks, 0 below five cards: uint16[8192]."""
    table = np.zeros(1 << 13, dtype=np.uint16)
    for mask in sorted(range(1 << 13), key=int.bit_count):
        if mask.bit_count() == 5:
            table[mask] = by_mask[mask]
        elif mask.bit_count() > 5:
            bits = [1 << rank for rank in range(13) if mask >> rank & 1]
            table[mask] = max(table[mask ^ bit] for bit in bits)
    return table


def displace(
    keys: NDArray[np.int64], values: NDArray[np.uint16]
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Rows laid over each other, the fullest first, each at the first place where it fits."""
    rows, columns = keys >> COLUMN_BITS, keys & ((1 << COLUMN_BITS) - 1)
    starts = np.searchsorted(rows, np.arange(rows[-1] + 2))
    offsets = np.zeros(rows[-1] + 1, dtype=np.uint32)
    table = np.zeros(1 << 17, dtype=np.uint16)
    free = np.ones(1 << 17, dtype=bool)
    for row in np.argsort(-(np.diff(starts)), kind="stable"):
        members = slice(starts[row], starts[row + 1])
        places = columns[members]
        if len(places) == 0:
            break
        window = len(free) - (1 << COLUMN_BITS)
        fits = np.ones(window, dtype=bool)
        for place in places:
            fits &= free[place : place + window]
        offset = int(np.argmax(fits))
        offsets[row] = offset
        table[offset + places] = values[members]
        free[offset + places] = False
    return offsets, table[: int(np.flatnonzero(~free)[-1]) + 1]


def build() -> dict[str, NDArray[np.generic]]:
    """All tables by file name (without .npy)."""
    by_sum, by_mask = five_card_ranks()
    tables: dict[str, NDArray[np.generic]] = {"flush": flush_table(by_mask)}
    for size in SIZES:
        keys, values = plain_table(size, by_sum)
        offsets, table = displace(keys, values)
        tables[f"offsets{size}"], tables[f"ranks{size}"] = offsets, table
    return tables


def main() -> int:
    folder = Path(__file__).parents[1] / "src" / "doyle" / "cards" / "tables"
    for name, table in build().items():
        np.save(folder / f"{name}.npy", table)
        print(f"{name}.npy {table.dtype}{list(table.shape)} {table.nbytes / 1024:.1f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
