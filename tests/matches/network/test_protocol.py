"""Lines over sockets however they are cut, and answers as the reference dealer reads them."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Deal, Game, State
from doyle.games.histories import MatchState, format_matchstate
from doyle.matches.network import Connection, connect
from doyle.matches.network.connections import (
    LONGEST_LINE,
    MOST_UNREAD,
    Disconnected,
    Line,
    TimedOut,
    accept,
    listen,
)
from doyle.matches.network.protocol import (
    VERSION_LINE,
    Answer,
    is_our_version,
    read_action,
    read_answer,
    read_version,
)

HOLDEM = Game.named("holdem-nl-200bb")
LIMIT = Game.named("holdem-limit-2p")


@pytest.fixture
def pair() -> Iterator[tuple[Connection, socket.socket]]:
    ours, theirs = socket.socketpair()
    connection = Connection(ours)
    yield connection, theirs
    connection.close()
    theirs.close()


@given(
    texts=st.lists(st.text("abc:|/# ", max_size=20), max_size=20),
    cuts=st.lists(st.integers(1, 30), max_size=30),
)
def test_lines_arrive_whole_however_they_are_cut(texts: list[str], cuts: list[int]) -> None:
    data = b"".join(text.encode() + b"\r\n" for text in texts)
    ours, theirs = socket.socketpair()
    connection = Connection(ours)
    received: list[str] = []
    with theirs:
        for cut in cuts:
            theirs.sendall(data[:cut])
            data = data[cut:]
            try:
                while True:
                    received.append(connection.receive(0.0).text)
            except TimedOut:
                pass
        theirs.sendall(data)
    with pytest.raises(Disconnected):
        while True:
            received.append(connection.receive().text)
    connection.close()
    assert received == texts


def test_line_ends_and_lengths(pair: tuple[Connection, socket.socket]) -> None:
    connection, other = pair
    longest = b"x" * (LONGEST_LINE - 2)
    other.sendall(b"plain\n" + longest + b"\r\n" + b"y" * 9000 + b"\r\nafter\r\nhalf")
    assert connection.receive() == Line("plain")
    assert connection.receive() == Line(longest.decode())
    too_long = connection.receive()
    assert too_long.too_long
    assert len(too_long.text) <= LONGEST_LINE
    assert connection.receive() == Line("after")
    other.close()
    with pytest.raises(Disconnected) as end:
        connection.receive()
    assert end.value.half == b"half"


def test_waiting_ends_at_the_deadline(pair: tuple[Connection, socket.socket]) -> None:
    connection, _ = pair
    started = time.monotonic()
    with pytest.raises(TimedOut):
        connection.receive(started + 0.1)
    assert 0.05 < time.monotonic() - started < 5


def test_a_reader_that_does_not_read_is_disconnected_at_a_bound(
    pair: tuple[Connection, socket.socket],
) -> None:
    connection, _ = pair
    started = time.monotonic()
    for _ in range(2 * MOST_UNREAD // 1000):
        connection.send("x" * 1000)
    assert connection.is_closed
    assert time.monotonic() - started < 10
    connection.send("more")
    with pytest.raises(Disconnected):
        connection.receive()


def test_what_could_not_be_sent_goes_out_while_another_is_waited_for() -> None:
    (ours, theirs), (other, their_other) = socket.socketpair(), socket.socketpair()
    slow, waited = Connection(ours), Connection(other)
    waited.beside([slow, waited])
    for _ in range(600):
        slow.send("y" * 1000)
    theirs.setblocking(False)
    received = 0
    deadline = time.monotonic() + 20
    while received < 600 * 1002 and time.monotonic() < deadline:
        try:
            received += len(theirs.recv(1 << 16))
        except BlockingIOError:
            with pytest.raises(TimedOut):
                waited.receive(time.monotonic() + 0.01)
    assert received == 600 * 1002
    for closing in (slow, waited, theirs, their_other):
        closing.close()


def test_ports_that_are_taken_or_empty_are_one_line() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(DoyleError, match=f"cannot listen on 127.0.0.1 port {port}"):
            listen("127.0.0.1", port)
        with pytest.raises(TimedOut):
            accept(listener, time.monotonic() + 0.05)
    with pytest.raises(DoyleError, match="no dealer listens"):
        connect("127.0.0.1", port, patience=0.0)
    with pytest.raises(DoyleError, match="cannot connect"):
        connect("no.such.host.invalid", 1, patience=0.0)
    with pytest.raises(DoyleError, match="cannot listen"):
        listen("no.such.host.invalid", 0)


@pytest.mark.parametrize(
    ("text", "version", "ours"),
    [
        ("VERSION:2.0.0", (2, 0, 0), True),
        ("VERSION:2.0.7 and more", (2, 0, 7), True),
        ("VERSION:2.1.0", (2, 1, 0), False),
        ("VERSION:1.0.0", (1, 0, 0), False),
        ("VERSION:3.0.0", (3, 0, 0), False),
        ("VERSION:2.0", None, False),
        ("version:2.0.0", None, False),
        ("", None, False),
    ],
)
def test_versions(text: str, version: tuple[int, int, int] | None, ours: bool) -> None:
    assert read_version(text) == version
    assert (version is not None and is_our_version(version)) == ours


def test_the_version_of_the_published_protocol_is_sent() -> None:
    assert VERSION_LINE == "VERSION:2.0.0"


def start(game: Game) -> MatchState:
    """Seat 1 to act before the flop with the ace and king of spades."""
    return MatchState(1, 7, State.start(game, Deal(((), (51, 47)), ())))


@pytest.mark.parametrize(
    ("follows", "answer"),
    [
        (":c", Answer(CALL, True)),
        (":f", Answer(FOLD, True)),
        (":r300", Answer(300, True)),
        (":R300", Answer(300, True)),
        (":b300", Answer(300, True)),
        (":k", Answer(CALL, True)),
        (":r 300", Answer(300, True)),
        (":r-5", Answer(2, True)),
        (":r99999999999999999", Answer(2**31 - 1, True)),
        (":c and more", Answer(CALL, True, " and more")),
        (":r", Answer(None, True, "r")),
        (":x", Answer(None, True, "x")),
        (":", Answer(None, True)),
        ("", Answer(None, True)),
    ],
)
def test_answers(follows: str, answer: Answer) -> None:
    asked = start(HOLDEM)
    line = format_matchstate(asked)
    assert line == "MATCHSTATE:1:7::|AsKs"
    assert read_answer(line + follows, asked=asked, line=line) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("MATCHSTATE:01:007::|AsKs:c", Answer(CALL, False)),
        ("MATCHSTATE:1:7::2c2d|AsKs:f", Answer(FOLD, False)),
        ("MATCHSTATE:1:7::|AsKsnonsense", Answer(None, False, "nonsense")),
        ("MATCHSTATE:0:7::|AsKs:c", None),
        ("MATCHSTATE:1:8::|AsKs:c", None),
        ("MATCHSTATE:1:7:c:|AsKs:c", None),
        ("MATCHSTATE:1:7::|AsKd:c", None),
        ("MATCHSTATE:1:7:", None),
        ("STATE:7::|AsKs:c", None),
        ("c", None),
        ("", None),
    ],
)
def test_answers_in_other_words_and_to_other_states(text: str, answer: Answer | None) -> None:
    asked = start(HOLDEM)
    assert read_answer(text, asked=asked, line=format_matchstate(asked)) == answer


@pytest.mark.parametrize(
    ("board", "answer"),
    [
        ("2c3c4c", Answer(CALL, False)),
        ("2c3c4d", None),
        ("4c3c2d", None),
    ],
)
def test_an_echo_of_another_board_is_no_answer(board: str, answer: Answer | None) -> None:
    flop = State.start(HOLDEM, Deal(((), (51, 47)), (0, 4, 8))).apply(CALL).apply(CALL)
    asked = MatchState(1, 7, flop)
    line = format_matchstate(asked)
    assert line == "MATCHSTATE:1:7:cc/:|AsKs/2c3c4c"
    text = f"MATCHSTATE:01:7:cc/:|AsKs/{board}:c"
    assert read_answer(text, asked=asked, line=line) == answer


@pytest.mark.parametrize(("asked_cards", "echoed_cards"), [("", "AsKs"), ("AsKs", "")])
def test_a_state_without_cards_is_not_one_with_cards(asked_cards: str, echoed_cards: str) -> None:
    deal = Deal(((), (51, 47)), ()) if asked_cards else None
    asked = MatchState(1, 7, State.start(HOLDEM, deal))
    line = format_matchstate(asked)
    assert line == f"MATCHSTATE:1:7::|{asked_cards}"
    text = f"MATCHSTATE:01:7::|{echoed_cards}:c"
    assert read_answer(text, asked=asked, line=line) is None


def test_raises_in_limit_games_have_no_size() -> None:
    state = start(LIMIT).state
    assert read_action(state, "r") == (20, "")
    assert read_action(state, "r400") == (20, "400")
    while state.max_raise_to:
        state = state.apply(state.max_raise_to)
    assert not state.is_legal(read_action(state, "r")[0] or 0)


@given(text=st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    asked = start(HOLDEM)
    line = format_matchstate(asked)
    for candidate in (text, line + text, line[:10] + text, f"{line}:{text}"):
        found = read_answer(candidate, asked=asked, line=line)
        assert found is None or found.action is None or found.action >= 0
