"""Public games that several tests use."""

from __future__ import annotations

from doyle.abstractions.betting import BettingModel
from doyle.cards.suits.relabelling import ALL_SUITS, SAME_SUITS
from doyle.games import Game, State
from doyle.solving.games import PublicGame, outline, poker_game
from doyle.solving.spots import Spot


def small(name: str, *, merged: bool = True) -> PublicGame:
    """A game with a small deck from its start, all legal bets."""
    suits = ALL_SUITS if merged else (SAME_SUITS,)
    state = State.start(Game.named(name))
    return poker_game(outline(BettingModel.parse("full"), state, suits=suits))


def holdem(
    board: str, first: str, second: str, betting: str = "fcpa", *, merged: bool = True,
    pot: int = 200, stacks: int = 900,
) -> PublicGame:  # fmt: skip
    """A Hold'em spot."""
    spot = Spot.parse(
        board=board, ranges=(first, second), pot=pot, stacks=stacks, betting=betting,
        isomorphism=merged,
    )  # fmt: skip
    return poker_game(spot.outline())
