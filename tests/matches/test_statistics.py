"""Means and intervals are exact in the mean and agree with the textbook in the width."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from doyle.matches.statistics import Estimate, moments

values = st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=50)


@given(values)
def test_mean_is_exact_and_width_is_the_textbook_one(numbers: list[int]) -> None:
    estimate = Estimate.of(numbers)
    assert estimate.mean == Fraction(sum(numbers), len(numbers))
    if len(numbers) == 1:
        assert estimate.ci95 is None
    else:
        error = statistics.stdev(numbers) / math.sqrt(len(numbers))
        quantile = float(stdtrit(len(numbers) - 1, 0.975))
        assert estimate.ci95 == pytest.approx(quantile * error, rel=2e-3, abs=1e-9)


@given(values, st.randoms())
def test_order_does_not_matter(numbers: list[int], random: object) -> None:
    shuffled = list(numbers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Estimate.of(shuffled) == Estimate.of(numbers)


@given(values, st.integers(1, 1000), st.fractions(min_value=-100, max_value=100))
def test_units_and_scaling(numbers: list[int], unit: int, factor: Fraction) -> None:
    plain = Estimate.of(numbers)
    divided = Estimate.of(numbers, unit=unit)
    assert divided.mean == plain.mean / unit
    scaled = plain.scaled(factor)
    assert scaled.mean == plain.mean * factor
    if plain.ci95 is not None:
        assert scaled.ci95 == pytest.approx(plain.ci95 * abs(factor))
        assert divided.ci95 == pytest.approx(plain.ci95 / unit)


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20))
def test_moments_are_exact_beyond_64_bits(numbers: list[int]) -> None:
    expected = len(numbers), sum(numbers), sum(n * n for n in numbers)
    assert moments(numbers) == expected
    assert moments(np.array(numbers, dtype=np.int64)) == expected


def test_equal_observations_have_a_zero_width_interval() -> None:
    estimate = Estimate.of(np.full(1000, -7, dtype=np.int64), unit=3)
    assert (estimate.mean, estimate.ci95) == (Fraction(-7, 3), 0.0)
    assert estimate.is_significant


def test_significance_is_about_zero() -> None:
    assert not Estimate.of([-1, 1, -1, 1]).is_significant
    assert not Estimate.of([5]).is_significant
    assert Estimate.of([9, 10, 11]).is_significant


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(2000):
        sample = rng.integers(-10, 11, size=100)
        estimate = Estimate.of(sample)
        assert estimate.ci95 is not None
        covered += abs(estimate.mean) <= estimate.ci95
    assert 0.93 < covered / 2000 < 0.97


def test_fractions_must_be_scaled_first() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        Estimate.of([0.5, 1.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="at least one"):
        Estimate.of([])
