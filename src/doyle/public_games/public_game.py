"""`PublicGame`: what vector methods see. Betting tree, boards to come, hands with ranges, evaluator.

Two seats, zero sum. A seat's private hand never changes; public cards make some hands impossible.
The unit of computation is a public history (a node of the tree on a board) with a vector over all
hands of a seat. What a leaf is worth to each hand comes from the evaluator, in which alone it is
written how a showdown is decided. Chips are for the seat itself, from the start of the hand: a seat
that folds loses what it has put in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.betting import DECISION, FOLD_LEAF, BettingTree
from doyle.errors import DoyleError
from doyle.public_games._evaluator_kernels import Evaluator
from doyle.public_games.chance import Boards, Suits, relabelled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Hands:
    """The private hands of one seat: their cards and the range, a weight for each.

    >>> hands = Hands(np.array([[0, 1], [0, 2]], np.int32), np.array([1.0, 0.5]))
    >>> len(hands), hands.permuted((0, 2, 1, 3)).tolist()
    (2, [1, 0])
    """

    cards: Ints
    weights: Floats

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def masks(self) -> npt.NDArray[np.uint64]:
        """The cards of each hand as a bit mask."""
        bits = np.uint64(1) << self.cards.astype(np.uint64)
        return np.asarray(np.bitwise_or.reduce(bits, axis=1), np.uint64)

    def permuted(self, suits: Suits) -> Ints:
        """For each hand the number of the one that a relabelling of suits turns it into."""
        table = np.array([relabelled(card, suits) for card in range(52)], np.uint64)
        bits = np.bitwise_or.reduce(np.uint64(1) << table[self.cards], axis=1)
        order = np.argsort(self.masks)
        places = np.searchsorted(self.masks[order], bits)
        found = order[np.minimum(places, len(order) - 1)]
        if not np.array_equal(self.masks[found], bits):
            raise DoyleError("hands: a relabelling of suits leads out of the range")
        return found.astype(np.int32)

    def allow(self, suits: Suits) -> bool:
        """Whether a relabelling of suits leaves the range as it is."""
        try:
            image = self.permuted(suits)
        except DoyleError:
            return False
        return bool(np.array_equal(self.weights[image], self.weights))


@dataclass(frozen=True, eq=False)
class PublicGame:
    """One game; `mass` is the weight of all pairs of hands that can meet."""

    name: str
    tree: BettingTree
    boards: Boards
    hands: tuple[Hands, Hands]
    evaluator: Evaluator

    def __post_init__(self) -> None:
        if self.tree.game.players != 2:
            raise DoyleError(f"{self.name}: vector methods need two seats")
        for seat, hands in enumerate(self.hands):
            if not len(hands) or not (hands.weights >= 0).all() or hands.weights.sum() <= 0:
                raise DoyleError(f"{self.name}: seat {seat} has no hand in its range")
        if self.mass <= 0:
            raise DoyleError(f"{self.name}: no two hands of the ranges can meet")

    @cached_property
    def mass(self) -> float:
        """The sum over pairs of hands that share no card of the product of their weights."""
        return float(self.hands[0].weights @ self.meeting(0, self.hands[1].weights))

    def meeting(self, seat: int, other_weights: Floats) -> Floats:
        """For each hand of `seat` the weight of the other seat's hands that share no card with it."""
        theirs = self.hands[1 - seat]
        sums = np.zeros(52)
        for column in theirs.cards.T:
            np.add.at(sums, column, other_weights)
        own = self.hands[seat]
        shared = sums[own.cards].sum(axis=1)
        if own.cards.shape[1] == 2:
            # Hands that share both cards were counted twice.
            order = np.argsort(theirs.masks)
            places = np.minimum(np.searchsorted(theirs.masks[order], own.masks), len(order) - 1)
            same = theirs.masks[order[places]] == own.masks
            shared -= np.where(same, other_weights[order[places]], 0.0)
        return np.asarray(other_weights.sum() - shared, np.float64)

    def live(self, seat: int, board: int) -> npt.NDArray[np.bool_]:
        """Which hands share no card with a board."""
        mask = np.uint64(sum(1 << card for card in self.boards.cards[board]))
        return np.asarray((self.hands[seat].masks & mask) == 0)

    @property
    def first_level(self) -> int:
        """The betting round of the root."""
        return int(self.tree.round[0])

    def leaf_chips(self, seat: int) -> Floats:
        """For each node what `seat` wins: at a fold leaf from anybody, at a showdown from weaker hands."""
        tree = self.tree
        spent = tree.spent.astype(np.float64)
        own_fold = (tree.folded >> seat) & 1 == 1
        at_fold = np.where(own_fold, -spent[:, seat], spent[:, 1 - seat])
        chips = np.where(tree.kind == FOLD_LEAF, at_fold, spent.min(axis=1))
        return np.where(tree.kind == DECISION, 0.0, chips)
