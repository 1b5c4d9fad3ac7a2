"""`PublicGame`: what algorithms see. Public tree, boards to come, private states, showdowns.

Two seats, zero sum. The unit of computation is a public history (a node of the tree on a board) with
a vector over all private states of a seat, its hands. `evaluate` says what a leaf is worth to each hand, in time
linear in the hands; how a showdown is decided is written in `showdown` alone. Chips are for the seat itself, from the start
of the hand: a seat that folds loses what it has put in.

Games are made by `poker_game` (hands with ranges from any moment of a hand) and `whole_game` (all of
a game inside a betting tree). Vector methods (`doyle.solving.vector`) walk boards with the kernels'
`evaluator`. Reach, and the values of `board_walk`, ask for boards one at a time, so `chance` may deal
more than could be listed. Private states with given matrices are a `MatrixGame`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import FOLD_LEAF, BettingTree
from doyle.base.errors import DoyleError
from doyle.cards.suits.relabelling import Suits, card_map
from doyle.solving.games._evaluator_kernels import Evaluator
from doyle.solving.games.chance import Board, Boards, Deals
from doyle.solving.games.evaluators import Showdown, compare

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Hands:
    """The private states of one seat: hands with their cards, and the range, a weight for each.

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
        table = np.array(card_map(suits), np.uint64)
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
    chance: Boards | Deals
    hands: tuple[Hands, Hands]
    showdown: Showdown

    def __post_init__(self) -> None:
        if self.tree.players != 2:
            raise DoyleError(f"{self.name}: these methods need two seats")
        for seat, hands in enumerate(self.hands):
            if not len(hands) or not (hands.weights >= 0).all() or hands.weights.sum() <= 0:
                raise DoyleError(f"{self.name}: seat {seat} has no hand in its range")
        if self.mass <= 0:
            raise DoyleError(f"{self.name}: no two hands of the ranges can meet")

    @property
    def boards(self) -> Boards:
        """All boards, by number; DoyleError where they are dealt one at a time."""
        if isinstance(self.chance, Deals):
            raise _too_many_boards(self.name)
        return self.chance

    @property
    def evaluator(self) -> Evaluator:
        """The showdowns of all boards as arrays for kernels."""
        if isinstance(self.chance, Deals):
            raise _too_many_boards(self.name)
        return self.showdown.arrays

    @property
    def first_level(self) -> int:
        """The betting round of the root's board."""
        return int(self.tree.round[0])

    @cached_property
    def mass(self) -> float:
        """The sum over pairs of hands that can meet of the product of their weights."""
        return float(self.hands[0].weights @ self.meeting(0, self.hands[1].weights))

    def meeting(self, seat: int, other_weights: Floats) -> Floats:
        """For each hand of `seat` the weight of the other seat's hands that it can meet."""
        own, theirs = self.hands[seat].cards, self.hands[1 - seat].cards
        sums = np.zeros(52)
        for column in theirs.T:
            sums += np.bincount(column, other_weights, 52)
        shared = sums[own].sum(axis=1)
        if own.shape[1] == 2:
            # Hands that share both cards were counted twice.
            places, same = self._same_hands[seat]
            shared -= np.where(same, other_weights[places], 0.0)
        return np.asarray(other_weights.sum() - shared, np.float64)

    @cached_property
    def _same_hands(self) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]]:
        """By seat, for each hand its place among the other seat's, and whether it is there."""
        found = []
        for seat in (0, 1):
            own, theirs = self.hands[seat].masks, self.hands[1 - seat].masks
            order = np.argsort(theirs)
            places = order[np.minimum(np.searchsorted(theirs[order], own), len(order) - 1)]
            found.append((places, theirs[places] == own))
        return found

    def live(self, seat: int, board: Board) -> npt.NDArray[np.bool_]:
        """Which hands there are on a board: those that share no card with it."""
        mask = np.uint64(sum(1 << card for card in board.cards))
        return np.asarray((self.hands[seat].masks & mask) == 0)

    # What walks ask -----------------------------------------------------------------------------

    @property
    def levels(self) -> int:
        """How many rounds there are from the root's board on."""
        return self.chance.levels

    @cached_property
    def root(self) -> Board:
        return self.chance.root

    def below(self, board: Board) -> Iterable[Board]:
        """The boards of the next round."""
        return self.chance.below(board)

    def ways(self, board: Board) -> float:
        """What the sum over the boards below, with their copies, is divided by."""
        return self.chance.ways(board)

    def weights(self, seat: int) -> Floats:
        """The range at the root."""
        return self.hands[seat].weights

    def images(self, seat: int, board: Board) -> list[Ints]:
        """For each copy of a board what every hand of `seat` becomes on it."""
        return [self._images[seat][suits] for suits in board.copies]

    @cached_property
    def _images(self) -> list[dict[Suits, Ints]]:
        return [{one: hands.permuted(one) for one in self.root.group} for hands in self.hands]

    def entering(self, seat: int, board: Board, vector: Floats) -> Floats:
        """A vector [..., hands] of the board before as seen on `board`; 0 where a hand shares a card."""
        return np.asarray(vector * self.live(seat, board))

    def add_leaving(self, seat: int, board: Board, values: Floats, total: Floats) -> None:
        """Add values [..., hands] to those of the board before, once for every copy of `board`."""
        kept: Floats = np.where(self.live(seat, board), values, 0.0)
        for hands in self.images(seat, board):
            total[..., hands] += kept

    def evaluate(
        self, leaf: int, seat: int, reach: Floats, *, board: Board | None = None
    ) -> Floats:
        """What a leaf pays each hand of `seat`, in chips times the other seat's `reach` it meets.

        On the leaf's board, the root's if None; exact over all boards that may follow.
        """
        here = board or self.root
        chips = float(self._leaf_chips[seat][leaf])
        if self.tree.kind[leaf] != FOLD_LEAF:
            return chips * self.compared(seat, reach, board=here)[0]
        return chips * self.meeting(seat, reach)

    @cached_property
    def _leaf_chips(self) -> tuple[Floats, Floats]:
        return self.tree.leaf_chips(0), self.tree.leaf_chips(1)

    def compared(
        self, seat: int, reach: Floats, *, board: Board | None = None
    ) -> tuple[Floats, Floats]:
        """Reach [..., hands] of the other seat that each hand meets: weaker less stronger, and all.

        Exact over all boards that may follow `board`, before which nobody acts any more.
        """
        here = board or self.root
        if here.level == self.levels - 1:
            return self._compared_on_last(seat, here, reach)
        shape = (*reach.shape[:-1], len(self.hands[seat]))
        difference, total = np.zeros(shape), np.zeros(shape)
        for child in self.below(here):
            below = self.compared(seat, self.entering(1 - seat, child, reach), board=child)
            self.add_leaving(seat, child, below[0], difference)
            self.add_leaving(seat, child, below[1], total)
        ways = self.ways(here)
        return difference / ways, total / ways

    def equities(self, seat: int, other_weights: Floats, *, board: Board) -> Floats:
        """What each hand wins of a pot if nobody bets any more, a tie as a half; NaN if it meets nothing."""
        difference, total = self.compared(seat, other_weights, board=board)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 1e-12, 0.5 * (1.0 + difference / total), np.nan)

    def _compared_on_last(self, seat: int, board: Board, reach: Floats) -> tuple[Floats, Floats]:
        hands = len(self.hands[seat])
        if board.number >= 0:
            return compare(self.evaluator, board.number, seat, reach, hands)
        alone = replace(self.showdown, boards=Boards.one(board.cards))
        return compare(alone.arrays, 0, seat, reach, hands)


def _too_many_boards(name: str) -> DoyleError:
    return DoyleError(
        f"{name}: its boards are dealt one at a time, and this method needs all of them"
    )
