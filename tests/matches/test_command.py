"""`doyle match` and `doyle league` as scripts call them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from doyle.apps.cli import main
from doyle.base.statistics import Estimate
from doyle.games import Game
from doyle.matches.match import Verdict
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


def test_the_verdict_says_who_is_better_or_how_many_deals_would(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = run(capsys, "match", "leduc", "always-call", "ev", "--hands", "200", "--seed", "2")
    verdict = document["comparison"]
    assert verdict["winner"] == verdict["leader"] == "ev"
    assert verdict["lead_mbb_per_hand"] == document["players"][1]["mbb_per_hand"]
    assert verdict["ci95"] == document["players"][1]["ci95"]
    assert main(["match", "leduc", "always-call", "ev", "--hands", "200", "--seed", "2"]) == 0
    assert "ev is better: wins " in capsys.readouterr().out
    open_lead = Verdict("a", None, Estimate(Fraction(10), 40.0, 1000))
    assert open_lead.document()["winner"] is None
    # As many deals as make the interval as narrow as the lead is.
    assert open_lead.document()["deals_needed"] == 16_000
    assert open_lead.sentence == (
        "not decided: a wins 10.0 ± 40.0 mbb/h; about 16,000 deals would decide such a lead"
    )
    level = run(capsys, "match", "kuhn", "always-call", "always-call", "--hands", "5")["comparison"]
    assert (level["winner"], level["deals_needed"]) == (None, None)


def test_three_players_are_compared_with_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    agents = ("always-call", "always-fold", "random")
    document = run(capsys, "match", "kuhn-3p", *agents, "--hands", "40", "--workers", "1")
    means = sorted((row["mbb_per_hand"] for row in document["players"]), reverse=True)
    assert document["comparison"]["lead_mbb_per_hand"] == pytest.approx(means[0] - means[1])


def test_a_match_plays_enough_deals_to_say_something(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from doyle.apps.cli.matches.match import _enough

    game, three = Game.named("kuhn"), Game.named("kuhn-3p")
    plain = {"exact_hands": False, "until_decided": False}
    assert _enough(game, ["ev", "random"], **plain) == 20_000
    assert _enough(game, ["acpc:5000", "random"], **plain) == 3000
    assert _enough(three, ["ev"] * 3, **plain) == 3000
    assert _enough(game, ["ev", "ev"], exact_hands=True, until_decided=False) == 400
    assert run(capsys, "match", "kuhn", "always-call", "always-fold")["hands"] == 20_000


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
    assert document["forfeits"] == [
        {"name": "crashing", "hand_number": 3, "reason": "RuntimeError"}
    ]
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
