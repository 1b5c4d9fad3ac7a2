"""Game definitions: the bundled ones, the defaults of the server, and errors that name the line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from doyle.base.errors import DoyleError
from doyle.games import CALL, UNLIMITED_STACK, Game, State, bundled_names

HOLDEM = """\
# a comment
GAMEDEF
NoLimit
NUMPLAYERS 2
numrounds = 4
stack = 20000 20000   # a comment after numbers
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
anything may follow
"""


def test_the_bundled_games() -> None:
    assert set(bundled_names()) >= {
        "kuhn",
        "leduc",
        "leduc-nl12",
        "rhode-island",
        "holdem-limit-2p",
        "holdem-limit-3p",
        "holdem-nl-200bb",
        "holdem-nl-200bb-3p",
        "doyle-500bb",
        "holdem-nl-200bb-small",
        "holdem-nl-100bb",
        "holdem-nl-20bb",
    }


@pytest.mark.parametrize("name", bundled_names())
def test_text_round_trip(name: str) -> None:
    game = Game.named(name)
    assert Game.parse(game.to_text(), name) == game
    assert Game.parse(game.to_text()).to_text() == game.to_text()


def test_spelling_comments_and_what_follows_do_not_matter() -> None:
    assert Game.parse(HOLDEM) == Game.named("holdem-nl-200bb")


def test_missing_fields_mean_what_they_mean_to_the_server() -> None:
    text = "numPlayers=2\nnumRounds=2\nblind=1 1\nraiseSize=2 4\nnumSuits=2\nnumRanks=3\n"
    game = Game.parse(text + "numHoleCards=1\nnumBoardCards=0 1\n")
    assert game.betting == "limit"
    assert game.stacks == (UNLIMITED_STACK, UNLIMITED_STACK)
    assert game.first_players == (0, 0)
    assert game.max_raises == (255, 255)
    partly = Game.parse(text + "numHoleCards=1\nnumBoardCards=0 1\nmaxRaises=2\nfirstPlayer=2\n")
    assert partly.max_raises == (2, 255)
    assert partly.first_players == (1, 0)


def test_the_least_bet_beside_antes() -> None:
    game = Game.parse(HOLDEM.replace("100 50", "125 75\nminBet = 100"))
    assert (game.big_blind, game.min_bet) == (100, 100)
    assert "minBet = 100" in game.to_text()
    usual = Game.parse(HOLDEM.replace("100 50", "100 50\nminBet = 100"))
    assert usual == Game.named("holdem-nl-200bb")
    assert "minBet" not in usual.to_text()
    state = State.start(game)
    assert (state.largest, state.min_raise_to) == (125, 225)
    assert state.apply(CALL).apply(CALL).min_raise_to == 225


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_text(HOLDEM)
    game = Game.named(path)
    assert game.name == "mine"
    assert game == Game.named(str(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("blind = 100 50", "blind = 100", "line 7: blind: expected 2 numbers, got 1"),
        ("blind = 100 50", "blind = 100 fifty", "line 7: blind: expected whole numbers"),
        ("blind = 100 50", "blind = 0 0", "line 7: blind: at least one seat must post"),
        ("blind = 100 50", "blind = 100 30000", "line 7: blind: seat 2 posts 30000 but has only"),
        ("blind = 100 50", "", "line 13: blind is missing"),
        ("stack = 20000 20000", "stack =", "line 6: stack: expected numbers"),
        ("stack = 20000 20000", "stack = 20000", "line 6: stack: expected 2 numbers, got 1"),
        ("stack = 20000 20000", "stack = 0 5", "line 6: stack: 0 is not from 1"),
        (
            "firstPlayer = 2 1 1 1",
            "firstPlayer = 3 1 1 1",
            "line 8: firstPlayer: 3 is not from 1 to",
        ),
        ("NUMPLAYERS 2", "numPlayers = 11", "line 4: numPlayers: 11 is not from 2 to 10"),
        ("NUMPLAYERS 2", "numPlayers = 2 3", "line 4: numPlayers: expected one number"),
        ("numRanks = 13", "numRanks = 14", "line 10: numRanks: 14 is not from 1 to 13"),
        (
            "numRanks = 13",
            "numRanks = 2",
            "line 12: numBoardCards: 9 cards are dealt from a deck of 8",
        ),
        ("numrounds = 4", "numrounds = 3", "line 8: firstPlayer: expected 3 numbers, got 4"),
        ("NoLimit", "potlimit", "line 3: unknown field 'potlimit'"),
        ("NoLimit", "nolimit\nlimit", "line 4: betting: both limit and nolimit"),
        ("NoLimit", "limit", "line 13: raiseSize is missing in a limit game"),
        ("numSuits = 4", "numSuits = 4\nnumsuits = 4", "line 10: numsuits is given twice"),
        ("numSuits = 4", "numSuits = 4\nminBet = -1", "line 10: minBet: -1 is not from 0 to"),
        (
            "NoLimit",
            "limit\nraiseSize = 10 10 20 20\nminBet = 5",
            "line 5: minBet: limit games have raiseSize",
        ),
    ],
)
def test_errors_name_line_and_field(old: str, new: str, message: str) -> None:
    assert old in HOLDEM
    with pytest.raises(DoyleError) as caught:
        Game.parse(HOLDEM.replace(old, new), "mine")
    assert message in str(caught.value)
    assert "mine" in str(caught.value)


def test_unknown_names_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="neither a file nor one of doyle-500bb"):
        Game.named("tic-tac-toe")
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DoyleError, match="cannot be read"):
        Game.named(binary)
    with pytest.raises(DoyleError, match="neither a file"):
        Game.named("nul\0byte")


def test_a_game_made_in_python_is_checked_too() -> None:
    with pytest.raises(DoyleError, match="maxRaises: expected 1 numbers, got 2"):
        replace(Game.named("kuhn"), max_raises=(1, 1))


def test_derived_values() -> None:
    game = Game.named("holdem-limit-3p")
    assert (game.big_blind, game.board_ends) == (10, (0, 3, 4, 5))
    assert Game.named("kuhn").deck == (43, 47, 51)
    assert Game.named("leduc").deck == (42, 43, 46, 47, 50, 51)
