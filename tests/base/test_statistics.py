"""Means of whole numbers are exact, widths the textbook's; intervals of few observations are Student's."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from doyle.base.statistics import NORMAL_95, Estimate, moments, satterthwaite, student_95

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


def test_independent_estimates_add() -> None:
    one, other = Estimate.of_error(2.0, 3.0, 5), Estimate.of_error(1.0, 4.0, 6)
    total = Estimate.sum_of([one, other, Estimate.exact(1.0)])
    assert (total.mean, total.ci95, total.count) == (4.0, pytest.approx(5.0 * NORMAL_95), 11)
    assert Estimate.sum_of([one, Estimate(1.0, None)]).ci95 is None


def test_an_estimate_shows_its_interval_unless_it_is_exact() -> None:
    assert f"{Estimate(-5.0, 1.25):+.1f} {Estimate(5.0, 0.0):+.1f}" == "-5.0 ± 1.2 +5.0 ± 0.0"
    assert f"{Estimate.exact(5.0):+.1f} {Estimate(5.0, None):.0f}" == "+5.0 5"


def test_quantiles_are_the_textbook_ones() -> None:
    for degrees in (1, 2, 3, 4, 5, 10, 30, 399, 10_000):
        assert student_95(degrees) == pytest.approx(float(stdtrit(degrees, 0.975)), rel=1.3e-3)
        assert student_95(degrees) > NORMAL_95
    assert student_95(7.9) == student_95(7)


def test_few_observations_seldom_miss_the_mean() -> None:
    """Of 4,000 samples of three normal numbers one in twenty misses 0; 1.96 errors miss one in five."""
    rng = np.random.default_rng(1)
    samples = rng.normal(size=(4000, 3))
    missed = [abs(part.mean()) > (Estimate.of_strata(part).ci95 or 0.0) for part in samples]
    assert 0.04 < np.mean(missed) < 0.06
    whole = np.rint(samples * 1e6).astype(np.int64)
    assert np.mean([Estimate.of(part).is_significant for part in whole]) == np.mean(missed)


def test_strata_share_their_degrees_of_freedom() -> None:
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(3000):
        first, second = rng.normal(size=3), 2.0 * rng.normal(size=3)
        width = Estimate.of_strata(first, second).ci95
        assert width is not None
        missed += abs(first.mean() + second.mean()) / 2 > width
    assert missed < 0.06 * 3000
    assert satterthwaite([(1.0, 2), (1.0, 2)]) == 4.0
    assert Estimate.of_strata(np.ones(3), np.ones(1)).ci95 is None


def test_the_interval_of_four_observations_is_the_textbook_one() -> None:
    found = Estimate.of_strata(np.array([1.0, 2.0, 3.0, 6.0]))
    assert found.mean == 3.0
    assert found.ci95 == pytest.approx(3.182446 * np.std([1, 2, 3, 6], ddof=1) / 2, rel=1.3e-3)
    assert Estimate.of_strata(np.array([5.0])) == Estimate(5.0, None, 1)
