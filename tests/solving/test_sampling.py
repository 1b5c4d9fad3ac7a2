"""Sampling solvers: kernels against their twins, convergence on solved games, checkpoints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.solving.run import Limits, Run
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.batches import deal_frames, public_frames
from doyle.solving.sampling.deals import SmallDeals
from doyle.solving.sampling.solver import (
    SamplingOptions,
    SamplingSolver,
)
from tests.reference.public_sampling import PublicSampler
from tests.reference.sampling import Sampler, SplitMix


def limit_tree(name: str) -> BettingTree:
    return BettingTree.build(BettingModel.parse("limit"), Game.named(name))


def solver(name: str, **options: object) -> SamplingSolver:
    tree = limit_tree(name)
    return SamplingSolver(tree, SmallDeals(tree.game), SamplingOptions(**options))  # type: ignore[arg-type]


def test_the_generator_is_splitmix() -> None:
    state = np.array([12345], dtype=np.uint64)
    twin = SplitMix(12345)
    assert [int(kernels.next_random(state)) for _ in range(50)] == [twin.next() for _ in range(50)]


def test_deals_are_distinct_and_uniform() -> None:
    cards = np.empty((60_000, 3), dtype=np.uint8)
    kernels.deal_cards(cards, 6, np.array([7], dtype=np.uint64))
    assert all(len(set(row)) == 3 for row in cards[:1000].tolist())
    codes = cards.astype(int) @ [36, 6, 1]
    counts = np.bincount(codes)
    counts = counts[counts > 0]
    assert counts.size == 120
    # 120 orders, 500 expected each: a chi-square far above its mean of 119 would be a bias.
    assert ((counts - 500) ** 2 / 500).sum() < 119 + 6 * np.sqrt(2 * 119)


@pytest.mark.parametrize("count", [0, 1, 300])
@pytest.mark.parametrize("tremble", [0.0, 0.25])
@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_traversals_equal_their_twin(name: str, pure: bool, tremble: float, count: int) -> None:
    subject = solver(name, batch=64, interval=64)
    deals = subject.source.deals(count, np.array([5], dtype=np.uint64))
    packed = subject._packed
    twin = Sampler(packed, subject.regret.size, seed=99, tremble=tremble)
    state = np.array([99], dtype=np.uint64)
    kernels.run_deals(
        packed,
        subject.regret,
        subject.average,
        deals.buckets,
        deals.results,
        pure,
        -np.inf,
        0.0,
        tremble,
        deal_frames(packed),
        state,
    )
    twin.run_deals(list(zip(deals.buckets, deals.standings, strict=True)), pure)
    np.testing.assert_array_equal(subject.regret, twin.regret)
    np.testing.assert_array_equal(subject.average, twin.average)
    assert int(state[0]) == twin.rng.state


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_public_boards_equal_their_twin(name: str) -> None:
    subject = solver(name, method="pcs", batch=1, interval=1)
    state = np.array([3], dtype=np.uint64)
    rng = np.random.default_rng(3)
    for _ in range(20):
        # A fresh start each time: one step differs by rounding only, many steps feed it back.
        subject.regret[:] = rng.normal(size=subject.regret.size)
        subject.average[:] = 0
        hands = subject.source.board(state)
        frames = public_frames(subject._packed, hands)
        for traverser in range(2):
            twin = PublicSampler(subject._packed, subject.regret.size)
            twin.regret[:] = subject.regret
            twin.average[:] = subject.average
            public.run_board(
                subject._packed,
                subject.regret,
                subject.average,
                hands,
                traverser,
                0.25,
                frames,
            )
            twin.run_board(hands, traverser, 0.25)
            np.testing.assert_allclose(subject.regret, twin.regret, atol=1e-5)
            np.testing.assert_allclose(subject.average, twin.average, atol=1e-6)


def kuhn_probabilities(subject: SamplingSolver) -> dict[str, np.ndarray]:
    """Probability of the aggressive action (bet, or call of a bet) by card, per betting string."""
    table = subject.tables()[0]
    from doyle.strategy import Layout

    layout = Layout.of(subject.tree)
    found = {}
    for node in subject.tree.decisions:
        last = layout.offset[node] + subject.tree.child_count[node] - 1
        found[subject.tree.betting_text(int(node))] = table[:, last]
    return found


@pytest.mark.parametrize(
    ("method", "batch", "count"), [("external", 2048, 60), ("pure", 2048, 60), ("pcs", 32, 60)]
)
def test_kuhn_converges_to_its_equilibria(method: str, batch: int, count: int) -> None:
    # Kuhn 1950: bet the jack with a <= 1/3, the king with 3a, call the queen with a + 1/3; the
    # second seat bets the jack after a check with 1/3, calls the queen with 1/3.
    subject = solver("kuhn", method=method, batch=batch, interval=batch, seed=4)
    subject.advance(count * batch)
    found = kuhn_probabilities(subject)
    bluff = found[""][0]
    assert 0 <= bluff <= 1 / 3 + 0.04
    assert found[""][2] == pytest.approx(3 * bluff, abs=0.1)
    assert found["cr"][1] == pytest.approx(bluff + 1 / 3, abs=0.06)
    assert found["c"][0] == pytest.approx(1 / 3, abs=0.05)
    assert found["r"][1] == pytest.approx(1 / 3, abs=0.05)
    assert found["r"][2] == pytest.approx(1, abs=0.01)


def test_regret_bound_falls() -> None:
    subject = solver("leduc", batch=1024, interval=2048)
    subject.advance(4096)
    early = sum(subject.regret_bound())
    subject.advance(60_000)
    assert sum(subject.regret_bound()) < early / 2


def test_pruning_still_finds_the_equilibrium() -> None:
    subject = solver("kuhn", batch=2048, interval=2048, prune_below=-200.0, seed=2)
    subject.advance(60 * 2048)
    found = kuhn_probabilities(subject)
    assert found["c"][0] == pytest.approx(1 / 3, abs=0.05)
    assert found["r"][1] == pytest.approx(1 / 3, abs=0.05)
    assert subject.regret.min() >= -400.0 * 1.5


@pytest.mark.parametrize("method", ["external", "pcs"])
def test_a_resumed_solve_ends_with_the_same_bytes(tmp_path: Path, method: str) -> None:
    whole, first, second = (
        solver("leduc", method=method, batch=16, interval=64, seed=8) for _ in range(3)
    )
    whole.advance(256)
    Run(first, tmp_path).until(Limits(iterations=128))
    resumed = Run(second, tmp_path)
    assert resumed.restore()
    resumed.until(Limits(iterations=256))
    assert (second.iteration, second.nodes_visited) == (256, whole.nodes_visited)
    assert second.regret.tobytes() == whole.regret.tobytes()
    assert second.average.tobytes() == whole.average.tobytes()


def test_a_checkpoint_keeps_the_points_of_convergence(tmp_path: Path) -> None:
    first = Run(solver("leduc", batch=16, interval=64), tmp_path)
    first.until(Limits(iterations=128))
    second = Run(solver("leduc", batch=16, interval=64), tmp_path)
    assert second.restore()
    assert [one.document() for one in second.history] == [one.document() for one in first.history]
    assert [point.iteration for point in second.history] == [64, 128]


@pytest.mark.parametrize("shards", [1, 2])
def test_shards_do_not_depend_on_the_number_of_threads(shards: int) -> None:
    results = []
    for count in (1, 2, 3):
        subject = solver("leduc", batch=64, interval=256, shards=shards, seed=8)
        subject.workers = Workers(count)
        subject.advance(512)
        assert subject.deterministic
        results.append(subject.regret.tobytes() + subject.average.tobytes())
    assert results[0] == results[1] == results[2]


def test_a_checkpoint_of_another_solve_is_refused(tmp_path: Path) -> None:
    Run(solver("leduc", batch=16, interval=64, seed=8), tmp_path).until(Limits(iterations=64))
    assert not Run(solver("leduc", batch=16, interval=64), tmp_path / "elsewhere").restore()
    with pytest.raises(DoyleError, match="seed = 8"):
        Run(solver("leduc", batch=16, interval=64, seed=9), tmp_path).restore()
    with pytest.raises(DoyleError, match="of another game; ") as caught:
        Run(solver("kuhn", batch=16, interval=64, seed=8), tmp_path).restore()
    assert len(str(caught.value).splitlines()) == 1


def test_tables_take_eight_bytes_per_action() -> None:
    subject = solver("leduc", batch=16, interval=64)
    actions = sum(
        width * buckets
        for width, buckets in zip(subject.widths, subject.source.bucket_counts, strict=True)
    )
    assert subject.table_bytes == 8 * actions


@pytest.mark.parametrize(
    "options",
    [
        {"method": "guess"},
        {"batch": 3, "interval": 10},
        {"batch": -1, "interval": 1},
        {"tremble": 1.0},
        {"tremble": -0.1},
        {"tremble": 0.1, "method": "pcs"},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(DoyleError, match="sampling"):
        solver("kuhn", **options)
