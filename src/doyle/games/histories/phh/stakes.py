"""The `Game` of a PHH hand: its stakes in whole chips, and what of them PHH counts apart.

A game posts antes and blinds together, so they can be expressed where every seat posts the same ante
in full: chips of single seats that are no bet (big-blind and button antes, dead blinds) cannot. Seats
that cannot pay a blind post what they have. The order of play follows from the blinds: after the
last of the largest, not counting those posted out of turn (negative), which take no turn of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from doyle.base.errors import DoyleError
from doyle.games import UNLIMITED_STACK, Game
from doyle.games.histories.phh.fields import Fields

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
