"""The integer program against the dynamic program and against every possibility."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.cards.methods.topdown.allocation import (
    _integer_program,
    allocate,
    allocate_by_dynamic_program,
)
from doyle.base.errors import DoyleError

tables = st.lists(
    st.lists(st.floats(0, 1000, allow_subnormal=False), min_size=1, max_size=6),
    min_size=1,
    max_size=5,
)


def convex(parents: int, most: int, seed: int) -> list[np.ndarray]:
    """Falling errors like those of k-means, of very different sizes."""
    generator = np.random.default_rng(seed)
    return [
        generator.lognormal(sigma=2) / np.arange(1, most + 1) ** generator.uniform(0.5, 2)
        for _ in range(parents)
    ]


@settings(deadline=None, max_examples=80)
@given(tables, st.integers(0, 20))
def test_integer_program_equals_dynamic_program_and_enumeration(
    rows: list[list[float]], spare: int
) -> None:
    errors = [np.array(row) for row in rows]
    budget = len(rows) + spare
    by_hand = min(
        sum(row[k - 1] for row, k in zip(rows, choice, strict=True))
        for choice in product(*(range(1, len(row) + 1) for row in rows))
        if sum(choice) <= budget
    )
    dynamic = allocate_by_dynamic_program(errors, budget=budget)
    children = _integer_program(errors, budget)
    assert children is not None
    assert sum(children) <= budget
    reached = sum(row[k - 1] for row, k in zip(rows, children, strict=True))
    assert reached == pytest.approx(by_hand, rel=1e-9, abs=1e-9)
    assert dynamic.error == pytest.approx(by_hand, rel=1e-12, abs=1e-12)
    assert sum(dynamic.children) <= budget


@pytest.mark.parametrize(
    ("parents", "most", "budget"), [(8, 30, 96), (96, 12, 384), (150, 15, 750)]
)
def test_the_sizes_of_real_abstractions(parents: int, most: int, budget: int) -> None:
    errors = convex(parents, most, seed=parents)
    children = _integer_program(errors, budget)
    assert children is not None
    reached = sum(table[k - 1] for table, k in zip(errors, children, strict=True))
    dynamic = allocate_by_dynamic_program(errors, budget=budget)
    assert reached == pytest.approx(dynamic.error, rel=1e-9)
    assert allocate(errors, budget=budget).error == pytest.approx(dynamic.error, rel=1e-12)


def test_whole_budget_goes_where_it_helps() -> None:
    errors = [np.array([100.0, 10.0, 1.0]), np.array([5.0, 4.9, 4.8])]
    assert allocate(errors, budget=4).children == (3, 1)


def test_bad_input() -> None:
    with pytest.raises(DoyleError, match="2 parents need a budget of at least 2"):
        allocate([np.ones(2), np.ones(2)], budget=1)
    with pytest.raises(DoyleError, match="finite"):
        allocate([np.array([np.nan])], budget=1)
    with pytest.raises(DoyleError, match="at least one"):
        allocate([], budget=1)
