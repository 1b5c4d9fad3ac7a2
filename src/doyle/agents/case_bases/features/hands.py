"""Features of hands: what a case says about the cards.

Preflop a hand is one of the 169 classes of starting hands. After the flop it is one of our hand
categories, or a bucket of E[HS] or E[HS^2] in even intervals (the exact values of the strength
atlas); the board is one of nine textures.

Textures (table 5) are what the board lets an opponent hold, in nine classes. A flush is *possible* with
three cards of a suit on the board, where an opponent needs two of his own, and *highly possible* with
four or more, where he needs one. A straight is possible with three ranks within a span of five, the ace
high or low, and highly possible with four.

Figure 3, the similarity of textures, is a picture that no text holds. Ours is in
`data/texture_similarity.csv`: 1, less 0.3 for each level by which flushes differ and 0.2 for each level
by which straights differ, so that a board without either and one with both highly possible have
nothing in common.

Categories are what a hand is, and what it may become with the cards to come. The paper's 284 categories
stood on a page that is gone. Ours are the product of 32 made hands, told apart by what the hole cards
add to the board, and of flush and straight draws where they matter: 296 in all, in
`data/hand_categories.csv` with the meaning of each.

A flush draw has four cards of a suit, one or two of them own (*nut* with the highest that is out), or
three on the flop with both own (*backdoor*). A straight draw is *open* if cards of two or more ranks
would complete a straight that needs a hole card, else a *gutshot*. Made straights have flush draws
only, better hands none, and there are no draws on the river.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.features import _hand_kernels as kernels
from doyle.base.workers import Progress, Workers
from doyle.cards.cards import HOLES, hole_index
from doyle.cards.ranges import grid_places, hand_name

CATEGORY_COUNT = 296


@cache
def _rows() -> tuple[dict[str, str], ...]:
    path = resources.files("doyle.agents.case_bases.features") / "data" / "hand_categories.csv"
    return tuple(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@cache
def _numbers() -> NDArray[np.int16]:
    """int16[made hands, flush draws, straight draws]: the category, -1 where there is none."""
    made = list(dict.fromkeys(row["made"] for row in _rows()))
    flush = list(dict.fromkeys(row["flush_draw"] for row in _rows()))
    straight = list(dict.fromkeys(row["straight_draw"] for row in _rows()))
    numbers = np.full((len(made), len(flush), len(straight)), -1, np.int16)
    for row in _rows():
        place = (
            made.index(row["made"]),
            flush.index(row["flush_draw"]),
            straight.index(row["straight_draw"]),
        )
        numbers[place] = int(row["number"])
    return numbers


def category_name(number: int) -> str:
    """A category in words.

    >>> category_name(0), category_name(13)
    ('no pair', 'no pair, flush draw nut, straight draw gutshot')
    """
    row = _rows()[number]
    draws = [
        f"{kind} draw {row[f'{kind}_draw']}"
        for kind in ("flush", "straight")
        if row[f"{kind}_draw"] != "none"
    ]
    return ", ".join([row["made"], *draws])


def categories_of_deals(
    holes: NDArray[np.int64], boards: NDArray[np.int64], out: NDArray[np.int16]
) -> None:
    """Write the categories of holes[n, 2] on boards[n, 5] after the flop into out[n, 1:4]."""
    kernels.deal_categories(holes, boards, _numbers(), out)


@lru_cache(1 << 9)
def categories_on(board: tuple[int, ...]) -> NDArray[np.int16]:
    """The category of every hole on a board; of those that share a card, 0."""
    out = np.zeros(len(HOLES), np.int16)
    kernels.board_categories(HOLES, np.array(board, np.int64), len(board), _numbers(), out)
    return out


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
