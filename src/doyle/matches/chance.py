"""The chance in a match: one secret, from which the deals and every position's dice come.

*Repeatable* matches derive the secret from a seed by a memory-hard function (scrypt, 64 MiB), so the
same seed always gives the same match and testing one seed costs an agent that searches for it about
as long as playing a few thousand hands. An agent that guesses the seed can still reproduce the
match.
*Sealed* matches take the secret from the system. Its SHA-256 is published before the first hand and
the secret itself after the last one, by which the match can be replayed.

From the secret follow, each by a keyed hash that cannot be inverted: the key of the deals, and one
key for the dice of each position. A seat is shown only the key of its own dice in the hand at hand.
Dice depend on the deal and the position, not on the player seated there, so identical agents tie
exactly in a duplicate match. In a sealed match they depend on the seating and the table too, since
a position's dice must not be known from the other half of the match or from another match of a
league.

The deals of a match: which cards every seat and the board get.

The next number modulo the count of remaining cards selects a card, and the last card of the deck
replaces it. Hole cards come by seat, then the board. The whole deal is always drawn, so deals never
depend on the betting.

`KeyedDealer` takes its numbers from a secret key through SHAKE-256: without the key, observed cards
reveal nothing about the others. `Dealer` takes them from a seed exactly as the ACPC dealer does, so
that a competition's deals can be repeated: the Mersenne Twister of Matsumoto and Nishimura
(`init_genrand(seed)`, which is `numpy.random.RandomState(seed)`), 32 bits a card, a deck ordered by
suit, then rank. A player can find such a seed by trying all 2**32 against its own cards.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.games import Deal, Game

Deals = npt.NDArray[np.uint8]
"""One row per deal: the hole cards of seat 0, of seat 1, ..., then the whole board."""

_BLOCK = 8192
_SEED_LIMIT = 2**32


class DrawsDeals(Protocol):
    """A source of deals."""

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


Mode = Literal["repeatable", "sealed"]
DealsFrom = Literal["secret", "acpc"]

SECRET_BYTES = 32
SEED_LIMIT = 2**128

_SCRYPT = {"n": 2**16, "r": 8, "p": 1, "maxmem": 2**27, "dklen": SECRET_BYTES}


@dataclass(frozen=True)
class Dice:
    """The dice of every position, without the secret they come from."""

    position_keys: tuple[bytes, ...]
    by_seating: bool
    """Whether the seatings of a deal have dice of their own."""

    def hand_key(self, position: int, *, deal: int, seating: int) -> bytes:
        """The key of one position's dice in one hand."""
        return self._derived(position, b"hand", seating, deal)

    def match_key(self, position: int, *, seating: int) -> bytes:
        """The key of one position's generator for a whole seating."""
        return self._derived(position, b"match", seating, 0)

    def match_rng(self, position: int, *, seating: int) -> np.random.Generator:
        """The generator of one position for a whole seating."""
        return generator_of(self.match_key(position, seating=seating))

    def _derived(self, position: int, purpose: bytes, seating: int, deal: int) -> bytes:
        where = (seating if self.by_seating else 0).to_bytes(4, "big") + deal.to_bytes(8, "big")
        return hashlib.blake2b(
            where, key=self.position_keys[position], digest_size=32, person=purpose
        ).digest()


@dataclass(frozen=True)
class Chance:
    """Where the deals and the dice of a match come from."""

    mode: Mode
    secret: bytes
    seed: int | None = None
    """The seed of a repeatable match; None in a sealed one."""
    deals: DealsFrom = "secret"
    table: int = 0
    """Which match of a league this is."""

    @staticmethod
    def repeatable(seed: int, *, deals: DealsFrom = "secret") -> Chance:
        """All chance follows from `seed`; with `deals="acpc"` the deals are the ACPC dealer's."""
        if not 0 <= seed < SEED_LIMIT:
            raise DoyleError(f"seed {seed}: seeds go from 0 to {SEED_LIMIT - 1}")
        return Chance("repeatable", secret_of_seed(seed), seed, deals)

    @staticmethod
    def sealed(secret: bytes | None = None) -> Chance:
        """A random secret, unknown before the match; passing a known one replays an earlier
        match."""
        if secret is None:
            secret = secrets.token_bytes(SECRET_BYTES)
        if len(secret) != SECRET_BYTES:
            raise DoyleError(f"secret: expected {SECRET_BYTES} bytes, not {len(secret)}")
        return Chance("sealed", secret)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret in hexadecimal, which may be published before the match."""
        return hashlib.sha256(self.secret).hexdigest()

    def __str__(self) -> str:
        """Where chance came from, in words."""
        if self.mode == "sealed":
            return "sealed"
        return f"seed {self.seed}" + (" of the ACPC dealer" if self.deals == "acpc" else "")

    def revealed(self) -> Iterator[str]:
        """A line with the secret of a sealed match."""
        if self.mode == "sealed":
            yield f"secret {self.secret.hex()}"

    def document(self) -> dict[str, Any]:
        """The record in results, from which the match can be repeated."""
        document: dict[str, Any] = {"mode": self.mode, "deals": self.deals, "seed": self.seed}
        return document | ({"secret": self.secret.hex()} if self.mode == "sealed" else {})

    def at_table(self, table: int) -> Chance:
        """The same deals for another match of a league."""
        return replace(self, table=table)

    def dealer(self, game: Game) -> DrawsDeals:
        """The source of the deals."""
        if self.deals == "acpc":
            assert self.seed is not None
            return Dealer(game, seed=self.seed)
        return KeyedDealer(game, key=self._derived(b"deals", 0))

    def dice(self, game: Game) -> Dice:
        """The dice of every position."""
        sealed = self.mode == "sealed"
        table = self.table if sealed else 0
        keys = (self._derived(b"dice", table, position) for position in range(game.players))
        return Dice(position_keys=tuple(keys), by_seating=sealed)

    def _derived(self, purpose: bytes, *numbers: int) -> bytes:
        data = b"".join(number.to_bytes(8, "big") for number in numbers)
        return hashlib.blake2b(data, key=self.secret, digest_size=32, person=purpose).digest()


def generator_of(key: bytes) -> np.random.Generator:
    """The generator that a key seeds."""
    return np.random.default_rng(int.from_bytes(key, "big"))


@lru_cache(maxsize=256)
def secret_of_seed(seed: int) -> bytes:
    """The secret of a repeatable match; slow by intention, to make trying seeds expensive."""
    return hashlib.scrypt(b"%d" % seed, salt=b"doyle repeatable match", **_SCRYPT)
