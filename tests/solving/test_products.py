"""Payoff products by betting subtree: parts that are apart, and the same bytes from each side."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from doyle.base.workers import Workers
from doyle.solving.methods.products import PARTS, OnCluster, Products
from doyle.solving.methods.sequence_form import SequenceForm
from tests.solving import games


def large(name: str, workers: int = 1) -> SequenceForm:
    return SequenceForm(games.form(name).game, gemm_block=1, workers=Workers(workers))


def random_plan(form: SequenceForm, seat: int) -> np.ndarray:
    rng = np.random.default_rng(seat)
    behaviour = rng.random(form.sizes[seat])
    return form.realise(seat, form.behaviour(seat, behaviour))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("seat", [0, 1])
def test_parts_end_in_sequences_of_their_own(name: str, seat: int) -> None:
    products: Products = large(name).products
    parts = products.parts[seat]
    assert 1 < len(parts) <= PARTS
    own = [{int(start) for batch in part for start in batch.own} for part in parts]
    for before, after in pairwise(own):
        assert max(before) < min(after)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_actors_are_sent_gives_the_same_bytes(name: str, seat: int) -> None:
    """The parts as actors have them, numbered from 0, run in this process."""
    form = large(name)
    plan = random_plan(form, 1 - seat)
    expected = form.gradient(seat, plan)
    found = np.zeros_like(expected)
    actors = OnCluster(form.products.matrices, form.products.parts, Workers(2))
    actors.add(seat, plan, found)
    assert found.tobytes() == expected.tobytes()
    assert expected.any()
    assert np.allclose(expected, games.form(name).gradient(seat, plan), atol=1e-12)


def test_threads_change_nothing() -> None:
    forms = [large("leduc", workers) for workers in (1, 2, 3)]
    plan = random_plan(forms[0], 1)
    assert len({form.gradient(0, plan).tobytes() for form in forms}) == 1
