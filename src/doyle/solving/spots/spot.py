"""`Spot`: a situation of Hold'em to solve. Two ranges, a board, a pot, stacks and a betting model.

Both seats have put half the pot in. The first range belongs to the seat that acts first, seat 0.
Raises are totals as everywhere: with a pot of 200 a bet of 200 is a raise to 300. The least bet is
one chip unless a big blind is given. A spot may also be a moment of a hand of any no-limit Hold'em
game, with the bets already made in the round; the ranges are then those of its seats 0 and 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, document_text
from doyle.base.errors import DoyleError, ParseError
from doyle.cards import HOLE_COUNT, format_cards, format_range, parse_cards, parse_range
from doyle.cards.suits.relabelling import ALL_SUITS, SAME_SUITS, Suits
from doyle.games import CALL, Deal, Game, Policy, State
from doyle.games.histories import format_betting, parse_betting
from doyle.solving.games import Hands, Outline, outline, range_hands
from doyle.solving.spots.betting import parse_street_models

Floats = npt.NDArray[np.float64]
RangeLike = str | Floats | Policy
"""A range as text, as weights over the 1,326 hole pairs, or of who plays so."""

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
        """A spot from `document`; KeyError, TypeError or DoyleError if it is none."""
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
                f"range {seat + 1}: {name} plays {format_betting(state)!r} from seat {seat} with no hand"
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
