"""Betting of a spot: one model for all streets, or models by street, each for both seats or by seat.

Text: `MODEL`, or `[MODEL,]STREET=MODEL,...`, where STREET is flop, turn or river and a model in front
serves the streets that are not named. A MODEL is what `BettingModel.parse` reads, so
`fcpa,river=fc50,100,pa|fca` has pot bets up to the turn, and on the river three sizes for seat 0 and
all-in only for seat 1. The models of streets become one, whose sizes say in which rounds they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from doyle.abstractions.betting import BettingModel
from doyle.abstractions.betting.model import BetSize
from doyle.base.errors import ParseError

STREETS = {"flop": 1, "turn": 2, "river": 3}
ALL_IN = Fraction(2**20)
"""Of the pot: above every stack, for all-in on some streets only."""
_WHAT = "betting model"
_NEXT_STREET = re.compile(r",(?=[A-Za-z]+=)")
_STREET = re.compile(r"([A-Za-z]+)=")


def parse_street_models(text: str, first_round: int = 1) -> BettingModel:
    """The model that `text` describes, from `first_round` on (1 is the flop).

    >>> model = parse_street_models("fcpa,river=fcha")
    >>> [(bet.symbol, bet.rounds) for bet in model.bets]
    [('h', (3,)), ('p', (1, 2))]
    """
    if text.lstrip().startswith("<"):  # a BML document
        return BettingModel.parse(text)
    by_round: dict[int, tuple[int, BettingModel]] = {}
    front: tuple[int, BettingModel] | None = None
    for start, piece in _pieces(text):
        found = _STREET.match(piece)
        if found is None:
            if start > 0:
                raise _refused("expected flop=, turn= or river=", text, start)
            front = start, _model(text, start, piece)
            continue
        if found[1] not in STREETS:
            raise _refused(f"no street {found[1]!r}; there are flop, turn, river", text, start)
        number, begin = STREETS[found[1]], start + found.end()
        if number in by_round:
            raise _refused(f"{found[1]} is there twice", text, start)
        if number < first_round:
            raise _refused(f"the spot starts after the {found[1]}", text, start)
        by_round[number] = begin, _model(text, begin, piece[found.end() :])
    if front is not None and not by_round:
        return front[1]
    for street, number in STREETS.items():
        if number >= first_round and number not in by_round:
            if front is None:
                raise _refused(
                    f"no model for the {street}; name it, or put one in front for all", text, 0
                )
            by_round[number] = front
    _check_alike(text, by_round)
    models = {number: by_round[number][1] for number in sorted(by_round)}
    first = _joined({number: one.of_seat(0) for number, one in models.items()})
    return replace(first, second=_joined({r: one.of_seat(1) for r, one in models.items()}))


def _pieces(text: str) -> list[tuple[int, str]]:
    """The parts of a text with their positions; sizes have commas between them too."""
    cuts = [found.end() for found in _NEXT_STREET.finditer(text)]
    ends = [cut - 1 for cut in cuts] + [len(text)]
    return [(start, text[start:end]) for start, end in zip([0, *cuts], ends, strict=True)]


def _model(text: str, start: int, piece: str) -> BettingModel:
    try:
        return BettingModel.parse(piece)
    except ParseError as error:
        raise _refused(error.problem, text, start + error.position) from None


def _check_alike(text: str, models: Mapping[int, tuple[int, BettingModel]]) -> None:
    """Models of streets may differ in their sizes and in all-in, and in nothing else."""
    (_, first), *_ = models.values()
    for start, model in models.values():
        if model.added:
            raise _refused("a bet at one place needs one model for all streets", text, start)
        for seat in (0, 1):
            mine, other = model.of_seat(seat), first.of_seat(seat)
            if mine.kind != "pot":
                raise _refused(f"{mine} cannot be of one street", text, start)
            if (mine.raise_cap, mine.cap_stops_all_in, mine.committed_share) != (
                other.raise_cap, other.cap_stops_all_in, other.committed_share,
            ):  # fmt: skip
                raise _refused("caps must be the same on all streets", text, start)


def _joined(models: Mapping[int, BettingModel]) -> BettingModel:
    """One seat's models by round as one."""
    rounds: dict[BetSize, list[int]] = {}
    every = all(model.all_in for model in models.values())
    for number, model in models.items():
        sizes = [bet for bet in model.bets if bet.rounds is None or number in bet.rounds]
        if model.all_in and not every:
            sizes.append(BetSize("a", ALL_IN))
        for bet in sizes:
            rounds.setdefault(replace(bet, rounds=None), []).append(number)
    bets = [replace(bet, rounds=tuple(found)) for bet, found in rounds.items()]
    bets.sort(key=lambda bet: (bet.fraction, bet.rounds or ()))
    (first, *_) = models.values()
    return replace(first, bets=tuple(bets), all_in=every, name="", second=None, added=())


def _refused(problem: str, text: str, position: int) -> ParseError:
    return ParseError(problem, text=text, position=position, what=_WHAT)
