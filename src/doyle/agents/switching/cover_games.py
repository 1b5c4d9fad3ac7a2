"""The thesis's cover set: abstract games that match every pot and stack ratio of 12-chip Leduc.

Walking the whole game depth first (call before raises, ascending), every decision asks for games: the
pot fraction b is that of the bet faced, or any bet the player could make; all bets but all-ins are
read as b. With k bets before, the abstract pot after antes of A is made by k truncated bets of b, and
the game's stack makes stack to pot as in the real game. A is the least from 100 on for which the
next bet and the stack are whole numbers: this reproduces the printed decimals.
Source: Schnizlein 2009, section 5.4 and table A.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from doyle.games import CALL, FOLD, Game, State

COVER_GAME = "leduc-nl12"
_LEAST_ANTE = 100

SUB_COVER = (
    ("12.000000", "0.500000"),
    ("12.000000", "1.000000"),
    ("12.000000", "1.500000"),
    ("12.000000", "2.500000"),
    ("12.000000", "4.000000"),
    ("5.520000", "0.333333"),
    ("1.920000", "0.050000"),
    ("2.340000", "0.125000"),
    ("10.059406", "0.250000"),
    ("15.089109", "0.250000"),
    ("24.000000", "0.500000"),
    ("18.000000", "1.000000"),
    ("7.080000", "0.166667"),
    ("6.000000", "0.500000"),
    ("2.679612", "0.285714"),
)
"""The thesis's hand-picked games of table A.2: stack over ante and the bet, as they are printed."""


@dataclass(frozen=True)
class CoverGame:
    """An abstract game with the bets fold, call, `fraction` of the pot and all-in."""

    ante: int
    stack: int
    fraction: Fraction

    @property
    def ratio(self) -> Fraction:
        """Stack over ante."""
        return Fraction(self.stack, self.ante)

    def pot_after(self, bets: int) -> int:
        """The pot after that many bets of `fraction`, each called and truncated to whole chips."""
        pot = 2 * self.ante
        for _ in range(bets):
            pot += 2 * (pot * self.fraction.numerator // self.fraction.denominator)
        return pot


def cover_game(*, bets: int, pot: int, fraction: Fraction, stack: int) -> CoverGame:
    """The game whose ratio of stack to pot after `bets` bets is that of the real stack and pot."""
    ante = _LEAST_ANTE
    while True:
        game = CoverGame(ante, 0, fraction)
        abstract = game.pot_after(bets)
        exact_bet = abstract * fraction.numerator % fraction.denominator == 0
        if exact_bet and stack * abstract % pot == 0:
            return CoverGame(ante, stack * abstract // pot, fraction)
        ante += 1


def full_cover(game: Game) -> tuple[CoverGame, ...]:
    """All games of the cover, in the order in which the walk finds them; one per ratio and bet."""
    found: dict[tuple[Fraction, Fraction], CoverGame] = {}
    asked: set[tuple[int, int, Fraction]] = set()
    stack = max(game.stacks)

    def ask(bets: int, pot: int, fraction: Fraction) -> None:
        if (bets, pot, fraction) not in asked:
            asked.add((bets, pot, fraction))
            made = cover_game(bets=bets, pot=pot, fraction=fraction, stack=stack)
            found.setdefault((made.ratio, fraction), made)

    # (state, bets made, the bet faced unless it is all-in or absent)
    waiting: list[tuple[State, int, tuple[int, int, Fraction] | None]]
    waiting = [(State.start(game), 0, None)]
    while waiting:
        state, bets, faced = waiting.pop()
        if faced is not None:
            ask(*faced)
        elif not state.to_call and state.max_raise_to:
            for raise_to in range(state.min_raise_to, state.max_raise_to):
                ask(bets, state.pot, Fraction(raise_to - state.largest, state.pot))
        later: list[tuple[State, int, tuple[int, int, Fraction] | None]] = []
        for action in state.legal_actions():
            after = state.apply(action)
            if action == FOLD or after.is_over:
                continue
            if action == CALL:
                later.append((after, bets, None))
                continue
            pot = state.pot + state.to_call
            seen = (bets, pot, Fraction(action - state.largest, pot))
            later.append((after, bets + 1, None if action == stack else seen))
        waiting.extend(reversed(later))
    return tuple(found.values())


def sub_cover(games: tuple[CoverGame, ...]) -> tuple[CoverGame, ...]:
    """The hand-picked games of the full cover."""
    return tuple(game for game in games if shown(game) in SUB_COVER)


def shown(game: CoverGame) -> tuple[str, str]:
    """Stack over ante and the bet of a game, with the printed digits."""
    return f"{float(game.ratio):.6f}", f"{float(game.fraction):.6f}"
