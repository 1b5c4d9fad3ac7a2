"""Switching between equilibria in Kuhn poker (Schnizlein 2009, section 5.3), exactly.

The first player's equilibria have a parameter g: it bets the Jack with g/3, the King with g, and
calls with the Queen with (1 + g)/3. Playing g = 0 at the start and g = 1 after check and bet is no
equilibrium: the best response wins twice the value of the game.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result

_JACK, _QUEEN, _KING = range(3)
_THIRD = Fraction(1, 3)


def first_player(opening: Fraction, answering: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    """Probabilities by card (bet at the start, call after check and bet) for two parameters g."""
    bets = (opening / 3, Fraction(0), opening)
    calls = (Fraction(0), (1 + answering) / 3, Fraction(1))
    return bets, calls


def worst_case(bets: tuple[Fraction, ...], calls: tuple[Fraction, ...]) -> Fraction:
    """The first player's value, antes per hand, against the best of all 64 pure answers."""
    answers = product((0, 1), repeat=6)
    return min(
        sum(
            (
                _value(bets, calls, mine, theirs, bet=plan[theirs], call=plan[3 + theirs])
                for mine, theirs in permutations(range(3), 2)
            ),
            Fraction(0),
        )
        / 6
        for plan in answers
    )


def _value(
    bets: tuple[Fraction, ...],
    calls: tuple[Fraction, ...],
    mine: int,
    theirs: int,
    *,
    bet: int,
    call: int,
) -> Fraction:
    """One deal: the second player bets after a check, or calls a bet, with certainty or never."""
    sign = 1 if mine > theirs else -1
    after_bet = Fraction(2 * sign if call else 1)
    called = calls[mine]
    after_check = called * 2 * sign - (1 - called) if bet else Fraction(sign)
    return bets[mine] * after_bet + (1 - bets[mine]) * after_check


def kuhn_switching(options: Options) -> Result:
    """The value of every equilibrium, and of the switching player."""
    equilibrium = {
        gamma: worst_case(*first_player(gamma, gamma))
        for gamma in (Fraction(0), _THIRD, Fraction(1))
    }
    switching = worst_case(*first_player(Fraction(0), Fraction(1)))
    eighteenths = {"equilibrium": max(equilibrium.values()), "switching": switching}
    cells = [
        Cell(
            label,
            "eighteenths of an ante",
            published,
            float(18 * eighteenths[label]),
            more={"exact_fraction": str(eighteenths[label])},
        )
        for label, published in (("equilibrium", "-1"), ("switching", "-2"))
    ]
    return Result(
        cells,
        notes=(
            "Values of the equilibria with g = 0, 1/3 and 1: "
            + ", ".join(str(value) for value in equilibrium.values())
            + ".",
        ),
    )
