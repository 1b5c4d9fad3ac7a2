"""Matches until they are decided."""

from __future__ import annotations

import json

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches import play_match
from doyle.matches.sequential import observations, play_until_decided

KUHN = Game.named("kuhn")


def test_ends_when_decided_and_is_the_beginning_of_the_match() -> None:
    result = play_until_decided(KUHN, ["always-fold", "always-raise"], hands=2000, seed=1)
    assert result.decided == -1
    assert result.winner == "always-raise"
    assert result.match.hands < 2000
    low, high = result.mbb_interval
    assert low <= -1000 <= high < 0
    whole = play_match(KUHN, ["always-fold", "always-raise"], hands=2000, seed=1)
    assert (whole.units[: result.match.hands] == result.match.units).all()


def test_the_same_end_with_one_and_two_workers() -> None:
    one, two = (
        play_until_decided(
            Game.named("leduc"), ["random", "ev"], hands=800, seed=2, workers=Workers(count)
        )
        for count in (1, 2)
    )
    assert one.match.hands == two.match.hands
    assert (one.match.units == two.match.units).all()
    assert one.interval == two.interval


def test_equal_agents_are_not_decided() -> None:
    result = play_until_decided(KUHN, ["random", "random"], hands=300, duplicate=False)
    assert (result.decided, result.winner, result.match.hands) == (0, None, 300)


def test_observations_have_every_seat() -> None:
    units = np.array([4, 8, 2, 2, 6])
    assert observations(KUHN, units, duplicate=True).tolist() == [1.0, 2.0, 0.5, 0.5, 1.5]
    assert observations(KUHN, units, duplicate=False).tolist() == [3.0, 1.0]


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "kuhn", "always-fold", "always-raise", "--until-decided", "--hands", "1000"]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["until_decided"]["winner"] == "always-raise"
    assert document["until_decided"]["exact"] is True
    assert document["hands"] < 1000
    assert main([*command, "--log", "x.log"]) == 2
    assert "leave out --log" in capsys.readouterr().err


def test_refusals() -> None:
    three = Game.named("holdem-limit-3p")
    with pytest.raises(DoyleError, match="has 3"):
        play_until_decided(three, ["random"] * 3, hands=10)
