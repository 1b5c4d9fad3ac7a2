"""The vector type of kernels against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from doyle.base._numba import kernel
from doyle.base._vectors import (
    WIDTH,
    filled,
    gather_rows,
    larger,
    load,
    scatter_rows,
    store,
    where_positive,
)

TYPES = (np.float32, np.float64)


@kernel
def arithmetic(a: Any, b: Any, out: Any) -> None:
    x, y = load(a, np.uint64(3)), load(b, np.uint64(5))
    store(out, np.uint64(0), x + y)
    store(out, np.uint64(16), x - y)
    store(out, np.uint64(32), x * y)
    store(out, np.uint64(48), x / y)
    store(out, np.uint64(64), larger(x, y))
    store(out, np.uint64(80), where_positive(x, y, filled(a, 0.25)))


@kernel
def to_columns(source: Any, rows: Any, target: Any) -> None:
    gather_rows(source, rows, np.uint64(2), np.uint64(20), np.uint64(1), target, np.uint64(4))


@kernel
def to_rows(source: Any, columns: Any, target: Any, rows: Any) -> None:
    scatter_rows(
        source, columns, np.uint64(1), np.uint64(16),
        target, rows, np.uint64(2), np.uint64(20), np.uint64(3),
    )  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_arithmetic(kind: Any) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 32)).astype(kind)
    out = np.zeros(96, kind)
    arithmetic(a, b, out)
    x, y = a[3:19], b[5:21]
    expected = [x + y, x - y, x * y, x / y, np.maximum(x, y), np.where(x > 0, y, kind(0.25))]
    assert np.array_equal(out, np.concatenate(expected))


@pytest.mark.parametrize("kind", TYPES)
def test_tiles_are_transposed_from_rows_and_back(kind: Any) -> None:
    rng = np.random.default_rng(2)
    source = rng.normal(size=(30, 20)).astype(kind)
    rows = rng.permutation(30).astype(np.uint16)
    columns = np.zeros(4 + WIDTH * WIDTH, kind)
    to_columns(source.ravel(), rows, columns)
    tile = columns[4:].reshape(WIDTH, WIDTH)
    chosen = rows[2 : 2 + WIDTH]
    assert np.array_equal(tile, source[chosen, 1 : 1 + WIDTH].T)

    places = rng.permutation(20).astype(np.uint32)
    stored = rng.normal(size=(21, WIDTH)).astype(kind)
    target = np.zeros((30, 20), kind)
    to_rows(stored.ravel(), places, target.ravel(), rows)
    expected = np.zeros((30, 20), kind)
    expected[chosen, 3 : 3 + WIDTH] = stored[1 + places[1 : 1 + WIDTH]].T
    assert np.array_equal(target, expected)
