"""Bounds from samples of flops, against the exact run of a small deck."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.measuring.full_cards.run import ResponseSource
from doyle.measuring.full_cards.sampled_flops import (
    FlopSample,
    PreflopResponse,
    added,
    draw_flops,
    estimate,
    run_sampled_flops,
    strata_of,
)
from doyle.solving.games import whole_game
from doyle.strategy import Layout, TableStrategy
from tests.measuring.full_cards.test_response import BUCKETS, SMALL, HashedBuckets


@lru_cache(maxsize=4)
def small_response(ranks: int = 5, flop: int = 2, stack: int = 8) -> FullCardResponse:
    text = SMALL.format(ranks=ranks, flop=flop, turn="", stack=stack, rounds=2, first="1")
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.parse(text))
    rng = np.random.default_rng(5)
    tables = [rng.random((BUCKETS, width)).astype(np.float32) for width in Layout.of(tree).widths]
    dealt = whole_game(tree)
    return FullCardResponse(TableStrategy(tree, tables), HashedBuckets(dealt, flop), dealt)


@lru_cache(maxsize=4)
def all_values(response: FullCardResponse) -> dict[int, np.ndarray]:
    return {
        number: added(response, flop, response.flop_values(flop))
        for number, flop in enumerate(response.flops())
    }


def exact(response: FullCardResponse) -> float:
    first, second, _ = response.run()
    return (first + second) / 2


def samples(response: FullCardResponse, count: int, seed: int) -> tuple[FlopSample, FlopSample]:
    first, second = (
        draw_flops(response.flops(), count, np.random.default_rng((seed, number)))
        for number in (0, 1)
    )
    return first, second


def test_all_flops_give_the_exact_number() -> None:
    response = small_response()
    count = len(response.flops())
    upper, lower = estimate(response, samples(response, count, 0), all_values(response))
    assert upper.mean == pytest.approx(exact(response), abs=1e-12)
    assert lower.mean == pytest.approx(exact(response), abs=1e-12)
    assert upper.ci95 == lower.ci95 == 0.0


def test_over_every_sample_the_total_is_unbiased_and_bounds_hold() -> None:
    """Not by simulation: every pair of samples of a game with few flops."""
    response = small_response(ranks=4, flop=2)
    values, known = all_values(response), exact(response)
    strata = strata_of(response.flops())
    sizes = tuple(len(part) for part in strata)
    every = [
        FlopSample(sizes, tuple(np.array(part) for part in parts))
        for parts in product(*(list(combinations(part.tolist(), 2)) for part in strata))
    ]
    whole = sum(values.values())
    assert np.mean([one.total(values) for one in every], axis=0) == pytest.approx(whole, abs=1e-9)
    fitted = [PreflopResponse.fit(response, one.total(values)) for one in every]
    # A response that was fitted to few flops is worth its value on all of them, never more than the best.
    worth = [one.value(whole) for one in fitted]
    assert max(worth) <= known + 1e-12
    assert np.mean(worth) < known - 1e-3
    scored = [fitted[0].value(one.total(values)) for one in every]
    assert np.mean(scored) == pytest.approx(worth[0], abs=1e-12)
    same = [fit.value(one.total(values)) for fit, one in zip(fitted, every, strict=True)]
    assert np.mean(same) > known + 1e-3


def test_the_exact_number_lies_between_and_the_gap_closes() -> None:
    response = small_response()
    values, known = all_values(response), exact(response)
    gaps = []
    for count in (6, 12, 20):
        found = [estimate(response, samples(response, count, seed), values) for seed in range(150)]
        upper, lower = np.array([[one.mean for one in pair] for pair in found]).T
        error = 3 * max(upper.std(), lower.std()) / np.sqrt(len(found))
        assert np.mean(upper) > known - error
        assert np.mean(lower) < known + error
        gaps.append(np.mean(upper) - np.mean(lower))
    assert gaps[0] > gaps[1] > gaps[2] > 0


def test_intervals_cover_what_they_are_of() -> None:
    response = small_response()
    values = all_values(response)
    whole = sum(values.values())
    fixed = PreflopResponse.fit(response, whole)
    truth, inside = fixed.value(whole), 0
    for seed in range(400):
        sample, _ = samples(response, 14, seed)
        scores = {number: fixed.after_flop(values[number]) for number in sample.numbers()}
        inside += abs(fixed.value(sample.total(values)) - truth) <= sample.half_width(scores)
    # Normal quantiles on few flops of each stratum: near 95%.
    assert 0.88 <= inside / 400 <= 0.99


def test_samples_are_without_replacement_and_in_proportion() -> None:
    flops = small_response().flops()
    sample, other = samples(small_response(), 12, 3)
    assert len(set(sample.numbers())) == 12
    assert sum(sample.sizes) == len(flops)
    assert sample.numbers() != other.numbers()


def test_workers_do_not_change_the_result() -> None:
    source = ResponseSource(small_response, ())
    one = run_sampled_flops(source, 8, seed=4)
    assert one == run_sampled_flops(source, 8, seed=4, workers=Workers(2))
    assert one != run_sampled_flops(source, 8, seed=5)
    assert one.upper.mean >= one.lower.mean
    assert not one.exact


@pytest.mark.parametrize("count", [1, 10_000])
def test_samples_of_an_impossible_size_are_refused(count: int) -> None:
    with pytest.raises(DoyleError, match=f"{count}.*expected . to .. flops"):
        run_sampled_flops(ResponseSource(small_response, ()), count)
