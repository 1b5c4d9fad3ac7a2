"""Merged signals of Hold'em, numbered without a list of them; two relations: up to suits, and matching.

Only the classes of the first two rounds are listed. Below a flop class there are as many turn and
river classes whichever of its members is taken, so two numbers per flop class count them, and a
`Below` numbers the classes under one flop from the cards. A class number is the flop class's start
plus that; classes of one parent follow each other, as in `shrinking.SignalClasses`.

Up to suits, the permutations that keep what a seat has seen are a mask of 24 bits. A next card counts
when none of them leads it to a lower suit, and then only those that keep its suit remain.
In the paper's relation siblings of one kind merge (`isomorphism_classes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink import _kinds_kernels as kernels
from doyle.abstractions.gameshrink.isomorphism_classes import IsomorphismClasses
from doyle.base.artifacts import Artifact, Builder
from doyle.base.errors import DoyleError
from doyle.cards.suits.boards import Deck

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class HoldemSignals:
    """What the signals of a Hold'em game depend on: the deck, and the board cards of each round."""

    deck: Deck
    ends: tuple[int, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """What an artifact about these signals is keyed by."""
        deck = self.deck
        return {"ranks": deck.ranks, "suits": deck.suits, "boards": list(self.ends)}


class Below(Protocol):
    """Numbers the classes under a flop class."""

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The number of a turn or river hand (by positions) among those under its flop class."""


@dataclass(frozen=True, eq=False)
class ListedClasses:
    """The classes of preflop and flop hands, and how many turn and river classes a flop class has.

    `preflop[hole]`, `flop[flop row, hole]` (-1 where they share a card), `parents[flop class]`,
    `below[flop class, later rounds]`.
    """

    preflop: NDArray[np.int32]
    flop: NDArray[np.int32]
    parents: NDArray[np.int32]
    below: Counts

    @property
    def counts(self) -> tuple[int, ...]:
        later = (int(total) for total in self.below.sum(axis=0))
        return (int(self.preflop.max()) + 1, len(self.parents), *later)

    def save(self, builder: Builder) -> None:
        for name in ("preflop", "flop", "parents", "below"):
            builder.put(name, getattr(self, name))
        builder.metadata["counts"] = list(self.counts)

    @staticmethod
    def load(artifact: Artifact) -> ListedClasses:
        return ListedClasses(
            *(artifact.array(name) for name in ("preflop", "flop", "parents", "below"))
        )

    @staticmethod
    def number(
        deck: Deck, preflop: NDArray[np.int32], kinds: NDArray[Any], below: NDArray[Any]
    ) -> ListedClasses:
        """Classes from the class of each hole, the kind of each flop hand (in the order of
        `deck.hands(3)`) and the counts below it: flop hands of one kind and parent are one class."""
        hands = deck.hands(3)
        above = preflop[hands.hole]
        order = np.lexsort((kinds, above))
        ordered, over = kinds[order], above[order]
        new = np.ones(len(order), bool)
        new[1:] = (ordered[1:] != ordered[:-1]) | (over[1:] != over[:-1])
        number = np.empty(len(order), np.int32)
        number[order] = np.cumsum(new) - 1
        table = number[hands.index]
        table[hands.index < 0] = -1
        return ListedClasses(preflop, table, over[new], below[order[new]].astype(np.int64))


@dataclass(frozen=True, eq=False)
class HoldemClasses:
    """The signals of a Hold'em game merged into classes, with perfect recall."""

    signals: HoldemSignals
    relation: str
    threshold: float
    listed: ListedClasses
    below: Below

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of classes in each round."""
        return self.listed.counts

    @cached_property
    def _starts(self) -> Counts:
        """int64[flop classes, later rounds]: the number of the first class below."""
        below = np.asarray(self.listed.below)
        return np.asarray(np.cumsum(below, axis=0) - below)

    def find(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The class of a hole on a board, whose cards are in the order of the rounds."""
        deck, ends = self.signals.deck, self.signals.ends
        if len(hole) != 2 or len(board) not in ends:
            raise DoyleError(
                f"{len(hole)} hole cards on {len(board)} board cards: expected 2 on one of {ends}"
            )
        positions = deck.positions([*hole, *board])
        held, shown = positions[:2], positions[2:]
        if not shown:
            return int(self.listed.preflop[deck.find_hole(held, 0)])
        row, permutation = deck.find_board(shown[:3])
        flop = int(self.listed.flop[row, deck.find_hole(held, permutation)])
        if len(shown) == 3:
            return flop
        start = int(self._starts[flop, ends.index(len(shown)) - 2])
        return start + self.below.place(held, shown)

    def parents(self, round: int) -> NDArray[np.int32] | None:
        """The class a round earlier of each class, up to the turn; None in the first round."""
        if round == 0:
            return None
        if round == 1:
            return self.listed.parents
        if round == 2 and len(self.counts) > 2:
            number = np.arange(len(self.listed.parents), dtype=np.int32)
            return np.repeat(number, self.listed.below[:, 0])
        raise self._unlisted(round)

    def weights(self, round: int) -> Counts:
        """How many deals of hole and board each class of the first two rounds stands for."""
        if round not in (0, 1):
            raise self._unlisted(round)
        hands = self.signals.deck.hands(3 * round)
        classes = (
            self.listed.flop[hands.row, hands.hole] if round else self.listed.preflop[hands.hole]
        )
        found = np.zeros(self.counts[round], np.int64)
        np.add.at(found, classes, hands.weight)
        return found

    def _unlisted(self, round: int) -> DoyleError:
        return DoyleError(
            f"shrink: the classes of round {round} of {self.signals.deck.size} cards are numbered "
            "but not listed; take a game with fewer ranks or suits, or a card abstraction"
        )


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


def list_matching(signals: HoldemSignals, tree: IsomorphismClasses) -> ListedClasses:
    """Classes of preflop and flop hands: (class of the parent, kind)."""
    hands = signals.deck.hands(3)
    flop = tree.rounds[1]
    kinds = np.asarray(flop.table[hands.row, hands.hole])
    later = len(signals.ends) - 2
    below = np.asarray(flop.classes[kinds])[:, :later] if later else np.empty((len(hands), 0))
    return ListedClasses.number(signals.deck, np.array(tree.rounds[0].table[0]), kinds, below)


@dataclass(frozen=True, eq=False)
class BelowMatching:
    """Turn and river classes under one flop are the different kinds of its children, ascending."""

    tree: IsomorphismClasses

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        rounds = self.tree.rounds
        turns = np.unique(rounds[1].children[self.tree.find(hole, board[:3])])
        turn = self.tree.find(hole, board[:4])
        before = int(np.searchsorted(turns, turn))
        if len(board) == 4:
            return before
        skipped = int(rounds[2].classes[turns[:before], 0].sum())
        rivers = np.unique(rounds[2].children[turn])
        return skipped + int(np.searchsorted(rivers, self.tree.find(hole, board)))
