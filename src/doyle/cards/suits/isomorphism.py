"""Suit isomorphism: hands that differ only by a renaming of suits, numbered without gaps.

A hand is cards in groups, such as (2, 3) for hole cards and flop. Order within a group never
matters, order of groups does: (2, 3, 1) remembers which card was the turn, (2, 4) does not.

The numbering is a perfect hash after K. Waugh, "A fast and optimal hand isomorphism algorithm"
(2013). Each suit has a code (how many of its cards are in each group) and an index among all ways
to fill that code with ranks (colexicographic, group by group, among the ranks still free). Hands
are numbered first by the descending codes of their four suits, then by the suits' indices; suits
with equal codes are interchangeable, so these count as a multiset. Only the order of the numbers
differs from Waugh's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from doyle.base.errors import DoyleError
from doyle.cards.cards import DECK_SIZE, HOLE_COUNT, Card, check_cards, format_cards
from doyle.cards.suits._isomorphism_kernels import (
    SCRATCH_SIZE,
    IndexTables,
    count_members,
    index_all_holes,
    index_hands,
    unindex_hands,
)
from doyle.cards.suits.relabelling import ALL_SUITS

_MOST_CARDS = 7


class Indexer:
    """Numbers the hands made of `groups` of cards from 0 to `size` - 1, and back.

    >>> Indexer((2,)).size, Indexer((2, 3)).size, Indexer((2, 3, 1)).size
    (169, 1286792, 55190538)
    """

    def __init__(self, groups: Sequence[int]) -> None:
        self.groups: tuple[int, ...] = tuple(int(count) for count in groups)
        if not self.groups or min(self.groups) < 1 or sum(self.groups) > _MOST_CARDS:
            raise DoyleError(
                f"groups {self.groups}: expected positive numbers of cards, {_MOST_CARDS} in all at most"
            )
        self.tables: IndexTables = _index_tables(self.groups)

    def __repr__(self) -> str:
        return f"Indexer({self.groups})"

    @property
    def card_count(self) -> int:
        """Cards in a hand, over all groups."""
        return sum(self.groups)

    @property
    def size(self) -> int:
        """How many hands differ by more than a renaming of suits."""
        return int(self.tables.offsets[-1])

    def index(self, cards: ArrayLike) -> NDArray[np.int64]:
        """The number of each row of `cards`, int[n, k], groups one after the other.

        >>> ace_king_suited = Indexer((2,)).index([[51, 47], [44, 48]])
        >>> bool(ace_king_suited[0] == ace_king_suited[1])
        True
        """
        hands = np.asarray(cards)
        if hands.ndim != 2 or hands.shape[1] != self.card_count or hands.dtype.kind not in "iu":
            raise DoyleError(
                f"{self}: expected rows of {self.card_count} cards, not {hands.dtype}{hands.shape}"
            )
        if hands.size and (hands.min() < 0 or hands.max() >= DECK_SIZE):
            raise DoyleError(f"{self}: cards must be numbers from 0 to 51")
        indices = np.empty(len(hands), dtype=np.int64)
        flat = np.ascontiguousarray(hands, dtype=np.uint8).reshape(-1)
        index_hands(self.tables, flat, _scratch(), indices)
        if indices.size and indices.min() < 0:
            row = int(np.argmin(indices))
            raise DoyleError(f"{self}: row {row} ({format_cards(hands[row])}) repeats a card")
        return indices

    def unindex(self, indices: ArrayLike) -> NDArray[np.uint8]:
        """The canonical hand of each number: uint8[n, k], ascending within each group.

        >>> Indexer((2,)).unindex([168]).tolist()
        [[47, 51]]
        """
        numbers = np.ascontiguousarray(indices)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise DoyleError(
                f"{self}: expected a vector of indices, not {numbers.dtype}{numbers.shape}"
            )
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.size):
            raise DoyleError(f"{self}: indices must be from 0 to {self.size - 1}")
        hands = np.empty(len(numbers) * self.card_count, dtype=np.uint8)
        unindex_hands(self.tables, numbers.astype(np.int64), _scratch(), hands)
        return hands.reshape(len(numbers), self.card_count)

    def weights(self, start: int = 0, stop: int | None = None) -> NDArray[np.uint8]:
        """How many hands share each of the numbers from `start` to `stop` (default: to the last).

        >>> int(Indexer((2,)).weights().sum())
        1326
        """
        end = self.size if stop is None else stop
        if not 0 <= start <= end <= self.size:
            raise DoyleError(f"{self}: no indices {start} to {end} among {self.size}")
        weights = np.empty(end - start, dtype=np.uint8)
        count_members(self.tables, np.uint64(start), _scratch(), weights)
        return weights


def canonical_boards(count: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """One board of `count` cards for each class under renaming of suits, and the classes' sizes.

    >>> boards, multiplicities = canonical_boards(3)
    >>> len(boards), int(multiplicities.sum())
    (1755, 22100)
    """
    indexer = Indexer((count,))
    return indexer.unindex(np.arange(indexer.size)), indexer.weights()


def index_board_hands(board: Sequence[Card]) -> NDArray[np.int64]:
    """The number by `Indexer((2, len(board)))` of every hole pair; -1 where it shares a card.

    >>> indices = index_board_hands((0, 5, 10, 15, 20))
    >>> int((indices >= 0).sum())
    1081
    """
    checked = check_cards(board, what="board")
    if not 1 <= len(checked) <= _MOST_CARDS - 2:
        raise DoyleError(f"board: expected 1 to {_MOST_CARDS - 2} cards, found {len(checked)}")
    indices = np.empty(HOLE_COUNT, dtype=np.int64)
    tables = _index_tables((2, len(checked)))
    index_all_holes(tables, np.array(checked, dtype=np.uint8), _scratch(), indices)
    return indices


def _scratch() -> NDArray[np.uint64]:
    return np.zeros(SCRATCH_SIZE, dtype=np.uint64)


@cache
def _index_tables(groups: tuple[int, ...]) -> IndexTables:
    strides = [math.prod(count + 1 for count in groups[:i]) for i in range(len(groups))]
    code_count = math.prod(count + 1 for count in groups)
    configurations = list(_configurations(groups, strides))
    suit_sizes = [_suit_size(code, groups, strides) for code in range(code_count)]
    runs = [sum((c[i] == c[i + 1]) << i for i in range(3)) for c in configurations]
    radixes, sizes = zip(*(_radixes(c, suit_sizes) for c in configurations), strict=True)
    sets, set_starts, colex = _rank_sets()
    return IndexTables(
        groups=np.array(groups, dtype=np.uint64),
        code_strides=np.array(strides, dtype=np.uint64),
        code_count=np.array([code_count], dtype=np.uint64),
        arrangements=_arrangements(configurations, code_count),
        permutations=np.array(ALL_SUITS, dtype=np.uint64),
        offsets=np.array([0, *itertools.accumulate(sizes)], dtype=np.uint64),
        codes=np.array(configurations, dtype=np.uint64),
        counts=np.array(
            [
                list(zip(*(_counts(code, groups, strides) for code in codes), strict=True))
                for codes in configurations
            ],
            dtype=np.uint64,
        ),
        runs=np.array(runs, dtype=np.uint64),
        radixes=np.array(radixes, dtype=np.uint64),
        binomials=np.array(
            [[math.comb(n, k) for k in range(15)] for n in range(15)], dtype=np.uint64
        ),
        bit_counts=np.array([mask.bit_count() for mask in range(1 << 13)], dtype=np.uint8),
        colex=colex,
        sets=sets,
        set_starts=set_starts,
    )


def _counts(code: int, groups: Sequence[int], strides: Sequence[int]) -> list[int]:
    """How many cards of each group a suit with this code has."""
    return [code // stride % (count + 1) for count, stride in zip(groups, strides, strict=True)]


def _suit_size(code: int, groups: Sequence[int], strides: Sequence[int]) -> int:
    """In how many ways a suit can have this code: a choice among the free ranks for each group."""
    size, free = 1, 13
    for count in _counts(code, groups, strides):
        size *= math.comb(free, count) if free >= count else 0
        free -= count
    return size


def _configurations(
    groups: Sequence[int], strides: Sequence[int]
) -> Iterator[tuple[int, int, int, int]]:
    """All descending quadruples of codes that use up every group, in ascending order."""
    target = sum(count * stride for count, stride in zip(groups, strides, strict=True))
    counts = {code: _counts(code, groups, strides) for code in range(target + 1)}
    for first in range(target + 1):
        for second in range(min(first, target - first) + 1):
            for third in range(min(second, target - first - second) + 1):
                fourth = target - first - second - third
                if fourth > third:
                    continue
                chosen = (first, second, third, fourth)
                totals = [sum(column) for column in zip(*(counts[c] for c in chosen), strict=True)]
                if totals == list(groups):
                    yield chosen


def _radixes(configuration: tuple[int, ...], suit_sizes: Sequence[int]) -> tuple[list[int], int]:
    """What one step of each position's index is worth, and how many hands there are.

    Positions with equal codes form a run, whose multiset counts as one digit.
    """
    radixes, total, position = [], 1, 0
    for code, run in itertools.groupby(configuration):
        length = len(list(run))
        radixes += [total] * length
        total *= math.comb(suit_sizes[code] + length - 1, length)
        position += length
    return radixes, total


def _arrangements(
    configurations: Sequence[tuple[int, int, int, int]], code_count: int
) -> NDArray[np.uint32]:
    """Configuration << 5 | permutation for the codes of suits 0, 1 and 2, in any order."""
    table = np.zeros(code_count**3, dtype=np.uint32)
    for number, configuration in enumerate(configurations):
        for index, permutation in enumerate(ALL_SUITS):
            # Suit permutation[k] takes position k.
            codes = [0] * 4
            for position, suit in enumerate(permutation):
                codes[suit] = configuration[position]
            place = (codes[0] * code_count + codes[1]) * code_count + codes[2]
            table[place] = number << 5 | index
    return table


def _rank_sets() -> tuple[NDArray[np.uint16], NDArray[np.uint64], NDArray[np.uint16]]:
    """Masks of 13 ranks by size then colexicographically, where each size starts, and back."""
    masks = sorted(range(1 << 13), key=lambda mask: (mask.bit_count(), mask))
    starts = [0, *itertools.accumulate(math.comb(13, count) for count in range(13))]
    colex = np.zeros(1 << 13, dtype=np.uint16)
    for place, mask in enumerate(masks):
        colex[mask] = place - starts[mask.bit_count()]
    return np.array(masks, dtype=np.uint16), np.array(starts, dtype=np.uint64), colex
