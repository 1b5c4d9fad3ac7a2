"""Logs: streaming, compressed or plain, with errors that name file, line and position."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import Deal, Game, State
from doyle.games.histories import Hand, Score, read_hands, read_log, write_log

NL = Game.named("holdem-nl-200bb")
LINES = """\
# name/game/hands/seed test holdem.nolimit.2p.reverse_blinds.game 3 1
STATE:0:f:6cJd|9c4s:50|-50:A|B

STATE:1:cc/cr200f:8cQs|7h8h/4h9cJc:-100|100:B|A
STATE:2:r300r20000c///:KhQh|KcAc/Ts8hQc/Jh/Qs:-20000|20000:A|B
SCORE:-19850|19850:A|B
"""


def folded(number: int) -> Hand:
    deal = Deal((parse_cards("AsAh"), parse_cards("KsKh")), parse_cards("2c3c4c5d6d"))
    names = ("A", "B") if number % 2 == 0 else ("B", "A")
    return Hand(number, State.start(NL, deal).apply(0), names)


@pytest.mark.parametrize("name", ["a.log", "a.log.gz", "a.log.xz"])
def test_round_trip(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source.log"
    source.write_text(LINES)
    items = list(read_log(source, NL))
    assert [item.number for item in items if isinstance(item, Hand)] == [0, 1, 2]
    assert items[-1] == Score((-19850, 19850), ("A", "B"))
    copy = tmp_path / name
    assert write_log(copy, read_hands(source, NL), comments=["a comment"]) == 3
    assert list(read_log(copy, NL)) == items
    first = copy.read_bytes()
    write_log(copy, read_hands(source, NL), comments=["a comment"])
    assert copy.read_bytes() == first


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("|-50:A|B", "|-49:A|B", "line 2 'STATE:0:f:6cJd|9c4s:50|-49:A|B': the rules give 50|-50"),
        ("cr200f", "cr150f", "line 4 'STATE:1:cc/cr150f"),
        ("SCORE:-19850", "SCORE:-19851", "line 6: the score of 'A' is -19851, its hands sum to"),
        ("SCORE:-19850|19850:A|B", "SCORE:-19850|19850:A|C", "line 6: no hand was played by 'C'"),
        ("STATE:2", "STAT:2", "line 5 'STAT:2"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "broken.log"
    path.write_text(LINES.replace(old, new))
    with pytest.raises(DoyleError) as caught:
        list(read_log(path, NL))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_unchecked_reading_takes_the_lines_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "odd.log"
    path.write_text(LINES.replace("SCORE:-19850", "SCORE:-1"))
    assert len(list(read_log(path, NL, check=False))) == 4


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.log.gz", b"not packed"),
        ("a.log.xz", b"not packed"),
        ("a.log", b"\xff\xfe"),
        ("a.log", b"x" * (1 << 21)),
    ],
)
def test_unreadable_files(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DoyleError, match=r"a\.log"):
        list(read_log(path, NL))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match=r"none\.log: no such file"):
        list(read_log(tmp_path / "none.log", NL))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.log.xz"
    write_log(path, [folded(0)])
    before = path.read_bytes()

    def failing() -> Iterator[Hand]:
        yield folded(0)
        raise DoyleError("enough")

    with pytest.raises(DoyleError, match="enough"):
        write_log(path, failing())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_long_logs_are_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.log.gz"
    count = 3000
    write_log(path, (folded(number) for number in range(count)))
    next(read_log(path, NL))  # imports and caches do not count
    tracemalloc.start()
    hands = sum(1 for _ in read_hands(path, NL))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert hands == count
    assert peak < 300_000
