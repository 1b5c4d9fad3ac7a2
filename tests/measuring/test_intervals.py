"""Intervals of few observations are Student's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtrit

from doyle.matches.statistics import Estimate
from doyle.measuring.intervals import NORMAL_95, satterthwaite, student_95
from doyle.measuring.runs import half_width


def test_quantiles_are_the_textbook_ones() -> None:
    for degrees in (1, 2, 3, 4, 5, 10, 30, 399, 10_000):
        assert student_95(degrees) == pytest.approx(float(stdtrit(degrees, 0.975)), rel=1.3e-3)
        assert student_95(degrees) > NORMAL_95
    assert student_95(7.9) == student_95(7)


def test_few_observations_seldom_miss_the_mean() -> None:
    """Of 4,000 samples of three normal numbers one in twenty misses 0; 1.96 errors miss one in five."""
    rng = np.random.default_rng(1)
    samples = rng.normal(size=(4000, 3))
    missed = [abs(part.mean()) > (half_width(part) or 0.0) for part in samples]
    assert 0.04 < np.mean(missed) < 0.06
    whole = np.rint(samples * 1e6).astype(np.int64)
    assert np.mean([Estimate.of(part).is_significant for part in whole]) == np.mean(missed)


def test_strata_share_their_degrees_of_freedom() -> None:
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(3000):
        first, second = rng.normal(size=3), 2.0 * rng.normal(size=3)
        width = half_width(first, second)
        assert width is not None
        missed += abs(first.mean() + second.mean()) / 2 > width
    assert missed < 0.06 * 3000
    assert satterthwaite([(1.0, 2), (1.0, 2)]) == 4.0
    assert half_width(np.ones(3), np.ones(1)) is None
