"""Sampling solvers through the same measurement as the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.solving.run import Limits, Run
from doyle.solving.solve import Method, Problem


@pytest.mark.parametrize("name", ["external", "pure", "pcs"])
def test_sampling_comes_near_the_value_of_kuhn(name: str) -> None:
    method = Method(name, seed=1)
    solver = Problem.named("kuhn", method=method).solver(method)
    profile = Run(solver).until(Limits(target=0.02, iterations=400_000)).profile()
    assert profile is not None
    assert profile.exploitability <= 0.02
    assert profile.value == pytest.approx(-1 / 18, abs=0.02)
    assert solver.sizes() == ([6, 6], [13, 13])


def test_leduc_is_measured_card_by_card(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["solve", "leduc", "--solver", "external", "--iterations", "20000", "--json"]
    assert main([*arguments, "--checkpoint", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["infosets"] == [144, 144]
    assert 0 < document["exploitability"]["total"] < 1.0
    assert document["iterations"] == 20_480  # whole intervals
    assert main([*arguments, "--checkpoint", str(tmp_path), "--resume"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["iterations"] == 20_480
    assert again["exploitability"] == document["exploitability"]


def test_more_than_one_hole_card_needs_an_abstraction() -> None:
    with pytest.raises(DoyleError, match="give a card abstraction"):
        Problem.named("holdem-limit-2p", method=Method("external"))
