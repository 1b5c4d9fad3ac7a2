"""The deals of a match: which cards every seat and the board get, from a seed.

A deal is drawn exactly as the ACPC dealer draws it, so that a competition's deals can be repeated
from its seed: the Mersenne Twister of Matsumoto and Nishimura (`init_genrand(seed)`, which is
`numpy.random.RandomState(seed)`); a deck ordered by suit, then rank; for each card the next 32 bits
modulo the number of cards left pick one, and the last card of the deck takes its place. Hole cards
come by seat, then the board. The whole deal is always drawn, whatever the betting will be, so deals
depend on the game and the seed alone, never on the players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.errors import DoyleError
from doyle.games import Deal, Game

Deals = npt.NDArray[np.uint8]
"""One row per deal: the hole cards of seat 0, of seat 1, ..., then the whole board."""

_BLOCK = 8192
_SEED_LIMIT = 2**32


class Dealer:
    """Draws the deals of one seed in order.

    >>> dealer = Dealer(Game.named("leduc"), seed=7)
    >>> dealer.draw(2).shape
    (2, 3)
    """

    def __init__(self, game: Game, *, seed: int) -> None:
        if not 0 <= seed < _SEED_LIMIT:
            raise DoyleError(f"seed {seed}: the dealer's seeds go from 0 to {_SEED_LIMIT - 1}")
        self.game = game
        self._deck = deck(game)
        self._cards = game.players * game.hole_cards + sum(game.board_cards)
        self._twister = np.random.RandomState(seed)

    def draw(self, count: int) -> Deals:
        """The next `count` deals."""
        deals = np.empty((count, self._cards), dtype=np.uint8)
        for start in range(0, count, _BLOCK):
            block = deals[start : start + _BLOCK]
            block[:] = self._draw_block(len(block))
        return deals

    def _draw_block(self, count: int) -> npt.NDArray[np.uint8]:
        draws = self._twister.randint(0, _SEED_LIMIT, size=(count, self._cards), dtype=np.uint32)
        size = len(self._deck)
        decks = np.repeat(self._deck[:, None], count, axis=1)
        cells = decks.reshape(-1)
        column = np.arange(count)
        drawn = np.empty((self._cards, count), dtype=np.uint8)
        for card in range(self._cards):
            left = size - card
            place = (draws[:, card] % np.uint32(left)).astype(np.int64) * count + column
            drawn[card] = cells[place]
            cells[place] = decks[left - 1]
        return drawn.T


def deck(game: Game) -> npt.NDArray[np.uint8]:
    """The cards of the game in the dealer's order: by suit, then rank; short decks from the top."""
    ranks = range(13 - game.ranks, 13)
    suits = range(4 - game.suits, 4)
    return np.array([4 * rank + suit for suit in suits for rank in ranks], dtype=np.uint8)


def as_deal(game: Game, row: npt.NDArray[Any] | list[int]) -> Deal:
    """One row of `Deals` as a `Deal`."""
    cards = [int(card) for card in row]
    size = game.hole_cards
    dealt = game.players * size
    hole = tuple(tuple(cards[start : start + size]) for start in range(0, dealt, size))
    return Deal(hole=hole, board=tuple(cards[dealt:]))
