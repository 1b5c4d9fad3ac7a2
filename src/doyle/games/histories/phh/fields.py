"""The fields of one PHH hand as its TOML text gives them, checked, with exact amounts.

Amounts are `Fraction`s of the file's own unit (dollars, chips). `scale` turns them into whole chips:
a chip is the unit itself if all amounts are whole, else a cent, else the decimal fraction that is
needed. Only what a game is made of (stakes, stacks, bets) decides about the scale.

`Stakes` are the `Game` of a hand with its stakes in whole chips, and what of them PHH counts apart. A
game posts antes and blinds together, so they can be expressed where every seat posts the same ante in
full: chips of single seats that are no bet (big-blind and button antes, dead blinds) cannot. Seats that
cannot pay a blind post what they have. The order of play follows from the blinds: after the last of the
largest, not counting those posted out of turn (negative), which take no turn of their own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any, NoReturn

from doyle.base.errors import DoyleError
from doyle.games import UNLIMITED_STACK, Game


class RefusedHand(DoyleError):
    """A hand that cannot be read; `reason` is the same text for all hands refused alike.

    >>> refused = RefusedHand("a.phhs, hand 3", "antes", "p2 alone posts 3", reason="unequal antes")
    >>> str(refused), refused.reason
    ('a.phhs, hand 3: antes: p2 alone posts 3', 'antes: unequal antes')
    """

    def __init__(self, where: str, field: str, problem: str, *, reason: str) -> None:
        super().__init__(f"{where}: {field}: {problem}")
        self.reason = f"{field.split('[', 1)[0]}: {reason}"


MOST_DECIMALS = 6
_AMOUNT = re.compile(rf"\d{{1,10}}(?:\.\d{{1,{MOST_DECIMALS}}})?\Z", re.ASCII)
_MOST_DIGITS = 50
_LARGEST_NUMBER = 10**18


@dataclass(frozen=True, slots=True)
class Fields:
    """What a PHH hand says; a stack or result is None where the file has `inf` for not known."""

    where: str
    limit: bool
    antes: tuple[Fraction, ...]
    blinds: tuple[Fraction, ...]
    """By seat as the file lists them; negative where a newcomer posts out of turn."""
    bets: tuple[Fraction, ...]
    """The least bet, or with a limit the small and the big bet."""
    stacks: tuple[Fraction | None, ...]
    actions: tuple[str, ...]
    number: int
    players: tuple[str, ...]
    winnings: tuple[Fraction | None, ...]
    finishing_stacks: tuple[Fraction | None, ...]

    def refuse(self, field: str, problem: str, *, reason: str) -> NoReturn:
        raise RefusedHand(self.where, field, problem, reason=reason)

    @property
    def unit(self) -> Fraction:
        """What a chip is worth in the file, so that all amounts are whole chips."""
        amounts = [*self.antes, *self.blinds, *self.bets]
        amounts += [stack for stack in self.stacks if stack is not None]
        for action in self.actions:
            words = action.split("#", 1)[0].split()
            if len(words) == 3 and words[1] == "cbr" and (amount := parse_amount(words[2])):
                amounts.append(amount)
        parts = reduce(lcm, (amount.denominator for amount in amounts), 1)
        if parts == 1:
            return Fraction(1)
        places = next(places for places in range(2, MOST_DECIMALS + 1) if 10**places % parts == 0)
        return Fraction(1, 10**places)


def parse_amount(text: str) -> Fraction | None:
    """The amount of a bet in an action; None if it is not one."""
    return Fraction(text) if _AMOUNT.match(text) else None


def read_fields(text: str, where: str) -> Fields:
    """Parse the text of one hand and check the type and range of every field that is used."""
    return _Reader(_parse(text, where), where).fields()


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        problem = str(error).split("\n", 1)[0][:120] or type(error).__name__
        raise RefusedHand(where, "not a PHH hand", problem, reason="not TOML") from None


class _Reader:
    """Takes fields out of a TOML table."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        self.table = table
        self.where = where

    def refuse(self, field: str, problem: str, *, reason: str = "wrong type") -> NoReturn:
        raise RefusedHand(self.where, field, problem, reason=reason)

    def fields(self) -> Fields:
        variant = self.required("variant")
        if variant not in ("NT", "FT"):
            shown = str(variant)[:40]
            problem = f"{shown!r}: only NT and FT, Texas Hold'em without and with limit, are read"
            self.refuse("variant", problem, reason="another game than Texas Hold'em")
        stacks = self.amounts("starting_stacks")
        players = len(stacks)
        if not 2 <= players <= 10:
            self.refuse(
                "starting_stacks", f"{players} players, expected 2 to 10", reason="player count"
            )
        bets = ("small_bet", "big_bet") if variant == "FT" else ("min_bet",)
        return Fields(
            where=self.where,
            limit=variant == "FT",
            antes=_finite(self.amounts("antes", players)),
            blinds=_finite(self.amounts("blinds_or_straddles", players, low=-UNLIMITED_STACK)),
            bets=tuple(self.positive(name) for name in bets),
            stacks=stacks,
            actions=self.texts("actions"),
            number=self.number(),
            players=self.names(players),
            winnings=self.results("winnings", players),
            finishing_stacks=self.results("finishing_stacks", players),
        )

    def required(self, field: str) -> Any:
        if field not in self.table:
            self.refuse(field, "is missing", reason="missing")
        return self.table[field]

    def amount(
        self,
        field: str,
        value: Any,
        *,
        low: int = 0,
        high: int = UNLIMITED_STACK,
        decimals: int = MOST_DECIMALS,
    ) -> Fraction | None:
        """An exact amount, or None for `inf`."""
        shown = str(value)[:40] if isinstance(value, str | Decimal) else type(value).__name__
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.refuse(field, f"{shown!r} is not a number of chips")
        if isinstance(value, Decimal):
            if value == Decimal("inf"):
                return None
            digits, exponent = value.as_tuple()[1:]
            if not isinstance(exponent, int) or max(abs(exponent), len(digits)) > _MOST_DIGITS:
                self.refuse(field, f"{shown} is not an amount", reason="not an amount")
        if not low <= value <= high:
            problem = f"an amount is not from {low} to {high}"
            self.refuse(field, problem, reason="not an amount")
        exact = Fraction(value)
        if 10**decimals % exact.denominator:
            problem = f"{shown} has more than {decimals} decimals"
            self.refuse(field, problem, reason="too many decimals")
        return exact

    def amounts(
        self, field: str, players: int | None = None, *, low: int = 0
    ) -> tuple[Fraction | None, ...]:
        """A list of amounts; seats that a shorter list does not reach have 0."""
        values = self.required(field)
        if not isinstance(values, list):
            self.refuse(field, "expected a list of chips")
        if players is not None and len(values) > players:
            self.refuse(field, f"{len(values)} values for {players} players", reason="length")
        amounts = tuple(self.amount(field, value, low=low) for value in values)
        if players is None:
            return amounts
        if None in amounts:
            self.refuse(field, "inf is not an amount", reason="not an amount")
        return amounts + (Fraction(0),) * (players - len(amounts))

    def positive(self, field: str) -> Fraction:
        amount = self.amount(field, self.required(field))
        if not amount:
            self.refuse(field, "expected more than 0 chips", reason="not an amount")
        return amount

    def texts(self, field: str) -> tuple[str, ...]:
        values = self.required(field)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.refuse(field, "expected a list of texts")
        return tuple(values)

    def names(self, players: int) -> tuple[str, ...]:
        if "players" not in self.table:
            return ()
        names = self.texts("players")
        if names and len(names) != players:
            self.refuse("players", f"{len(names)} names for {players} seats", reason="length")
        return names

    def number(self) -> int:
        """The number of the hand; 0 where it has a name instead."""
        number = self.table.get("hand")
        known = isinstance(number, int) and 0 <= number < _LARGEST_NUMBER
        return int(number) if known and number is not None else 0

    def results(self, field: str, players: int) -> tuple[Fraction | None, ...]:
        """The amounts of an optional field by seat; none if it is not there."""
        if field not in self.table:
            return ()
        values = self.table[field]
        if not isinstance(values, list) or len(values) != players:
            self.refuse(field, f"expected a list of {players} amounts", reason="length")
        # Shares of a pot may have any number of decimals.
        wide = {"high": players * UNLIMITED_STACK, "decimals": _MOST_DIGITS}
        return tuple(self.amount(field, value, **wide) for value in values)


def _finite(amounts: Iterable[Fraction | None]) -> tuple[Fraction, ...]:
    return tuple(amount for amount in amounts if amount is not None)


HOLDEM_BOARD = (0, 3, 1, 1)


@dataclass(frozen=True, slots=True)
class Stakes:
    """A game, what a chip is worth in the file, and the ante in chips that bets do not include."""

    game: Game
    unit: Fraction
    ante: int


def stakes_of(fields: Fields) -> Stakes:
    """The game that the fields of a hand describe."""
    unit = fields.unit

    def chips(amount: Fraction) -> int:
        count = int(amount / unit)
        if abs(count) > UNLIMITED_STACK:
            problem = f"{amount} is more than {UNLIMITED_STACK} chips of {float(unit)}"
            fields.refuse("starting_stacks", problem, reason="too many chips")
        return count

    stacks = tuple(UNLIMITED_STACK if stack is None else chips(stack) for stack in fields.stacks)
    ante = chips(_common_ante(fields))
    _check_posts(fields)
    signed = tuple(map(chips, _by_seat(fields.blinds)))
    posted = tuple(
        min(ante + abs(blind), stack) for blind, stack in zip(signed, stacks, strict=True)
    )
    for seat, stack in enumerate(stacks):
        if stack < ante:
            problem = f"p{seat + 1} cannot pay the whole ante"
            fields.refuse("antes", problem, reason="a seat cannot pay the whole ante")
    bets = tuple(map(chips, fields.bets))
    try:
        game = Game(
            name="PHH",
            betting="limit" if fields.limit else "nolimit",
            players=len(stacks),
            rounds=4,
            blinds=posted,
            suits=4,
            ranks=13,
            hole_cards=2,
            board_cards=HOLDEM_BOARD,
            stacks=stacks,
            raise_sizes=(bets[0], bets[0], bets[1], bets[1]) if fields.limit else (),
            first_players=(opener(posted, ante, signed, stacks), 0, 0, 0),
            max_raises=(4, 4, 4, 4) if fields.limit else (),
            min_bet=0 if fields.limit else bets[0],
        )
    except DoyleError as error:
        fields.refuse("stakes", str(error).removeprefix("game PHH: "), reason="not a game")
    return Stakes(game, unit, ante)


def opener(
    posted: tuple[int, ...], ante: int, signed: tuple[int, ...], stacks: tuple[int, ...]
) -> int:
    """The first seat with chips after the largest blind, the last of them if they are equal.

    `posted` is what the seats could pay; blinds that are negative in `signed` do not count.
    """
    count = len(posted)

    def blind(seat: int) -> tuple[int, int]:
        return (posted[seat] - ante) * (-1 if signed[seat] < 0 else 1), seat

    after = max(range(count), key=blind) + 1
    around = [seat % count for seat in range(after, after + count)]
    return next((seat for seat in around if posted[seat] < stacks[seat]), around[0])


def _by_seat(amounts: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """With two players PHH lists what they post in reverse."""
    return amounts[::-1] if len(amounts) == 2 else amounts


def _common_ante(fields: Fields) -> Fraction:
    antes = _by_seat(fields.antes)
    ante = antes[0]
    for seat, other in enumerate(antes):
        if other != ante:
            problem = (
                f"p1 posts {float(ante):g} and p{seat + 1} {float(other):g}: "
                "only antes that all seats post alike are part of a game"
            )
            fields.refuse("antes", problem, reason="not the same for all seats")
    return ante


def _check_posts(fields: Fields) -> None:
    """A blind out of turn may not exceed the others: the rest of it would be dead money."""
    largest = max(fields.blinds)
    for seat, blind in enumerate(_by_seat(fields.blinds)):
        if -blind > largest:
            problem = f"p{seat + 1} posts {float(-blind):g}, more than the big blind"
            fields.refuse("blinds_or_straddles", problem, reason="a dead blind")
