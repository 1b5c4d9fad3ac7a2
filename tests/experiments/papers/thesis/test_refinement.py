"""Abstractions of Leduc that grow finer and more exploitable (thesis, section 2.3.1)."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.thesis.refinement import (
    AbstractGame,
    Abstraction,
    exploitability,
    family,
)
from doyle.games import Game
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run
from doyle.solving.solvers import VARIANTS

COARSE, FINE = Abstraction("JQ.K", "JQK", True), Abstraction("J.Q.K", "JQK", True)


@pytest.fixture(scope="module")
def whole() -> SequenceForm:
    return SequenceForm(small_game(Game.named("leduc")))


def test_refinement_is_a_strict_order() -> None:
    assert FINE.refines(COARSE)
    assert not COARSE.refines(FINE)
    assert not FINE.refines(FINE)
    assert not Abstraction("J.QK", "JQK", True).refines(COARSE)  # neither is finer
    assert not COARSE.refines(Abstraction("J.QK", "JQK", True))
    whole = Abstraction("J.Q.K", "J.Q.K", False)
    assert all(one == whole or one.size >= 12 or whole.refines(one) for one in family())


def test_buckets_keep_what_was_known() -> None:
    for one in family():
        first, second = one.buckets()
        parents = {}
        for state, bucket in enumerate(second.tolist()):
            assert parents.setdefault(bucket, first[state % 3]) == first[state % 3]


def test_the_whole_game_is_not_exploitable(whole: SequenceForm) -> None:
    found = exploitability(whole, Abstraction("J.Q.K", "J.Q.K", False))
    assert (found.first, found.least, found.one_sided) == pytest.approx((0, 0, 0), abs=1e-8)


def test_a_plan_over_buckets_means_the_same_in_the_whole_game(whole: SequenceForm) -> None:
    """Two plans over buckets have one value, in the abstract and in the whole game."""
    game = AbstractGame.of(whole, COARSE)
    rng = np.random.default_rng(0)
    plans = [
        game.form.realise(seat, game.form.behaviour(seat, rng.random(game.form.sizes[seat])))
        for seat in (0, 1)
    ]
    lifted = [np.asarray(game.lifted(seat) @ plans[seat]) for seat in (0, 1)]
    expected = game.form.value((plans[0], plans[1]))
    assert whole.value((lifted[0], lifted[1])) == pytest.approx(expected, abs=1e-12)


def test_finer_and_more_exploitable_by_another_solver(whole: SequenceForm) -> None:
    """What CFR+ finds lies between the least exploitable equilibrium and not below it, and it rises too."""
    measured = {}
    for one in (COARSE, FINE):
        game = AbstractGame.of(whole, one)
        solver = RegretSolver(game.form, VARIANTS["cfr+"], name="cfr+")
        profile = Run(solver).until(Limits(target=1e-4, iterations=100_000)).profile()
        lifted = [np.asarray(game.lifted(seat) @ profile.plans[seat]) for seat in (0, 1)]
        best = whole.best_response(0, lifted[1])[0] + whole.best_response(1, lifted[0])[0]
        measured[one] = best / 2
        assert measured[one] > exploitability(whole, one).least - 1e-3
    assert measured[FINE] > measured[COARSE] + 0.05


def test_the_section() -> None:
    result = find("thesis/section2.3.1").run(Options())
    said = {cell.column: cell.ours for cell in result.cells[:2]}
    assert said == {"both seats abstracted": "yes", "one seat abstracted": "no"}
    cells = {cell.column: float(cell.ours) for cell in result.cells[2:6]}
    assert result.cells[2].row == f"{COARSE} to {FINE}"
    assert cells["coarser, first found"] < cells["finer, least"] - 0.05
    assert len(result.sections[0].rows) == len(family())
