"""Card abstractions, case bases, papers and payoff products: the same bytes on a Ray cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.abstractions.cards.abstraction import BucketTables
from doyle.abstractions.cards.clustering.kmeans import Clusters, kmeans
from doyle.abstractions.cards.methods.emd import Ground
from doyle.abstractions.cards.methods.percentile import Population, divide, percentile_thresholds
from doyle.abstractions.cards.methods.recall import build_notation
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.agents.case_bases import build_case_base
from doyle.agents.case_bases.domains import default_game, domain_named
from doyle.agents.case_bases.learning import construction
from doyle.base.artifacts import Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Actors, Workers
from doyle.experiments.papers.registry import Options, find
from doyle.games import Game
from doyle.solving.games import MatrixGame
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.solve import make_solver
from tests.agents.case_bases.random_logs import write_random_log
from tests.agents.case_bases.synthetic import CATEGORIES
from tests.agents.case_bases.test_case_base import same

from .conftest import Nodes

pytestmark = pytest.mark.slow

FLOPS = (700, 1500)


class Total:
    """A number that calls add to."""

    def __init__(self, start: int) -> None:
        self.total = start

    def add(self, number: int) -> int:
        self.total += number
        return self.total

    def read(self, _: None) -> int:
        return self.total

    def refuse(self, _: None) -> None:
        raise DoyleError(f"total {self.total} is refused")


def test_actors_keep_what_calls_changed(nodes: Nodes) -> None:
    with Actors(Total, [0, 10, 20, 30, 40], workers=nodes.workers) as actors:
        assert actors.call(Total.add, [1, 2, 3, 4, 5]) == [1, 12, 23, 34, 45]
        assert actors.call(Total.add, [1] * 5) == [2, 13, 24, 35, 46]
        assert [actors.ask(place, Total.read, None) for place in (4, 0, 3)] == [46, 2, 35]
        with pytest.raises(DoyleError, match="total 2 is refused"):
            actors.call(Total.refuse, [None] * 5)


def test_lost_actors_are_given_their_calls_again(nodes: Nodes) -> None:
    with Actors(Total, [0, 10, 20], workers=nodes.workers) as actors:
        actors.call(Total.add, [100, 100, 100])
        actors.call(Total.add, [1, 2, 3], afresh=False)
        assert nodes.kill_actors() >= 2
        assert actors.call(Total.read, [None] * 3, changes=False) == [101, 112, 123]
        assert actors.call(Total.add, [1, 1, 1]) == [102, 113, 124]


def clustered(workers: Workers, **options: Any) -> Clusters:
    rng = np.random.default_rng(7)
    points, weights = rng.random((20_000, 6)), rng.random(20_000)
    settings = {"clusters": 12, "seed": 5, "iterations": 12, "restarts": 2} | options
    return kmeans(points, weights=weights, workers=workers, **settings)


def test_centres_are_the_same(nodes: Nodes) -> None:
    here, there = clustered(Workers(2)), clustered(nodes.workers)
    assert here.centroids.tobytes() == there.centroids.tobytes()
    assert here.assignment.tobytes() == there.assignment.tobytes()
    assert here.inertia == there.inertia
    assert clustered(Workers(1), seed=6).inertia != here.inertia


def test_percentiles_are_the_same(nodes: Nodes) -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(0, 1 << 20, (40, 1326)).astype(np.uint32)
    sources, weights = rng.integers(0, 40, 90) * 32, rng.integers(1, 9, 90)
    codes = rng.integers(-1, 3, (90, 1326)).astype(np.int32)

    def divided(workers: Workers) -> list[np.ndarray]:
        population = Population(codes.copy(), sources, weights)
        sizes = {"codes": 3, "buckets": 5, "largest": 1 << 20}
        thresholds = percentile_thresholds(population, values, workers=workers, **sizes)
        divide(population, values, thresholds=thresholds, workers=workers)
        return [thresholds, population.codes]

    for here, there in zip(divided(Workers(2)), divided(nodes.workers), strict=True):
        assert np.array_equal(here, there)


def test_distances_of_potential_are_the_same(nodes: Nodes) -> None:
    rng = np.random.default_rng(3)
    ground = Ground(np.cumsum(rng.random((9, 6)), axis=1))
    points = rng.multinomial(47, rng.dirichlet(np.full(9, 0.3), 500)).astype(np.uint8)
    means = rng.dirichlet(np.ones(9), 5).astype(np.float32)
    here, there = (ground.nearest(points, means, workers=w) for w in (Workers(2), nodes.workers))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(here, there, strict=True))


def test_a_card_abstraction_is_the_same(nodes: Nodes, tmp_path: Path) -> None:
    """Percentiles nested over rounds, and clusters, of two flops."""

    def made(spec: str, workers: Workers) -> BucketTables:
        atlas = Atlas(flops=FLOPS, store=Store(tmp_path / "atlas"), workers=workers)
        return build_notation(Notation.parse(spec), atlas=atlas, seed=1)

    for spec in ("3.2x2.2.3", "ir169.iremd6.iremd6.ochs5"):
        here, there = made(spec, Workers(2)), made(spec, nodes.workers)
        for name in ("preflop", "flop", "turn", "river_by_strength", "river"):
            assert np.array_equal(getattr(here, name), getattr(there, name)), (spec, name)


def test_a_case_base_is_the_same(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(construction, "BLOCK_BYTES", 4000)
    for domain in CATEGORIES:
        game = default_game(domain_named(domain))
        log = write_random_log(tmp_path / f"{domain}.log", game, 300, 1)
        here, there = (
            build_case_base([log], CATEGORIES[domain], game=game, workers=workers)
            for workers in (Workers(2), nodes.workers)
        )
        assert same(here, there)
        assert here.training == there.training


def test_a_table_of_a_paper_is_the_same(nodes: Nodes) -> None:
    """172 games, solved as items."""
    entry = find("thesis/table5.1")
    here, there = (entry.run(Options(workers=w)).document() for w in (Workers(2), nodes.workers))
    assert here == there


def products(form: SequenceForm) -> list[np.ndarray]:
    plans = [form.realise(seat, form.uniform_behaviour(seat)) for seat in (0, 1)]
    return [form.gradient(seat, plans[1 - seat]) for seat in (0, 1)]


def leduc() -> MatrixGame:
    return small_game(Game.named("leduc"))


@pytest.mark.parametrize("name", ["egt", "cfr+"])
def test_products_by_subtree_are_the_same(nodes: Nodes, name: str) -> None:
    def solved(workers: Workers) -> list[bytes]:
        form = SequenceForm(leduc(), gemm_block=1, workers=workers)
        solver = make_solver(name, form)
        solver.advance(5)
        return [np.ascontiguousarray(array).tobytes() for array in solver.arrays().values()]

    assert solved(Workers(1)) == solved(Workers(2)) == solved(nodes.workers)


def test_products_survive_lost_actors(nodes: Nodes) -> None:
    here = products(SequenceForm(leduc(), gemm_block=1))
    form = SequenceForm(leduc(), gemm_block=1, workers=nodes.workers)
    assert all(np.array_equal(*both) for both in zip(products(form), here, strict=True))
    assert nodes.kill_actors() >= 2
    assert all(np.array_equal(*both) for both in zip(products(form), here, strict=True))
