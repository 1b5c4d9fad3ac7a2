"""What chance may still deal: `Deals`, board by board as they are asked for, and `Boards`, all of them.

Both give `root`, `levels`, `below` and `ways`, which is all that walks need, so a game that has too many
boards to list is walked like any other. A board may stand for several that differ by a relabelling of suits only, if neither the board before
it nor the ranges tell those suits apart. Boards are numbered depth first, so a parent comes before its
children and the boards below one are a range; board 0 is the one that is there. `weight` is the
probability of a board given its parent for two hands that hold none of its cards. `copies` lists the
boards that it stands for as numbers of permutations of the hands, the board itself (permutation 0,
which changes nothing) first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.cards.suits.relabelling import (
    SAME_SUITS,
    Cards,
    Suits,
    combined,
    image,
    orbits,
)


class Board(NamedTuple):
    """One board with its level, the relabellings that leave it as it is, and those to its copies."""

    cards: Cards
    level: int
    group: tuple[Suits, ...]
    copies: tuple[Suits, ...] = (SAME_SUITS,)
    number: int = -1
    """Its place in `Boards`; -1 where boards are not listed."""


@dataclass(frozen=True)
class Deals:
    """The rounds to come from a board on: `counts` cards each, while `hidden` cards are held."""

    root: Board
    deck: Cards
    counts: tuple[int, ...]
    hidden: int

    @property
    def levels(self) -> int:
        """How many rounds there are, the root's included."""
        return len(self.counts) + 1

    def below(self, board: Board) -> Iterator[Board]:
        """The boards of the next round, one for each orbit of the group."""
        rest = [card for card in self.deck if card not in board.cards]
        for new, copies in orbits(rest, self.counts[board.level], board.group):
            group = tuple(one for one in board.group if image(new, one) == new)
            yield Board((*board.cards, *new), board.level + 1, group, tuple(copies))

    def ways(self, board: Board) -> float:
        """How many boards the next round has for two hands that hold none of its cards."""
        rest = len(self.deck) - len(board.cards) - self.hidden
        return comb(rest, self.counts[board.level])


@dataclass(frozen=True, eq=False)
class Boards:
    """Every board from the root on; `level` counts rounds from the root's."""

    cards: tuple[Cards, ...]
    level: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]
    copy_start: npt.NDArray[np.int32]
    copies: npt.NDArray[np.int32]
    suits: tuple[Suits, ...]
    """The permutations by number, as relabellings of suits."""
    groups: tuple[tuple[Suits, ...], ...]
    """For each board the relabellings that leave it and the ranges as they are."""

    @classmethod
    def dealt(cls, deals: Deals) -> Boards:
        """Every board of these deals, from the root on."""
        numbers = {SAME_SUITS: 0}
        found: list[Board] = []
        parent: list[int] = []
        weight: list[float] = []
        waiting: list[tuple[Board, int, float]] = [(deals.root, -1, 1.0)]
        while waiting:
            board, above, share = waiting.pop()
            number = len(found)
            found.append(board)
            parent.append(above)
            weight.append(share)
            if board.level < len(deals.counts):
                below = 1.0 / deals.ways(board)
                waiting.extend(reversed([(child, number, below) for child in deals.below(board)]))
        counts = [len(board.copies) for board in found]
        copies = [numbers.setdefault(one, len(numbers)) for board in found for one in board.copies]
        return cls(
            cards=tuple(board.cards for board in found),
            level=np.array([board.level for board in found], np.int32),
            parent=np.array(parent, np.int32),
            weight=np.array(weight),
            copy_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            copies=np.array(copies, np.int32),
            suits=tuple(numbers),
            groups=tuple(board.group for board in found),
        )

    @classmethod
    def one(cls, cards: Cards) -> Boards:
        """A last board alone."""
        return cls.dealt(Deals(Board(cards, 0, (SAME_SUITS,)), (), (), hidden=0))

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, number: int) -> Board:
        return Board(
            self.cards[number],
            int(self.level[number]),
            self.groups[number],
            tuple(self.suits[copy] for copy in self.copies_of(number)),
            number,
        )

    @property
    def root(self) -> Board:
        return self[0]

    def below(self, board: Board) -> Iterator[Board]:
        """The boards of the next round."""
        return (self[int(number)] for number in np.flatnonzero(self.parent == board.number))

    def ways(self, board: Board) -> float:
        """What the sum over the boards below, with their copies, is divided by."""
        first = np.flatnonzero(self.parent == board.number)[0]
        return float(1.0 / self.weight[first])

    @property
    def levels(self) -> int:
        """How many rounds there are, the root's included."""
        return int(self.level.max()) + 1

    def copies_of(self, board: int) -> npt.NDArray[np.int32]:
        """Numbers of the permutations that lead from a board to those that it stands for."""
        return self.copies[self.copy_start[board] : self.copy_start[board + 1]]

    def represented(self) -> int:
        """How many boards of the last round there are when copies are counted."""
        counts = np.ones(len(self), np.int64)
        for board in range(1, len(self)):
            counts[board] = counts[self.parent[board]] * len(self.copies_of(board))
        return int(counts[self.level == self.levels - 1].sum())

    def find(self, dealt: Sequence[Cards]) -> tuple[int, Suits]:
        """The board that stands for the root's with these cards dealt, one group a round.

        The relabelling takes the board's cards to the real ones. KeyError if there is none.
        """
        board, suits = 0, SAME_SUITS
        for group in dealt:
            board, suits = self._child(board, suits, group)
        return board, suits

    def _child(self, board: int, suits: Suits, group: Cards) -> tuple[int, Suits]:
        for child in np.flatnonzero(self.parent == board):
            new = self.cards[child][len(self.cards[board]) :]
            for copy in self.copies_of(int(child)):
                whole = combined(suits, self.suits[copy])
                if image(new, whole) == tuple(sorted(group)):
                    return int(child), whole
        raise KeyError(group)
