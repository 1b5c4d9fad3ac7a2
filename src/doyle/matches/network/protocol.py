"""The ACPC protocol, version 2.0.0: the version line, and the answers of clients to states.

    VERSION:2.0.0                                    first line of a client
    MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c             the dealer to the client in position 0
    MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c:r600        the client's answer

Lines end with a carriage return and a line feed, or with a line feed alone; lines that start with `#` or `;` are comments. An
answer is read as the reference dealer reads it: the state must be the one sent, one letter names
the action, digits follow a raise in no-limit games, and the rest of the line is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from doyle.base.errors import ParseError
from doyle.games import CALL, FOLD, Action, State
from doyle.games.histories import MatchState, parse_matchstate

VERSION = (2, 0, 0)
VERSION_LINE = "VERSION:" + ".".join(map(str, VERSION))

_VERSION = re.compile(r"VERSION:(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)
_RAISE = re.compile(r"\s*([+-]?\d{1,18})", re.ASCII)
_LARGEST_RAISE = 2**31 - 1


def is_comment(text: str) -> bool:
    """Whether a line is a comment, which both sides pass over."""
    return text.startswith(("#", ";"))


def read_version(text: str) -> tuple[int, int, int] | None:
    """The version in the first line of a client; None if absent.

    >>> read_version("VERSION:2.0.0"), read_version("hello")
    ((2, 0, 0), None)
    """
    found = _VERSION.match(text)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def is_our_version(version: tuple[int, int, int]) -> bool:
    """Whether the reference dealer accepts a version as its own: equal major, no newer minor."""
    return version[0] == VERSION[0] and version[1] <= VERSION[1]


@dataclass(frozen=True)
class Answer:
    """An answer to the requested state."""

    action: Action | None
    """The requested action, legal or not; None if it cannot be parsed."""
    is_exact: bool
    """Whether the state is repeated letter by letter."""
    rest: str = ""
    """The text after the action."""


def read_answer(text: str, *, asked: MatchState, line: str) -> Answer | None:
    """The answer in `text` to a state that was sent as `line`; None if it answers another state.

    >>> from doyle.games import Game
    >>> game = Game.named("holdem-nl-200bb")
    >>> asked = MatchState(1, 0, State.start(game))
    >>> read_answer("MATCHSTATE:1:0::|:r300", asked=asked, line="MATCHSTATE:1:0::|")
    Answer(action=300, is_exact=True, rest='')
    """
    follows = text[len(line) :]
    if text.startswith(line) and (not follows or follows[0] == ":"):
        return _answer(asked.state, follows, is_exact=True)
    fields = text.split(":", 5)
    if len(fields) >= 5:
        try:
            echoed = parse_matchstate(asked.state.game, ":".join(fields[:5]))
        except ParseError:
            pass
        else:
            follows = f":{fields[5]}" if len(fields) > 5 else ""
            same = _is_same(echoed, asked)
            return _answer(asked.state, follows, is_exact=False) if same else None
    return Answer(None, is_exact=False, rest=follows) if text.startswith(line) else None


def _is_same(echoed: MatchState, asked: MatchState) -> bool:
    """Whether two states are equal to the client, which need not know others' hole cards."""
    ours, theirs = asked.state, echoed.state
    if (echoed.seat, echoed.number, theirs.betting) != (asked.seat, asked.number, ours.betting):
        return False
    if ours.deal is None or theirs.deal is None:
        return ours.deal is theirs.deal
    return (theirs.deal.hole[asked.seat], theirs.board) == (ours.deal.hole[asked.seat], ours.board)


def _answer(state: State, follows: str, *, is_exact: bool) -> Answer:
    if not follows.startswith(":"):
        return Answer(None, is_exact, follows)
    action, rest = read_action(state, follows[1:])
    return Answer(action, is_exact, rest)


def read_action(state: State, text: str) -> tuple[Action | None, str]:
    """The action at the start of `text`, legal or not, and the text after it.

    A raise is never less than 2, so that clamping turns it into the minimum raise and not into a
    call.

    >>> from doyle.games import Game
    >>> read_action(State.start(Game.named("holdem-nl-200bb")), "r0")
    (2, '')
    """
    letter, rest = text[:1].lower(), text[1:]
    if letter == "f":
        return FOLD, rest
    if letter in ("c", "k"):
        return CALL, rest
    if letter not in ("r", "b"):
        return None, text
    if state.game.is_limit:
        return state.max_raise_to or CALL + 1, rest
    found = _RAISE.match(rest)
    if found is None:
        return None, text
    return max(CALL + 1, min(int(found[1]), _LARGEST_RAISE)), rest[found.end() :]
