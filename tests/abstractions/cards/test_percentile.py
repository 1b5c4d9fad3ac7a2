"""Percentile and uniform buckets against the definition, and their equal mass up to ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.cards.methods.percentile import (
    Population,
    divide,
    midpoint_buckets,
    percentile_thresholds,
    uniform_thresholds,
)
from doyle.base.workers import Workers
from tests.reference import card_abstraction_twin as twin

HOLES = 1326


def population(seed: int, codes: int, bits: int) -> tuple[Population, np.ndarray]:
    """Random hands: about a third of them not there, values of `bits` bits with many ties."""
    generator = np.random.default_rng(seed)
    rows = 4
    present = generator.integers(-1, codes, (rows, HOLES)).astype(np.int32)
    values = generator.integers(0, 1 << bits, (rows, HOLES)).astype(np.uint64)
    values = np.where(generator.random((rows, HOLES)) < 0.5, values >> 3 << 3, values)
    sources = generator.permutation(rows) * 32 + generator.integers(0, 24, rows)
    return Population(present, sources, generator.integers(1, 25, rows)), values


def listed(found: Population, values: np.ndarray, codes: np.ndarray, code: int) -> tuple:
    """Values, weights and final codes of the hands that had `code`."""
    from doyle.cards.suits.boards import HOLE_MAPS

    rows, holes = np.nonzero(codes == code)
    sources = found.sources[rows]
    picked = values[sources >> 5, HOLE_MAPS[sources & 31, holes]]
    return picked, found.weights[rows], found.codes[rows, holes]


@settings(max_examples=30)
@given(
    st.integers(0, 1000),
    st.integers(1, 4),
    st.integers(1, 40),
    st.integers(1, 12),
    st.integers(1, 3),
)
def test_thresholds_divide_as_defined(
    seed: int, codes: int, bits: int, buckets: int, workers: int
) -> None:
    found, values = population(seed, codes, bits)
    before = found.codes.copy()
    thresholds = percentile_thresholds(
        found,
        values,
        codes=codes,
        buckets=buckets,
        largest=(1 << bits) - 1,
        workers=Workers(workers),
    )
    divide(found, values, thresholds=thresholds, workers=Workers(workers))
    assert (found.codes[before < 0] == -1).all()
    for code in range(codes):
        picked, weights, after = listed(found, values, before, code)
        _, inverse = np.unique(picked, return_inverse=True)
        masses = np.bincount(inverse, weights=weights).astype(np.int64)
        assert (after == code * buckets + midpoint_buckets(masses, buckets)[inverse]).all()
        _check_equal_mass(masses, midpoint_buckets(masses, buckets), buckets)
    assert found.masses(codes * buckets).sum() == ((before >= 0) * found.weights[:, None]).sum()


def _check_equal_mass(masses: np.ndarray, bucket: np.ndarray, buckets: int) -> None:
    """A bucket's mass is off an equal share by no more than half the ties at its two ends."""
    share = masses.sum() / buckets
    held = np.bincount(bucket, weights=masses, minlength=buckets)
    for number in np.unique(bucket):
        inside = np.flatnonzero(bucket == number)
        edges = masses[max(inside[0] - 1, 0) : inside[-1] + 2].max()
        assert abs(held[number] - share) <= edges


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=30),
    st.integers(1, 8),
)
def test_midpoint_buckets_are_the_definition(hands: list[tuple[int, int]], buckets: int) -> None:
    values, weights = zip(*hands, strict=True)
    expected = twin.percentile_buckets(values, weights, buckets)
    distinct, inverse = np.unique(values, return_inverse=True)
    masses = np.bincount(inverse, weights=weights).astype(np.int64)
    assert midpoint_buckets(masses, buckets)[inverse].tolist() == expected
    assert len(distinct) == len(masses)


@given(st.integers(1, 2000), st.integers(1, 60))
def test_uniform_thresholds_cut_evenly(largest: int, buckets: int) -> None:
    cuts = uniform_thresholds(largest, buckets)[0]
    for value in {0, largest // 3, largest // 2, largest - 1, largest}:
        bucket = int(np.searchsorted(cuts, value, side="right"))
        assert bucket == min(buckets * value // largest, buckets - 1)


def test_one_value_goes_to_one_bucket() -> None:
    assert midpoint_buckets(np.array([10]), 5).tolist() == [2]


@pytest.mark.parametrize("buckets", [1, 2, 7])
def test_an_empty_population_has_thresholds_that_nothing_reaches(buckets: int) -> None:
    found, values = population(0, 1, 8)
    found.codes[...] = -1
    thresholds = percentile_thresholds(found, values, codes=1, buckets=buckets, largest=255)
    assert thresholds.shape == (1, buckets - 1)
    assert (thresholds > 255).all()
