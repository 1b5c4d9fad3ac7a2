"""Sampled responses in Hold'em: tables of scripts, and what responses win from them."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.baselines import AlwaysCall, AlwaysRaise
from doyle.games import Game
from doyle.measuring.responses.sampled import abstract_opponent, sampled_responses, script_tables
from doyle.solving.run import Limits
from doyle.strategy import TableStrategy

GAME = Game.named("holdem-limit-2p")


@pytest.mark.parametrize(("script", "action"), [(AlwaysCall(), 1), (AlwaysRaise(), None)])
def test_scripts_as_tables(script: AlwaysCall | AlwaysRaise, action: int | None) -> None:
    tree = BettingTree.build(BettingModel.parse("limit"), GAME)
    strategy = TableStrategy(tree, script_tables(script, tree, (2, 2, 2, 2)))
    for node in tree.decisions[::97].tolist():
        actions = tree.actions_of(node).tolist()
        expected = actions.index(action if action is not None else max(actions))
        rows = strategy.probabilities(node, np.arange(2))
        assert (rows[:, expected] == 1).all()
        assert rows.sum() == 2


@pytest.mark.slow
def test_responses_win_more_the_more_they_trust_the_model() -> None:
    opponent = abstract_opponent("always-raise", GAME, cards="ir169.ir50.ir50.50")
    curve = sampled_responses(
        opponent, shares=(0.5, 1.0), limits=Limits(iterations=1 << 18), boards=4, seed=1
    )
    gains = [point.gain.mean for point in curve.points]
    assert curve.equilibrium.mean < gains[0] + (curve.points[0].gain.ci95 or 0.0)
    assert gains[1] > curve.equilibrium.mean
    assert curve.points[0].bound is not None
    assert curve.points[1].bound is None
