"""Converting between logs and PHH, in Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.cli import main
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.histories.convert import convert_file, game_of_log

LOG = """\
# name/game/hands/seed test holdem.nolimit.2p.reverse_blinds.game 3 1
STATE:0:f:6cJd|9c4s:50|-50:A|B
STATE:1:cc/cr200f:8cQs|7h8h/4h9cJc:-100|100:B|A
STATE:2:r300r20000c///:KhQh|KcAc/Ts8hQc/Jh/Qs:-20000|20000:A|B
SCORE:-19850|19850:A|B
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.log"
    path.write_text(LOG)
    return path


def test_there_and_back(log: Path, tmp_path: Path) -> None:
    there = convert_file(log, tmp_path / "hands.phhs.xz")
    assert (there.hands, there.game) == (3, Game.named("holdem-nl-200bb"))
    assert dict(zip(there.players, there.totals, strict=True)) == {"A": -19850, "B": 19850}
    convert_file(tmp_path / "hands.phhs.xz", tmp_path / "back.log")
    back = "# game holdem-nl-200bb\n" + LOG.split("\n", 1)[1]
    assert (tmp_path / "back.log").read_text() == back
    convert_file(tmp_path / "back.log", tmp_path / "again.log.gz")
    convert_file(tmp_path / "again.log.gz", tmp_path / "plain.log")
    assert (tmp_path / "plain.log").read_text() == back


def test_command(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(log), str(tmp_path / "hands.phhs"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hands"] == 3
    assert document["players"] == {"A": -19850.0, "B": 19850.0}
    assert main(["convert", str(tmp_path / "hands.phhs"), str(tmp_path / "b.log.gz")]) == 0
    assert "3 hands" in capsys.readouterr().out


def test_the_game_of_a_log(log: Path, tmp_path: Path) -> None:
    assert game_of_log(log).name == "holdem-nl-200bb"
    log.write_text(LOG.replace("holdem.nolimit.2p.reverse_blinds.game", "holdem-nl-200bb"))
    assert game_of_log(log).name == "holdem-nl-200bb"
    log.write_text(LOG.split("\n", 1)[1])
    with pytest.raises(DoyleError, match="give it with --game"):
        convert_file(log, tmp_path / "hands.phhs")


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("match.log", "out.txt", "the suffix must be"),
        ("none.log", "out.phhs", "no such file"),
        ("match.log", "match.log", "onto itself"),
        ("match.log", "one.phh", "a .phh file holds one hand"),
        ("empty.phhs", "out.log", "no hands"),
    ],
)
def test_refusals(log: Path, tmp_path: Path, source: str, target: str, message: str) -> None:
    (tmp_path / "empty.phhs").write_text("")
    with pytest.raises(DoyleError) as caught:
        convert_file(tmp_path / source, tmp_path / target)
    assert message in str(caught.value)


def test_hands_of_two_games_do_not_make_a_log(log: Path, tmp_path: Path) -> None:
    hands = tmp_path / "hands.phhs"
    convert_file(log, hands)
    text = hands.read_text()
    head, tail = text.split("[3]")
    hands.write_text(head + "[3]" + tail.replace("20000", "30000").replace("40000", "60000"))
    with pytest.raises(DoyleError, match="hand 3 has other stacks or blinds"):
        convert_file(hands, tmp_path / "out.log")


def test_games_that_phh_cannot_hold(tmp_path: Path) -> None:
    log = tmp_path / "kuhn.log"
    log.write_text("STATE:7:cc:As|Qs:1|-1:Ann|Bob\n")
    with pytest.raises(DoyleError, match="only Texas Hold'em can be written"):
        convert_file(log, tmp_path / "out.phhs", Game.named("kuhn"))
