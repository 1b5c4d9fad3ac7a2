"""Converting between logs and PHH, in Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.game import DEALER_FILES
from doyle.games.histories.convert import convert
from doyle.games.histories.logs import game_of_log

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
    there = convert(log, tmp_path / "hands.phhs.xz")
    assert (there.hands, there.game) == (3, Game.named("holdem-nl-200bb"))
    assert there.players == {"A": -19850, "B": 19850}
    convert(tmp_path / "hands.phhs.xz", tmp_path / "back.log")
    back = "# game holdem-nl-200bb\n" + LOG.split("\n", 1)[1]
    assert (tmp_path / "back.log").read_text() == back
    convert(tmp_path / "back.log", tmp_path / "again.log.gz")
    convert(tmp_path / "again.log.gz", tmp_path / "plain.log")
    assert (tmp_path / "plain.log").read_text() == back


def test_command(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(log), str(tmp_path / "hands.phhs"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hands"] == 3
    assert document["players"] == [
        {"name": "A", "chips": -19850.0},
        {"name": "B", "chips": 19850.0},
    ]
    assert main(["convert", str(tmp_path / "hands.phhs"), str(tmp_path / "b.log.gz")]) == 0
    assert "3 hands" in capsys.readouterr().out


DEALERS = "holdem.nolimit.2p.reverse_blinds.game"


@pytest.mark.parametrize(
    "head",
    [
        "# game holdem-nl-200bb",
        "# game ./games/holdem-nl-200bb.game",
        f"# game {DEALERS}",
        f"# name/game/hands/seed match {DEALERS} 3 5001",
        f"# name/game/hands/seed match ./games/{DEALERS} 3 5001",
        f"# name/game/hands/seed match /opt/dealer/{DEALERS} 3 5001",
        rf"# name/game/hands/seed match C:\dealer\{DEALERS} 3 5001",
        f"# name/game/hands/seed a match of two {DEALERS} 3 5001",
        "# name/game/hands/seed match holdem-nl-200bb 3 5001",
        "# name/game/hands/seed match elsewhere/mine.game 3 5001",
        f"#--t_response 600000\n\n# name/game/hands/seed match {DEALERS} 3 5001\n#--t_hand 1",
    ],
)
def test_the_game_that_the_head_of_a_log_names(head: str, log: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.game").write_text(Game.named("holdem-nl-200bb").to_text())
    log.write_text(LOG.replace(LOG.split("\n", 1)[0], head))
    assert game_of_log(log) == Game.named("holdem-nl-200bb")
    assert convert(log, tmp_path / "hands.phhs").hands == 3


@pytest.mark.parametrize("name", sorted(DEALER_FILES))
def test_the_dealers_games(name: str, log: Path) -> None:
    log.write_text(f"# name/game/hands/seed match ./{name} 3 5001\n")
    assert game_of_log(log).name == DEALER_FILES[name]
    assert Game.named(name) == Game.named(DEALER_FILES[name])


def test_a_log_that_names_no_game_needs_the_option(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_text(LOG.split("\n", 1)[1])
    out = str(tmp_path / "hands.phhs")
    assert main(["convert", str(log), out]) == 2
    assert "no comment names the game; say which it is" in capsys.readouterr().err
    for name in ("holdem-nl-200bb", DEALERS):
        assert main(["convert", str(log), out, "--game", name]) == 0
        assert "3 hands" in capsys.readouterr().out


def test_a_game_that_is_not_known_is_named(log: Path) -> None:
    log.write_text(LOG.replace(DEALERS, "./games/secret.game"))
    with pytest.raises(
        DoyleError, match=r"match\.log: its game './games/secret\.game' is not known"
    ):
        game_of_log(log)


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
        convert(tmp_path / source, tmp_path / target)
    assert message in str(caught.value)


def test_hands_of_two_games_do_not_make_a_log(log: Path, tmp_path: Path) -> None:
    hands = tmp_path / "hands.phhs"
    convert(log, hands)
    text = hands.read_text()
    head, tail = text.split("[3]")
    hands.write_text(head + "[3]" + tail.replace("20000", "30000").replace("40000", "60000"))
    result = convert(hands, tmp_path / "out.log")
    assert (result.hands, result.refused_hands) == (2, 1)
    [(reason, refused)] = result.reasons()
    assert reason == "another game than that of the hands before"
    assert refused.example == "hand 2: other stacks or blinds than the first"


def test_games_that_phh_cannot_hold(tmp_path: Path) -> None:
    log = tmp_path / "kuhn.log"
    log.write_text("STATE:7:cc:As|Qs:1|-1:Ann|Bob\n")
    with pytest.raises(DoyleError, match="only Texas Hold'em can be written"):
        convert(log, tmp_path / "out.phhs", game=Game.named("kuhn"))
