"""Clients that misbehave: what the dealer makes of each, what it reports, and that it plays on."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from doyle.games import Game
from doyle.games.histories import Hand, read_log
from doyle.matches import Chance
from doyle.matches.network import Dealer, DealtMatch, TimeLimits, connect, play, ready_agent
from tests.matches.network.matches import Running, deal, our_client
from tests.matches.network.peer import RULES, parse

HOLDEM = "holdem-nl-200bb"
HANDS = 6
VERSION = b"VERSION:2.0.0\r\n"


class Raw:
    """A connection for clients that do as they like."""

    def __init__(self, port: int) -> None:
        self.stream = socket.create_connection(("127.0.0.1", port))
        self.stream.settimeout(30)
        self.buffer = b""

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def send(self, data: bytes) -> None:
        self.stream.sendall(data)

    def lines(self) -> Iterator[str]:
        """The lines of the dealer until it closes the connection."""
        while True:
            try:
                block = self.stream.recv(65536)
            except OSError:
                return
            if not block:
                return
            self.buffer += block
            *whole, self.buffer = self.buffer.split(b"\n")
            for line in whole:
                yield line.rstrip(b"\r").decode()

    def turns(self) -> Iterator[str]:
        """The states at which it is this client's turn."""
        for line in self.lines():
            seen = parse(RULES[HOLDEM], line)
            if seen.betting.actor == seen.position:
                yield line


Behaviour = Callable[[Raw], None]


def answering(make: Callable[[str], bytes], *, version: bytes = VERSION) -> Behaviour:
    """Answer every state with what `make` gives for it."""

    def behave(raw: Raw) -> None:
        raw.send(version)
        for line in raw.turns():
            raw.send(make(line))

    return behave


def call(line: str) -> bytes:
    return f"{line}:c\r\n".encode()


def at_the_third(what: Callable[[Raw, str], None]) -> Behaviour:
    """Call twice, then do something else at the third turn and wait for the dealer's end."""

    def behave(raw: Raw) -> None:
        raw.send(VERSION)
        for number, line in enumerate(raw.turns()):
            if number < 2:
                raw.send(call(line))
            elif number == 2:
                what(raw, line)
            # what comes later is not answered

    return behave


def disconnect(raw: Raw, line: str) -> None:
    raw.stream.close()


def half_a_line(raw: Raw, line: str) -> None:
    raw.send(f"{line}:".encode())
    raw.stream.close()


def never_answer(raw: Raw, line: str) -> None:
    pass


def flood(raw: Raw, line: str) -> None:
    with suppress(OSError):
        while True:
            raw.send(b"garbage " * 500 + b"\r\n" + b"x" * 9000)


def flood_with_comments(raw: Raw, line: str) -> None:
    with suppress(OSError):
        while True:
            raw.send(b"# not an answer\r\n" * 100)


def endless_line(raw: Raw, line: str) -> None:
    with suppress(OSError):
        while True:
            raw.send(b"x" * 65536)


def wrong_hand(line: str) -> str:
    header, seat, hand, rest = line.split(":", 3)
    return f"{header}:{seat}:{int(hand) + 1}:{rest}:f\r\n"


def other_cards(line: str) -> str:
    head, cards = line.rsplit(":", 1)
    own = next(card for card in cards.split("/")[0].split("|") if card)
    return f"{head}:{cards.replace(own, '2c2d' if own != '2c2d' else '3c3d', 1)}:f\r\n"


@dataclass(frozen=True)
class Case:
    """A behaviour, the kinds of deviation it must be reported for, and whether it forfeits."""

    behave: Behaviour
    kinds: frozenset[str]
    forfeit: str | None = None
    """The reason of its forfeit with `--on-failure fold`."""
    illegal: bool = False
    """Whether actions were repaired."""
    first_betting: str | None = None
    """The betting of hand 0 in the log, where the client under test acts first."""


def case(behave: Behaviour, *kinds: str, **rest: object) -> Case:
    return Case(behave, frozenset(kinds), **rest)  # type: ignore[arg-type]


def sized(action: str, betting: str) -> Case:
    """An illegal raise before the flop and calls afterwards; the opponent always calls."""

    def make(line: str) -> bytes:
        first = line.split(":")[3] == ""
        return f"{line}:{action}\r\n".encode() if first else call(line)

    return case(answering(make), "illegal", illegal=True, first_betting=betting)


TOO_LONG = b"MATCHSTATE:" + b"0" * 5000 + b"\r\n"

CASES = {
    "well-behaved": case(answering(call), first_betting="cc/cc/cc/cc"),
    "disconnects": case(at_the_third(disconnect), forfeit="disconnected"),
    "half-a-line": case(at_the_third(half_a_line), "half-line", forfeit="disconnected"),
    "never-answers": case(at_the_third(never_answer), forfeit="took longer than 2 s"),
    "floods": case(
        at_the_third(flood), "unreadable", "too-long", forfeit="took longer than 2 s"
    ),
    "comments-only": case(at_the_third(flood_with_comments), forfeit="took longer than 2 s"),
    "endless-line": case(at_the_third(endless_line), forfeit="took longer than 2 s"),
    "garbage-first": case(
        answering(lambda line: b"\x00\xff garbage\r\n" + call(line)), "unreadable",
        first_betting="cc/cc/cc/cc",
    ),
    "too-long-first": case(answering(lambda line: TOO_LONG + call(line)), "too-long"),
    "comments": case(answering(lambda line: b"# hm\r\n;GUI\r\n" + call(line))),
    "another-version": case(answering(call, version=b"VERSION:1.0.0\r\n"), "version"),
    "newer-revision": case(answering(call, version=b"VERSION:2.0.9\r\n")),
    "no-version": case(
        answering(call, version=b"HELLO\r\n"), forfeit="its first line names no version"
    ),
    "silent-at-the-start": case(
        answering(call, version=b""), forfeit="named no version in time"
    ),
    "wrong-hand-echoed": case(
        answering(lambda line: wrong_hand(line).encode() + call(line)), "unrequested",
        first_betting="cc/cc/cc/cc",
    ),
    "wrong-cards-echoed": case(
        answering(lambda line: other_cards(line).encode() + call(line)), "unrequested"
    ),
    "answers-twice": case(answering(lambda line: 2 * call(line)), "unrequested"),
    "line-feeds-only": case(answering(lambda line: f"{line}:c\n".encode())),
    "other-words": case(
        answering(lambda line: line.replace(":", ":0", 2).replace(":0M", ":M").encode() + b":c\r\n"),
        "echo",
    ),
    "no-action": case(answering(lambda line: f"{line}\r\n".encode()), "action", illegal=True),
    "unparsable-action": case(
        answering(lambda line: f"{line}:x!\r\n".encode()), "action", illegal=True,
        first_betting="cc/cc/cc/cc",
    ),
    "raise-without-size": case(
        answering(lambda line: f"{line}:r\r\n".encode()), "action", illegal=True
    ),
    "folds-for-free": case(
        answering(lambda line: f"{line}:f\r\n".encode() if "/" in line else call(line)),
        "illegal", illegal=True, first_betting="cc/cc/cc/cc",
    ),
    "raise-below-zero": sized("r-5", "r200c/cc/cc/cc"),
    "raise-to-zero": sized("r0", "r200c/cc/cc/cc"),
    "raise-too-small": sized("r101", "r200c/cc/cc/cc"),
    "raise-too-large": sized("r999999999999", "r20000c///"),
    "rest-after-the-action": case(
        answering(lambda line: f"{line}:c and more\r\n".encode()), "rest",
        first_betting="cc/cc/cc/cc",
    ),
}  # fmt: skip


def limits_of(expected: Case) -> TimeLimits:
    """Short where the client must run out of time, else what even a busy machine keeps."""
    reason = expected.forfeit or ""
    if "version in time" in reason:
        return TimeLimits(action=2.0, start=1.0)
    return TimeLimits(action=2.0 if "took longer" in reason else 60.0, start=60.0)


def run(name: str, folder: Path, *, on_failure: str) -> tuple[DealtMatch, list[Hand]]:
    """A match of the client under test in the second seat, which acts first in hand 0."""
    game = Game.named(HOLDEM)
    log = folder / "match.log"

    def misbehave(port: int) -> None:
        with Raw(port) as raw, suppress(OSError):  # the dealer may close the connection
            CASES[name].behave(raw)

    dealt, running = deal(
        game,
        [our_client("always-call", game), misbehave],
        hands=HANDS,
        log=log,
        limits=limits_of(CASES[name]),
        on_failure=on_failure,
        names=["good", "bad"],
    )
    for client in running:
        client.result()
    return dealt, [item for item in read_log(log, game) if isinstance(item, Hand)]


@pytest.mark.parametrize("name", CASES)
def test_the_match_goes_on(name: str, tmp_path: Path) -> None:
    expected = CASES[name]
    dealt, hands = run(name, tmp_path, on_failure="fold")
    assert dealt.failure is None
    assert len(hands) == HANDS
    assert dealt.result is not None
    reasons = [(forfeit.player, forfeit.reason) for forfeit in dealt.result.forfeits]
    assert reasons == ([] if expected.forfeit is None else [(1, expected.forfeit)])
    assert {kind for _, kind in dealt.deviations.counts} == expected.kinds
    assert {who for who, _ in dealt.deviations.counts} <= {"bad"}
    assert (dealt.result.illegal_actions[1] > 0) == expected.illegal
    text = (tmp_path / "match.log").read_text()
    assert ("# forfeit bad" in text) == (expected.forfeit is not None)
    assert text.splitlines()[-1].startswith("SCORE:")
    if expected.first_betting is not None:
        assert text[text.index("STATE:0:") :].split(":")[2] == expected.first_betting


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.forfeit])
def test_or_ends_without_a_score_as_the_reference_dealer_does(name: str, tmp_path: Path) -> None:
    dealt, hands = run(name, tmp_path, on_failure="end")
    assert dealt.failure is not None
    assert dealt.failure.player == 1
    assert dealt.failure.reason == CASES[name].forfeit
    assert dealt.score is None
    assert len(hands) == dealt.failure.hand < HANDS
    text = (tmp_path / "match.log").read_text()
    assert "SCORE" not in text
    assert f"# ended by bad hand {dealt.failure.hand}: {dealt.failure.reason}" in text
    document = dealt.document()
    assert document["score"] is None
    assert document["ended"]["name"] == "bad"


def test_everybody_may_fail(tmp_path: Path) -> None:
    game = Game.named("kuhn")

    def leave(port: int) -> None:
        with Raw(port) as raw:
            raw.send(VERSION)

    dealt, _ = deal(game, [leave, leave], hands=4, on_failure="fold")
    assert dealt.result is not None
    assert sorted(forfeit.player for forfeit in dealt.result.forfeits) == [0, 1]
    assert dealt.result.hands == 4


def test_a_client_that_does_not_come_forfeits() -> None:
    game = Game.named("kuhn")
    limits = TimeLimits(action=60.0, start=0.5)
    chance = Chance.repeatable(1, deals="acpc")
    with ready_agent("always-call", game, time_limit=60.0) as ready:
        with Dealer(game, hands=3, chance=chance, limits=limits, on_failure="fold") as dealer:
            port = dealer.ports[0]
            connection = connect("127.0.0.1", port, patience=5.0)  # before the clock starts
            client = Running(lambda _: play(ready, game, connection), port)
            dealt = dealer.play()
        assert client.result().hands == 3
        connection.close()
    assert dealt.result is not None
    assert [f.reason for f in dealt.result.forfeits] == ["did not connect in time"]


def test_a_client_that_reads_nothing_delays_nobody() -> None:
    """Three players: one never reads; it forfeits on time and the others finish the match."""
    game = Game.named("holdem-limit-3p")
    over = threading.Event()

    def read_nothing(port: int) -> None:
        with Raw(port) as raw:
            raw.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            raw.send(VERSION)
            over.wait(60)

    clients = [read_nothing, our_client("always-call", game), our_client("always-raise", game)]
    limits = TimeLimits(action=2.0)
    dealt, running = deal(game, clients, hands=50, limits=limits, on_failure="fold")
    over.set()
    assert dealt.result is not None
    assert [(f.player, f.hand) for f in dealt.result.forfeits] == [(0, 0)]
    assert [client.result().hands for client in running[1:]] == [50, 50]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (TimeLimits(action=60.0, hand=1.0), "took longer than 1 s in a hand"),
        (TimeLimits(action=60.0, match=1.2), "took longer than 1.2 s in the match"),
    ],
)
def test_hand_and_match_limits(limits: TimeLimits, reason: str, tmp_path: Path) -> None:
    """Each action takes 0.4 s: within the limit of an action, beyond those of hand and match."""
    game = Game.named(HOLDEM)

    def dawdle(port: int) -> None:
        with Raw(port) as raw, suppress(OSError):
            raw.send(VERSION)
            for line in raw.turns():
                time.sleep(0.4)
                raw.send(call(line))

    log = tmp_path / "match.log"
    dealt, _ = deal(
        game, [our_client("always-call", game), dawdle],
        hands=20, limits=limits, on_failure="fold", log=log,
    )  # fmt: skip
    assert dealt.result is not None
    assert [(f.player, f.hand, f.reason) for f in dealt.result.forfeits] == [(1, 0, reason)]
    assert ("#--t_hand 1000" in log.read_text()) == (limits.hand is not None)
    assert ("#--t_per_hand 60" in log.read_text()) == (limits.match is not None)


def test_lines_that_answer_nothing_count_against_the_clock() -> None:
    """Each counts with the whole time since the state was sent, as at the reference dealer."""
    game = Game.named("kuhn")
    limits = TimeLimits(action=5.0, hand=1.0)

    def dither(port: int) -> None:
        with Raw(port) as raw, suppress(OSError):
            raw.send(VERSION)
            for line in raw.lines():
                if line.startswith("MATCHSTATE:0:0::"):
                    for _ in range(4):  # 0.15 + 0.30 + 0.45 + 0.60 s are counted
                        time.sleep(0.15)
                        raw.send(b"hm\r\n")
                    raw.send(call(line))

    dealt, _ = deal(
        game, [dither, our_client("always-call", game)], hands=2, limits=limits, on_failure="fold"
    )
    assert dealt.result is not None
    assert [f.reason for f in dealt.result.forfeits] == ["took longer than 1 s in a hand"]


def crashing(times: int, *, at: int = 2, comes_back: bool = True) -> Callable[[int], None]:
    """A client that calls, and crashes `times` times at its turn of that number."""

    def client(port: int) -> None:
        turn = 0
        for number in range(times + 1):
            with Raw(port) as raw:
                raw.send(VERSION)
                for line in raw.turns():
                    if number < times and turn >= at:
                        break
                    raw.send(call(line))
                    turn += 1
            if not comes_back:
                return

    return client


def calling(port: int) -> None:
    with Raw(port) as raw:
        answering(call)(raw)


def test_a_client_that_crashed_plays_on_with_the_same_hand(tmp_path: Path) -> None:
    game = Game.named(HOLDEM)
    usual, crashed = tmp_path / "usual.log", tmp_path / "crashed.log"
    deal(game, [calling, calling], hands=HANDS, log=usual)
    dealt, running = deal(game, [crashing(1), calling], hands=HANDS, log=crashed, reconnect=60.0)
    for client in running:
        client.result()
    assert dealt.failure is None
    assert dealt.score is not None
    assert crashed.read_text() == usual.read_text()
    assert [one.kind for one in dealt.deviations.kept] == ["reconnect"]
    assert dealt.deviations.kept[0].hand == 0


@pytest.mark.parametrize(
    ("client", "options", "reason"),
    [
        (crashing(1), {}, "disconnected"),
        (crashing(2), {"reconnect": 60.0}, "disconnected"),  # twice in a hand
        (
            crashing(1, comes_back=False),
            {"reconnect": 0.2},
            "disconnected and was not back within 0.2 s",
        ),
    ],
    ids=["without the option", "twice in a hand", "never back"],
)
@pytest.mark.parametrize("on_failure", ["end", "fold"])
def test_other_crashes_are_failures(
    client: Callable[[int], None], options: dict[str, float], reason: str, on_failure: str
) -> None:
    dealt, _ = deal(
        Game.named(HOLDEM), [client, calling], hands=HANDS, on_failure=on_failure, **options
    )
    if on_failure == "end":
        assert dealt.failure is not None
        assert (dealt.failure.player, dealt.failure.hand) == (0, 0)
        assert dealt.failure.reason == reason
        return
    assert dealt.result is not None
    assert [forfeit.reason for forfeit in dealt.result.forfeits] == [reason]
    assert dealt.score is not None


def test_who_connects_and_names_no_version_is_no_client_that_came_back() -> None:
    def client(port: int) -> None:
        crashing(1, comes_back=False)(port)
        for said in (b"", b"HELLO\r\n"):
            with Raw(port) as raw:
                raw.send(said)
        calling(port)

    dealt, _ = deal(Game.named(HOLDEM), [client, calling], hands=HANDS, reconnect=60.0)
    assert dealt.score is not None
    assert dealt.result is not None
    assert dealt.result.forfeits == ()
