"""Sampled responses: the kernel against its twin, and against exact programs in solved games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.restricted import ResponsePrograms
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run
from doyle.solving.sampling import _response_kernels as kernels
from doyle.solving.sampling.deals import SmallDeals
from doyle.solving.sampling.response import ResponseSolver, strategy_tables
from doyle.solving.sampling.solver import SamplingOptions
from doyle.solving.solve import small_yardstick
from doyle.strategy import TableStrategy, uniform_tables
from tests.reference.sampled_response import SampledResponse


def solver(name: str, share: float, *, seed: int = 3) -> ResponseSolver:
    """A response to an opponent who plays evenly at random."""
    tree = BettingTree.build(BettingModel.parse("limit"), Game.named(name))
    source = SmallDeals(tree.game)
    opponent = strategy_tables(TableStrategy(tree, uniform_tables(tree, source.bucket_counts)))
    options = SamplingOptions(seed=seed, batch=256, interval=4096)
    return ResponseSolver(
        tree,
        source,
        options,
        yardstick=small_yardstick(tree, source),
        opponent=opponent,
        share=share,
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_traversals_equal_their_twin(name: str, share: float) -> None:
    subject = solver(name, share)
    deals = subject.source.deals(200, np.array([5], np.uint64))
    twin = SampledResponse(subject._packed, subject._fixed, share, seed=99)
    state = np.array([99], np.uint64)
    kernels.respond_deals(
        subject._packed, subject.regret, subject.free, subject._fixed, subject.average, share,
        deals.buckets, deals.results, *subject._buffers, state,
    )  # fmt: skip
    twin.respond(list(zip(deals.buckets, deals.results.tolist(), strict=True)))
    assert int(state[0]) == twin.rng.state
    for ours, theirs in (("regret", "regret"), ("free", "free"), ("average", "average")):
        np.testing.assert_allclose(
            getattr(subject, ours), getattr(twin, theirs), rtol=1e-5, atol=1e-5
        )


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_it_converges_to_the_exact_response_in_kuhn(share: float) -> None:
    subject = solver("kuhn", share)
    Run(subject).until(Limits(iterations=400_000))
    profile = subject.profile()
    assert profile is not None
    programs = ResponsePrograms(SequenceForm(small_game(Game.named("kuhn"))))
    for seat in (0, 1):
        model = programs.form.realise(1 - seat, programs.form.uniform_behaviour(1 - seat))
        exact = programs.mixed(seat, model, share=share)
        ours = programs.measured(seat, profile.plans[seat], model)
        best = share * exact.against_model + (1 - share) * exact.worst_case
        reached = share * ours.against_model + (1 - share) * ours.worst_case
        assert best - 0.01 < reached <= best + 1e-9


def test_checkpoints_and_bad_input(tmp_path: Path) -> None:
    whole = Run(solver("kuhn", 0.5)).until(Limits(iterations=8192))
    Run(solver("kuhn", 0.5), tmp_path / "c").until(Limits(iterations=4096))
    resumed = Run(solver("kuhn", 0.5), tmp_path / "c")
    resumed.restore()
    resumed.until(Limits(iterations=8192))
    np.testing.assert_array_equal(resumed.solver.average, whole.average)
    np.testing.assert_array_equal(resumed.solver.free, whole.free)
    with pytest.raises(DoyleError, match="from 0 to 1"):
        solver("kuhn", 1.5)
    with pytest.raises(DoyleError, match="the opponent's tables are"):
        ResponseSolver(whole.tree, whole.source, opponent=[np.zeros((2, 2))])
