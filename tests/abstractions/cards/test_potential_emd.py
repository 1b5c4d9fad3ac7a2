"""Potential-aware clusters by earth mover's distance, against a linear program and a plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from doyle.abstractions.cards.methods import emd
from doyle.abstractions.cards.methods.emd import Ground, hands_inside, potential_emd_buckets
from doyle.abstractions.cards.notation import Notation
from doyle.base.errors import DoyleError, ParseError
from doyle.cards.suits.boards import hands
from tests.abstractions.cards.small_atlas import small_atlas


def case(size: int, count: int, seed: int) -> tuple[Ground, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    curves = np.cumsum(generator.random((size, 6)), axis=1)
    ground = Ground(curves / curves[:, -1:])
    points = generator.multinomial(47, generator.dirichlet(np.full(size, 0.3), count))
    means = generator.dirichlet(np.ones(size), 5).astype(np.float32)
    return ground, points.astype(np.uint8), means


def greedy(point: np.ndarray, mean: np.ndarray, distance: np.ndarray) -> float:
    """The paper's heuristic, step by step."""
    left, give = mean.astype(float).copy(), point / point.sum()
    order = np.argsort(distance, axis=1, kind="stable")
    total = 0.0
    for step in range(len(mean)):
        for place in np.flatnonzero(point):
            target = order[place, step]
            moved = min(give[place], left[target])
            give[place] -= moved
            left[target] -= moved
            total += moved * distance[place, target]
    return total


def exact(point: np.ndarray, mean: np.ndarray, distance: np.ndarray) -> float:
    size = len(mean)
    rows = np.kron(np.eye(size), np.ones(size))
    columns = np.kron(np.ones(size), np.eye(size))
    shares = np.concatenate([point / point.sum(), mean / mean.sum()])
    answer = linprog(distance.ravel(), A_eq=np.vstack([rows, columns]), b_eq=shares)
    assert answer.status == 0
    return float(answer.fun)


@pytest.mark.parametrize("seed", range(4))
def test_nearest_equals_the_plain_twin(seed: int) -> None:
    ground, points, means = case(9, 40, seed)
    assignment, costs = ground.nearest(points, means)
    for point, chosen, cost in zip(points, assignment, costs, strict=True):
        expected = [greedy(point, mean, ground.distance) for mean in means]
        assert cost == pytest.approx(min(expected), abs=2e-6)
        assert expected[chosen] == pytest.approx(min(expected), abs=2e-6)


def test_heuristic_lies_between_the_exact_distance_and_the_bound() -> None:
    ground, points, means = case(8, 15, seed=9)
    for point in points:
        for mean in means:
            found = greedy(point, mean, ground.distance)
            best = exact(point, mean, ground.distance)
            mixed = np.abs((point / point.sum() - mean / mean.sum()) @ ground.curves).sum()
            assert mixed <= best + 1e-7
            assert best <= found + 1e-7


def test_same_histogram_costs_nothing() -> None:
    ground, points, _ = case(7, 5, seed=1)
    means = (points / points.sum(axis=1, keepdims=True)).astype(np.float32)
    assignment, costs = ground.nearest(points, means)
    assert costs.max() < 1e-6
    assert np.allclose(means[assignment], means, atol=1e-6)


def test_buckets_of_an_atlas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TURN_CLUSTERS", 15)
    monkeypatch.setattr(emd, "FLOP_HANDS", 800)
    monkeypatch.setattr(emd, "TRAINING_HANDS", 2000)
    one, two = (potential_emd_buckets(small_atlas(count), clusters=6, seed=2) for count in (1, 2))
    assert one.tobytes() == two.tobytes()
    atlas = small_atlas()
    inside = hands_inside(atlas, 1)
    assert set(one[inside].tolist()) == set(range(6))
    assert (np.delete(one, inside) == -1).all()
    strength = hands(1).gather(atlas.sums(1, 1)).astype(float)
    means = [strength[inside][one[inside] == bucket].mean() for bucket in range(6)]
    assert means == sorted(means)
    with pytest.raises(DoyleError, match="clusters"):
        potential_emd_buckets(atlas, clusters=0)


def test_notation() -> None:
    notation = Notation.parse("ir169.irpa200.iremd300.ochs400")
    assert notation.bucket_totals == (169, 200, 300, 400)
    assert str(notation) == "ir169.irpa200.iremd300.ochs400"
    with pytest.raises(ParseError, match="for the flop at character 17"):
        Notation.parse("ir169.iremd20.irpa20.ochs20")
