"""A deck up to suits: the boards and the hands of Hold'em with any number of ranks and suits.

Cards are *positions* in the deck, ascending; in the full deck a position is the card itself. Two
holes a < b have the index b * (b - 1) / 2 + a over positions. Every board has a row (its orbit under
the relabellings of the deck's suits) and a permutation that leads to the row's cards, as in `boards`,
which is this for 52 cards; a *sequence* is an orbit of (flop, turn card). Groups of fewer than 24
permutations are repeated to 24, which changes no orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.cards.suits import _board_kernels as kernels
from doyle.cards.suits.boards import BINOMIALS, Boards
from doyle.cards.suits.relabelling import relabellings

_PERMUTATIONS = 24


@dataclass(frozen=True, eq=False)
class DeckHands:
    """Hands (hole on board) up to suits: `index[board row, hole]` is -1 where they share a card."""

    index: NDArray[np.int32]
    row: NDArray[np.int32]
    hole: NDArray[np.int16]
    weight: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, eq=False)
class DeckSequences:
    """All (flop, turn card) up to suits: `table[flop row, card]` is 32 * sequence + permutation.

    Sequences of one flop row are numbered together, from `starts[row]` to `starts[row + 1]`.
    """

    table: NDArray[np.int32]
    starts: NDArray[np.int64]
    turn_card: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.turn_card)


@dataclass(frozen=True)
class Deck:
    """The top `ranks` ranks in the top `suits` suits.

    >>> full = Deck(13, 4)
    >>> len(full.boards(3)), len(full.sequences), len(full.hands(0))
    (1755, 63193, 169)
    """

    ranks: int
    suits: int

    @property
    def size(self) -> int:
        return self.ranks * self.suits

    @cached_property
    def cards(self) -> NDArray[np.int64]:
        """The card at each position."""
        return np.array(
            [4 * rank + suit
             for rank in range(13 - self.ranks, 13) for suit in range(4 - self.suits, 4)],
            np.int64,
        )  # fmt: skip

    @cached_property
    def holes(self) -> NDArray[np.int64]:
        """The two positions, low then high, of every hole index."""
        high, low = np.tril_indices(self.size, k=-1)
        return np.stack([low, high], axis=1).astype(np.int64)

    @cached_property
    def suit_maps(self) -> NDArray[np.int64]:
        """int64[24, suits]: the suit that each suit becomes; the first is the identity."""
        lowest = 4 - self.suits
        group = [[suit - lowest for suit in one[lowest:]] for one in relabellings(self.suits)]
        return np.array([group[number % len(group)] for number in range(_PERMUTATIONS)], np.int64)

    @cached_property
    def card_maps(self) -> NDArray[np.int64]:
        """int64[24, cards]: the position that each position becomes."""
        rank, suit = np.divmod(np.arange(self.size), self.suits)
        return np.asarray(rank * self.suits + self.suit_maps[:, suit], np.int64)

    @cached_property
    def hole_maps(self) -> NDArray[np.int16]:
        """int16[24, holes]: the hole that each hole becomes."""
        images = np.sort(self.card_maps[:, self.holes], axis=2)
        low, high = images[..., 0], images[..., 1]
        return np.asarray(high * (high - 1) // 2 + low, np.int16)

    @cached_property
    def inverses(self) -> NDArray[np.int64]:
        undone = np.argsort(self.suit_maps, axis=1)
        return np.asarray(
            (undone[:, None, :] == self.suit_maps).all(axis=-1).argmax(axis=-1), np.int64
        )

    def boards(self, count: int) -> Boards:
        """The boards of `count` cards."""
        return _boards(self, count)

    def hands(self, count: int) -> DeckHands:
        """The hands on boards of `count` cards."""
        return _hands(self, count)

    @property
    def sequences(self) -> DeckSequences:
        return _sequences(self)

    def positions(self, cards: Sequence[int]) -> list[int]:
        """The positions of cards of the deck."""
        places = {int(card): place for place, card in enumerate(self.cards)}
        if len(set(cards)) != len(cards) or not all(card in places for card in cards):
            raise DoyleError(f"{tuple(cards)}: expected different cards of a deck of {self.size}")
        return [places[card] for card in cards]

    def find_board(self, positions: Sequence[int]) -> tuple[int, int]:
        """The row of a board, and the permutation that takes its positions to the row's."""
        count = len(positions)
        code = int(
            kernels.find_board(
                np.asarray(positions, np.int64), count, self.boards(count).table, BINOMIALS,
                np.empty(5, np.int64),
            )
        )  # fmt: skip
        return code >> 5, code & 31

    def find_hole(self, positions: Sequence[int], permutation: int) -> int:
        """The index of two hole cards after a permutation of suits."""
        low, high = sorted(positions)
        return int(self.hole_maps[permutation, high * (high - 1) // 2 + low])


@cache
def _boards(deck: Deck, count: int) -> Boards:
    sets = comb(deck.size, count)
    table = np.full(sets, -1, np.int32)
    if count == 0:
        every = np.full(1, (1 << _PERMUTATIONS) - 1, np.int64)
        return Boards(np.empty((1, 0), np.int8), np.ones(1, np.int64), every, table * 0)
    cards = np.empty((sets, count), np.int8)
    weights, stabilisers = np.empty(sets, np.int64), np.empty(sets, np.int64)
    rows = int(
        kernels.number_boards(
            count, deck.card_maps, deck.inverses, BINOMIALS, table, cards, weights, stabilisers
        )
    )
    return Boards(cards[:rows].copy(), weights[:rows].copy(), stabilisers[:rows].copy(), table)


@cache
def _hands(deck: Deck, count: int) -> DeckHands:
    boards = deck.boards(count)
    rows, holes = len(boards), len(deck.holes)
    least = np.empty((rows, holes), np.int16)
    least[:] = np.arange(holes)
    orbit = np.zeros((rows, holes), np.int8)
    for number in range(_PERMUTATIONS):
        keeps = (boards.stabilisers >> number) & 1 == 1
        images = deck.hole_maps[number]
        least[keeps] = np.minimum(least[keeps], images)
        orbit[keeps] += images == np.arange(holes)
    group = np.zeros(rows, np.int64)
    for number in range(_PERMUTATIONS):
        group += (boards.stabilisers >> number) & 1
    free = np.ones((rows, holes), bool)
    for place in range(count):
        card = boards.boards[:, place].astype(np.int64)
        free &= (deck.holes[None, :, 0] != card[:, None]) & (
            deck.holes[None, :, 1] != card[:, None]
        )
    first = free & (least == np.arange(holes, dtype=np.int16))
    row, hole = np.nonzero(first)
    index = np.full((rows, holes), -1, np.int32)
    index[row, hole] = np.arange(len(row))
    index = np.take_along_axis(index, least.astype(np.int64), axis=1)
    index[~free] = -1
    weight = boards.weights[row] * (group[row] // orbit[row, hole])
    return DeckHands(index, row.astype(np.int32), hole.astype(np.int16), weight)


@cache
def _sequences(deck: Deck) -> DeckSequences:
    flops = deck.boards(3)
    keeps = (flops.stabilisers[:, None] >> np.arange(_PERMUTATIONS)) & 1 == 1
    images = np.where(keeps[:, :, None], deck.card_maps[None], deck.size)
    least, by = images.min(axis=1), images.argmin(axis=1)
    free = np.ones((len(flops), deck.size), bool)
    np.put_along_axis(free, flops.boards.astype(np.int64), False, axis=1)
    first = free & (least == np.arange(deck.size))
    row, card = np.nonzero(first)
    number = np.zeros((len(flops), deck.size), np.int64)
    number[row, card] = np.arange(len(row))
    table = 32 * np.take_along_axis(number, least, axis=1) + by
    table[~free] = -1
    starts = np.searchsorted(row, np.arange(len(flops) + 1))
    return DeckSequences(table.astype(np.int32), starts, card.astype(np.int8))
