"""`doyle shrink`: class counts as JSON and text, and errors."""

from __future__ import annotations

import json

import pytest

from doyle.cli import main


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "leduc", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["relation"] == "lossless"
    assert document["rounds"] == [
        {"round": 0, "deals": 6, "signals": 3, "classes": 3},
        {"round": 1, "deals": 30, "signals": 15, "classes": 9},
    ]
    assert document["relations"] == {"suits": [3, 15], "lossless": [3, 9], "matching": [3, 7]}


def test_text_explains_the_relations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "leduc", "--threshold", "2"]) == 0
    out = capsys.readouterr().out
    assert "leduc: matching, threshold 2" in out
    assert "suits     3 / 15" in out
    assert "Gilpin, Sandholm 2007" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["leduc", "--relation", "same"], "relation must be"),
        (["leduc", "--threshold", "-1"], "threshold must be from 0 to 2"),
        (["leduc", "--threshold", "0.1", "--relation", "suits"], "needs the relation matching"),
        (["holdem-nl-200bb"], "too many"),
        (["no-such-game"], "no-such-game"),
    ],
)
def test_bad_input_exits_2_with_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shrink", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert len(captured.err.strip().splitlines()) == 1
