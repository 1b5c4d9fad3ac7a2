"""MATCHSTATE, STATE and SCORE lines, byte for byte as the server prints them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from doyle.base.errors import DoyleError, ParseError
from doyle.cards import parse_cards
from doyle.games import Deal, Game, State
from doyle.games.histories import (
    Hand,
    MatchState,
    Score,
    format_chips,
    format_matchstate,
    format_score_line,
    format_state_line,
    parse_betting,
    parse_matchstate,
    parse_score_line,
    parse_state_line,
)

NL = Game.named("holdem-nl-200bb")
THREE = Game.named("holdem-limit-3p")


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (NL, "MATCHSTATE:0:30::9s8h|"),
        (NL, "MATCHSTATE:1:30:c:|9s8h"),
        (NL, "MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c"),
        (NL, "MATCHSTATE:0:90:cc/cc/cc/cc:TdAs|2c9h/8c8d5c/6s/6d"),
        (NL, "MATCHSTATE:1:4294967295:r20000c///:KhQh|KcAc/Ts8hQc/Jh/Qs"),
        (THREE, "MATCHSTATE:2:0:rcc/:||AsKs/2c3c4c"),
        (THREE, "MATCHSTATE:0:55:rfc/cc/cc/cc:9h8h|AsKs|/2c3c4c/5d/6d"),
        (Game.named("kuhn"), "MATCHSTATE:0:0:cr:Qs|"),
    ],
)
def test_matchstate_round_trip(game: Game, line: str) -> None:
    assert format_matchstate(parse_matchstate(game, line)) == line
    assert format_matchstate(parse_matchstate(game, line + "\r\n")) == line


def test_matchstate_of_a_full_deal_hides_what_the_seat_may_not_see() -> None:
    deal = Deal((parse_cards("TdAs"), parse_cards("2c9h")), parse_cards("8c8d5c6s6d"))

    def line(seat: int, betting: str) -> str:
        return format_matchstate(MatchState(seat, 3, parse_betting(NL, betting, deal=deal)))

    assert line(0, "cc/") == "MATCHSTATE:0:3:cc/:TdAs|/8c8d5c"
    assert line(1, "cc/") == "MATCHSTATE:1:3:cc/:|2c9h/8c8d5c"
    assert line(1, "cc/r300f") == "MATCHSTATE:1:3:cc/r300f:|2c9h/8c8d5c"
    shown = "MATCHSTATE:1:3:r20000c///:TdAs|2c9h/8c8d5c/6s/6d"
    assert line(1, "r20000c") == shown


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (NL, "STATE:0:f:6cJd|9c4s:50|-50:A|B"),
        (NL, "STATE:1:cc/cr200f:8cQs|7h8h/4h9cJc:-100|100:some one|B"),
        (NL, "STATE:145:r300r20000c///:KhQh|KcAc/Ts8hQc/Jh/Qs:-20000|20000:B|A"),
        (NL, "STATE:7:cr200c/:TdAs|2c9h/8c8d5c"),
        (Game.named("leduc"), "STATE:3:rc/crrc:Qh|Ks/Kh:-11|11:A|B"),
    ],
)
def test_state_line_round_trip(game: Game, line: str) -> None:
    assert format_state_line(parse_state_line(game, line)) == line


def test_fractions_have_six_decimals_as_the_server_prints_them() -> None:
    game = replace(THREE, blinds=(5, 10, 10), players=3)
    line = "STATE:0:cfc/cc/cc/cc:2c3d|2d3h|2h3c/AsKsQs/Js/Ts:-5|2.5|2.5:A|B|C"
    hand = parse_state_line(game, line)
    assert hand.payoffs == (-5, Fraction(5, 2), Fraction(5, 2))
    assert format_state_line(hand) == line
    assert format_chips(Fraction(-100, 3)) == "-33.333333"
    assert format_chips(Fraction(-1, 10**9)) == "0"


def test_first_round_boards_follow_the_last_hand() -> None:
    game = replace(NL, rounds=2, board_cards=(1, 1), first_players=(1, 0), max_raises=(9, 9))
    line = "MATCHSTATE:0:1:cc/:TdAs|2c/3c"
    state = parse_matchstate(game, line)
    assert state.state.deal == Deal((parse_cards("TdAs"), ()), parse_cards("2c3c"))
    assert format_matchstate(state) == line
    known = "MATCHSTATE:1:1:c:|KdKs2c"
    assert format_matchstate(parse_matchstate(game, known)) == known


def test_score_line() -> None:
    line = "SCORE:1398650|-1398650:Slumbot80M|Slumbot20M"
    assert parse_score_line(line) == Score((1398650, -1398650), ("Slumbot80M", "Slumbot20M"))
    assert format_score_line(parse_score_line(line)) == line


@pytest.mark.parametrize(
    ("line", "position", "problem"),
    [
        ("", 0, "expected MATCHSTATE:"),
        ("MATCHSTAT:0:0::AsKs|", 0, "expected MATCHSTATE:"),
        ("MATCHSTATE:0:0:", 15, "expected at least 5 fields"),
        ("MATCHSTATE:2:0::AsKs|", 11, "seat 2 in a game of 2"),
        ("MATCHSTATE:x:0::AsKs|", 11, "expected a seat"),
        ("MATCHSTATE:0:-1::AsKs|", 13, "expected a hand number"),
        ("MATCHSTATE:0:0:cq:AsKs|", 16, "expected an action"),
        ("MATCHSTATE:0:0::AsKs", 20, "expected | before the cards of seat 1"),
        ("MATCHSTATE:0:0::As|", 16, "expected 2 hole cards or none for seat 0"),
        ("MATCHSTATE:0:0::AsAs|", 18, "As is dealt twice"),
        ("MATCHSTATE:0:0::AsKx|", 18, "expected a card"),
        ("MATCHSTATE:0:0::AsKs|/2c3c4c", 21, "expected no more cards"),
        ("MATCHSTATE:0:0:cc/:AsKs|", 24, "expected / before the board of round 1"),
        ("MATCHSTATE:0:0:cc/:AsKs|/2c3c", 29, "expected 3 board cards in round 1"),
        ("MATCHSTATE:0:0::AsKs|:c", 22, "unexpected field"),
        ("MATCHSTATE:0:0::AsKs||", 21, "expected no more cards"),
    ],
)
def test_matchstate_errors(line: str, position: int, problem: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_matchstate(NL, line)
    assert problem in caught.value.problem
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("STATE:0:f:6cJd|9c4s:50|-50", "expected players after the chips"),
        ("STATE:0:f:6cJd|9c4s:50|-51:A|B", "the rules give 50|-50"),
        ("STATE:0:f:6cJd|9c4s:50:A|B", "expected 2 values between |, got 1"),
        ("STATE:0:f:6cJd|9c4s:fifty|-50:A|B", "expected a number of chips"),
        ("STATE:0:f:6cJd|9c4s:50|-50:A|", "expected a player's name"),
        ("STATE:0:c:6cJd|9c4s:50|-50:A|B", "the hand is not over"),
        ("STATE:0:f:6cJd|9c4s:50|-50:A|B:", "unexpected field"),
    ],
)
def test_state_line_errors(line: str, problem: str) -> None:
    with pytest.raises(ParseError, match=problem.replace("|", r"\|")):
        parse_state_line(NL, line)


@pytest.mark.parametrize(
    ("chips", "problem"),
    [
        ("999999|5", "do not add up to 0"),
        ("-101|101", "seat 0 put in 100 of 200"),
        ("101|-101", "seat 0 put in 100 of 200"),
    ],
)
def test_chips_that_no_hidden_hand_can_give_are_refused(chips: str, problem: str) -> None:
    line = f"STATE:0:cc/cc/cc/cc:AsKd|/2c3c4c/5d/7h:{chips}:Ann|Bob"
    with pytest.raises(ParseError, match=problem):
        parse_state_line(NL, line)
    assert parse_state_line(NL, line, check=False).payoffs == tuple(map(int, chips.split("|")))


@pytest.mark.parametrize("chips", ["100|-100", "-100|100", "0|0"])
def test_chips_that_a_hidden_hand_can_give_are_read(chips: str) -> None:
    line = f"STATE:0:cc/cc/cc/cc:AsKd|/2c3c4c/5d/7h:{chips}:Ann|Bob"
    assert format_state_line(parse_state_line(NL, line)) == line


def test_unknown_cards_leave_the_chips_of_the_line() -> None:
    line = "STATE:0:r20000c///:6cJd|/2c3c4c/5c/9h:-20000|20000:A|B"
    hand = parse_state_line(NL, line)
    assert hand.payoffs == (-20_000, 20_000)
    assert format_state_line(hand) == line


@pytest.mark.parametrize("comment", [" # 1479.5", "\t# 0.1 0.2", "   #", " # a:b|c # d"])
def test_a_comment_behind_a_line_is_no_part_of_a_name(comment: str) -> None:
    hand = parse_state_line(NL, "STATE:0:f:6cJd|9c4s:50|-50:Ann|Bob#2" + comment)
    assert hand.players == ("Ann", "Bob#2")
    assert parse_score_line("SCORE:50|-50:Ann|Bob" + comment).players == ("Ann", "Bob")
    unfinished = "STATE:7:cr200c/:TdAs|2c9h/8c8d5c"
    assert format_state_line(parse_state_line(NL, unfinished + comment)) == unfinished
    with pytest.raises(DoyleError, match="must not be empty or contain"):
        format_state_line(replace(hand, players=("Ann", "Bob" + comment)))


def test_hands_of_sites_have_long_numbers() -> None:
    line = "STATE:59937793578:f:6cJd|9c4s:50|-50:A|B"
    assert format_state_line(parse_state_line(NL, line)) == line


def test_cards_of_other_decks_are_refused() -> None:
    with pytest.raises(ParseError, match="2c is not in the deck of kuhn"):
        parse_matchstate(Game.named("kuhn"), "MATCHSTATE:0:0::2c|")


def test_names_that_would_break_a_line_are_refused() -> None:
    state = State.start(NL, Deal((parse_cards("AsAh"), parse_cards("KsKh")), ())).apply(0)
    with pytest.raises(DoyleError, match="must not be empty or contain"):
        format_state_line(Hand(0, state, ("a:b", "c")))
