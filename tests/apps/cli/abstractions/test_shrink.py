"""`doyle shrink`: class counts as JSON and text, and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.games import Game


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "leduc", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["relation"] == "lossless"
    assert document["rounds"] == [
        {"round": 0, "possible_deals": 6, "signals": 3, "class_count": 3},
        {"round": 1, "possible_deals": 30, "signals": 15, "class_count": 9},
    ]
    assert document["relations"] == [
        {"relation": "suits", "classes": [3, 15]},
        {"relation": "lossless", "classes": [3, 9]},
        {"relation": "matching", "classes": [3, 7]},
    ]


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


def test_large_games_that_are_not_holdem_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Game.named("holdem-limit-2p").to_text()
    path = tmp_path / "omaha.game"
    path.write_text(text.replace("numHoleCards = 2", "numHoleCards = 4"))
    assert main(["shrink", str(path)]) == 2
    assert "too many" in capsys.readouterr().err


@pytest.mark.usefixtures("fresh_cache")
def test_holdem_up_to_suits_and_what_is_stored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "holdem-limit-2p", "--relation", "suits", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["possible_deals"] for row in document["rounds"]] == [
        1326, 25_989_600, 1_221_511_200, 56_189_515_200,
    ]  # fmt: skip
    for row in document["rounds"]:
        assert row["signals"] == row["class_count"]
    classes = {row["relation"]: row["classes"] for row in document["relations"]}
    assert classes["suits"] == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert "matching" not in classes
    assert main(["shrink", "holdem-nl-20bb", "--relation", "suits"]) == 0
    assert "--relation lossless" in capsys.readouterr().out
