"""The excessive gap technique never stalls, and its guaranteed steps keep the condition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.games.matrix_game import Floats, marginal
from doyle.solving.methods.egt import ExcessiveGapSolver, Prox
from doyle.solving.methods.excessive_gap import GuaranteedSteps, _convexity
from doyle.solving.methods.sequence_form import SequenceForm
from tests.reference.solving_tree_walk import random_behaviour
from tests.solving import games
from tests.solving.test_random_games import random_game


def in_single_precision(game: MatrixGame) -> SequenceForm:
    """The game as large abstract games are kept: matrices in single precision, through BLAS."""

    def single(matrix: BlockMatrix) -> BlockMatrix:
        return BlockMatrix.of([matrix.block(b).astype(np.float32) for b in range(len(matrix))])

    rounds = [
        PrivateStates(s.parents, single(s.joint), single(s.showdown)) for s in game.private_states
    ]
    return SequenceForm(MatrixGame(game.name, game.tree, rounds), gemm_block=1)


def smoothed_gap(form: SequenceForm, solver: ExcessiveGapSolver) -> float:
    """The two smoothed best-response values of the solver's pair, from products made afresh."""
    total = 0.0
    for seat in (0, 1):
        prox = Prox(form, seat)
        prox.centre = solver._prox[seat].centre
        gradient = form.gradient(seat, solver._point.plans[1 - seat])
        total += prox.respond(gradient, solver._point.smoothing[seat])[0]
    return total


@pytest.mark.parametrize("name", ["kuhn", "clairvoyance", "nolimit-kuhn"])
def test_rounding_does_not_stop_the_steps(name: str) -> None:
    # In single precision rounding alone breaks the condition by more than a double's 1e-13: steps
    # halved to nothing (Kuhn after 230 iterations), and a restart (clairvoyance) had no end.
    solver = ExcessiveGapSolver(in_single_precision(games.game(name)))
    exact = games.form(name)
    scale = float(np.abs(exact.game.tree.leaf_chips(0)).max())
    for _ in range(100):
        before = solver.arrays()["scalars"][:2].prod()
        solver.advance(9)
        after = solver.arrays()["scalars"][:2].prod()
        solver.advance(1)  # the tenth may restart, with larger mu
        assert after < before
        assert smoothed_gap(exact, solver) <= 3e-7 * scale
    double = ExcessiveGapSolver(exact)
    double.advance(1000)
    allowed = 2 * double.profile().exploitability + 2e-7 * scale
    assert solver.profile().exploitability <= allowed


@pytest.mark.slow
def test_leduc_in_single_precision_goes_on_where_it_stalled() -> None:
    # With steps halved until the check passed, it stood still from iteration 13,710 on.
    solver = ExcessiveGapSolver(in_single_precision(games.game("leduc")))
    solver.advance(13_700)
    before = solver.arrays()["scalars"]
    solver.advance(9)
    after = solver.arrays()["scalars"]
    assert after[:2].prod() < before[:2].prod() * (1 - 1e-4)
    solver.advance(6000 - 9)
    assert solver.profile().exploitability <= 2.6e-5


def test_every_iteration_moves_when_the_check_always_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExcessiveGapSolver, "_fits", lambda solver, point: False)
    form = games.form("leduc")
    solver = ExcessiveGapSolver(form)
    first = solver._point.smoothing[0]
    assert first >= solver._guaranteed.first_smoothing
    check_schedule(form, solver, first, iterations=60)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_guaranteed_steps_keep_the_condition_in_any_game(seed: int) -> None:
    form = SequenceForm(random_game(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExcessiveGapSolver, "_fits", lambda solver, point: False)
        solver = ExcessiveGapSolver(form)
        check_schedule(form, solver, solver._point.smoothing[0], iterations=20)
    assert solver.iteration == 20


def check_schedule(
    form: SequenceForm, solver: ExcessiveGapSolver, first: float, *, iterations: int
) -> None:
    """Nothing but guaranteed steps: the product of the mu falls as published, unchecked."""
    scale = float(np.abs(form.game.tree.leaf_chips(0)).max())
    found: list[float] = []
    solver._restart_if_better = lambda: None  # type: ignore[method-assign]
    for number in range(1, iterations + 1):
        solver.advance(1)
        assert smoothed_gap(form, solver) <= 1e-13 * scale
        found.append(solver._point.smoothing[0] * solver._point.smoothing[1])
        # From mu_0 mu_1 = first^2 <= 4 L^2 / (1 * 2) on, k steps lead to 4 L^2 / ((k + 1) (k + 2)).
        largest = max(first, solver._guaranteed.scale) ** 2
        assert found[-1] <= largest * 4 / ((number + 1) * (number + 2)) * (1 + 1e-9)


@pytest.mark.parametrize("name", games.NAMES)
def test_the_entropy_is_as_convex_as_the_bound_says(name: str) -> None:
    """Along random lines the divergence grows at least as rho / 2 times the squared norm."""
    form, rng = games.form(name), np.random.default_rng(2)
    for seat in (0, 1):
        prox = Prox(form, seat)
        for _ in range(20):
            one, two = (random_behaviour(form, seat, rng) for _ in (0, 1))
            ours = _norm(form, seat, form.realise(seat, one) - form.realise(seat, two))
            assert (
                _divergence(form, seat, two, one, prox)
                >= _convexity(form.game.tree, seat) / 2 * ours**2
            )


def _norm(form: SequenceForm, seat: int, difference: Floats) -> float:
    tree, total = form.game.tree, 0.0
    for node in tree.decisions[tree.actor[tree.decisions] == seat].tolist():
        weights = marginal(form.game.private_states[int(tree.round[node])].joint, seat)
        total += float((weights[:, None] * np.abs(form.table(node, difference))).sum())
    return total


def _divergence(
    form: SequenceForm, seat: int, behaviour: Floats, centre: Floats, prox: Prox
) -> float:
    """What `respond` charges for `behaviour` with centre `centre`, per unit of mu."""
    tree, total = form.game.tree, 0.0
    plan = form.realise(seat, behaviour)
    nodes = tree.decisions[tree.actor[tree.decisions] == seat]
    for place, node in enumerate(nodes.tolist()):
        start = int(prox._start[place])
        own, middle = form.table(node, behaviour), form.table(node, centre)
        weights = prox._weight[start : start + len(own)]
        reach = form.table(node, plan).sum(axis=1)
        divergence = (own * np.log(own / middle)).sum(axis=1)
        total += float(prox._height[place] * (weights * reach * divergence).sum())
    return total


def test_steps_of_the_schedule() -> None:
    steps = GuaranteedSteps(2.0)
    assert steps.step([4.0, 2.0]) == pytest.approx(2 / 3)
    for k in range(50):
        product = 4 * 4.0 / ((k + 1) * (k + 2))
        step = steps.step([product, 1.0])
        assert step == pytest.approx(2 / (k + 3)) or step == pytest.approx(2 / (k + 4))
        assert step**2 / (1 - step) <= product / 4.0 * (1 + 1e-12)
