"""The keys of a match's dice for many deals at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.matches.chance import Dice
from doyle.matches.fast import _dice_kernels as kernels

Keys = npt.NDArray[np.uint32]
"""[deals, 8]: `Dice.hand_key` as a number, in words of 32 bits, the least first."""

_DIGEST_BYTES = 32
_PARAMETERS = 0x0101_0000


def hand_keys(dice: Dice, position: int, *, first_deal: int, count: int, seating: int) -> Keys:
    """The keys of one position in `count` consecutive deals, equal to `Dice.hand_key`."""
    keys = np.empty((count, kernels.KEY_WORDS), np.uint32)
    after_key = _after_key(dice.position_keys[position], b"hand")
    where = seating if dice.by_seating else 0
    kernels.hand_keys(after_key, where, first_deal, keys)
    return keys


def _after_key(key: bytes, person: bytes) -> npt.NDArray[np.uint64]:
    """The state of BLAKE2b with these parameters after the block that holds the key."""
    state = kernels.BLAKE2B_START.copy()
    state[0] ^= np.uint64(_PARAMETERS | len(key) << 8 | _DIGEST_BYTES)
    state[6:] ^= np.frombuffer(person.ljust(16, b"\0"), "<u8")
    block = np.frombuffer(key.ljust(128, b"\0"), "<u8").astype(np.uint64)
    kernels.compress(state, block, 128, False)
    return state
