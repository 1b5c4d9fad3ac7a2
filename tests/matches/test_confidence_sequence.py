"""Confidence sequences: false decisions by simulation, the interval by its definition."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.matches.sequential import STAKES, ConfidenceSequence, log_capitals


def test_capital_is_that_of_plain_bets() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(-1, 1, 30)
    for mean in (0.0, 0.3, -0.6):
        found = log_capitals(values, np.ones(30, np.int64), mean=mean)
        for place, stake in enumerate(STAKES):
            up = down = 1.0
            for value in values:
                gain = (value - mean) / (1 + abs(mean))
                up, down = up * (1 + stake * gain), down * (1 - stake * gain)
            assert found[:, place] == pytest.approx([log(up), log(down)])


def test_interval_excludes_zero_exactly_when_decided() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        sequence = ConfidenceSequence(bound=10.0)
        for _ in range(40):
            sequence.add(rng.normal(0.4, 2.0, 25).clip(-10, 10))
            low, high = sequence.interval()
            assert low < high
            assert sequence.decided == (1 if low > 0 else -1 if high < 0 else 0)
        assert sequence.observations == 1000
        assert low <= 0.4 <= high


def test_false_decisions_are_rare() -> None:
    # 400 sequences of heavy-tailed results of mean 0, each looked at 60 times. With a rate of 5% more
    # than 33 are as unlikely as 1 in 1,000; a plain interval looked at as often decides far more.
    rng = np.random.default_rng(1)
    false = plain = 0
    for _ in range(400):
        results = rng.choice([-1.0, -0.05, 0.05, 1.0], size=(60, 50), p=[0.01, 0.49, 0.49, 0.01])
        sequence = ConfidenceSequence(bound=1.0)
        wrong = naive = False
        for number, part in enumerate(results, start=1):
            sequence.add(part)
            seen = results[:number].ravel()
            wrong = wrong or sequence.decided != 0
            naive = naive or abs(seen.mean()) > 1.96 * seen.std() / len(seen) ** 0.5
        false += wrong
        plain += naive
    assert false <= 33
    assert plain > 80


def test_order_and_batches_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    values = rng.uniform(-1, 1, 100)
    one, other = ConfidenceSequence(bound=1.0), ConfidenceSequence(bound=1.0)
    one.add(values)
    for part in np.split(values[::-1], 10):
        other.add(part)
    assert one.interval() == pytest.approx(other.interval())


def test_refusals() -> None:
    with pytest.raises(DoyleError, match="exceeds the bound of 2"):
        ConfidenceSequence(bound=2.0).add(np.array([2.5]))
    with pytest.raises(DoyleError, match="alpha"):
        ConfidenceSequence(bound=1.0, alpha=1.0)
