"""Plain twins of the equity kernels: every board for fixed hands, every pair for two ranges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from doyle.cards import rank_hand


def showdowns(holes: Sequence[Sequence[int]], board: Sequence[int]) -> NDArray[np.int64]:
    """counts[i, k]: boards on which player i is one of k winners (k = 0: it loses)."""
    counts = np.zeros((len(holes), len(holes) + 1), dtype=np.int64)
    dead = {card for hole in holes for card in hole} | set(board)
    rest = [card for card in range(52) if card not in dead]
    for draw in combinations(rest, 5 - len(board)):
        ranks = [rank_hand((*hole, *board, *draw)) for hole in holes]
        winners = ranks.count(max(ranks))
        for player, rank in enumerate(ranks):
            counts[player, winners if rank == max(ranks) else 0] += 1
    return counts


def compare(
    first: NDArray[np.float64], second: NDArray[np.float64], board: Sequence[int]
) -> tuple[float, float, float]:
    """Weight of the pairs of hands where `first` wins, ties and loses on five board cards."""
    hands = [
        (high * (high - 1) // 2 + low, {low, high}, rank_hand((low, high, *board)))
        for low, high in combinations(range(52), 2)
        if low not in board and high not in board
    ]
    totals = [0.0, 0.0, 0.0]
    for i, mine, my_rank in hands:
        if first[i] == 0.0:
            continue
        for j, other, rank in hands:
            if not mine & other:
                outcome = 0 if my_rank > rank else 1 if my_rank == rank else 2
                totals[outcome] += first[i] * second[j]
    return totals[0], totals[1], totals[2]
