"""`Game`: the rules of one poker game as data, with the fields of an ACPC game definition.

Kuhn, Leduc and Hold'em are values of this one type. Seats and rounds count from 0 here (from 1 in
the files). `blinds[seat]` is all that a seat posts before the cards: a blind, or an ante that every
seat posts, or both together. The least bet of a round is then no longer the largest of them, which
is what `min_bet` is for; it is the one field that the reference server does not have. The rules that
go with the data are in `doyle.games.state`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

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
        from doyle.games.definition import load

        return load(name_or_path)

    @classmethod
    def of(cls, game: Game | str | Path) -> Game:
        """The game itself, or the one of that name or in that file."""
        return game if isinstance(game, Game) else cls.named(game)

    @classmethod
    def parse(cls, text: str, name: str = "game") -> Game:
        """Read the text of an ACPC game definition."""
        from doyle.games.definition import parse

        return parse(text, name)

    def to_text(self) -> str:
        """The ACPC game definition of this game."""
        from doyle.games.definition import to_text

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
