"""The thesis's cover set: abstract games that match every pot and stack ratio of 12-chip Leduc.

Walking the whole game depth first (call before raises, ascending), every decision asks for games: the
pot fraction b is that of the bet faced, or any bet the player could make; all bets but all-ins are
read as b. With k bets before, the abstract pot after antes of A is made by k truncated bets of b, and
the game's stack makes stack to pot as in the real game. A is the least from 100 on for which the
next bet and the stack are whole numbers: this is what gives the printed decimals.
Source: Schnizlein 2009, section 5.4 and table A.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from doyle.games import Game, State
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, printed
from doyle.translation.steps import CALL, FOLD

GAME = "leduc-nl12"
_LEAST_ANTE = 100


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

    # (state, bets made, the bet faced unless it is all-in or there is none)
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
    """The thesis's hand-picked 15 games of table A.2."""
    table = printed("thesis/tableA2")
    wanted = {values for _, values in table.rows}
    return tuple(game for game in games if _shown(game) in wanted)


def _shown(game: CoverGame) -> tuple[str, str]:
    return f"{float(game.ratio):.6f}", f"{float(game.fraction):.6f}"


def table_a1(options: Options) -> Result:
    """The full cover, in the printed order."""
    games = full_cover(Game.named(GAME))
    return _listing("thesis/tableA1", "Full cover set for 12-chip Leduc", games)


def table_a2(options: Options) -> Result:
    """The hand-picked games; each must be one of the full cover."""
    games = full_cover(Game.named(GAME))
    table = printed("thesis/tableA2")
    by_name = {_shown(game): game for game in games}
    chosen = tuple(by_name[values[0], values[1]] for _, values in table.rows)
    return _listing("thesis/tableA2", "Sub cover set for 12-chip Leduc", chosen)


def _listing(name: str, title: str, games: tuple[CoverGame, ...]) -> Result:
    table = printed(name)
    cells = []
    for number, game in enumerate(games, start=1):
        for column, value in zip(table.columns, (game.ratio, game.fraction), strict=True):
            more = {"exact": str(value), "ante": game.ante, "stack": game.stack}
            published = table.text(str(number), column)
            cells.append(Cell(str(number), column, published, float(value), more=more))
    return Result(
        name, title, "Schnizlein, State Translation in No-Limit Poker (2009)", tuple(cells)
    )
