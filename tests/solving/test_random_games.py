"""Any game over private states: products equal plain loops, and every solver keeps its contract."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.betting import PublicTree, TreeBuilder
from doyle.base.errors import DoyleError
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.solving.solve import make_solver
from doyle.solving.solvers import WALKING as SOLVERS
from tests.reference import solving_tree_walk as plain
from tests.solving import games


def random_tree(rng: np.random.Generator) -> PublicTree:
    tree = TreeBuilder()

    def grow(parent: int, round: int, depth: int) -> None:
        round = min(1, round + int(rng.random() < 0.3))
        if depth > 0 and (parent < 0 or rng.random() < 0.6):
            node = tree.decision(parent, round=round, actor=int(rng.integers(2)))
            for _ in range(int(rng.integers(1, 4))):
                grow(node, round, depth - 1)
        elif rng.random() < 0.5:
            tree.fold(parent, round=round, amount=float(rng.normal()))
        else:
            tree.showdown(parent, round=round, amount=float(rng.random()))

    grow(-1, 0, 4)
    return tree.finish()


def random_game(seed: int) -> MatrixGame:
    """Two rounds; the second has one or two public blocks with their own states."""
    rng = np.random.default_rng(seed)
    first = rng.integers(1, 4, 2)
    blocks, parents = [], ([], [])  # type: ignore[var-annotated]
    for _ in range(int(rng.integers(1, 3))):
        shape = rng.integers(1, 4, 2)
        blocks.append(rng.random(shape) + 0.01)
        for seat in (0, 1):
            parents[seat].extend(rng.integers(0, first[seat], shape[seat]).tolist())
    total = sum(block.sum() for block in blocks)
    joint = BlockMatrix.of([block / total for block in blocks])
    showdown = BlockMatrix.of([block / total * rng.uniform(-1, 1, block.shape) for block in blocks])
    ups = np.array(parents[0]), np.array(parents[1])
    before = []
    for matrix in (joint, showdown):
        result = np.zeros(first)
        np.add.at(result, np.ix_(*ups), matrix.dense())
        before.append(BlockMatrix.of([result]))
    rounds = (
        PrivateStates((np.zeros(first[0], int), np.zeros(first[1], int)), before[0], before[1]),
        PrivateStates(ups, joint, showdown),
    )
    return MatrixGame(f"random-{seed}", random_tree(rng), rounds)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_products_and_best_responses_of_any_game(seed: int) -> None:
    form = SequenceForm(random_game(seed))
    rng = np.random.default_rng(seed)
    behaviours = tuple(plain.random_behaviour(form, seat, rng) for seat in (0, 1))
    profile = Profile.of_behaviours(form, (behaviours[0], behaviours[1]))
    tables = plain.tables(form, profile.behaviours)
    assert profile.value == pytest.approx(plain.expected_value(form.game, tables), abs=1e-12)
    for seat in (0, 1):
        expected = plain.best_response_value(form.game, seat, tables)
        assert profile.best_response_values[seat] == pytest.approx(expected, abs=1e-12)
    assert profile.exploitability >= -1e-12


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_certified_intervals_of_all_solvers_overlap(seed: int) -> None:
    form = SequenceForm(random_game(seed))
    exact = solve_linear_program(form)
    assert abs(exact.exploitability) < 1e-8
    for name in SOLVERS[1:]:
        profile = Run(make_solver(name, form)).until(Limits(iterations=60)).profile()
        low, high = -profile.best_response_values[1], profile.best_response_values[0]
        assert low - 1e-8 <= exact.value <= high + 1e-8


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("game", games.NAMES)
def test_every_solver_gives_plans_that_improve(name: str, game: str) -> None:
    form = games.form(game)
    solver = make_solver(name, form)
    before = Profile.uniform(form).exploitability
    run = Run(solver)
    profile = run.until(Limits(iterations=200)).profile()
    for seat in (0, 1):
        plan = profile.plans[seat]
        assert plan[0] == pytest.approx(1.0)
        assert plan.min() >= 0.0
        again = form.realise(seat, form.behaviour(seat, plan))
        assert np.allclose(again, plan, atol=1e-12)
    assert profile.exploitability < before / 2
    low, high = -profile.best_response_values[1], profile.best_response_values[0]
    assert low - 1e-12 <= profile.value <= high + 1e-12
    assert run.history[-1].iteration == solver.iteration


def test_games_that_do_not_fit_together_are_refused() -> None:
    good = games.game("kuhn")
    states = good.private_states[0]
    wrong = PrivateStates(states.parents, BlockMatrix.of([np.eye(3)]), states.showdown)
    with pytest.raises(DoyleError, match="do not sum to 1"):
        MatrixGame("kuhn", good.tree, (wrong,))
    small = PrivateStates((np.zeros(2, int), np.zeros(3, int)), states.joint, states.showdown)
    with pytest.raises(DoyleError, match="a matrix is"):
        MatrixGame("kuhn", good.tree, (small,))
    with pytest.raises(DoyleError, match="the tree has 1 rounds"):
        MatrixGame("kuhn", good.tree, ())
    far = PrivateStates((np.array([0, 1, 0]), np.zeros(3, int)), states.joint, states.showdown)
    with pytest.raises(DoyleError, match="out of range"):
        MatrixGame("kuhn", good.tree, (far,))
    leduc = games.game("leduc")
    swapped = PrivateStates(
        (leduc.private_states[1].parents[0][::-1].copy() * 0, leduc.private_states[1].parents[1]),
        leduc.private_states[1].joint,
        leduc.private_states[1].showdown,
    )
    with pytest.raises(DoyleError, match="do not refine"):
        MatrixGame("leduc", leduc.tree, (leduc.private_states[0], swapped))
