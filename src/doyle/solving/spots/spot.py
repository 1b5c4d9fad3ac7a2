"""`Spot`: a situation of Hold'em to solve. Two ranges, a board, a pot, stacks and a betting model.

Both seats have put half the pot in. The first range belongs to the seat that acts first, seat 0.
Raises are totals as everywhere: with a pot of 200 a bet of 200 is a raise to 300. The least bet is
one chip unless a big blind is given. A spot may also be a moment of a hand of any no-limit Hold'em
game, with the bets already made in the round; the ranges are then those of its seats 0 and 1.

Betting of a spot: one model for all streets, or models by street, each for both seats or by seat.

Text: `MODEL`, or `[MODEL,]STREET=MODEL,...`, where STREET is flop, turn or river and a model in front
serves the streets that are not named. A MODEL is the text format of `BettingModel.parse`, so
`fcpa,river=fc50,100,pa|fca` has pot bets up to the turn, and on the river three sizes for seat 0 and
all-in only for seat 1. The models of streets are merged into one, whose sizes name their rounds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, document_text
from doyle.abstractions.betting.model import BetSize
from doyle.base.errors import DoyleError, ParseError
from doyle.cards import HOLE_COUNT, format_cards, format_range, parse_cards, parse_range
from doyle.cards.suits.relabelling import ALL_SUITS, SAME_SUITS, Suits
from doyle.games import CALL, Deal, Game, Policy, State
from doyle.games.histories import format_betting, parse_betting
from doyle.solving.games import Hands, Outline, outline, range_hands

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
    """Models of streets may differ only in their sizes and in all-in."""
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


Floats = npt.NDArray[np.float64]
RangeLike = str | Floats | Policy
"""A range as text, as weights over the 1,326 hole pairs, or as a policy."""

MOST_CHIPS = 2**30
_ROUND_OF_BOARD = {3: 1, 4: 2, 5: 3}
_TWO_CARDS = re.compile(r"[2-9TJQKA][cdhs][2-9TJQKA][cdhs]")


@dataclass(frozen=True, eq=False)
class Spot:
    """A situation, checked; `ranges` are weights over the 1,326 hole pairs.

    >>> spot = Spot.parse(board="Ks7h4d2cJs", ranges=("QQ+", "AKs"), pot=200, stacks=800)
    >>> spot.state.round, spot.state.spent, spot.state.max_raise_to
    (3, (100, 100), 900)
    """

    board: tuple[int, ...]
    ranges: tuple[Floats, Floats]
    pot: int
    stacks: tuple[int, int]
    betting: str = "fchpa"
    big_blind: int = 1
    isomorphism: bool = True
    moment: State | None = None
    """A moment of a hand, whose pot, stacks and board the others are; None for half the pot each."""
    model: BettingModel = field(init=False)

    def __post_init__(self) -> None:
        if len(self.board) not in _ROUND_OF_BOARD:
            raise DoyleError(
                f"board {format_cards(self.board)}: {len(self.board)} cards; a spot starts on the "
                "flop, turn or river, with 3, 4 or 5"
            )
        if self.moment is None:
            self._check_chips()
        if self.betting.endswith(".bml"):  # a saved spot must not need the file
            bml = document_text(BettingModel.named(self.betting))
            object.__setattr__(self, "betting", bml)
        first_round = _ROUND_OF_BOARD[len(self.board)]
        object.__setattr__(self, "model", parse_street_models(self.betting, first_round))
        for seat in (0, 1):
            if not len(self.hands[seat]):
                raise DoyleError(
                    f"range {seat + 1}: every hand in it shares a card with the board "
                    f"{format_cards(self.board)}"
                )
        self.model.check(self.state.game)

    def _check_chips(self) -> None:
        _check_chips("big blind", self.big_blind)
        _check_chips("pot", self.pot)
        if self.pot % 2:
            raise DoyleError(
                f"pot {self.pot}: both seats have put in the same, so it must be even; double all "
                "chips"
            )
        if self.big_blind > self.pot // 2:
            raise DoyleError(
                f"pot {self.pot}: smaller than two big blinds of {self.big_blind} each"
            )
        for seat, stack in enumerate(self.stacks):
            _check_chips(f"stack of seat {seat}", stack)

    @classmethod
    def of_state(
        cls,
        state: State,
        ranges: tuple[RangeLike, RangeLike],
        *,
        betting: str = "fchpa",
        isomorphism: bool = True,
    ) -> Spot:
        """The spot at a moment of a hand, from the ranges of seats 0 and 1 or from their policies.

        The state needs its board. A policy's range is its `reach`: the probability of its own
        actions so far with each hand.
        """
        game = state.game
        if not is_spot_game(game):
            raise DoyleError(f"game {game.name}: spots are of no-limit Hold'em for two")
        if state.is_over:
            raise DoyleError(f"betting {format_betting(state)!r}: the hand is over")
        if state.round == 0:
            raise DoyleError(
                f"betting {format_betting(state)!r}: before the flop; a spot starts on the flop, turn "
                "or river"
            )
        board = state.board
        if len(board) != game.board_ends[state.round]:
            raise DoyleError(
                f"betting {format_betting(state)!r}: {len(board)} board cards, expected "
                f"{game.board_ends[state.round]}"
            )
        first, second = (read_range(one, board, state, seat) for seat, one in enumerate(ranges))
        return cls(
            board=board,
            ranges=(first, second),
            pot=state.pot,
            stacks=(game.stacks[0] - state.spent[0], game.stacks[1] - state.spent[1]),
            betting=betting,
            big_blind=game.big_blind,
            isomorphism=isomorphism,
            moment=state.public(),
        )

    @classmethod
    def parse(
        cls,
        *,
        board: str,
        ranges: tuple[RangeLike, RangeLike],
        pot: int,
        stacks: int | tuple[int, int],
        betting: str = "fchpa",
        big_blind: int = 1,
        isomorphism: bool = True,
    ) -> Spot:
        """A spot from text; errors name the character that is wrong."""
        cards = parse_cards(board, what="board")
        weights = [read_range(one, cards) for one in ranges]
        pair = (stacks, stacks) if isinstance(stacks, int) else stacks
        return cls(cards, (weights[0], weights[1]), pot, pair, betting, big_blind, isomorphism)

    @cached_property
    def hands(self) -> tuple[Hands, Hands]:
        """The hands of both ranges that miss the board."""
        return range_hands(self.ranges[0], self.board), range_hands(self.ranges[1], self.board)

    @cached_property
    def state(self) -> State:
        """The moment at which the spot begins."""
        if self.moment is not None:
            return self.moment
        half = self.pot // 2
        game = Game(
            name="spot",
            betting="nolimit",
            players=2,
            rounds=4,
            blinds=(self.big_blind, self.big_blind),
            suits=4,
            ranks=13,
            hole_cards=2,
            board_cards=(0, 3, 1, 1),
            stacks=(half + self.stacks[0], half + self.stacks[1]),
        )
        state = State.start(game)
        least = state.min_raise_to
        if self.big_blind < half < least:
            raise DoyleError(
                f"pot {self.pot}: no betting leads to it with a big blind of {self.big_blind}"
            )
        state = state.apply(CALL if half == self.big_blind else half).apply(CALL)
        while state.round < _ROUND_OF_BOARD[len(self.board)]:
            state = state.apply(CALL).apply(CALL)
        return state

    def outline(self, suits: tuple[Suits, ...] = ALL_SUITS) -> Outline:
        """Tree, boards and hands; `suits` are the relabellings that locks allow."""
        allowed = suits if self.isomorphism else (SAME_SUITS,)
        return outline(self.model, self.state, board=self.board, hands=self.hands, suits=allowed)

    def document(self) -> dict[str, Any]:
        """The spot as plain values that `of_document` reads."""
        document: dict[str, Any] = {
            "board": format_cards(self.board),
            "ranges": [format_range(weights) for weights in self.ranges],
            "pot": self.pot,
            "stacks": list(self.stacks),
            "betting": self.betting,
            "big_blind": self.big_blind,
            "isomorphism": self.isomorphism,
        }
        if self.moment is not None:
            document["game"] = self.moment.game.to_text()
            document["history"] = format_betting(self.moment)
        return document

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Spot:
        """A spot from `document`; KeyError, TypeError or DoyleError if it is invalid."""
        first, second = (parse_range(str(text)) for text in document["ranges"])
        if "game" in document:
            game = Game.parse(str(document["game"]), "the game of the spot")
            deal = Deal(((), ()), parse_cards(str(document["board"]), what="board"))
            state = parse_betting(game, str(document["history"]), deal=deal)
            return cls.of_state(
                state,
                (first, second),
                betting=str(document["betting"]),
                isomorphism=bool(document["isomorphism"]),
            )
        stacks = [int(stack) for stack in document["stacks"]]
        return cls(
            board=parse_cards(str(document["board"]), what="board"),
            ranges=(first, second),
            pot=int(document["pot"]),
            stacks=(stacks[0], stacks[1]),
            betting=str(document["betting"]),
            big_blind=int(document["big_blind"]),
            isomorphism=bool(document["isomorphism"]),
        )


def _check_chips(what: str, chips: int) -> None:
    if not 1 <= chips <= MOST_CHIPS:
        raise DoyleError(f"{what}: {chips} chips; expected a number from 1 to {MOST_CHIPS}")


def is_spot_game(game: Game) -> bool:
    """Whether moments of a game can be spots: no-limit Hold'em for two."""
    return game.is_holdem and game.players == 2 and not game.is_limit


def read_range(
    given: RangeLike, board: tuple[int, ...], state: State | None = None, seat: int = 0
) -> Floats:
    """Weights over the 1,326 hole pairs from text, from weights, or from a policy's play so far."""
    if isinstance(given, str):
        return _parsed_range(given, board)
    if isinstance(given, Policy):
        if state is None:
            raise DoyleError(f"range {seat + 1}: a policy has a range only at a moment of a hand")
        weights = np.asarray(given.reach(state, seat), np.float64)
        if not weights.max() > 0:
            name = getattr(given, "name", "the policy")
            raise DoyleError(
                f"range {seat + 1}: {name} never reaches {format_betting(state)!r} in seat {seat}"
            )
        return np.asarray(weights / weights.max(), np.float64)
    weights = np.asarray(given, np.float64)
    if weights.shape != (HOLE_COUNT,) or not ((weights >= 0) & (weights <= 1)).all():
        raise DoyleError(f"range {seat + 1}: expected {HOLE_COUNT} weights from 0 to 1")
    return weights


def _parsed_range(text: str, board: tuple[int, ...]) -> Floats:
    weights = parse_range(text)
    for item in re.finditer(r"[^,\s]+", text):
        name = item.group().partition(":")[0]
        if _TWO_CARDS.fullmatch(name) and set(parse_cards(name)) & set(board):
            raise ParseError(
                f"{name} shares a card with the board {format_cards(board)}",
                text=text,
                position=item.start(),
                what="range",
            )
    return weights
