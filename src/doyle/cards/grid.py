"""The 13x13 grid of starting hands: pairs on the diagonal, suited above it, offsuit below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doyle.cards.cards import RANKS


def hand_name(row: int, column: int) -> str:
    """The usual name of a cell: AKs above the diagonal, AKo below, AA on it.

    >>> hand_name(0, 1), hand_name(1, 0), hand_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def grid_places(
    cards: NDArray[np.integer],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of each hand of `cards`, an array [hands, 2].

    >>> [int(place[0]) for place in grid_places(np.array([[46, 50]]))]  # KhAh
    [0, 1]
    """
    ranks, suits = cards // 4, cards % 4
    high, low = 12 - ranks.max(axis=1), 12 - ranks.min(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, high, low), np.where(suited, low, high)


def grid_means(
    cards: NDArray[np.integer], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weighted mean of values[hands, n] over the hands of each cell: [13, 13, n]; 0 without any."""
    row, column = grid_places(cards)
    sums = np.zeros((13, 13, values.shape[1]))
    total = np.zeros((13, 13, 1))
    np.add.at(sums, (row, column), weights[:, None] * values)
    np.add.at(total, (row, column), weights[:, None])
    means: NDArray[np.float64] = sums / np.where(total > 0, total, 1.0)
    return means
