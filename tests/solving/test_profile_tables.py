"""Profiles as strategy tables: there and back, and what purification costs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile, profile_of, strategy_of
from doyle.strategy import Purified, load_strategy
from tests.solving import games


def test_tables_keep_the_profile() -> None:
    small = small_game(Game.named("leduc"))
    form = SequenceForm(small)
    profile = solve_linear_program(form)
    again = profile_of(form, strategy_of(profile, small.tree))
    assert again.value == pytest.approx(profile.value, abs=1e-6)
    assert again.exploitability == pytest.approx(0.0, abs=1e-6)


def test_views_are_measured_like_any_strategy() -> None:
    small = small_game(Game.named("leduc"))
    form = SequenceForm(small)
    strategy = strategy_of(solve_linear_program(form), small.tree)
    purified = profile_of(form, Purified(strategy))
    for node in form.game.tree.decisions:
        rows = purified.probabilities(int(node))
        reached = (
            form.table(int(node), purified.plans[int(form.game.tree.actor[node])]).sum(axis=1) > 0
        )
        best = rows[reached].max(axis=1, keepdims=True)
        assert np.all((rows[reached] == 0) | (rows[reached] == best))  # one action, or ties
    assert purified.exploitability > 0.01


def test_a_strategy_of_another_tree_is_refused() -> None:
    small = small_game(Game.named("kuhn"))
    strategy = strategy_of(Profile.uniform(SequenceForm(small)), small.tree)
    with pytest.raises(DoyleError, match="another betting tree"):
        profile_of(games.form("leduc"), strategy)


def test_seats_with_different_states_have_no_tables() -> None:
    tree = BettingTree.build(BettingModel.parse("full"), Game.named("kuhn"))
    with pytest.raises(DoyleError, match="different states"):
        strategy_of(Profile.uniform(games.form("clairvoyance")), tree)


def test_the_command_saves_a_strategy_with_its_measurements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "leduc"
    arguments = ["solve", "leduc", "--solver", "cfr+", "--target", "1e-2", "--save", str(folder)]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    strategy = load_strategy(folder)
    measured = strategy.info.exploitability
    assert measured is not None
    assert measured.document() == document["exploitability"]
    assert strategy.info.history[-1].exploitability == measured.total
    form = SequenceForm(small_game(Game.named("leduc"), strategy.tree))
    assert profile_of(form, strategy).exploitability == pytest.approx(
        document["exploitability"]["total"], abs=1e-6
    )
    assert main(["solve", "clairvoyance:n=1", "--target", "1", "--save", str(folder)]) == 2
