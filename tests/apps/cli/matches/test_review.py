"""`doyle review`: one document, wrong input, and a page in which names are text."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.histories import Hand, parse_betting, read_hands
from doyle.measuring.reviewing import ReviewOptions, review_hands
from doyle.measuring.reviewing.hands import in_game


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.log"
    line = "STATE:0:rc/rc:Ks|Qh/Qs:{}:<b>ann</b>|bob\n"
    game = Game.named("leduc")
    state = parse_betting(game, "rc/rc")
    spent = min(state.spent)
    path.write_text("# game leduc\n" + line.format(f"-{spent}|{spent}"), encoding="utf-8")
    return path


def test_one_document_and_a_page(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    given = ["review", str(log), "--agent", "random", "--game", "leduc", "--player", "<b>ann</b>"]
    assert main([*given, "--json", "--workers", "1", "--output", str(page)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["hands"], document["decisions"]) == (1, 2)
    assert sum(group["decisions"] for group in document["by_size"]) == 2
    decision = document["reviewed_hands"][0]["reviewed_decisions"][0]
    assert decision["exact"]
    assert sum(option["probability"] for option in decision["options"]) == pytest.approx(1)
    text = page.read_text(encoding="utf-8")
    assert "<b>ann</b>" not in text
    assert "&lt;b&gt;ann&lt;/b&gt;" in text
    assert main([*given, "--workers", "1"]) == 0
    assert "round 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "nobody"], "no player is called 'nobody'"),
        ([], "whose hands?"),
        (["--player", "bob", "--spots", "all"], "--spots"),
        (["--player", "bob", "--game", "kuhn"], "no hand of kuhn"),
    ],
)
def test_wrong_input(
    log: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["review", str(log), "--agent", "random", "--workers", "1"]
    game = [] if "--game" in arguments else ["--game", "leduc"]
    assert main([*given, *game, *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "nowhere.phh", "--agent", "random", "--game", "leduc"]) == 2
    assert "nowhere.phh" in capsys.readouterr().err
    # It is said first, whether or not the agent is built.
    assert main(["review", "nowhere.phh", "--agent", "default"]) == 2
    assert capsys.readouterr().err == "doyle: nowhere.phh: no such file\n"


def test_a_review_repeats(log: Path) -> None:
    game = Game.named("leduc")
    hands = list(read_hands(log, game)) * 2
    options = ReviewOptions(seed=3)
    one = review_hands(game, "random", hands, "bob", options=options)
    assert one.document() == review_hands(game, "random", hands, "bob", options=options).document()
    assert one.total.loss_mbb == pytest.approx(2 * one.hands[0].loss_mbb)


def test_hands_in_another_currency() -> None:
    game, small = Game.named("holdem-nl-200bb"), Game.named("holdem-nl-200bb-small")
    if Fraction(small.stacks[0], small.big_blind) != Fraction(game.stacks[0], game.big_blind):
        pytest.skip("the bundled games differ in depth")
    state = parse_betting(small, "r6f")
    hand = Hand(1, state, ("a", "b"))
    scaled = in_game(hand, game)
    assert scaled.state.betting[0][0] == 6 * game.big_blind // small.big_blind
    with pytest.raises(DoyleError, match="stacks"):
        in_game(hand, Game.named("holdem-nl-100bb"))
