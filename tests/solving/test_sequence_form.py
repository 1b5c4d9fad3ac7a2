"""The sequence form: products, values and best responses against plain loops over the tree."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from tests.reference import solving_tree_walk as plain
from tests.solving import games


def random_profile(form: SequenceForm, seed: int) -> Profile:
    rng = np.random.default_rng(seed)
    behaviours = tuple(plain.random_behaviour(form, seat, rng) for seat in (0, 1))
    return Profile.of_behaviours(form, (behaviours[0], behaviours[1]))


@pytest.mark.parametrize("name", games.NAMES)
def test_value_and_best_responses_are_those_of_the_plain_walk(name: str) -> None:
    form = games.form(name)
    profile = random_profile(form, 1)
    behaviour = plain.tables(form, profile.behaviours)
    assert profile.value == pytest.approx(plain.expected_value(form.game, behaviour), abs=1e-12)
    for seat in (0, 1):
        expected = plain.best_response_value(form.game, seat, behaviour)
        assert profile.best_response_values[seat] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", games.NAMES)
def test_the_best_response_earns_what_it_says(name: str) -> None:
    form = games.form(name)
    profile = random_profile(form, 2)
    for seat in (0, 1):
        worth, choice = form.best_response(seat, profile.plans[1 - seat])
        plans = list(profile.plans)
        plans[seat] = form.realise(seat, choice)
        earned = form.value((plans[0], plans[1]))
        assert (earned if seat == 0 else -earned) == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize("name", games.NAMES)
def test_both_seats_see_the_same_payoffs(name: str) -> None:
    form = games.form(name)
    first, second = random_profile(form, 3).plans
    assert first @ form.gradient(0, second) == pytest.approx(
        -(second @ form.gradient(1, first)), abs=1e-12
    )


@pytest.mark.parametrize("name", games.NAMES)
def test_large_blocks_go_through_blas_with_the_same_result(name: str) -> None:
    form = games.form(name)
    by_blas = SequenceForm(form.game, gemm_block=1)
    assert by_blas.uses_gemm
    assert not form.uses_gemm
    plans = random_profile(form, 4).plans
    for seat in (0, 1):
        difference = by_blas.gradient(seat, plans[1 - seat]) - form.gradient(seat, plans[1 - seat])
        assert np.abs(difference).max() < 1e-13


@pytest.mark.parametrize("name", games.NAMES)
def test_behaviour_and_plan_are_two_views_of_one_thing(name: str) -> None:
    form = games.form(name)
    profile = random_profile(form, 5)
    for seat in (0, 1):
        behaviour = form.behaviour(seat, profile.plans[seat])
        assert np.allclose(form.realise(seat, behaviour), profile.plans[seat], atol=1e-14)
    for node in form.game.tree.decisions:
        assert np.allclose(profile.probabilities(int(node)).sum(axis=1), 1.0)


def test_the_plan_of_a_sequence_never_played_leaves_behaviour_uniform() -> None:
    form = games.form("kuhn")
    tree = form.game.tree
    root, later = (node for node in tree.decisions.tolist() if tree.actor[node] == 0)
    behaviour = form.uniform_behaviour(0)
    form.put_table(root, np.tile([0.0, 1.0], (3, 1)), behaviour)  # always bets
    form.put_table(later, np.tile([0.9, 0.1], (3, 1)), behaviour)  # after a check: never reached
    again = form.behaviour(0, form.realise(0, behaviour))
    assert np.array_equal(form.table(root, again), np.tile([0.0, 1.0], (3, 1)))
    assert np.array_equal(form.table(later, again), np.full((3, 2), 0.5))
    form.put_table(root, np.tile([0.5, 0.5], (3, 1)), behaviour)
    again = form.behaviour(0, form.realise(0, behaviour))
    assert np.allclose(form.table(later, again), [0.9, 0.1])
    assert form.sizes == (13, 13)


def test_counts_of_leduc_by_rank_and_of_no_limit_leduc() -> None:
    assert games.game("leduc").information_sets() == (144, 144)
    assert games.form("leduc").sequences == (337, 337)
    form = games.form("leduc-nl12")
    assert form.game.information_sets() == (42_072, 42_072)
    assert form.sequences == (121_225, 121_225)
