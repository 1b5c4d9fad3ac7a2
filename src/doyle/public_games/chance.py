"""`Boards`: what chance may still deal, from the board that is there to every last one.

Boards are numbered depth first, so a parent comes before its children and the boards below one are
a range; board 0 is the one that is there. `weight` is the probability of a board given its parent
for two hands that hold none of its cards. A board may stand for several that differ by a
relabelling of suits only: `copies` lists them as numbers of permutations of the hands, the board
itself (permutation 0, which changes nothing) first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

Cards = tuple[int, ...]
Suits = tuple[int, int, int, int]
"""A relabelling: suit s becomes suits[s]."""

SAME_SUITS: Suits = (0, 1, 2, 3)
ALL_SUITS: tuple[Suits, ...] = tuple(
    (order[0], order[1], order[2], order[3]) for order in permutations(range(4))
)


def relabelled(card: int, suits: Suits) -> int:
    """The card with its suit relabelled.

    >>> relabelled(51, (1, 0, 3, 2))
    50
    """
    return card - card % 4 + suits[card % 4]


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
    def given(cls, *, level: Sequence[int], parent: Sequence[int]) -> Boards:
        """Boards of which no cards are known and whose probabilities are elsewhere: weight 1 each."""
        count = len(level)
        return cls(
            cards=((),) * count,
            level=np.array(level, np.int32),
            parent=np.array(parent, np.int32),
            weight=np.ones(count),
            copy_start=np.arange(count + 1, dtype=np.int32),
            copies=np.zeros(count, np.int32),
            suits=(SAME_SUITS,),
            groups=((SAME_SUITS,),) * count,
        )

    def __len__(self) -> int:
        return len(self.cards)

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
                whole = _combined(suits, self.suits[copy])
                if _image(new, whole) == tuple(sorted(group)):
                    return int(child), whole
        raise KeyError(group)


def _combined(outer: Suits, inner: Suits) -> Suits:
    return (outer[inner[0]], outer[inner[1]], outer[inner[2]], outer[inner[3]])


def deal_boards(
    root: Cards,
    deck: Sequence[int],
    *,
    deals: Sequence[int],
    hidden: int,
    suits: Sequence[Suits] = (SAME_SUITS,),
) -> Boards:
    """Every way to deal `deals` further cards round by round, one board per orbit of `suits`.

    `hidden` cards are held by the seats. `suits` is the group of relabellings that change neither
    the root's board nor the ranges.
    """
    numbers = {SAME_SUITS: 0}
    cards, level, parent, weight = [root], [0], [-1], [1.0]
    copies: list[list[int]] = [[0]]
    groups: list[tuple[Suits, ...]] = [tuple(suits)]

    def below(number: int, depth: int, group: Sequence[Suits]) -> None:
        if depth == len(deals):
            return
        here = cards[number]
        rest = [card for card in deck if card not in here]
        ways = 1.0
        for taken in range(deals[depth]):
            ways *= (len(rest) - hidden - taken) / (taken + 1)
        for new, images in _orbits(rest, deals[depth], group):
            child = len(cards)
            cards.append((*here, *new))
            level.append(depth + 1)
            parent.append(number)
            weight.append(1.0 / ways)
            copies.append([numbers.setdefault(image, len(numbers)) for image in images])
            groups.append(tuple(one for one in group if _image(new, one) == new))
            below(child, depth + 1, groups[child])

    below(0, 0, groups[0])
    counts = [len(one) for one in copies]
    return Boards(
        cards=tuple(cards),
        level=np.array(level, np.int32),
        parent=np.array(parent, np.int32),
        weight=np.array(weight),
        copy_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        copies=np.array([one for some in copies for one in some], np.int32),
        suits=tuple(numbers),
        groups=tuple(groups),
    )


def _image(cards: Cards, suits: Suits) -> Cards:
    return tuple(sorted(relabelled(card, suits) for card in cards))


def _orbits(
    rest: Sequence[int], count: int, group: Sequence[Suits]
) -> Iterator[tuple[Cards, list[Suits]]]:
    """One choice of `count` cards per orbit, with a relabelling to each member of the orbit."""
    seen: set[Cards] = set()
    for new in combinations(sorted(rest), count):
        if new in seen:
            continue
        images: dict[Cards, Suits] = {new: SAME_SUITS}
        for suits in group:
            images.setdefault(_image(new, suits), suits)
        seen.update(images)
        yield new, list(images.values())
