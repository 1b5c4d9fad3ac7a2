"""Dealing with a commitment: a deck from the system's secure generator, fixed before the first bet.

    commitment = SHA-256(salt + deck)

`salt` are 32 random bytes, `deck` is the text of all cards in their order, such as `AsKd...`. The
commitment is shown when the hand begins, salt and deck when it is over. Hole cards are taken from the top
of the deck by position, then the board. The dice of the agents come from the salt too, so that everything
that was left to chance can be checked afterwards.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NamedTuple

from doyle.base.errors import DoyleError
from doyle.cards import format_cards, parse_cards
from doyle.games import Deal, Game

SALT_BYTES = 32


class SealedDeck(NamedTuple):
    """A deck with its salt."""

    salt: bytes
    deck: str

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.salt + self.deck.encode("ascii")).hexdigest()

    def deal(self, game: Game) -> Deal:
        """The cards of the hand."""
        cards = parse_cards(self.deck)
        size, players = game.hole_cards, game.players
        hole = tuple(tuple(cards[size * seat : size * seat + size]) for seat in range(players))
        start = size * players
        return Deal(hole, tuple(cards[start : start + game.board_ends[-1]]))

    def dice_key(self, position: int) -> bytes:
        """The seed of the dice of the agent in a position; it reveals nothing about the cards."""
        return hashlib.sha256(b"dice %d " % position + self.salt).digest()


def shuffled(game: Game) -> SealedDeck:
    """A new deck, every order as likely as any other."""
    cards = list(game.deck)
    secrets.SystemRandom().shuffle(cards)
    return SealedDeck(secrets.token_bytes(SALT_BYTES), format_cards(cards))


def check_commitment(commitment: str, *, salt: str, deck: str) -> bool:
    """Whether salt (hexadecimal) and deck match the commitment.

    >>> sealed = SealedDeck(bytes(32), "AsKd")
    >>> check_commitment(sealed.commitment, salt="00" * 32, deck="AsKd")
    True
    >>> check_commitment(sealed.commitment, salt="00" * 32, deck="KdAs")
    False
    """
    if not re.fullmatch("[0-9a-f]{64}", commitment):
        raise DoyleError("commitment: expected 64 hexadecimal digits")
    if not re.fullmatch("[0-9a-f]{64}", salt):
        raise DoyleError("salt: expected 64 hexadecimal digits")
    cards = parse_cards(deck, what="deck")
    return SealedDeck(bytes.fromhex(salt), format_cards(cards)).commitment == commitment
