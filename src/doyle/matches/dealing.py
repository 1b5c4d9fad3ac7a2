"""The deals of a match: which cards every seat and the board get.

A card is picked from those left by the next number modulo how many they are, and the last card of the
deck takes its place. Hole cards come by seat, then the board. The whole deal is always drawn,
whatever the betting will be, so deals never depend on the players.

`KeyedDealer` takes its numbers from a secret key through SHAKE-256: whoever sees any number of cards
learns nothing about the others without the key. `Dealer` takes them from a seed exactly as the ACPC
dealer does, so that a competition's deals can be repeated: the Mersenne Twister of Matsumoto and
Nishimura (`init_genrand(seed)`, which is `numpy.random.RandomState(seed)`), 32 bits a card, a deck
ordered by suit, then rank. A player can find such a seed by trying all 2**32 against its own cards.
"""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.games import Deal, Game

Deals = npt.NDArray[np.uint8]
"""One row per deal: the hole cards of seat 0, of seat 1, ..., then the whole board."""

_BLOCK = 8192
_SEED_LIMIT = 2**32


class DrawsDeals(Protocol):
    """Whoever deals."""

    def draw(self, count: int) -> Deals:
        """The next `count` deals."""
        ...


class KeyedDealer:
    """Draws the deals of one secret key in order.

    A card is a 64-bit number modulo at most 52, so no card is likelier than another by more than
    one part in 10**17.

    >>> KeyedDealer(Game.named("leduc"), key=bytes(32)).draw(2).shape
    (2, 3)
    """

    def __init__(self, game: Game, *, key: bytes) -> None:
        self._deck = deck(game)
        self._cards = cards_dealt(game)
        self._key = key
        self._next = 0
        self._block = np.empty((0, self._cards), dtype=np.uint8)

    def draw(self, count: int) -> Deals:
        """The next `count` deals."""
        parts = [np.empty((0, self._cards), dtype=np.uint8)]
        while count:
            number, start = divmod(self._next, _BLOCK)
            if start == 0:
                self._block = self._draw_block(number)
            part = self._block[start : start + count]
            parts.append(part)
            self._next += len(part)
            count -= len(part)
        return np.concatenate(parts)

    def _draw_block(self, number: int) -> Deals:
        stream = hashlib.shake_256(self._key + number.to_bytes(8, "big"))
        words = np.frombuffer(stream.digest(8 * _BLOCK * self._cards), dtype="<u8")
        return picked(self._deck, words.reshape(_BLOCK, self._cards))


class Dealer:
    """Draws the deals of one seed in order, as the ACPC dealer does.

    >>> dealer = Dealer(Game.named("leduc"), seed=7)
    >>> dealer.draw(2).shape
    (2, 3)
    """

    def __init__(self, game: Game, *, seed: int) -> None:
        if not 0 <= seed < _SEED_LIMIT:
            raise DoyleError(f"seed {seed}: the dealer's seeds go from 0 to {_SEED_LIMIT - 1}")
        self.game = game
        self._deck = deck(game)
        self._cards = cards_dealt(game)
        self._twister = np.random.RandomState(seed)

    def draw(self, count: int) -> Deals:
        """The next `count` deals."""
        deals = np.empty((count, self._cards), dtype=np.uint8)
        for start in range(0, count, _BLOCK):
            block = deals[start : start + _BLOCK]
            block[:] = self._draw_block(len(block))
        return deals

    def _draw_block(self, count: int) -> Deals:
        draws = self._twister.randint(0, _SEED_LIMIT, size=(count, self._cards), dtype=np.uint32)
        return picked(self._deck, draws)


def picked(cards: npt.NDArray[np.uint8], draws: npt.NDArray[Any]) -> Deals:
    """The deals [count, cards] that unsigned numbers [count, cards] pick from a deck."""
    count, dealt = draws.shape
    decks = np.repeat(cards[:, None], count, axis=1)
    cells = decks.reshape(-1)
    column = np.arange(count)
    drawn = np.empty((dealt, count), dtype=np.uint8)
    for card in range(dealt):
        left = len(cards) - card
        place = (draws[:, card] % draws.dtype.type(left)).astype(np.int64) * count + column
        drawn[card] = cells[place]
        cells[place] = decks[left - 1]
    return drawn.T


def cards_dealt(game: Game) -> int:
    """How many cards a whole deal has."""
    return game.players * game.hole_cards + sum(game.board_cards)


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
