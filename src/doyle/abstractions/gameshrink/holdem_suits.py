"""Signals of Hold'em up to a relabelling of suits, numbered without a list.

The permutations of suits that keep what a seat has seen are a mask of 24 bits. A next card counts
when none of them leads it to a lower suit, and then only those that keep its suit remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink import _kinds_kernels as kernels
from doyle.abstractions.gameshrink.holdem_classes import HoldemSignals, ListedClasses
from doyle.cards.suits.decks import Deck


@dataclass(frozen=True, eq=False)
class SuitMasks:
    """Per suit, as bits over the 24 permutations: those that keep it, and those that lower it."""

    deck: Deck

    @cached_property
    def keeps(self) -> NDArray[np.int64]:
        return self._mask(self.deck.suit_maps == np.arange(self.deck.suits))

    @cached_property
    def lowers(self) -> NDArray[np.int64]:
        return self._mask(self.deck.suit_maps < np.arange(self.deck.suits))

    def of_hole(self, hole: int) -> int:
        """The permutations that keep a hole."""
        kept = np.flatnonzero(self.deck.hole_maps[:, hole] == hole)
        return sum(1 << int(number) for number in kept)

    @staticmethod
    def _mask(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray((chosen.T.astype(np.int64) << np.arange(len(chosen))).sum(axis=1))


def list_suits(signals: HoldemSignals) -> ListedClasses:
    """Every preflop and flop hand up to suits is a class; the later ones are counted."""
    deck, later = signals.deck, len(signals.ends) - 2
    masks = SuitMasks(deck)
    hands, flops = deck.hands(3), deck.boards(3)
    kept = np.array([masks.of_hole(hole) for hole in range(len(deck.holes))], np.int64)
    below = np.zeros((len(hands), 2), np.int64)
    kernels.count_orbits(
        flops.boards, flops.stabilisers, deck.holes, hands.row, hands.hole, kept,
        masks.keeps, masks.lowers, below,
    )  # fmt: skip
    preflop = deck.hands(0).index[0]
    return ListedClasses.number(deck, preflop, np.arange(len(hands)), below[:, :later])


@dataclass(frozen=True, eq=False)
class BelowSuits:
    """Turn and river cards numbered up to what keeps the cards before them."""

    deck: Deck

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        masks = SuitMasks(self.deck)
        row, permutation = self.deck.find_board(board[:3])
        held = self.deck.find_hole(hole, permutation)
        first = int(self.deck.hands(3).hole[self.deck.hands(3).index[row, held]])
        stabiliser = int(self.deck.boards(3).stabilisers[row])
        again = next(
            number
            for number in range(len(self.deck.hole_maps))
            if stabiliser >> number & 1 and self.deck.hole_maps[number, held] == first
        )
        maps = self.deck.card_maps
        later = [int(maps[again, maps[permutation, card]]) for card in board[3:]]
        dead = {*self.deck.holes[first].tolist(), *self.deck.boards(3).boards[row].tolist()}
        return self._number(later, dead, stabiliser & masks.of_hole(first), masks)

    def _number(self, later: list[int], dead: set[int], mask: int, masks: SuitMasks) -> int:
        """The place of the first of `later`, then of the second among those below the first."""
        card, by = min(
            (int(self.deck.card_maps[number, later[0]]), number)
            for number in range(len(self.deck.card_maps))
            if mask >> number & 1
        )
        before = [other for other in self._next(dead, mask, masks) if other < card]
        if len(later) == 1:
            return len(before)
        suits = self.deck.suits
        skipped = sum(
            len(list(self._next({*dead, other}, mask & int(masks.keeps[other % suits]), masks)))
            for other in before
        )
        moved = int(self.deck.card_maps[by, later[1]])
        kept = mask & int(masks.keeps[card % suits])
        return skipped + self._number([moved], {*dead, card}, kept, masks)

    def _next(self, dead: set[int], mask: int, masks: SuitMasks) -> list[int]:
        """The next cards that count."""
        return [
            card
            for card in range(self.deck.size)
            if card not in dead and not mask & int(masks.lowers[card % self.deck.suits])
        ]
