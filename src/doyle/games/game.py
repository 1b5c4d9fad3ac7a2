"""`Game`: the rules of one poker game as data, with the fields of an ACPC game definition.

Kuhn, Leduc and Hold'em are values of this one type. Seats and rounds count from 0 here (from 1 in
the files). `blinds[seat]` is all that a seat posts before the cards: a blind, or an ante that every
seat posts, or both together. The least bet of a round is then no longer the largest of them, which
is what `min_bet` is for; it is the one field that the reference server does not have. The rules that
go with the data are in `doyle.games.state`.

ACPC game-definition files: reading, writing, and the ones that come with doyle.

The format is that of the reference server of the Annual Computer Poker Competition: one field per
line, names in any case, `=` optional, `#` starts a comment. Missing fields mean what they mean to
the server (limit betting, stacks without end, 255 raises, the first seat first). Where the server
ignores what it cannot read, doyle refuses it and names the line. One field is doyle's own: `minBet`,
the least bet of a no-limit round where that is not the largest blind (antes, straddles).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from doyle.base.errors import DoyleError

UNLIMITED_STACK = 2**31 - 1
UNLIMITED_RAISES = 255
MAX_PLAYERS = 10
MAX_ROUNDS = 32


class DefinitionError(DoyleError):
    """A game that cannot be; `field` is the one of the definition that has the problem."""

    def __init__(self, game: str, field: str, problem: str) -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"game {game}: {field}: {problem}")


@dataclass(frozen=True)
class Game:
    """The rules of a game; two games are equal when their rules are, whatever their names.

    >>> game = Game.named("leduc")
    >>> game.players, game.betting, game.raise_sizes
    (2, 'limit', (2, 4))
    >>> Game.parse(game.to_text()) == game
    True
    """

    name: str = field(compare=False)
    betting: Literal["limit", "nolimit"]
    players: int
    rounds: int
    blinds: tuple[int, ...]
    suits: int
    ranks: int
    hole_cards: int
    board_cards: tuple[int, ...]
    stacks: tuple[int, ...] = ()
    raise_sizes: tuple[int, ...] = ()
    first_players: tuple[int, ...] = ()
    max_raises: tuple[int, ...] = ()
    min_bet: int = 0
    """The least bet of a no-limit round where that is not the largest blind; else 0."""

    def __post_init__(self) -> None:
        self._refuse(_problem_in_counts(self))
        defaults = {
            "stacks": (UNLIMITED_STACK,) * self.players,
            "first_players": (0,) * self.rounds,
            "max_raises": (UNLIMITED_RAISES,) * self.rounds,
        }
        for name, value in defaults.items():
            if not getattr(self, name):
                object.__setattr__(self, name, value)
        self._refuse(_problem_in_lists(self) or _problem_between_fields(self))
        if self.min_bet == max(self.blinds):
            object.__setattr__(self, "min_bet", 0)

    def _refuse(self, problem: tuple[str, str] | None) -> None:
        if problem is not None:
            raise DefinitionError(self.name, *problem)

    @classmethod
    def named(cls, name_or_path: str | Path) -> Game:
        """The bundled game of that name, or the game defined in that file."""

        return load(name_or_path)

    @classmethod
    def of(cls, game: Game | str | Path) -> Game:
        """The game itself, or the one of that name or in that file."""
        return game if isinstance(game, Game) else cls.named(game)

    @classmethod
    def parse(cls, text: str, name: str = "game") -> Game:
        """Read the text of an ACPC game definition."""

        return parse(text, name)

    def to_text(self) -> str:
        """The ACPC game definition of this game."""

        return to_text(self)

    @property
    def is_limit(self) -> bool:
        return self.betting == "limit"

    @cached_property
    def big_blind(self) -> int:
        """The least bet of a round in no-limit games, by default the largest blind."""
        return self.min_bet or max(self.blinds)

    @cached_property
    def board_ends(self) -> tuple[int, ...]:
        """How many board cards are visible in each round."""
        return tuple(sum(self.board_cards[: r + 1]) for r in range(self.rounds))

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the game, ascending; a short deck keeps the top ranks and suits."""
        return tuple(
            4 * rank + suit
            for rank in range(13 - self.ranks, 13)
            for suit in range(4 - self.suits, 4)
        )

    @property
    def is_holdem(self) -> bool:
        """Whether the cards are those of Texas Hold'em, whatever the betting and the players."""
        cards = (self.suits, self.ranks, self.hole_cards, self.board_cards)
        return cards == (4, 13, 2, (0, 3, 1, 1))

    @cached_property
    def deck_set(self) -> frozenset[int]:
        """The cards of the game, for asking whether one is among them."""
        return frozenset(self.deck)


def _problem_in_counts(game: Game) -> tuple[str, str] | None:
    """The first thing wrong as (field of the definition, what is wrong)."""
    if game.betting not in ("limit", "nolimit"):
        return "betting", f"expected limit or nolimit, not {game.betting!r}"
    for name, value, low, high in (
        ("numPlayers", game.players, 2, MAX_PLAYERS),
        ("numRounds", game.rounds, 1, MAX_ROUNDS),
        ("numSuits", game.suits, 1, 4),
        ("numRanks", game.ranks, 1, 13),
        ("numHoleCards", game.hole_cards, 1, 52),
        ("minBet", game.min_bet, 0, UNLIMITED_STACK),
    ):
        if not low <= value <= high:
            return name, f"{value} is not from {low} to {high}"
    return None


def _problem_in_lists(game: Game) -> tuple[str, str] | None:
    size_count = game.rounds if game.is_limit else 0
    for name, values, count, low, high in (
        ("stack", game.stacks, game.players, 1, UNLIMITED_STACK),
        ("blind", game.blinds, game.players, 0, UNLIMITED_STACK),
        ("raiseSize", game.raise_sizes, size_count, 1, UNLIMITED_STACK),
        (
            "firstPlayer",
            tuple(seat + 1 for seat in game.first_players),
            game.rounds,
            1,
            game.players,
        ),
        ("maxRaises", game.max_raises, game.rounds, 0, UNLIMITED_RAISES),
        ("numBoardCards", game.board_cards, game.rounds, 0, 52),
    ):
        if len(values) != count:
            return name, f"expected {count} numbers, got {len(values)}"
        for value in values:
            if not low <= value <= high:
                return name, f"{value} is not from {low} to {high}"
    return None


def _problem_between_fields(game: Game) -> tuple[str, str] | None:
    for seat, (blind, stack) in enumerate(zip(game.blinds, game.stacks, strict=True)):
        if blind > stack:
            return "blind", f"seat {seat + 1} posts {blind} but has only {stack} chips"
    if not any(game.blinds):
        return "blind", "at least one seat must post a blind or an ante"
    if game.is_limit and game.min_bet:
        return "minBet", "limit games have raiseSize"
    needed = game.hole_cards * game.players + sum(game.board_cards)
    if needed > game.suits * game.ranks:
        return "numBoardCards", f"{needed} cards are dealt from a deck of {game.suits * game.ranks}"
    return None


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
