"""Kernels that move rows between strategy vectors and the dense blocks a matrix multiply works on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle._numba import kernel

Array = npt.NDArray[Any]


@kernel
def gather_rows(
    block: Array, rows: Array, empty: float, sources: Array, targets: Array, scales: Array
) -> None:
    """Zero `block` [n, buckets], then add `scales[k] * rows[sources[k]]` to row `targets[k]`.

    Source -1 is the empty sequence: `empty` in every bucket.
    """
    buckets = np.uint64(block.shape[1])
    block[:, :] = 0
    for k in range(sources.size):
        target = np.uint64(targets[k])
        scale = scales[k]
        if sources[k] < 0:
            amount = block.dtype.type(scale * empty)
            for b in range(buckets):
                block[target, b] += amount
        else:
            source = np.uint64(sources[k])
            for b in range(buckets):
                block[target, b] += scale * rows[source, b]


@kernel
def scatter_rows(rows: Array, block: Array, targets: Array) -> float:
    """Add row i of `block` [n, buckets] to `rows[targets[i]]` in place; return the sum for target -1."""
    buckets = np.uint64(block.shape[1])
    empty = 0.0
    for i in range(targets.size):
        source = np.uint64(i)
        if targets[i] < 0:
            for b in range(buckets):
                empty += block[source, b]
        else:
            target = np.uint64(targets[i])
            for b in range(buckets):
                rows[target, b] += block[source, b]
    return empty
