"""`doyle tree`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.betting.bml_reader import read_bml
from doyle.cli import main


def test_json_has_counts_by_round(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bml = tmp_path / "tree.bml"
    code = main(["tree", "fcpa", "--game", "doyle-500bb", "--json", "--bml", str(bml)])
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert sum(document["decisions"]) == 2576
    assert [len(document[key]) for key in ("decisions", "fold_leaves", "showdown_leaves")] == [
        4,
        4,
        4,
    ]
    assert len(read_bml(bml).decisions) == 2576
    assert len(read_bml(bml).leaves) == sum(document["fold_leaves"]) + sum(
        document["showdown_leaves"]
    )


def test_text_has_a_line_per_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "limit", "--game", "holdem-limit-2p"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "limit in holdem-limit-2p"
    assert lines[-2].split()[:2] == ["all", "6,378"]


def test_tartanian_prints_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "tartanian", "--game", "doyle-500bb"]) == 0
    text = capsys.readouterr().out
    assert "15,888" in text
    assert "16,496" in text
    assert "15%" in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["fcpx", "--game", "doyle-500bb"], "betting model 'fcpx': expected one of"),
        (["fcpa", "--game", "leduc"], "has fixed bets"),
        (["fcpa", "--game", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tree", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err.splitlines()[0]
