"""ACPC game-definition files: reading, writing, and the ones that come with doyle.

The format is that of the reference server of the Annual Computer Poker Competition: one field per
line, names in any case, `=` optional, `#` starts a comment. Missing fields mean what they mean to
the server (limit betting, stacks without end, 255 raises, the first seat first). Where the server
ignores what it cannot read, doyle refuses it and names the line. One field is doyle's own: `minBet`,
the least bet of a no-limit round where that is not the largest blind (antes, straddles).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from doyle.base.errors import DoyleError
from doyle.games.game import (
    MAX_ROUNDS,
    UNLIMITED_RAISES,
    UNLIMITED_STACK,
    DefinitionError,
    Game,
)

# Field of the file -> field of Game, and whether it holds one number or one per seat or round.
_SINGLE = {
    "numplayers": "players",
    "numrounds": "rounds",
    "numsuits": "suits",
    "numranks": "ranks",
    "numholecards": "hole_cards",
    "minbet": "min_bet",
}
_SEVERAL = {
    "stack": "stacks",
    "blind": "blinds",
    "raisesize": "raise_sizes",
    "firstplayer": "first_players",
    "maxraises": "max_raises",
    "numboardcards": "board_cards",
}
_REQUIRED = (
    "numPlayers",
    "numRounds",
    "blind",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
# The games under the file names that they have at the public ACPC dealer, which its logs give.
DEALER_FILES = {
    "holdem.limit.2p.reverse_blinds.game": "holdem-limit-2p",
    "holdem.limit.3p.game": "holdem-limit-3p",
    "holdem.nolimit.2p.reverse_blinds.game": "holdem-nl-200bb",
    "holdem.nolimit.3p.game": "holdem-nl-200bb-3p",
    "kuhn.game": "kuhn",
    "leduc.game": "leduc",
}
_MAX_CHARACTERS = 100_000
_WHOLE = re.compile(r"-?\d{1,11}\Z", re.ASCII)


@cache
def bundled_names() -> tuple[str, ...]:
    """The games that come with doyle, by name.

    >>> "kuhn" in bundled_names()
    True
    """
    folder = files("doyle.games") / "definitions"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".game") for name in names if name.endswith(".game")))


@cache
def _bundled(name: str) -> Game:
    return parse((files("doyle.games") / "definitions" / f"{name}.game").read_text("utf-8"), name)


def load(name_or_path: str | Path) -> Game:
    """The bundled game of that name, or the game defined in that file.

    The dealer's file names stand for its games where there is no such file.
    """
    name = str(name_or_path)
    if name in bundled_names():
        return _bundled(name)
    path = Path(name_or_path)
    try:
        if not path.is_file():
            if name in DEALER_FILES:
                return _bundled(DEALER_FILES[name])
            known = ", ".join(bundled_names())
            raise DoyleError(f"game {name!r}: neither a file nor one of {known}")
        if path.stat().st_size > _MAX_CHARACTERS:
            raise DoyleError(f"game {name}: too long for a game definition")
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise DoyleError(f"game {name!r}: cannot be read: {error}") from None
    return parse(text, path.stem, source=name)


def parse(text: str, name: str = "game", *, source: str | None = None) -> Game:
    """Read the text of a game definition; errors name `source`, the line and the field."""
    source = source or f"game {name}"
    values: dict[str, Any] = {"betting": "limit"}
    lines: dict[str, int] = {}
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#", 1)[0].replace("=", " ").split()
        if not words:
            continue
        key = words[0].lower()
        if key == "gamedef":
            continue
        if key == "end":
            break
        if key in lines:
            raise DoyleError(f"{source}, line {number}: {words[0]} is given twice")
        lines[key] = number
        if key in ("limit", "nolimit"):
            values["betting"] = key
        elif key in _SINGLE or key in _SEVERAL:
            numbers = _numbers(words[1:], f"{source}, line {number}: {words[0]}")
            if key in _SINGLE and len(numbers) != 1:
                raise DoyleError(f"{source}, line {number}: {words[0]}: expected one number")
            values[_SINGLE.get(key) or _SEVERAL[key]] = numbers[0] if key in _SINGLE else numbers
        else:
            raise DoyleError(f"{source}, line {number}: unknown field {words[0]!r}")
    if "limit" in lines and "nolimit" in lines:
        at = max(lines["limit"], lines["nolimit"])
        raise DoyleError(f"{source}, line {at}: betting: both limit and nolimit are given")
    return _assemble(values, lines, name=name, source=source, last_line=number)


def _numbers(words: list[str], where: str) -> tuple[int, ...]:
    if not words:
        raise DoyleError(f"{where}: expected numbers")
    for word in words:
        if not _WHOLE.match(word):
            raise DoyleError(f"{where}: expected whole numbers, not {word[:40]!r}")
    return tuple(int(word) for word in words)


def _assemble(
    values: dict[str, Any], lines: dict[str, int], *, name: str, source: str, last_line: int
) -> Game:
    for key in _REQUIRED:
        if key.lower() not in lines:
            raise DoyleError(f"{source}, line {last_line}: {key} is missing")
    if values["betting"] == "nolimit":
        # The server reads raise sizes in no-limit games too, and never looks at them.
        values.pop("raise_sizes", None)
    elif "raise_sizes" not in values:
        raise DoyleError(f"{source}, line {last_line}: raiseSize is missing in a limit game")
    for key, default in (("first_players", 1), ("max_raises", UNLIMITED_RAISES)):
        given = values.get(key, ())
        values[key] = given + (default,) * (min(values["rounds"], MAX_ROUNDS) - len(given))
    values["first_players"] = tuple(seat - 1 for seat in values["first_players"])
    try:
        return Game(name=name, **values)
    except DefinitionError as error:
        line = lines.get(error.field.lower(), last_line)
        raise DoyleError(f"{source}, line {line}: {error.field}: {error.problem}") from None


def to_text(game: Game) -> str:
    """The definition as the server itself prints it: defaults are left out."""

    def row(field: str, *values: int) -> str:
        return f"{field} = {' '.join(map(str, values))}"

    rows = ["GAMEDEF", game.betting, row("numPlayers", game.players), row("numRounds", game.rounds)]
    if any(stack < UNLIMITED_STACK for stack in game.stacks):
        rows.append(row("stack", *game.stacks))
    rows.append(row("blind", *game.blinds))
    if game.is_limit:
        rows.append(row("raiseSize", *game.raise_sizes))
    if game.min_bet:
        rows.append(row("minBet", game.min_bet))
    if any(game.first_players):
        rows.append(row("firstPlayer", *(seat + 1 for seat in game.first_players)))
    if any(count != UNLIMITED_RAISES for count in game.max_raises):
        rows.append(row("maxRaises", *game.max_raises))
    rows += [
        row("numSuits", game.suits),
        row("numRanks", game.ranks),
        row("numHoleCards", game.hole_cards),
        row("numBoardCards", *game.board_cards),
        "END GAMEDEF",
    ]
    return "\n".join(rows) + "\n"
