"""One-street games: the first player bets x or checks, the second calls or folds, then showdown.

The clairvoyance game and no-limit Kuhn poker of IJCAI 2013, sections 3.1 and 3.2: antes of half a
pot, bets in steps of a tenth of the pot up to the stack. Because each hand of the first player bets
for itself, the best response to a fixed defence is a maximum over bets, one per hand; no tree is
walked and the only approximation is the arithmetic, which is that of the given bets: doubles,
or Fractions for exact values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.strategy.translation import Mapping, read_many

Number = Any
"""A float or a Fraction."""


@dataclass(frozen=True)
class OneStreetGame:
    """The deals: `outcomes[i][j]` is +1 where hand i of the first player beats j, -1 where it loses.

    0 marks a deal that cannot occur; all others are equally likely.
    """

    name: str
    first_hands: tuple[str, ...]
    second_hands: tuple[str, ...]
    outcomes: tuple[tuple[int, ...], ...]

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return sum(abs(outcome) for row in self.outcomes for outcome in row)


CLAIRVOYANCE = OneStreetGame("clairvoyance", ("winning", "losing"), ("unknown",), ((1,), (-1,)))
KUHN = OneStreetGame(
    "no-limit Kuhn",
    ("J", "Q", "K"),
    ("J", "Q", "K"),
    ((0, -1, -1), (1, 0, -1), (1, 1, 0)),
)


@dataclass(frozen=True)
class Defence:
    """Call frequency of each hand of the second player for each known bet; the first is the
    check."""

    sizes: tuple[Number, ...]
    calls: tuple[tuple[Number, ...], ...]


def clairvoyance_defence(stack: Number, bet: Number, *, extreme: bool = False) -> Defence:
    """Call a bet b with 1/(1+b), or, at the other extreme, as often as an equilibrium can.

    Appendix A: any probability from 1/(1+b) to min(n/(b(1+n)), 1) leaves the all-in bet the best.
    """

    def call(size: Number) -> Number:
        if size == 0:
            return 1
        if extreme:
            return min(stack / (size * (1 + stack)), stack / stack)
        return 1 / (1 + size)

    sizes = tuple(sorted({0 * stack, bet, stack}))
    return Defence(sizes, (tuple(call(size) for size in sizes),))


KingCalls = Callable[[Number], Number]
"""How often the King calls an all-in of that many pots: anything from 2/(1+n) to 1 is optimal."""


def king_as_published(stack: Number) -> Number:
    """Always below five pots, 2/(1+n) from there on, as in the printed tables."""
    return 1 if stack < 5 else 2 / (1 + stack)


def king_always(stack: Number) -> Number:
    """Always."""
    return 1


def king_least(stack: Number) -> Number:
    """As seldom as an equilibrium allows."""
    return min(2 / (1 + stack), stack / stack)


def kuhn_defence(
    stack: Number,
    bet: Number | tuple[Number, ...],
    *,
    king_calls: KingCalls = king_as_published,
    jack_folds_to_check: bool = False,
) -> Defence:
    """An equilibrium of the abstract game with check, one bet or several, and all-in.

    The Jack folds, the Queen calls a bet b with max(0, (1-b)/(1+b)) and never an all-in, the King
    calls the bet always and the all-in as `king_calls` says. A bet read as a check is called by
    every hand, unless the Jack may give up even then (footnote 6).
    """
    known = bet if isinstance(bet, tuple) else (bet,)
    sizes = tuple(sorted({0 * stack, *known, stack}))
    queen = [1] + [max(0, (1 - b) / (1 + b)) if b in known else 0 for b in sizes[1:]]
    king = [1] + [1 if b in known else king_calls(stack) for b in sizes[1:]]
    jack = [0 if jack_folds_to_check else 1] + [0 for _ in sizes[1:]]
    return Defence(sizes, (tuple(jack), tuple(queen), tuple(king)))


def bets_in_doubles(stack: int) -> NDArray[np.float64]:
    """x = i * 0.1 from 0 to the stack, in IEEE doubles, as the tables were computed."""
    return np.asarray(np.arange(10 * stack + 1) * 0.1, dtype=np.float64)


def bets_exactly(stack: int) -> NDArray[Any]:
    """The same as exact tenths."""
    return np.array([Fraction(i, 10) for i in range(10 * stack + 1)], dtype=object)


def best_response(
    game: OneStreetGame,
    defence: Defence,
    *,
    mapping: Mapping,
    bets: NDArray[Any],
    pot: Number = 1,
) -> Number:
    """The first player's best result per hand against a defence that reads bets by `mapping`.

    `bets` and the sizes of the defence are in the unit of `pot`; so is the result.
    """
    weights = read_many(mapping, defence.sizes, bets, pot=pot)
    return _best_of(game, defence, weights, bets, pot)


def _best_of(
    game: OneStreetGame, defence: Defence, weights: NDArray[Any], bets: NDArray[Any], pot: Number
) -> Number:
    """As `best_response`, the reading of the bets being known as weights [bets, sizes]."""
    half = pot / 2 if isinstance(pot, float) else Fraction(pot) / 2
    if bets.dtype != object:
        half = float(half)
    calls = [weights @ np.array(row, dtype=bets.dtype) for row in defence.calls]
    total = 0 * half
    for row in game.outcomes:
        results = 0 * bets
        for outcome, called in zip(row, calls, strict=True):
            if outcome:
                results = results + (1 - called) * half + called * (outcome * (half + bets))
        total = total + results.max()
    return total / game.deals


def clairvoyance_value(stack: Number) -> Number:
    """The first player's winnings per hand in equilibrium: n / (2(1+n)), from appendix A."""
    return stack / (2 * (1 + stack))


def kuhn_gain(bet: Number) -> Number:
    """Winnings per hand of betting `bet` if the Queen's calls make the Jack's bluffs pointless.

    The King is called by the Queen with (1-b)/(1+b) and wins b more; that deal is one in six.
    """
    return bet * max(0 * bet, 1 - bet) / (6 * (1 + bet))


@cache
def kuhn_value(stack: int, *, exact: bool = False) -> Number:
    """The value of no-limit Kuhn with bets in tenths up to the stack: the best of `kuhn_gain`."""
    bets = bets_exactly(stack) if exact else bets_in_doubles(stack)
    return max(kuhn_gain(bet) for bet in bets)


def clairvoyance_exploitability(
    mapping: Mapping, stack: int, *, exact: bool = False, bet: Number = 1, extreme: bool = False
) -> Number:
    """Exploitability of the second player's translated equilibrium in the clairvoyance game."""
    bets = bets_exactly(stack) if exact else bets_in_doubles(stack)
    number = Fraction if exact else float
    defence = clairvoyance_defence(number(stack), number(bet), extreme=extreme)
    best = best_response(CLAIRVOYANCE, defence, mapping=mapping, bets=bets)
    return best - clairvoyance_value(number(stack))


def kuhn_exploitability(
    mapping: Mapping,
    stack: int,
    *,
    bet_tenths: int,
    exact: bool = False,
    king_calls: KingCalls = king_as_published,
    jack_folds_to_check: bool = False,
) -> Number:
    """Exploitability of the second player's translated equilibrium in no-limit Kuhn."""
    bets = bets_exactly(stack) if exact else bets_in_doubles(stack)
    bet = Fraction(bet_tenths, 10) if exact else bet_tenths * 0.1
    number = Fraction if exact else float
    defence = kuhn_defence(
        number(stack), bet, king_calls=king_calls, jack_folds_to_check=jack_folds_to_check
    )
    best = best_response(KUHN, defence, mapping=mapping, bets=bets)
    return best - kuhn_value(stack, exact=exact)


@dataclass(frozen=True)
class BestSize:
    """The bet, in tenths of the pot, whose translated equilibrium is least exploitable."""

    tenths: int
    exploitability: Number


def best_kuhn_sizes(
    mapping: Mapping, stack: int, kings: tuple[KingCalls, ...]
) -> tuple[BestSize, ...]:
    """Table 5 in doubles for several Kings: of equal minima the smallest size.

    How bets are read does not depend on the King, so it is worked out once per size.
    """
    bets, value = bets_in_doubles(stack), kuhn_value(stack)
    sizes = range(1, 10 * stack)
    values = np.empty((len(kings), len(sizes)))
    for place, tenths in enumerate(sizes):
        defences = [
            kuhn_defence(float(stack), tenths * 0.1, king_calls=king_calls) for king_calls in kings
        ]
        weights = read_many(mapping, defences[0].sizes, bets)
        for row, defence in enumerate(defences):
            values[row, place] = _best_of(KUHN, defence, weights, bets, 1) - value
    best = np.argmin(values, axis=1)
    return tuple(
        BestSize(sizes[int(place)], float(values[row, place])) for row, place in enumerate(best)
    )


def best_kuhn_size_exactly(
    mapping: Mapping, stack: int, *, king_calls: KingCalls = king_as_published
) -> BestSize:
    """Table 5 in exact arithmetic.

    With bets as whole numbers of tenths every comparison of a deterministic mapping is exact in
    doubles, so the doubles are right to within rounding; sizes whose results differ by less than
    1e-12 pots count as tied. The exploitability of the size found is computed in Fractions.
    """
    bets = np.arange(10 * stack + 1) * 1.0
    values = []
    for tenths in range(1, 10 * stack):
        fractions = kuhn_defence(Fraction(stack), Fraction(tenths, 10), king_calls=king_calls)
        defence = Defence(
            tuple(float(10 * size) for size in fractions.sizes),
            tuple(tuple(float(call) for call in row) for row in fractions.calls),
        )
        values.append(best_response(KUHN, defence, mapping=mapping, bets=bets, pot=10.0))
    tied = np.flatnonzero(np.array(values) <= min(values) + 10 * _TIE)
    tenths = int(tied[0]) + 1
    return BestSize(
        tenths,
        kuhn_exploitability(mapping, stack, bet_tenths=tenths, exact=True, king_calls=king_calls),
    )


_TIE = 1e-12
