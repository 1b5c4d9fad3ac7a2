"""The rank of a hand: an int from 1 up, larger is stronger, equal ranks split the pot.

- 5 to 7 cards: the best five by the standard order, 1 (7-5-4-3-2) to 7,462 (royal flush).
- 3 cards: Rhode Island Hold'em's order (Shi and Littman 2001; Gilpin and Sandholm 2007): straight
  flush, three of a kind, straight, flush, pair, high card. The ace is high, or low in A-2-3.
- 1, 2 and 4 cards: groups of equal ranks in the standard order, then high cards. No straights or
  flushes. One card is Kuhn poker; two are Leduc, where a pair beats any high card.

Ranks are comparable only between hands of equally many cards, except among 5, 6 and 7.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError
from doyle.cards.cards import DECK_SIZE, Card, check_cards

RANK_COUNT = 7462
"""How many different five-card hands there are; the rank of the royal flush."""

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
CATEGORY_STARTS = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)
"""The least rank of each category of five-card hands."""

COLUMN_BITS = 9
_RANK_WEIGHTS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
_SUM_MASK = (1 << 32) - 1
_SUIT_START = 0x3333 << 32
_FLUSH_BITS = 0x8888 << 32

_THREE_CARD_STRENGTH = {0: 0, 1: 1, 5: 2, 4: 3, 3: 4, 8: 5}
"""Categories of three-card hands from weakest to strongest: straights beat flushes."""


class RankTables(NamedTuple):
    """What kernels need to rank hands of one size.

    `keys[card]` holds the weight of the card's rank in the low 32 bits and one in its suit's
    4-bit counter above. A hand's key is the sum of its cards' keys, plus 3 in each counter (which
    `keys[52]` holds), so that bit 3 of a counter says "five or more of this suit". Without a
    flush the rank is `ranks[offsets[sum >> 9] + (sum & 511)]`, else `flush[mask of the suit]`.
    """

    keys: NDArray[np.uint64]
    offsets: NDArray[np.uint32]
    ranks: NDArray[np.uint16]
    flush: NDArray[np.uint16]


@cache
def rank_tables(size: int) -> RankTables:
    """The tables for hands of 5, 6 or 7 cards."""
    if size not in (5, 6, 7):
        raise DoyleError(f"hand of {size} cards: rank tables exist for 5, 6 and 7 cards")
    keys = [_RANK_WEIGHTS[card // 4] + (1 << (32 + 4 * (card % 4))) for card in range(DECK_SIZE)]
    return RankTables(
        keys=np.array([*keys, _SUIT_START], dtype=np.uint64),
        offsets=_load(f"offsets{size}"),
        ranks=_load(f"ranks{size}"),
        flush=_load("flush"),
    )


@cache
def _load(name: str) -> NDArray[Any]:
    table: NDArray[Any] = np.load(Path(__file__).parent / "tables" / f"{name}.npy")
    return table


def rank_hand(cards: Sequence[Card]) -> int:
    """The rank of one hand of 1 to 7 cards.

    >>> from doyle.cards import parse_cards
    >>> rank_hand(parse_cards("AsKsQsJsTs")), rank_hand(parse_cards("7c5d4h3s2c"))
    (7462, 1)
    """
    if len(cards) >= 5:
        return _rank_large(cards)
    return _rank_small(check_cards(cards, what="hand"))


def _rank_large(cards: Sequence[Card]) -> int:
    tables = _python_tables(len(cards))
    keys = tables.keys
    if len(set(cards)) != len(cards) or min(cards) < 0 or max(cards) >= DECK_SIZE:
        check_cards(cards, what="hand")
    key = _SUIT_START
    for card in cards:
        key += keys[card]
    flush = key & _FLUSH_BITS
    if flush:
        suit = (flush.bit_length() - 36) // 4
        return tables.flush[sum(1 << (card >> 2) for card in cards if card & 3 == suit)]
    total = key & _SUM_MASK
    return tables.ranks[tables.offsets[total >> COLUMN_BITS] + (total & ((1 << COLUMN_BITS) - 1))]


def rank_best(cards: Sequence[Card]) -> int:
    """The rank of the best hand in any number of cards.

    Of more than seven cards, the best of the few hands that can be it: the flush of each suit, the
    highest straight, and the highest groups of equal ranks of each shape.
    """
    if len(cards) <= 7:
        return rank_hand(cards)
    check_cards(cards, what="hand")
    by_suit = [sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)]
    flush = _python_tables(5).flush
    ranks = [flush[mask] for mask in by_suit if mask.bit_count() >= 5]
    by_rank: list[list[Card]] = [[] for _ in range(13)]
    for card in cards:
        by_rank[card >> 2].append(card)
    hands = [_highest_groups(by_rank, shape) for shape in _SHAPES]
    hands += [[by_rank[rank][0] for rank in run] for run in _RUNS if all(by_rank[r] for r in run)]
    return max([*ranks, *(_rank_large(hand) for hand in hands if len(hand) == 5)])


_SHAPES = ((4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1))
_RUNS = ((12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9)))
"""The ranks of every straight."""


def _highest_groups(by_rank: Sequence[Sequence[Card]], shape: tuple[int, ...]) -> list[Card]:
    """The highest hand with groups of these sizes, largest first; shorter where there is none."""
    hand: list[Card] = []
    used: set[int] = set()
    for size in shape:
        fits = [r for r in range(12, -1, -1) if r not in used and len(by_rank[r]) >= size]
        if not fits:
            return []
        used.add(fits[0])
        hand += by_rank[fits[0]][:size]
    return hand


class _PythonTables(NamedTuple):
    """`RankTables` as sequences whose items are plain ints: several times faster from Python."""

    keys: tuple[int, ...]
    offsets: memoryview
    ranks: memoryview
    flush: memoryview


@cache
def _python_tables(size: int) -> _PythonTables:
    tables = rank_tables(size)
    return _PythonTables(
        tuple(int(key) for key in tables.keys),
        memoryview(cast(Any, tables.offsets)),
        memoryview(cast(Any, tables.ranks)),
        memoryview(cast(Any, tables.flush)),
    )


def _rank_small(cards: tuple[Card, ...]) -> int:
    if not cards:
        raise DoyleError("hand: expected 1 to 7 cards, found none")
    return _small_ranks(len(cards))[_small_value(cards)]


@cache
def _small_ranks(size: int) -> dict[tuple[int, ...], int]:
    """The rank of every value that a hand of 1 to 4 cards can have."""
    values = set()
    for ranks in itertools.combinations_with_replacement(range(13), size):
        suits = [0] * size if len(set(ranks)) == size else list(range(size))
        values.add(
            _small_value(tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)))
        )
        values.add(_small_value(tuple(4 * rank + i for i, rank in enumerate(ranks))))
    return {value: rank for rank, value in enumerate(sorted(values), start=1)}


def _small_value(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """What a hand of 1 to 4 cards is compared by: its strength by category, then its ranks."""
    counts = Counter(card // 4 for card in cards)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    shape = tuple(count for count, _ in groups)
    order = tuple(rank for _, rank in groups)
    category = {(4,): 7, (3,): 3, (3, 1): 3, (2, 2): 2, (2,): 1, (2, 1): 1, (2, 1, 1): 1}.get(
        shape, 0
    )
    if len(cards) == 3:
        if len(counts) == 3:
            flush = len({card % 4 for card in cards}) == 1
            low_straight = order == (12, 1, 0)
            straight = order[0] - order[2] == 2 or low_straight
            category = 8 if straight and flush else 4 if straight else 5 if flush else 0
            order = (1,) if low_straight else order[:1] if straight else order
        return (_THREE_CARD_STRENGTH[category], *order)
    return (category, *order)


def rank_limit(size: int) -> int:
    """The highest rank of hands of `size` cards.

    >>> [rank_limit(size) for size in range(1, 8)]
    [13, 91, 741, 1820, 7462, 7462, 7462]
    """
    return RANK_COUNT if size >= 5 else len(_small_ranks(size))


def category_of(rank: int) -> str:
    """The category of the rank of a hand of 5 to 7 cards.

    >>> category_of(7462), category_of(1)
    ('straight flush', 'high card')
    """
    if not 1 <= rank <= RANK_COUNT:
        raise DoyleError(f"rank {rank}: expected a number from 1 to {RANK_COUNT}")
    return CATEGORIES[sum(start <= rank for start in CATEGORY_STARTS) - 1]


@dataclass(frozen=True)
class RankedHand:
    """A hand with its rank, the name of its category, and the cards that count, strongest first."""

    cards: tuple[Card, ...]
    rank: int
    category: str
    best: tuple[Card, ...]


def describe_hand(cards: Sequence[Card]) -> RankedHand:
    """Rank a hand of 1 to 7 cards and say what it is.

    >>> from doyle.cards import format_cards, parse_cards
    >>> hand = describe_hand(parse_cards("AsAdKsKd7c2h2d"))
    >>> hand.category, format_cards(hand.best)
    ('two pair', 'AsAdKsKd7c')
    """
    hand = check_cards(cards, what="hand")
    rank = rank_hand(hand)
    if len(hand) < 5:
        value = _small_value(hand)
        if len(hand) == 3:
            category = {s: c for c, s in _THREE_CARD_STRENGTH.items()}[value[0]]
        else:
            category = value[0]
        return RankedHand(hand, rank, CATEGORIES[category], _in_order(hand))
    best = max(
        (five for five in itertools.combinations(sorted(hand, reverse=True), 5)), key=rank_hand
    )
    return RankedHand(hand, rank, category_of(rank), _in_order(best))


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Larger groups first, then higher ranks; the ace last in a straight to the 5 (or the 3)."""
    counts = Counter(card // 4 for card in cards)
    low = len(counts) == len(cards) and set(counts) in ({12, 0, 1, 2, 3}, {12, 0, 1})

    def strength(card: Card) -> tuple[int, int, int]:
        rank = card // 4
        return counts[rank], -1 if low and rank == 12 else rank, card % 4

    return tuple(sorted(cards, key=strength, reverse=True))
