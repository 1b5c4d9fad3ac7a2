"""`doyle match` and `doyle league` as scripts call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doyle.cli import main
from doyle.games import Game
from tests.matches.failing_agents import Crashing, Returning, keys_of_deal
from tests.plugins import install_plugins


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_match_document(capsys: pytest.CaptureFixture[str]) -> None:
    document = run(
        capsys, "match", "holdem-nl-200bb", "always-fold", "always-all-in",
        "--hands", "1000", "--seed", "1", "--workers", "1",
    )  # fmt: skip
    assert document["hands"] == 1000
    loser, winner = document["players"]
    assert (loser["name"], loser["mbb_per_hand"], loser["ci95"]) == ("always-fold", -750, 0)
    assert (winner["name"], winner["mbb_per_hand"], winner["ci95"]) == ("always-all-in", 750, 0)


def test_match_writes_the_same_log_with_one_and_two_workers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    match = ("match", "leduc", "random", "random", "--hands", "200", "--seed", "3")
    documents = [
        run(capsys, *match, "--workers", count, "--log", str(tmp_path / f"{count}.log"))
        for count in ("1", "2")
    ]
    assert documents[0] == documents[1]
    assert (tmp_path / "1.log").read_bytes() == (tmp_path / "2.log").read_bytes()


def test_match_without_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--hands", "10", "--workers", "1", "--no-duplicate")
    document = run(capsys, "match", "kuhn", "always-call", "always-fold", *arguments)
    assert document["duplicate"] is False
    assert document["hands_played"] == 10


def test_league_document(capsys: pytest.CaptureFixture[str]) -> None:
    agents = ("always-call", "always-fold", "always-raise")
    document = run(capsys, "league", "kuhn", *agents, "--hands", "30", "--workers", "1")
    assert sorted(document["total_bankroll"]) == sorted(agents)
    assert sorted(document["instant_runoff"]) == sorted(agents)
    cell = document["cross_table"]["always-fold"]["always-raise"]
    assert cell == {"mbb_per_hand": -1000, "ci95": 0}


def test_text_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["match", "kuhn", "always-fold", "always-raise", "--hands", "9", "--workers", "1"])
        == 0
    )
    text = capsys.readouterr().out
    assert "always-fold" in text
    assert "-1000.0 ± 0.0" in text
    agents = ["always-call", "always-fold", "always-raise"]
    assert main(["league", "kuhn", *agents, "--hands", "30", "--workers", "1"]) == 0
    text = capsys.readouterr().out
    assert "total bankroll: " in text
    assert "instant run-off: " in text


def make_bad_raiser(game: Game) -> Returning:
    return Returning(2, name="bad-raiser")


def make_crasher(game: Game) -> Crashing:
    return Crashing(keys_of_deal(game, seed=0, deal=3))


def test_warnings_go_to_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = "tests.matches.test_command"
    agents = {"bad-raiser": f"{here}:make_bad_raiser", "crasher": f"{here}:make_crasher"}
    install_plugins(tmp_path, monkeypatch, agents)
    match = ["match", "holdem-nl-200bb", "bad-raiser", "crasher", "--hands", "9", "--workers", "1"]
    assert main([*match, "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["forfeits"] == [{"name": "crashing", "hand": 3, "reason": "RuntimeError"}]
    assert document["players"][0]["illegal_actions"] > 0
    assert "warning: crashing forfeits bad-raiser - crashing: from hand 3 on" in captured.err
    assert "illegal actions were clamped or became calls" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "no-such-game", "random", "random"),
        ("match", "kuhn", "random"),
        ("match", "kuhn", "random", "nobody"),
        ("match", "holdem-nl-200bb", "default", "nobody"),  # refused before default is built
        ("league", "holdem-nl-200bb", "default", "nobody"),
        ("match", "kuhn", "random", "random", "--log", "/dev"),
        ("match", "kuhn", "random", "random", "--hands", "0"),
        ("match", "kuhn", "random", "random", "--seed", str(2**128)),
        ("match", "kuhn", "random", "random", "--seed", str(2**32), "--deals", "acpc"),
        ("match", "kuhn", "random", "random", "--deals", "none"),
        ("match", "kuhn", "random", "random", "--deals", "acpc", "--sealed"),
        ("match", "kuhn", "random", "random", "--secret", "12"),
        ("match", "kuhn", "random", "random", "--secret", "/dev/null"),
        ("league", "kuhn", "random", "random", "--secret", "zz" * 32),
        ("match", "kuhn", "random", "random", "--time-limit", "0"),
        ("match", "kuhn", "random", "random", "--time-limit", "inf"),
        ("match", "kuhn", "random", "random", "--time-limit", "nan"),
        ("match", "kuhn", "random", "random", "--workers", "none"),
        ("match", "kuhn", "random", "random", "--log", "/dev/null/match.log"),
        ("league", "kuhn", "random"),
        ("league", "holdem-limit-3p", "random", "random"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("doyle: ")
    assert captured.err.count("\n") == 1
