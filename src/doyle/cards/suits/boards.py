"""Boards and hands up to suits, of the full deck and of any other.

Every flop, turn and river board has a row and a permutation of suits that leads to it, so a table over
(row, hole) answers for all hands of a board with one gather through the permutation. Rows are orbits of
card sets under the permutations, in the order of their least member; a *sequence* is an orbit of (flop,
turn card), which perfect recall needs because it remembers which three cards came first. A hand is a hole
on a board's row, up to the permutations that keep the board. Counts of the full deck: 1,755 flops, 16,432
turn boards, 134,459 river boards, 63,193 sequences; 169 preflop, 1,286,792 flop, 13,960,050 turn hands.

Cards of a `Deck` are *positions* in it, ascending; in the full deck a position is the card itself. Two
holes a < b have the index b * (b - 1) / 2 + a over positions. Groups of fewer than 24 permutations are
repeated to 24, which changes no orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.cards.suits import _board_kernels as kernels
from doyle.cards.suits.relabelling import orbit_counts, relabellings

HANDS = (169, 1_286_792, 13_960_050, 123_156_254)
"""Hands of the full deck up to suits, by round."""

BINOMIALS = np.array([[comb(n, k) for k in range(6)] for n in range(53)], np.int64)
_PERMUTATIONS = 24


@dataclass(frozen=True, eq=False)
class Boards:
    """All boards of one size: representatives, how many boards each stands for, and the lookup.

    `stabilisers` are masks of the permutations that keep a representative. `table[rank of a board]` is
    32 * row + the permutation that takes its cards to the row's.
    """

    boards: NDArray[np.int8]
    weights: NDArray[np.int64]
    stabilisers: NDArray[np.int64]
    table: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.boards)

    def find(self, board: Sequence[int]) -> tuple[int, int]:
        """The row of a board, and the permutation that takes its cards to the row's.

        >>> boards(3).find((0, 4, 8)), boards(3).find((3, 7, 11))[0]
        ((8, 0), 8)
        """
        count = self.boards.shape[1]
        fits = len(board) == count == len({*board})
        if not fits or (count and not (min(board) >= 0 and max(board) < 52)):
            raise DoyleError(f"board {tuple(board)}: expected {count} different cards from 0 to 51")
        cards = np.asarray(board, np.int64)
        code = int(kernels.find_board(cards, count, self.table, BINOMIALS, np.empty(5, np.int64)))
        return code >> 5, code & 31


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands of one round: `index[row, hole]` (-1 on collision) and row, hole, deals of each."""

    index: NDArray[np.int32]
    row: NDArray[np.int32]
    hole: NDArray[np.int16]
    weight: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The hands of a board row are `starts[row]` to `starts[row + 1]`."""
        return np.searchsorted(self.row, np.arange(len(self.index) + 1))

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """values[hands] as a table [rows, holes] with -1 where hole and board share a card."""
        table = np.asarray(values)[self.index]
        table[self.index < 0] = -1
        return table

    def gather(self, table: NDArray[Any]) -> NDArray[Any]:
        """The value of each hand from a table [rows, holes]."""
        return np.asarray(table[self.row, self.hole])


@dataclass(frozen=True, eq=False)
class FlopTurns:
    """All (flop, turn card) up to suits.

    `table[flop row, card]` is 32 * sequence + the permutation to apply after the flop's own. Sequences
    of one flop row are numbered together, from `starts[row]` to `starts[row + 1]`.
    """

    deck: Deck
    table: NDArray[np.int32]
    flop_row: NDArray[np.int32]
    turn_card: NDArray[np.int8]
    weights: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.flop_row)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return np.searchsorted(self.flop_row, np.arange(len(self.table) + 1))

    @cached_property
    def turn_code(self) -> NDArray[np.int32]:
        """32 * turn row + the permutation from the sequence's cards to the turn row's."""
        flops = self.deck.boards(3).boards[self.flop_row]
        cards = np.sort(np.column_stack([flops, self.turn_card]), axis=1)
        ranks = sum(BINOMIALS[cards[:, place], place + 1] for place in range(4))
        return np.asarray(self.deck.boards(4).table[ranks])

    def cards(self, sequence: int) -> tuple[int, ...]:
        """The flop and the turn card of a sequence."""
        flop = self.deck.boards(3).boards[self.flop_row[sequence]]
        return (*(int(card) for card in flop), int(self.turn_card[sequence]))

    def find(self, board: Sequence[int]) -> tuple[int, int]:
        """The sequence of (three flop cards, turn card), and the permutation that leads to it."""
        row, permutation = self.deck.boards(3).find(tuple(board[:3]))
        code = int(self.table[row, CARD_MAPS[permutation, board[3]]])
        if code < 0:
            raise DoyleError(f"board {tuple(board)}: the turn card is on the flop")
        return code >> 5, int(COMPOSITIONS[code & 31, permutation])


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
        lowest = 4 * np.arange(13 - self.ranks, 13)[:, None]
        return (lowest + np.arange(4 - self.suits, 4)).reshape(-1)

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
        low, high = np.moveaxis(np.sort(self.card_maps[:, self.holes], axis=2), 2, 0)
        return np.asarray(high * (high - 1) // 2 + low, np.int16)

    @cached_property
    def inverses(self) -> NDArray[np.int64]:
        """int64[24]: the permutation that undoes each permutation."""
        return self._numbers(np.argsort(self.suit_maps, axis=1))

    @cached_property
    def compositions(self) -> NDArray[np.int64]:
        """int64[24, 24]: [second, first] is the permutation that does `first`, then `second`."""
        return self._numbers(self.suit_maps[:, self.suit_maps])

    def _numbers(self, maps: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of each permutation given by its images."""
        found = (maps[..., None, :] == self.suit_maps).all(axis=-1).argmax(axis=-1)
        return np.asarray(found, np.int64)

    def boards(self, count: int) -> Boards:
        """The boards of `count` cards."""
        return _boards(self, count)

    def next_boards(self, count: int) -> kernels.NextBoards:
        """What kernels take that add a card to boards of `count` cards."""
        return kernels.NextBoards(self.boards(count + 1).table, BINOMIALS, self.hole_maps)

    def hands(self, count: int) -> Hands:
        """The hands on boards of `count` cards."""
        return _hands(self, count)

    @property
    def sequences(self) -> FlopTurns:
        return _sequences(self)

    def positions(self, cards: Sequence[int]) -> list[int]:
        """The positions of cards of the deck."""
        places = {int(card): place for place, card in enumerate(self.cards)}
        if len(set(cards)) != len(cards) or not all(card in places for card in cards):
            raise DoyleError(f"{tuple(cards)}: expected different cards of a deck of {self.size}")
        return [places[card] for card in cards]

    def find_board(self, positions: Sequence[int]) -> tuple[int, int]:
        """The row of a board, and the permutation that takes its positions to the row's."""
        return self.boards(len(positions)).find(positions)

    def find_hole(self, positions: Sequence[int], permutation: int) -> int:
        """The index of two hole cards after a permutation of suits."""
        low, high = sorted(positions)
        return int(self.hole_maps[permutation, high * (high - 1) // 2 + low])


@cache
def _boards(deck: Deck, count: int) -> Boards:
    table = np.full(comb(deck.size, count), -1, np.int32)
    if count == 0:
        every = np.full(1, (1 << _PERMUTATIONS) - 1, np.int64)
        return Boards(np.empty((1, 0), np.int8), np.ones(1, np.int64), every, table * 0)
    (rows,) = orbit_counts(deck.ranks, deck.suits, (count,))
    cards = np.empty((rows, count), np.int8)
    weights, stabilisers = np.empty(rows, np.int64), np.empty(rows, np.int64)
    found = kernels.number_boards(
        count, deck.card_maps, deck.inverses, BINOMIALS, table, cards, weights, stabilisers
    )
    assert found == rows
    return Boards(cards, weights, stabilisers, table)


@cache
def _hands(deck: Deck, count: int) -> Hands:
    boards = deck.boards(count)
    size = orbit_counts(deck.ranks, deck.suits, (2, count))[-1]
    index = np.empty((len(boards), len(deck.holes)), np.int32)
    row, hole = np.empty(size, np.int32), np.empty(size, np.int16)
    weight = np.empty(size, np.int64)
    found = kernels.number_hands(
        boards.boards, boards.weights, boards.stabilisers, deck.hole_maps, deck.holes, index, row,
        hole, weight,
    )  # fmt: skip
    assert found == size
    return Hands(index, row, hole, weight)


@cache
def _sequences(deck: Deck) -> FlopTurns:
    flops = deck.boards(3)
    size = orbit_counts(deck.ranks, deck.suits, (3, 1))[-1]
    table = np.empty((len(flops), deck.size), np.int32)
    flop_row, cards = np.empty(size, np.int32), np.empty(size, np.int8)
    weights = np.empty(size, np.int64)
    found = kernels.number_sequences(
        flops.boards,
        flops.weights,
        flops.stabilisers,
        deck.card_maps,
        table,
        flop_row,
        cards,
        weights,
    )
    assert found == size
    return FlopTurns(deck, table, flop_row, cards, weights)


FULL = Deck(13, 4)
CARD_MAPS, HOLE_MAPS, COMPOSITIONS = FULL.card_maps, FULL.hole_maps, FULL.compositions


@cache
def boards(count: int) -> Boards:
    """The boards of `count` cards of the full deck: 3, 4 or 5."""
    return FULL.boards(count)


def canonical_boards(count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """One board of `count` cards for each class under renaming of suits, and the classes' sizes.

    >>> boards, multiplicities = canonical_boards(3)
    >>> len(boards), int(multiplicities.sum())
    (1755, 22100)
    """
    numbered = boards(count)
    return numbered.boards.astype(np.uint8), numbered.weights


@cache
def flop_turns() -> FlopTurns:
    """The numbering of (flop, turn card) of the full deck."""
    return FULL.sequences


@cache
def hands(round: int) -> Hands:
    """The hands of the full deck in round 0 (preflop), 1 (flop) or 2 (turn)."""
    if not 0 <= round <= 2:
        raise DoyleError(f"hands are numbered for rounds 0 to 2, not {round}")
    return FULL.hands(round + 2 if round else 0)
