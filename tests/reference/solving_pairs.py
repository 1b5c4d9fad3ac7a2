"""A plain twin of the count of bucket pairs: all pairs of hands, one after the other."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from doyle.cards import rank_hand


def count_board(board: tuple[int, ...], bucket_of, size: int):  # type: ignore[no-untyped-def]
    """Pairs and wins [size, size] of all ordered pairs of hands on one river board."""
    pairs, wins = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    live = [card for card in range(52) if card not in board]
    hands = [(hole, rank_hand((*hole, *board)), bucket_of(hole)) for hole in combinations(live, 2)]
    for first, first_rank, row in hands:
        for second, second_rank, column in hands:
            if first[0] in second or first[1] in second:
                continue
            pairs[row, column] += 1
            wins[row, column] += first_rank > second_rank
    return pairs, wins
