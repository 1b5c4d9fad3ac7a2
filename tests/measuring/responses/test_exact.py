"""Exact responses: between equilibrium and best response, within their bounds, playable from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.agents import resolve_agent
from doyle.base.errors import DoyleError
from doyle.games import Game, Policy
from doyle.measuring.responses.curve import ResponsePoint
from doyle.measuring.responses.exact import exact_responses
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.small_games import small_game
from doyle.strategy import save_strategy

SHARES = (0.0, 0.3, 0.6, 0.9, 1.0)


def loss_of(point: ResponsePoint) -> float:
    return 0.0 if point.loss is None else float(point.loss.mean)


def policy(name: str, game: str) -> Policy:
    agent = resolve_agent(name, game)
    assert isinstance(agent, Policy)
    return agent


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_gain_and_loss_grow_with_the_share(game: str) -> None:
    curve = exact_responses(Game.named(game), policy("always-call", game), shares=SHARES)
    gains = [point.gain.mean for point in curve.points]
    losses = [loss_of(point) for point in curve.points]
    assert (np.diff(gains) > -1e-9).all()
    assert (np.diff(losses) > -1e-9).all()
    assert losses[0] == pytest.approx(0, abs=1e-9)
    assert gains[-1] > curve.equilibrium.mean + 0.05
    for point in curve.points:
        assert point.bound is None or loss_of(point) <= point.bound + 1e-9 or point.share == 0


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_stated_loss_is_kept_and_buys_the_most(game: str) -> None:
    """At the loss of a restricted Nash response nothing wins more: the two are one curve."""
    name = "always-raise"
    mixed = exact_responses(Game.named(game), policy(name, game), shares=(0.5,)).points[0]
    assert mixed.loss is not None
    stated = exact_responses(Game.named(game), policy(name, game), loss_bounds=(0.0, 0.05))
    assert [loss_of(point) for point in stated.points] == pytest.approx([0.0, 0.05], abs=1e-8)
    assert stated.points[0].gain.mean == pytest.approx(stated.equilibrium.mean)
    # Per seat the bound is the seat's own loss, so that their mean may only buy more.
    same = exact_responses(Game.named(game), policy(name, game), loss_bounds=(2 * loss_of(mixed),))
    assert same.points[0].gain.mean >= mixed.gain.mean - 1e-9


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_the_file_is_playable_and_wins_what_was_said(game: str, tmp_path: Path) -> None:
    opponent = policy("random", game)
    point = exact_responses(Game.named(game), opponent, shares=(0.8,)).points[0]
    save_strategy(point.strategy, tmp_path / "response", step=1)
    saved = policy(str(tmp_path / "response"), game)
    small = small_game(Game.named(game), lossless=False)
    won = [policy_profile(small, pair).value for pair in ((saved, opponent), (opponent, saved))]
    assert (won[0] - won[1]) / 2 == pytest.approx(point.gain.mean, abs=1e-6)


def test_bad_input() -> None:
    with pytest.raises(DoyleError, match="from 0 on"):
        exact_responses(Game.named("kuhn"), policy("random", "kuhn"), loss_bounds=(-1.0,))
