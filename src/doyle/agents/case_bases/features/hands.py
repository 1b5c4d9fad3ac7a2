"""Features of hands: what a case says about the cards.

Preflop a hand is one of the 169 classes of starting hands. After the flop it is one of our hand
categories, or a bucket of E[HS] or E[HS^2] in even intervals (the exact values of the strength
atlas); the board is one of nine textures.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.features import _hand_kernels as kernels
from doyle.agents.case_bases.features.categories import (
    CATEGORY_COUNT,
    categories_of_deals,
    categories_on,
    category_name,
)
from doyle.agents.case_bases.features.textures import TEXTURES, texture_of
from doyle.base.workers import Progress, Workers
from doyle.cards.cards import HOLES, hole_index
from doyle.cards.grid import grid_places, hand_name

Integers = NDArray[np.int16]

HOLE_CLASSES = 169
_BOARDS_KEPT = 1 << 9


def _classes() -> NDArray[np.int16]:
    row, column = grid_places(HOLES)
    return (13 * row + column).astype(np.int16)


HOLE_CLASS = _classes()
"""int16[1326]: the class of every hole, 13 * row + column of the grid of starting hands."""


def class_name(number: int) -> str:
    """The name of a class of starting hands.

    >>> class_name(0), class_name(1), class_name(13)
    ('AA', 'AKs', 'AKo')
    """
    return hand_name(number // 13, number % 13)


class HandFeatures:
    """The card features of one architecture; opens (and if need be builds) its card abstraction."""

    def __init__(
        self,
        architecture: Architecture,
        *,
        workers: Workers | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.architecture = architecture
        self._workers = workers
        self._progress = progress
        self.of_board = lru_cache(_BOARDS_KEPT)(self._of_board)

    def __reduce__(self) -> tuple[Any, ...]:
        return HandFeatures, (self.architecture,)

    @cached_property
    def abstraction(self) -> CardAbstraction:
        return build_abstraction(
            self.architecture.cards, workers=self._workers, progress=self._progress
        )

    def prepare(self) -> None:
        """Open now what several threads will ask for at once."""
        if self.architecture.strength != "categories":
            _ = self.abstraction.lookup

    def size(self, round_: int) -> int:
        """How many values the hand feature of a round has."""
        if round_ == 0:
            return HOLE_CLASSES
        if self.architecture.strength == "categories":
            return CATEGORY_COUNT
        return self.architecture.buckets

    def of_deals(self, holes: NDArray[Any], boards: NDArray[Any]) -> tuple[Integers, Integers]:
        """Hand features and textures int16[n, 4] of holes[n, 2] on boards[n, 5], by round.

        Rounds that were not dealt have values that mean nothing.
        """
        holes, boards = holes.astype(np.int64), boards.astype(np.int64)
        found = np.zeros((len(holes), 4), np.int16)
        texture = np.zeros((len(holes), 4), np.int16)
        if not len(holes):
            return found, texture
        if self.architecture.strength == "categories":
            categories_of_deals(holes, boards, found)
        else:
            found[:] = self.abstraction.deal_buckets(holes[:, None, :], boards)[:, 0]
        low, high = holes.min(axis=1), holes.max(axis=1)
        found[:, 0] = HOLE_CLASS[high * (high - 1) // 2 + low]
        kernels.textures(boards, texture)
        return found, texture

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The hand feature of one hole on the visible board."""
        return int(self.of_board(tuple(board))[hole_index(*hole)])

    def _of_board(self, board: tuple[int, ...]) -> Integers:
        """The hand feature of all 1,326 holes on a board; of those that share a card, some value."""
        if not board:
            return HOLE_CLASS
        if self.architecture.strength == "categories":
            return categories_on(board)
        return np.maximum(self.abstraction.buckets(board), 0).astype(np.int16)

    def texture(self, board: Sequence[int]) -> int:
        """The texture of the visible board; 0 before the flop."""
        return texture_of(board) if board else 0

    def hand_text(self, round_: int, value: int) -> str:
        """A hand feature for people: a starting hand, a category, or a bucket counted from 1."""
        if round_ == 0:
            return class_name(value)
        if self.architecture.strength == "categories":
            return category_name(value)
        return f"{value + 1} of {self.architecture.buckets}"

    @staticmethod
    def texture_text(value: int) -> str:
        return TEXTURES[value]
