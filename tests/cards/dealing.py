"""What the tests of this folder share: seeded random hands, and parsing that may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import ParseError

Parsed = TypeVar("Parsed")


def random_hands(count: int, size: int, seed: int) -> NDArray[np.uint8]:
    generator = np.random.default_rng(seed)
    deck = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return generator.permuted(deck, axis=1)[:, :size]


def attempt(parse: Callable[[str], Parsed], text: str) -> Parsed | ParseError:
    """What `parse` makes of the text, or its refusal."""
    try:
        return parse(text)
    except ParseError as error:
        return error
