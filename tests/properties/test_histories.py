"""What is printed is read back the same, and no text however odd gives anything but a DoyleError."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.games import Deal, Game, State
from doyle.games.histories import (
    Hand,
    MatchState,
    Score,
    format_betting,
    format_matchstate,
    format_phh,
    format_state_line,
    parse_betting,
    parse_matchstate,
    parse_phh,
    parse_state_line,
    read_log,
    read_phh,
)
from doyle.games.histories.phh import phh_problem
from tests.properties.test_rules import lines

Value = TypeVar("Value")

NL = Game.named("holdem-nl-200bb")
NAMES = st.text("abcXYZ äß.-_'\"\\", min_size=1, max_size=8)

GAME_TEXT = NL.to_text()
BETTING = "cr200c/cr600c/cc/r900r20000c"
MATCHSTATE = "MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c"
STATE_LINE = "STATE:1:cc/cr200f:8cQs|7h8h/4h9cJc:-100|100:A|B"
PHH = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 TdAs', 'd dh p2 2c9h', 'p2 cbr 300', 'p1 cc', 'd db 8c8d5c', 'p1 cbr 200', 'p2 f']
"""
CENTS = """\
variant = 'NT'
antes = [0.05, 0.05]
blinds_or_straddles = [0.25, 0.5]
min_bet = 0.5
starting_stacks = [30.75, 20]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cbr 1.50', 'p1 cc', 'd db 8c8d5c', 'p1 cc', 'p2 cc', \
'd db 2h', 'p1 cc', 'p2 cc', 'd db 2d', 'p1 cc', 'p2 cc', 'p1 sm ????', 'p2 sm ????']
winnings = [2.95, 0]
"""


def cut_board(state: State) -> State:
    """The state with the board it shows, as text has no other."""
    assert state.deal is not None
    return state.with_deal(Deal(state.deal.hole, state.board))


@given(lines())
@settings(max_examples=200)
def test_betting_round_trip(states: list[State]) -> None:
    for state in states:
        text = format_betting(state)
        assert parse_betting(state.game, text, deal=state.deal) == state


@given(lines(), st.integers(0, 2**32 - 1))
@settings(max_examples=150)
def test_matchstate_round_trip(states: list[State], number: int) -> None:
    for state in states:
        for seat in range(state.game.players):
            line = format_matchstate(MatchState(seat, number, state))
            assert format_matchstate(parse_matchstate(state.game, line)) == line


@given(lines(), st.data())
@settings(max_examples=150)
def test_state_line_round_trip(states: list[State], data: st.DataObject) -> None:
    end = cut_board(states[-1])
    count = end.game.players
    names = tuple(data.draw(st.lists(NAMES, min_size=count, max_size=count, unique=True)))
    hand = Hand(3, end, names, end.payoffs())
    line = format_state_line(hand)
    assert parse_state_line(end.game, line) == hand
    if names[-1] == names[-1].rstrip():
        assert parse_state_line(end.game, f"{line} # 12.5") == hand
    if phh_problem(end.game) is None:
        assert parse_phh(format_phh(hand), end.game) == hand


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a few characters deleted, doubled, replaced or swapped."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        middle = draw(
            st.one_of(
                st.just(""),
                st.just(text[start:end] * 2),
                st.text(max_size=3),
                st.sampled_from(
                    [":", "|", "/", "r", "-1", "99999999999", "[", "'", "=", "\n", "0"]
                ),
            )
        )
        text = text[:start] + middle + text[end:]
    return text


def read_or_refused(read: Callable[..., Value], *arguments: object) -> Value | None:
    """What is read, or None if a DoyleError says what is wrong; any other exception fails the test."""
    try:
        return read(*arguments)
    except DoyleError:
        return None


@given(st.one_of(st.text(), damaged(GAME_TEXT)))
@settings(max_examples=400)
def test_fuzzed_definitions(text: str) -> None:
    game = read_or_refused(Game.parse, text)
    assert game is None or Game.parse(game.to_text()) == game


@given(
    st.one_of(st.text("fcr/0123456789 "), damaged(BETTING)), st.sampled_from(["kuhn", "leduc-nl12"])
)
@settings(max_examples=400)
def test_fuzzed_betting(text: str, name: str) -> None:
    for game in (NL, Game.named(name)):
        state = read_or_refused(parse_betting, game, text)
        assert state is None or parse_betting(game, format_betting(state)) == state


@given(st.one_of(st.text(), damaged(MATCHSTATE)))
@settings(max_examples=400)
def test_fuzzed_matchstates(text: str) -> None:
    seen = read_or_refused(parse_matchstate, NL, text)
    assert seen is None or parse_matchstate(NL, format_matchstate(seen)) == seen


@given(st.one_of(st.text(), damaged(STATE_LINE)))
@settings(max_examples=400)
def test_fuzzed_state_lines(text: str) -> None:
    hand = read_or_refused(parse_state_line, NL, text)
    assert hand is None or parse_state_line(NL, format_state_line(hand)) == hand


def test_the_texts_that_are_damaged_can_be_read() -> None:
    assert parse_phh(PHH).payoffs == (300, -300)
    assert parse_phh(CENTS).payoffs == (155, -155)


@given(st.one_of(st.text(), damaged(PHH), damaged(CENTS)))
@settings(max_examples=400)
def test_fuzzed_phh(text: str) -> None:
    hand = read_or_refused(parse_phh, text)
    assert hand is None or parse_phh(format_phh(hand)) == hand


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


@given(data=st.one_of(st.binary(), damaged(f"{STATE_LINE}\n" * 3).map(str.encode)))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_fuzzed_files(folder: Path, data: bytes) -> None:
    for name in ("a.log", "a.log.gz", "a.log.xz"):
        path = folder / name
        path.write_bytes(data)
        entries = read_or_refused(lambda path=path: list(read_log(path, NL)))
        assert entries is None or all(isinstance(entry, Hand | Score) for entry in entries)
    path = folder / "a.phhs"
    path.write_bytes(data)
    hands = read_or_refused(lambda: list(read_phh(path)))
    assert hands is None or all(isinstance(hand.state, State) for hand in hands)
