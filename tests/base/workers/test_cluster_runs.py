"""Leagues, local best response, exact hands and sharded solves: the same numbers on a Ray cluster."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.cards.clustering.kmeans import nearest
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.base.artifacts import Store
from doyle.base.errors import FieldError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches.league import play_league
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.measuring.local_best_response.run import run_lbr
from doyle.solving.run import Limits
from doyle.solving.sampling.solver import SamplingSolver
from doyle.solving.solve import Method, Problem

from .conftest import Nodes

pytestmark = pytest.mark.slow

HOLDEM = Game.named("holdem-nl-200bb")
BASELINES = ("always-fold", "always-call", "always-raise", "always-all-in", "random")


def test_a_league_survives_a_killed_worker(nodes: Nodes) -> None:
    """100,000 hands, one worker killed and a node added on the way."""
    killed: list[bool] = []
    # The callback holds up the league, so items run while a thread looks for one.
    killer = threading.Thread(target=lambda: killed.append(nodes.kill_some_worker(seconds=120)))

    def disturb(_: str, done: int, total: int) -> None:
        if killer.ident is None and done > total // 4:
            killer.start()
            nodes.add()

    league = {"hands": 5000, "seed": 3, "method": "plain"}
    there = play_league(HOLDEM, BASELINES, workers=nodes.workers, progress=disturb, **league)
    killer.join()
    here = play_league(HOLDEM, BASELINES, workers=Workers(2), **league)
    assert killed == [True]
    assert there.document() == here.document()
    assert all(
        np.array_equal(there.matches[table].units, here.matches[table].units)
        for table in here.matches
    )


def test_a_league_played_by_kernels_is_the_same(nodes: Nodes) -> None:
    league = {"hands": 600, "seed": 4, "method": "fast"}
    there = play_league(HOLDEM, BASELINES[1:4], workers=nodes.workers, **league)
    here = play_league(HOLDEM, BASELINES[1:4], workers=Workers(2), **league)
    assert there.document() == here.document()


def test_local_best_response_is_the_same(nodes: Nodes) -> None:
    settings = {"actions": "fcpa", "hands": 192, "seed": 2}
    there = run_lbr(HOLDEM, "always-call", workers=nodes.workers, **settings)
    here = run_lbr(HOLDEM, "always-call", workers=Workers(1), **settings)
    assert np.array_equal(there.values, here.values)


def test_exact_hands_are_the_same(nodes: Nodes) -> None:
    pair = ("always-call", "always-raise")
    there = run_exact_hands(HOLDEM, pair, boards=40, seed=4, workers=nodes.workers)
    here = run_exact_hands(HOLDEM, pair, boards=40, seed=4, workers=Workers(1))
    assert np.array_equal(there.values, here.values)


def test_sharded_solves_are_the_same(nodes: Nodes) -> None:
    def tables(workers: Workers, merge: int) -> list[np.ndarray]:
        method = Method("external", shards=4, merge=merge, seed=5)
        run = Problem.named("leduc", "limit", method=method).begin(method, workers=workers)
        run.until(Limits(iterations=1 << 14))
        return [np.asarray(array) for array in run.solver.arrays().values()]

    for merge in (0, 1024):
        here, there = tables(Workers(2), merge), tables(nodes.workers, merge)
        assert all(np.array_equal(*both) for both in zip(here, there, strict=True))
    once, later = tables(Workers(1), 0), tables(Workers(1), 1024)
    assert any(not np.array_equal(*both) for both in zip(once, later, strict=True))


def test_a_sharded_solve_that_loses_its_workers_is_the_same(nodes: Nodes) -> None:
    """All are killed between two intervals, then while an interval runs."""

    def solver(workers: Workers) -> SamplingSolver:
        method = Method("external", shards=3, seed=6)
        made = Problem.named("leduc", "limit", method=method).solver(method, workers=workers)
        assert isinstance(made, SamplingSolver)
        return made

    here, there = solver(Workers(2)), solver(nodes.workers)
    here.advance(4 * here.interval)
    there.advance(there.interval)
    assert nodes.kill_actors() >= 2
    there.advance(there.interval)
    killed: list[int] = []
    killer = threading.Timer(0.1, lambda: killed.append(nodes.kill_actors()))
    killer.start()
    there.advance(there.interval)
    killer.join()
    assert killed[0] >= 2
    there.advance(there.interval)
    for name, array in here.arrays().items():
        assert array.tobytes() == there.arrays()[name].tobytes()


def test_a_cluster_samples_in_shards_only(nodes: Nodes) -> None:
    method = Method("external")
    problem = Problem.named("leduc", "limit", method=method)
    with pytest.raises(FieldError, match="shards"):
        problem.begin(method, workers=nodes.workers).until(Limits(iterations=4096))


def test_the_atlas_is_the_same_bytes(nodes: Nodes, tmp_path: Path) -> None:
    """A restricted one: all its parts, made by tasks that write into one file."""
    made = {}
    for name, workers in (("here", Workers(2)), ("there", nodes.workers)):
        atlas = Atlas(flops=(0, 700), store=Store(tmp_path / name), workers=workers)
        parts = [atlas.river_strength, atlas.sums(2, 1), atlas.sums(1, 2), atlas.sums(1, 3)]
        made[name] = [np.array(part) for part in parts]
    assert all(np.array_equal(*both) for both in zip(*made.values(), strict=True))
    assert all(part.any() for part in made["there"])


def test_clusters_are_the_same(nodes: Nodes) -> None:
    points = np.random.default_rng(3).random((20_000, 5))
    centroids = points[:40]
    there = nearest(points, centroids, workers=nodes.workers)
    assert np.array_equal(there, nearest(points, centroids, workers=Workers(2)))
