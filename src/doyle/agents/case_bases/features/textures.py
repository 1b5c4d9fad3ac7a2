"""Board textures (table 5): what the board lets an opponent hold, in nine classes.

A flush is *possible* with three cards of a suit on the board, where an opponent needs two of his own,
and *highly possible* with four or more, where he needs one. A straight is possible with three ranks
within a span of five, the ace high or low, and highly possible with four.

Figure 3, the similarity of textures, is a picture that no text holds. Ours is in
`data/texture_similarity.csv`: 1, less 0.3 for each level by which flushes differ and 0.2 for each level
by which straights differ, so that a board without either and one with both highly possible have
nothing in common.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.features import _hand_kernels as kernels

TEXTURES = "ABCDEFGHI"


def texture_of(board: Sequence[int]) -> int:
    """The texture of a board of three to five cards, from 0 (A) to 8 (I).

    >>> from doyle.cards import parse_cards
    >>> [TEXTURES[texture_of(parse_cards(b))] for b in ("Ks7h2d", "9h8h7h", "9c8c7c6c", "AhKd5s4c")]
    ['A', 'D', 'I', 'C']
    """
    return int(kernels.texture(np.array(board, np.int64), len(board)))


@cache
def texture_similarity() -> NDArray[np.float64]:
    """The similarity of any two textures: float64[9, 9], symmetric, 1 on the diagonal."""
    path = resources.files("doyle.agents.case_bases.features") / "data" / "texture_similarity.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    return np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
