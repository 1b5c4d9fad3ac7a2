"""Key files: the dice of one seat of a match, hand by hand, and of no other seat.

The dealer of a match writes one per seat. An agent that plays over the network with its key file
throws the dice that it would throw in `doyle match`, so both matches have the same hands. The keys of
a seat reveal nothing of the cards or of the other seats' dice.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.errors import DoyleError, FieldError
from doyle.games import Game
from doyle.matches.chance import Chance, Dice
from doyle.matches.play import rotation, seatings

_FORMAT = "doyle-dice-keys"
_KEY = re.compile("[0-9a-f]{64}")


class HandKeys(Protocol):
    """The source of a client's dice."""

    @property
    def match_key(self) -> bytes: ...

    def hand_key(self, hand: int, *, position: int) -> bytes: ...


@dataclass(frozen=True)
class SeatKeys:
    """The dice of one seat."""

    match_key: bytes
    hand_keys: tuple[bytes, ...]

    def hand_key(self, hand: int, *, position: int) -> bytes:
        if hand >= len(self.hand_keys):
            raise DoyleError(f"the key file is of {len(self.hand_keys)} hands; this is hand {hand}")
        return self.hand_keys[hand]


class OwnKeys:
    """Dice from the system's randomness, for a client without a key file."""

    def __init__(self, game: Game) -> None:
        self._dice = Chance.sealed(secrets.token_bytes(32)).dice(game)
        self.match_key = self._dice.match_key(0, seating=0)

    def hand_key(self, hand: int, *, position: int) -> bytes:
        return self._dice.hand_key(position, deal=hand, seating=0)


def keys_of(game: Game, dice: Dice, *, player: int, hands: int) -> SeatKeys:
    """The keys of one player in a match that plays each deal once."""
    orders = seatings(game.players)

    def key(hand: int) -> bytes:
        seating = rotation(game.players, hand)
        position = seating.index(player)
        return dice.hand_key(position, deal=hand, seating=orders.index(seating))

    return SeatKeys(dice.match_key(player, seating=0), tuple(map(key, range(hands))))


def write_keys(path: Path, keys: SeatKeys) -> None:
    """Write a key file that only its owner may read."""
    document = {
        "format": _FORMAT,
        "version": 1,
        "match": keys.match_key.hex(),
        "hands": [key.hex() for key in keys.hand_keys],
    }
    write_json(path, document)
    path.chmod(0o600)


def read_keys(path: Path) -> SeatKeys:
    """Read a key file."""
    try:
        document = read_json(path)
    except FileNotFoundError:
        raise FieldError("key_file", f"{path}: no such file") from None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise FieldError("key_file", f"{path}: field 'format': expected {_FORMAT!r}")
    if document.get("version") != 1:
        raise FieldError("key_file", f"{path}: field 'version': expected 1")
    hands = document.get("hands")
    if not isinstance(hands, list):
        raise FieldError("key_file", f"{path}: field 'hands': expected a list of keys")
    return SeatKeys(
        _key(document.get("match"), path, "match"),
        tuple(_key(text, path, f"hands[{number}]") for number, text in enumerate(hands)),
    )


def _key(text: Any, path: Path, field: str) -> bytes:
    if not isinstance(text, str) or not _KEY.fullmatch(text):
        raise FieldError("key_file", f"{path}: field {field!r}: expected 64 hexadecimal digits")
    return bytes.fromhex(text)
