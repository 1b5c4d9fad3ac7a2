"""The written-out exponentials and logarithms, and responses slice by slice, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.base.workers import Workers
from doyle.solving.methods import _prox_kernels as kernels
from doyle.solving.methods.egt import ExcessiveGapSolver, Prox
from doyle.solving.methods.sequence_form import SequenceForm
from tests.reference.solving_tree_walk import random_behaviour
from tests.solving import games

LISTS = {"min_size": 1, "max_size": 40}


@settings(deadline=None)
@given(st.lists(st.floats(kernels.LOWEST, 0.0), **LISTS))
def test_exponentials(numbers: list[float]) -> None:
    found = np.array(numbers)
    kernels.exponentials(len(found), found, np.empty(len(found)), np.empty(len(found)))
    assert found == pytest.approx(np.exp(numbers), rel=1e-15, abs=0.0)


@settings(deadline=None)
@given(st.lists(st.floats(1e-300, 1e300), **LISTS))
def test_logarithms(numbers: list[float]) -> None:
    found = np.array(numbers)
    kernels.logarithms(len(found), found, np.empty(len(found)), np.empty(len(found)))
    assert found == pytest.approx(np.log(numbers), rel=1e-15, abs=1e-16)


def _large(name: str, workers: int) -> SequenceForm:
    """A small game treated as a large one: leaves through BLAS, passes in slices."""
    return SequenceForm(games.form(name).game, gemm_block=1, workers=Workers(workers))


@pytest.mark.parametrize("name", games.NAMES)
def test_slices_answer_as_the_whole(name: str) -> None:
    whole, sliced = games.form(name), _large(name, 2)
    rng = np.random.default_rng(5)
    for seat in (0, 1):
        gradient = rng.normal(size=whole.sizes[seat])
        centre = random_behaviour(whole, seat, rng)
        value, behaviour = Prox(whole, seat).respond(gradient, 0.3, centre)
        again, answer = Prox(sliced, seat).respond(gradient, 0.3, centre)
        assert again == pytest.approx(value, abs=1e-12)
        assert np.array_equal(answer, behaviour)


def test_some_game_is_cut() -> None:
    sizes = [len(_large(name, 1).state_slices[0]) for name in games.NAMES]
    assert max(sizes) > 1
    parts = [len(_large(name, 1).products.parts[0]) for name in games.NAMES]
    assert max(parts) > 1


def test_bytes_do_not_depend_on_threads() -> None:
    solvers = [ExcessiveGapSolver(_large("leduc", workers)) for workers in (1, 2, 3)]
    for solver in solvers:
        solver.advance(25)
    first, *others = (solver.arrays() for solver in solvers)
    for other in others:
        for name, values in first.items():
            assert values.tobytes() == other[name].tobytes()
