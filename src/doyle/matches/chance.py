"""The chance in a match: one secret, from which the deals and every position's dice come.

*Repeatable* matches derive the secret from a seed by a memory-hard function (scrypt, 64 MiB), so the
same seed always gives the same match and one try of a seed costs a searching agent about as long as
playing a few thousand hands. Whoever can guess the seed can still repeat the match. *Sealed* matches
take the secret from the system. Its SHA-256 is published before the first hand and the secret itself
after the last one, by which the match can be replayed.

From the secret follow, each by a keyed hash that cannot be inverted: the key of the deals, and one
key for the dice of each position. A seat is shown only the key of its own dice in the hand at hand.
Dice depend on the deal and the position, not on who sits there, so identical agents tie exactly in a
duplicate match. In a sealed match they depend on the seating and the table too, since a position's
dice must not be known from the other half of the match or from another match of a league.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.matches.dealing import Dealer, DrawsDeals, KeyedDealer

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
        """Nobody can know the secret before the match; a known one replays an earlier match."""
        if secret is None:
            secret = secrets.token_bytes(SECRET_BYTES)
        if len(secret) != SECRET_BYTES:
            raise DoyleError(f"secret: expected {SECRET_BYTES} bytes, not {len(secret)}")
        return Chance("sealed", secret)

    @property
    def commitment(self) -> str:
        """What may be published before the match: the SHA-256 of the secret, in hexadecimal."""
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
        """What a result says of it, from which the match can be repeated."""
        document: dict[str, Any] = {"mode": self.mode, "deals": self.deals, "seed": self.seed}
        return document | ({"secret": self.secret.hex()} if self.mode == "sealed" else {})

    def at_table(self, table: int) -> Chance:
        """The same deals for another match of a league."""
        return replace(self, table=table)

    def dealer(self, game: Game) -> DrawsDeals:
        """Who draws the deals."""
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
