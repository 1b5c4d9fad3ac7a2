"""`doyle equity` and `doyle rank` from the command line."""

from __future__ import annotations

import json

import pytest

from doyle.apps.cli import main


def test_equity_of_two_hands_on_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["equity", "AsAh", "KcKd", "--board", "Qh7c2d", "--workers", "1"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["board"] == "Qh7c2d"
    assert document["total"] == 990
    first, second = document["players"]
    assert first["hand"] == "AsAh"
    assert first["win"] + first["tie"] + first["loss"] == 990
    assert first["equity"] + second["equity"] == pytest.approx(1.0)
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "990 showdowns on Qh7c2d" in shown
    assert f"{100 * first['equity']:.4f}%" in shown


def test_equity_of_three_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    hands = ["AKs", "QQ:0.5", "JhTh,22"]
    assert main(["equity", *hands, "--board", "Qh7c2d3s", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [player["hand"] for player in document["players"]] == hands
    assert sum(player["equity"] for player in document["players"]) == pytest.approx(1.0)


def test_rank_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "AsKs", "--board", "QsJsTs2c2d", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "cards": "AsKs",
        "board": "QsJsTs2c2d",
        "category": "straight flush",
        "best": "AsKsQsJsTs",
        "rank": 7462,
        "of": 7462,
    }
    assert main(["rank", "KsKh"]) == 0
    assert capsys.readouterr().out == "KsKh  pair, rank 90 of 91 (larger is stronger)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["equity", "AsAh"], "2 to 10 hands"),
        (["equity", "AsAx", "KK"], "expected a suit"),
        (["equity", "AA", "KK", "--board", "Qh"], "0, 3, 4 or 5 cards"),
        (["equity", "AsAh", "AsKs"], "share cards"),
        (["rank", "AsAs"], "appears twice"),
        (["rank", "AsKs", "--board", "As2c3d"], "a card appears twice"),
        (["rank", ""], "expected 1 to 7 cards"),
        (["rank", "2c3c4c5c6c7c8c9c"], "hand of 8 cards"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err.splitlines()[0]
