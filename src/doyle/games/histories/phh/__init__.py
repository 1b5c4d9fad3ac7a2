"""PHH files: the Poker Hand History format (Kim 2024), for Texas Hold'em with or without limit.

A `.phh` file holds one hand, a `.phhs` file many under headers `[1]`, `[2]`, ... The actions are
replayed with doyle's rules. In PHH the amounts of a bet are totals of the betting round without the
ante, and two-player blinds are listed small blind first although player 1 posts the big one; both are
converted here. Fractions of a chip are read by counting in a smaller one (`Hand.unit`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.histories.files import kind_of, read_lines, writing
from doyle.games.histories.lines import Hand
from doyle.games.histories.phh.fields import Fields, RefusedHand, Stakes, read_fields, stakes_of
from doyle.games.histories.phh.replay import Table, payoffs_of
from doyle.games.histories.phh.text import format_phh, phh_problem

__all__ = [
    "RefusedHand",
    "format_phh",
    "parse_phh",
    "phh_problem",
    "read_phh",
    "sections",
    "write_phh",
]

_HEADER = re.compile(r"\[\s*([A-Za-z0-9_\"'-]{1,40})\s*\]\s*(?:#.*)?\Z")
_MAX_CHARACTERS = 1 << 20


def read_phh(path: Path, game: Game | None = None) -> Iterator[Hand]:
    """The hands of a `.phh` or `.phhs` file, one at a time; the first that is refused ends it.

    Each hand is played in the game that its fields describe, which must be `game` if that is given.
    """
    for where, text in sections(path):
        yield parse_phh(text, game, where=where)


def parse_phh(text: str, game: Game | None = None, *, where: str = "PHH") -> Hand:
    """Read one hand from the text of a PHH file; `RefusedHand` if that cannot be done."""
    fields = read_fields(text, where)
    stakes = stakes_of(fields)
    if game is not None:
        stakes = _agreed(fields, stakes, game)
    table = Table(fields, stakes)
    for index, action in enumerate(fields.actions):
        table.play(index, action)
    state = table.finish()
    payoffs = payoffs_of(table, state)
    return Hand(fields.number, state, fields.players, payoffs, stakes.unit)


def write_phh(path: Path, hands: Iterable[Hand]) -> int:
    """Write hands to a `.phhs` file, or one hand to a `.phh` file; return their number."""
    count = 0
    several = kind_of(path) == ".phhs"
    with writing(path) as stream:
        for hand in hands:
            count += 1
            if several:
                stream.write(f"[{count}]\n{format_phh(hand)}\n")
            elif count > 1:
                raise DoyleError(f"{path}: a .phh file holds one hand; use .phhs for several")
            else:
                stream.write(format_phh(hand))
    return count


def sections(path: Path) -> Iterator[tuple[str, str]]:
    """Where each hand of a file is, and its text."""
    if kind_of(path) != ".phhs":
        lines = []
        size = 0
        for line in read_lines(path):
            lines.append(line)
            size += len(line)
            if size > _MAX_CHARACTERS:
                raise DoyleError(f"{path}: the hand is too long")
        yield str(path), "\n".join(lines)
        return
    yield from _sections_with_headers(path)


def _sections_with_headers(path: Path) -> Iterator[tuple[str, str]]:
    lines: list[str] = []
    where = f"{path}, line 1"
    size = 0
    for number, line in enumerate(read_lines(path), start=1):
        if header := _HEADER.match(line):
            if _has_fields(lines):
                yield where, "\n".join(lines)
            where = f"{path}, hand {header[1]}, line {number}"
            lines, size = [], 0
            continue
        lines.append(line)
        size += len(line)
        if size > _MAX_CHARACTERS:
            raise DoyleError(f"{where}: the hand is too long")
    if _has_fields(lines):
        yield where, "\n".join(lines)


def _has_fields(lines: list[str]) -> bool:
    """Whether there is more than comments and empty lines."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def _agreed(fields: Fields, stakes: Stakes, game: Game) -> Stakes:
    """The stakes with `game`, if the hand's fields describe it; PHH does not hold raise caps."""
    own = stakes.game
    for name in (
        "betting",
        "players",
        "blinds",
        "stacks",
        "raise_sizes",
        "min_bet",
        "first_players",
    ):
        if getattr(own, name) != getattr(game, name):
            problem = f"{getattr(own, name)} are not those of {game.name}: {getattr(game, name)}"
            fields.refuse(name, problem, reason=f"not those of {game.name}")
    return Stakes(game, stakes.unit, stakes.ante)
