"""`PublicGame`: what algorithms see. Public tree, boards to come, private states, showdowns.

Two seats, zero sum. The unit of computation is a public history (a node of the tree on a board) with
a vector over all private states of a seat. `evaluate` says what a leaf is worth to each state, in time
linear in the hands; how a showdown is decided is written in `showdown` alone. Chips are for the seat itself, from the start
of the hand: a seat that folds loses what it has put in.

Games are made by `poker_game` (hands with ranges from any moment of a hand) and `state_game` (private
states with given matrices: buckets, merged cards, one-bet games). Algorithms see any game in one of
two views. Vector methods (`doyle.solving.vector`) walk boards with the kernels' `evaluator`. The
sequence form (`doyle.solving.methods`) reads `private_states`, the matrices of every round, which
are given, or worked out from the evaluator where the hands are few. Best response, expected value and
reach need neither: they ask for boards one at a time, so `chance` may deal more than could be listed
(all of Hold'em inside a betting tree, `whole_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.betting import FOLD_LEAF, BettingTree, PublicTree
from doyle.cards.suits.relabelling import Suits, card_map
from doyle.errors import DoyleError
from doyle.solving.games._evaluator_kernels import Evaluator
from doyle.solving.games.chance import Board, Boards, Deals
from doyle.solving.games.evaluators import BlockShowdown, Showdown, compare
from doyle.solving.games.private_states import BlockMatrix, PrivateStates

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

LARGEST_MATRICES = 20_000_000
"""Entries of the matrices of a game with hands beyond which they are not worked out."""


@dataclass(frozen=True, eq=False)
class Hands:
    """The private states of one seat: hands with their cards, and the range, a weight for each.

    A hand stays what it is when boards are dealt. Where states are no hands, `cards` has no columns,
    `counts`[board] says how many states there are on a board, and `parents`[board, state] which state
    of the board before each comes from.

    >>> hands = Hands(np.array([[0, 1], [0, 2]], np.int32), np.array([1.0, 0.5]))
    >>> len(hands), hands.permuted((0, 2, 1, 3)).tolist()
    (2, [1, 0])
    """

    cards: Ints
    weights: Floats
    counts: Ints | None = None
    parents: Ints | None = None

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
    """One game; `mass` is the weight of all pairs of states that can meet."""

    name: str
    tree: PublicTree
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
    def betting(self) -> BettingTree:
        """The tree of a game that has a definition; DoyleError where it was drawn by hand."""
        if not isinstance(self.tree, BettingTree):
            raise DoyleError(f"{self.name}: no betting tree that a strategy could name")
        return self.tree

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
        return 0 if isinstance(self.showdown, BlockShowdown) else int(self.tree.round[0])

    @cached_property
    def mass(self) -> float:
        """The sum over pairs of states that can meet of the product of their weights."""
        return float(self.hands[0].weights @ self.meeting(0, self.hands[1].weights))

    def meeting(self, seat: int, other_weights: Floats) -> Floats:
        """For each state of `seat` the weight of the other seat's states that it can meet."""
        if isinstance(self.showdown, BlockShowdown):
            joint = self.showdown.matrices(0)[0]
            joint = joint if seat == 0 else joint.T
            result = np.zeros(len(self.hands[seat]))
            result[: len(joint)] = joint @ other_weights[: joint.shape[1]]
            return result
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
        """Which states there are on a board: hands that share no card with it."""
        hands = self.hands[seat]
        if hands.counts is not None:
            return np.asarray(np.arange(len(hands)) < hands.counts[board.number])
        mask = np.uint64(sum(1 << card for card in board.cards))
        return np.asarray((hands.masks & mask) == 0)

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
        """A vector [..., states] of the board before as seen on `board`; 0 where there is no state."""
        parents = self.hands[seat].parents
        seen = vector if parents is None else vector[..., parents[board.number]]
        return np.asarray(seen * self.live(seat, board))

    def add_leaving(self, seat: int, board: Board, values: Floats, total: Floats) -> None:
        """Add values [..., states] to those of the board before, once for every copy of `board`."""
        kept: Floats = np.where(self.live(seat, board), values, 0.0)
        parents = self.hands[seat].parents
        if parents is not None:
            np.add.at(total.T, parents[board.number], kept.T)
            return
        for hands in self.images(seat, board):
            total[..., hands] += kept

    def evaluate(
        self, leaf: int, seat: int, reach: Floats, *, board: Board | None = None
    ) -> Floats:
        """What a leaf pays each state of `seat`, in chips times the other seat's `reach` it meets.

        On the leaf's board, the root's if None; exact over all boards that may follow.
        """
        here = board or self.root
        chips = float(self._leaf_chips[seat][leaf])
        if self.tree.kind[leaf] != FOLD_LEAF:
            return chips * self.compared(seat, reach, board=here)[0]
        if isinstance(self.showdown, BlockShowdown):
            states = len(self.hands[seat])
            return chips * compare(self.evaluator, here.number, seat, reach, states)[1]
        return chips * self.meeting(seat, reach)

    @cached_property
    def _leaf_chips(self) -> tuple[Floats, Floats]:
        return self.tree.leaf_chips(0), self.tree.leaf_chips(1)

    def compared(
        self, seat: int, reach: Floats, *, board: Board | None = None
    ) -> tuple[Floats, Floats]:
        """Reach [..., states] of the other seat that each state meets: weaker less stronger, and all.

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

    def _compared_on_last(self, seat: int, board: Board, reach: Floats) -> tuple[Floats, Floats]:
        states = len(self.hands[seat])
        if isinstance(self.showdown, BlockShowdown) or board.number >= 0:
            return compare(self.evaluator, board.number, seat, reach, states)
        alone = replace(self.showdown, boards=Boards.one(board.cards))
        return compare(alone.arrays, 0, seat, reach, states)

    # Matrices ---------------------------------------------------------------------------------

    @cached_property
    def private_states(self) -> tuple[PrivateStates, ...]:
        """The private states of every round from the root's on, with their matrices."""
        if isinstance(self.showdown, BlockShowdown):
            return self.showdown.rounds
        return _worked_out(self)

    def states(self, level: int, seat: int) -> int:
        """How many private states `seat` may be in, over all boards; one before the first round."""
        return 1 if level < 0 else self.private_states[level].count(seat)

    def ancestors(self, seat: int, *, level: int, earlier: int) -> npt.NDArray[np.int64]:
        """For each state of a level, the state of the `earlier` one (-1: the start) it came from."""
        result = np.arange(self.states(level, seat))
        for number in range(level, earlier, -1):
            result = self.private_states[number].parents[seat][result]
        return np.asarray(result, np.int64)

    def states_on(self, seat: int, board: int) -> slice:
        """Where the states of a board, by number, are among those of its level in `private_states`."""
        level = int(self.boards.level[board])
        if isinstance(self.showdown, BlockShowdown):
            _, block = self.showdown.places[board]
            joint = self.private_states[level].joint
            starts = joint.row_start if seat == 0 else joint.column_start
            return slice(int(starts[block]), int(starts[block + 1 if level else -1]))
        place = int((self.boards.level[:board] == level).sum())
        count = len(self.hands[seat])
        return slice(place * count, (place + 1) * count)

    def information_sets(self) -> tuple[int, int]:
        """Pairs of a decision and a private state, per seat."""
        return self._counted(lambda node: 1)

    def sequence_counts(self) -> tuple[int, int]:
        """Actions over all information sets and the empty sequence, per seat."""
        first, second = self._counted(lambda node: int(self.tree.child_count[node]))
        return 1 + first, 1 + second

    def _counted(self, each: Callable[[int], int]) -> tuple[int, int]:
        counts = [0, 0]
        for node in self.tree.decisions:
            seat = int(self.tree.actor[node])
            states = self.states(int(self.tree.round[node]) - self.first_level, seat)
            counts[seat] += each(int(node)) * states
        return counts[0], counts[1]


def _too_many_boards(name: str) -> DoyleError:
    return DoyleError(
        f"{name}: its boards are dealt one at a time, and this method needs all of them"
    )


def _worked_out(game: PublicGame) -> tuple[PrivateStates, ...]:
    """The matrices of a game with hands: a block a board, a state for each hand on it."""
    boards = game.boards
    sizes = (len(game.hands[0]), len(game.hands[1]))
    if len(boards.copies) != len(boards):
        raise DoyleError(f"{game.name}: its matrices need a game without merged suits")
    if 2 * len(boards) * sizes[0] * sizes[1] > LARGEST_MATRICES:
        raise DoyleError(
            f"{game.name}: the matrices of {len(boards):,} boards with {sizes[0]:,} and {sizes[1]:,} "
            "hands are too large"
        )
    pairs = game.hands[0].weights[:, None] * game.hands[1].weights / game.mass
    joint, showdown = np.zeros((2, len(boards), *sizes))
    chance = np.ones(len(boards))
    for board in range(len(boards)):
        before = chance[boards.parent[board]] if board else 1.0
        chance[board] = boards.weight[board] * before
        # One vector for each hand of seat 1.
        shown, met = compare(game.evaluator, board, 0, np.eye(sizes[1]), sizes[0])
        joint[board], showdown[board] = (
            chance[board] * pairs * met.T,
            chance[board] * pairs * shown.T,
        )
    for board in range(len(boards) - 1, 0, -1):
        showdown[int(boards.parent[board])] += showdown[board]
    found = []
    place = np.zeros(len(boards), np.int64)
    for level in range(boards.levels):
        here = np.flatnonzero(boards.level == level)
        place[here] = np.arange(len(here))
        above = place[boards.parent[here]]
        parents = [
            (above[:, None] * size + np.arange(size)).ravel() if level else np.zeros(size, np.int64)
            for size in sizes
        ]
        matrices = [BlockMatrix.of(list(matrix[here])) for matrix in (joint, showdown)]
        found.append(PrivateStates((parents[0], parents[1]), matrices[0], matrices[1]))
    return tuple(found)
