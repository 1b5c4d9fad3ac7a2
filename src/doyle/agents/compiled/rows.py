"""Append-only rows of numbers that kernels may read while they grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class Rows:
    """Rows of numbers that grow; rows that were read stay where they are."""

    def __init__(self, width: int, dtype: npt.DTypeLike = np.int32) -> None:
        self.values = np.empty((256, width), dtype)
        self.count = 0

    def add(self, rows: Sequence[Sequence[Any]]) -> int:
        """Append rows; returns the number of the first."""
        first = self._room(len(rows))
        if rows:
            self.values[first : first + len(rows)] = rows
        self.count += len(rows)
        return first

    def fill(self, count: int, value: Any) -> int:
        """Append rows that hold one value; returns the number of the first."""
        first = self._room(count)
        self.values[first : first + count] = value
        self.count += count
        return first

    def _room(self, more: int) -> int:
        """Make room for more rows; returns how many there are."""
        first = self.count
        if first + more > len(self.values):
            larger = np.empty((2 * (first + more), self.values.shape[1]), self.values.dtype)
            larger[:first] = self.values[:first]
            self.values = larger
        return first
