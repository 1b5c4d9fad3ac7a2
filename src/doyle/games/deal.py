"""`Deal`: all cards of one hand, hole cards by seat and the whole board, known or not.

Hidden hole cards are an empty tuple, and a board may be known only in part, so that the same type
serves for a dealer's deal, for what one seat may see, and for what everybody sees.
"""

from __future__ import annotations

from typing import NamedTuple

from doyle.base.errors import DoyleError
from doyle.games.game import Game


class Deal(NamedTuple):
    """Hole cards by seat, and the board in the order in which it is shown.

    >>> Deal(hole=((51, 50), (47, 46)), board=(0, 5, 10, 15, 20)).hole[1]
    (47, 46)
    """

    hole: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]


def check_deal(game: Game, deal: Deal) -> None:
    """Raise DoyleError unless the cards are of the game's deck, distinct and of the right number."""
    if len(deal.hole) != game.players:
        raise DoyleError(f"deal: hole cards for {len(deal.hole)} seats in a game of {game.players}")
    for seat, cards in enumerate(deal.hole):
        if len(cards) not in (0, game.hole_cards):
            raise DoyleError(f"deal: seat {seat} holds {len(cards)} cards, not {game.hole_cards}")
    if len(deal.board) > game.board_ends[-1]:
        raise DoyleError(f"deal: {len(deal.board)} board cards, at most {game.board_ends[-1]}")
    known = [card for cards in (*deal.hole, deal.board) for card in cards]
    if len(set(known)) != len(known):
        raise DoyleError("deal: a card is dealt twice")
    foreign = set(known) - game.deck_set
    if foreign:
        raise DoyleError(f"deal: card {min(foreign)} is not in the deck of {game.name}")
