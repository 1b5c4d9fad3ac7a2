"""All solvers agree on the values of small games, and known equilibria are found."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import PublicTree
from doyle.base.errors import DoyleError
from doyle.solving.games.one_bet import clairvoyance, nolimit_kuhn
from doyle.solving.methods.egt import ExcessiveGapSolver, Prox
from doyle.solving.methods.lp import payoff_matrix, solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run
from doyle.solving.solve import make_solver
from doyle.solving.solvers import WALKING as SOLVERS
from tests.reference.solving_tree_walk import random_behaviour
from tests.solving import games


@pytest.mark.parametrize("name", games.NAMES)
def test_the_linear_program_is_exact(name: str) -> None:
    profile = solve_linear_program(games.form(name))
    assert 0 <= profile.exploitability + 1e-12 < 1e-9 + 1e-12


@pytest.mark.parametrize("name", games.NAMES)
def test_the_payoff_matrix_is_what_the_operator_applies(name: str) -> None:
    form = games.form(name)
    rng = np.random.default_rng(5)
    matrix = payoff_matrix(form)
    first, second = rng.random(form.sizes[0]), rng.random(form.sizes[1])
    assert np.allclose(matrix @ second, form.gradient(0, second), atol=1e-12)
    assert np.allclose(-(matrix.T @ first), form.gradient(1, first), atol=1e-12)


def test_values_known_in_closed_form() -> None:
    assert solve_linear_program(games.form("kuhn")).value == pytest.approx(-1 / 18, abs=1e-12)
    assert solve_linear_program(games.form("leduc")).value == pytest.approx(-0.085606, abs=5e-7)
    for stack in (1.0, 3.0, 10.0, 100.0):
        value = solve_linear_program(SequenceForm(clairvoyance(stack))).value
        assert value == pytest.approx(stack / (2 * (1 + stack)), abs=1e-9)


def test_no_limit_kuhn_bets_four_tenths_of_the_pot_whatever_the_stack() -> None:
    # IJCAI 2013, section 9.2: the unique equilibrium of player 1 bets 0.4.
    values = []
    for stack in (1.0, 3.0, 10.0):
        form = SequenceForm(nolimit_kuhn(stack))
        profile = solve_linear_program(form)
        values.append(profile.value)
        played = profile.probabilities(0).sum(axis=0)
        labels = [form.game.tree.labels[child] for child in form.game.tree.children_of(0)]
        assert {labels[i] for i in np.flatnonzero(played > 1e-9)} == {"c", "r0.4"}
    assert np.ptp(values) < 1e-9


def test_folding_after_a_check_never_helps_in_no_limit_kuhn() -> None:
    plain = solve_linear_program(SequenceForm(nolimit_kuhn(3.0))).value
    variant = solve_linear_program(SequenceForm(nolimit_kuhn(3.0, fold_after_check=True))).value
    assert plain == pytest.approx(variant, abs=1e-9)


# A certified interval is twice the target wide.
TO_SIX_DIGITS = {"lp": 0.0, "egt": 4e-7, "cfr+": 4e-7, "pcfr+": 4e-7}


@pytest.mark.parametrize("name", ["kuhn", "clairvoyance", "nolimit-kuhn"])
@pytest.mark.parametrize("solver", TO_SIX_DIGITS)
def test_solvers_agree_to_six_digits(name: str, solver: str) -> None:
    form = games.form(name)
    exact = solve_linear_program(form).value
    method = make_solver(solver, form)
    profile = Run(method).until(Limits(target=TO_SIX_DIGITS[solver], iterations=400_000)).profile()
    assert profile.value == pytest.approx(exact, abs=1e-6)
    low, high = -profile.best_response_values[1], profile.best_response_values[0]
    assert low - 1e-12 <= exact <= high + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("solver", TO_SIX_DIGITS)
def test_solvers_agree_to_six_digits_on_leduc(solver: str) -> None:
    form = games.form("leduc")
    exact = solve_linear_program(form).value
    # The value of egt's average is ten times nearer than its exploitability says.
    target = 1e-5 if solver == "egt" else TO_SIX_DIGITS[solver]
    profile = (
        Run(make_solver(solver, form)).until(Limits(target=target, iterations=400_000)).profile()
    )
    assert profile.exploitability <= max(target, 1e-9)
    assert profile.value == pytest.approx(exact, abs=1e-6)


def test_the_excessive_gap_condition_holds_all_along() -> None:
    form = games.form("leduc")
    solver = ExcessiveGapSolver(form)
    for _ in range(30):
        solver.advance(1)
        point = solver._point
        assert solver._smoothed_gap(point) <= 1e-12
        for seat in (0, 1):
            fresh = form.gradient(seat, point.plans[1 - seat])
            assert np.allclose(fresh, point.gradients[seat], atol=1e-12)


@pytest.mark.parametrize("name", games.NAMES)
def test_no_plan_beats_the_smoothed_response(name: str) -> None:
    form = games.form(name)
    rng = np.random.default_rng(11)
    for seat in (0, 1):
        prox = Prox(form, seat)
        centre = random_behaviour(form, seat, rng)
        gradient = rng.normal(size=form.sizes[seat])
        value, behaviour = prox.respond(gradient, 0.7, centre)
        assert _smoothed_worth(form, seat, gradient, 0.7, behaviour, centre) == pytest.approx(value)
        for _ in range(20):
            other = random_behaviour(form, seat, rng)
            assert _smoothed_worth(form, seat, gradient, 0.7, other, centre) <= value


def _smoothed_worth(form, seat, gradient, smoothing, behaviour, centre):  # type: ignore[no-untyped-def]
    """<gradient, plan> - smoothing * divergence, decision by decision: twin of the kernel."""
    from doyle.solving.games.matrix_game import marginal

    plan = form.realise(seat, behaviour)
    tree, total = form.game.tree, float(gradient @ plan)
    for node in tree.decisions[tree.actor[tree.decisions] == seat].tolist():
        weights = marginal(form.game.private_states[int(tree.round[node])].joint, seat)
        own, middle = form.table(node, behaviour), form.table(node, centre)
        reach = form.table(node, plan).sum(axis=1)
        divergence = (own * np.log(own / middle)).sum(axis=1)
        total -= smoothing * _height(tree, node, seat) * float((weights * reach * divergence).sum())
    return total


def _height(tree: PublicTree, node: int, seat: int) -> int:
    """How many decisions of `seat` the longest path from `node` on has."""
    start, count = int(tree.child_start[node]), int(tree.child_count[node])
    below = (_height(tree, child, seat) for child in tree.children[start : start + count].tolist())
    return max(below, default=0) + int(tree.actor[node] == seat)


@pytest.mark.parametrize("solver", ["egt", "lp"])
def test_resuming_gives_the_same_bytes(solver: str) -> None:
    form = games.form("kuhn")
    whole, part, resumed = (make_solver(solver, form) for _ in range(3))
    Run(whole).until(Limits(iterations=60))
    Run(part).until(Limits(iterations=25))
    resumed.restore({name: values.copy() for name, values in part.arrays().items()})
    resumed.iteration = part.iteration
    Run(resumed).until(Limits(iterations=60))
    for one, two in zip(whole.profile().plans, resumed.profile().plans, strict=True):
        assert one.tobytes() == two.tobytes()


def test_unknown_solvers_are_named_with_the_known_ones() -> None:
    with pytest.raises(DoyleError, match=r"'cfr9': expected one of lp, egt, cfr, cfr\+"):
        make_solver("cfr9", games.form("kuhn"))
    assert all(make_solver(name, games.form("kuhn")).name == name for name in SOLVERS)
