"""`doyle plan`: one document, and one line for what is wrong; builds that cannot fit are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.abstractions.cards import registry
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.building import build, load_description
from doyle.building.planning import Speeds, calibration, plan
from tests.attacks.refusals import refusal_of

SPOT = ["--board", "Ks7h4d2cJs", "--ranges", "AA,66", "KK,QQ", "--pot", "200", "--stacks", "200"]


@pytest.fixture(autouse=True)
def known_speeds(fresh_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "measure_speeds", lambda **_: Speeds())


def test_builds_and_spots_are_planned(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["default", "--scale", "small"], SPOT):
        assert main(["plan", *words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert {"memory_bytes", "disk_bytes", "seconds", "fits", "stages"} <= set(document)
        assert document["seconds"] > 0
    assert main(["plan", "default", "--memory", "0.1"]) == 0  # it always reports
    captured = capsys.readouterr()
    assert "does not fit" in captured.out
    assert "fewer bet sizes" in captured.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nothing"], "not a preset"),
        (
            ["sartre-3p-2011"],
            "`doyle cases build sartre-3p-2011`; what takes long is its experts: limit-3p, limit-2p",
        ),
        (["default", "--minutes", "1", "--iterations", "5"], "give one of the two"),
        (["default", "--target", "1%"], "--target: for spots"),
        (["default", "--pot", "5"], "is named already"),
        (["default", "--memory", "0"], "--memory 0"),
        (["--board", "Ks7h4d"], "--ranges is missing"),
    ],
)
def test_what_is_wrong_is_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *words]) == 2
    refusal = capsys.readouterr().err
    assert reason in refusal
    assert refusal.count("\n") == 1


@pytest.mark.parametrize("words", [[*SPOT, "--target", "much"], ["nothing"], ["--board", "Ks"]])
def test_what_is_wrong_is_refused_before_speeds_are_measured(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibration, "measure_speeds", lambda **_: pytest.fail("measured"))
    assert main(["plan", *words]) == 2
    refusal_of(capsys.readouterr())


def test_a_plan_is_of_the_iterations_that_the_description_sets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plan", "default"]) == 0
    assert "55,050,240 iterations" in capsys.readouterr().out
    assert main(["plan", "default", "--minutes", "1"]) == 0
    assert "55,050,240 iterations" not in capsys.readouterr().out


def test_a_build_that_cannot_fit_is_refused_before_its_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "build", lambda *_, **__: pytest.fail("cards were built"))
    monkeypatch.setattr(plan, "usable_memory", lambda: 1 << 29)
    with pytest.raises(DoyleError, match=r"default-small: needs .* of memory for"):
        build(load_description("default").at_scale("small"), iterations=1)
