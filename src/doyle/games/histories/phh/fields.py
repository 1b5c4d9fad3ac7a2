"""The fields of one PHH hand as its TOML text gives them, checked, with exact amounts.

Amounts are `Fraction`s of the file's own unit (dollars, chips). `scale` turns them into whole chips:
a chip is the unit itself if all amounts are whole, else a cent, else the decimal fraction that is
needed. Only what a game is made of (stakes, stacks, bets) decides about the scale.
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

from doyle.games import UNLIMITED_STACK
from doyle.games.histories.phh.refusal import RefusedHand

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
