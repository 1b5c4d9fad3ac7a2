"""Betting strings: what the server prints, and errors at the right character."""

from __future__ import annotations

import pytest

from doyle.base.errors import ParseError
from doyle.games import CALL, FOLD, Game
from doyle.games.histories import format_action, format_betting, parse_betting

NL = Game.named("holdem-nl-200bb")
LIMIT = Game.named("holdem-limit-2p")
THREE = Game.named("holdem-limit-3p")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (NL, ""),
        (NL, "f"),
        (NL, "cr200c/cr600f"),
        (NL, "cc/"),
        (NL, "r300r20000c///"),
        (NL, "r300c/cc/r600r20000c/"),
        (NL, "cc/cc/r200c/cr600r20000c"),
        (LIMIT, "rrrc/rrrrc/crc/cc"),
        (THREE, "ccr"),
        (THREE, "rfc/crf"),
        (Game.named("kuhn"), "crc"),
        (Game.named("leduc-nl12"), "r12c/"),
    ],
)
def test_round_trip(game: Game, text: str) -> None:
    assert format_betting(parse_betting(game, text)) == text


def test_other_spellings_are_read() -> None:
    assert format_betting(parse_betting(NL, "kB300C")) == "cr300c/"
    assert parse_betting(NL, "cc") == parse_betting(NL, "cc/")
    assert parse_betting(NL, "r20000c") == parse_betting(NL, "r20000c///")


def test_actions() -> None:
    assert [format_action(NL, action) for action in (FOLD, CALL, 300)] == ["f", "c", "r300"]
    assert format_action(LIMIT, 20) == "r"


@pytest.mark.parametrize(
    ("game", "text", "position", "problem"),
    [
        (NL, "cx", 1, "expected an action"),
        (NL, "c/c", 1, "the betting round is not over"),
        (NL, "cc//c", 3, "the betting round is not over"),
        (NL, "ccc", 2, "expected / before the next round"),
        (NL, "cf", 1, "folds with nothing to call"),
        (NL, "ff", 1, "the hand is over"),
        (NL, "f/", 1, "the betting round is not over"),
        (NL, "cr", 2, "expected a raise-to total"),
        (NL, "cr0200", 2, "expected a raise-to total"),
        (NL, "cr99999999999", 2, "expected a raise-to total"),
        (NL, "cr1", 2, "a raise to 1 is below every bet"),
        (NL, "cr150", 1, "raises to 150, allowed: 200 to 20000"),
        (NL, "r20000r20000", 6, "no raise is allowed"),
        (NL, "cr²00", 2, "expected a raise-to total"),
        (LIMIT, "rrrr", 3, "no raise is allowed"),
        (LIMIT, "r20", 1, "expected an action"),
        (NL, "r20000c////", 10, "the betting round is not over"),
    ],
)
def test_errors_point_at_the_character(game: Game, text: str, position: int, problem: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_betting(game, text)
    assert caught.value.position == position
    assert problem in caught.value.problem
    assert f"at character {position + 1}" in str(caught.value)
