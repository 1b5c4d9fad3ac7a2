"""Relabellings of suits: suit s becomes suits[s]. What differs by one is the same to every rule.

A *group* of relabellings holds those that leave something as it is; an *orbit* is everything that a
group makes of one choice of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial

Cards = tuple[int, ...]
Suits = tuple[int, int, int, int]

SAME_SUITS: Suits = (0, 1, 2, 3)
ALL_SUITS: tuple[Suits, ...] = tuple(
    (order[0], order[1], order[2], order[3]) for order in permutations(range(4))
)
"""All 24, the one that changes nothing first."""


def relabellings(count: int) -> tuple[Suits, ...]:
    """Those of a deck with `count` suits, which are the top ones.

    >>> relabellings(2)
    ((0, 1, 2, 3), (0, 1, 3, 2))
    """
    return tuple(one for one in ALL_SUITS if one[: 4 - count] == SAME_SUITS[: 4 - count])


def relabelled(card: int, suits: Suits) -> int:
    """The card with its suit relabelled.

    >>> relabelled(51, (1, 0, 3, 2))
    50
    """
    return card - card % 4 + suits[card % 4]


@cache
def card_map(suits: Suits) -> Cards:
    """What each of the 52 cards becomes."""
    return tuple(relabelled(card, suits) for card in range(52))


def image(cards: Cards, suits: Suits) -> Cards:
    """The relabelled cards, ascending."""
    table = card_map(suits)
    return tuple(sorted([table[card] for card in cards]))


def combined(outer: Suits, inner: Suits) -> Suits:
    """The relabelling that does `inner`, then `outer`."""
    return (outer[inner[0]], outer[inner[1]], outer[inner[2]], outer[inner[3]])


def orbits(
    rest: Sequence[int], count: int, group: Sequence[Suits]
) -> Iterator[tuple[Cards, list[Suits]]]:
    """One choice of `count` cards per orbit, with a relabelling to each member of the orbit.

    >>> [(cards, len(to)) for cards, to in orbits(range(4), 2, ALL_SUITS)]
    [((0, 1), 6)]
    """
    seen: set[Cards] = set()
    for new in combinations(sorted(rest), count):
        if new in seen:
            continue
        members: dict[Cards, Suits] = {new: SAME_SUITS}
        for suits in group:
            members.setdefault(image(new, suits), suits)
        seen.update(members)
        yield new, list(members.values())


def orbit_counts(ranks: int, suits: int, groups: Sequence[int]) -> tuple[int, ...]:
    """How many deals there are up to suits when groups of so many cards come one after the other.

    Burnside's lemma: the mean over the permutations of suits of how many deals each keeps, which
    are those whose every group is a union of cycles of cards.

    >>> orbit_counts(13, 4, (2, 3, 1, 1))
    (169, 1286792, 55190538, 2428287420)
    """
    totals = [0] * len(groups)
    for images in permutations(range(suits)):
        lengths = Counter(_cycle_lengths(images))
        # How many cycles of each length are still free -> ways to get there.
        reached = {tuple((length, count * ranks) for length, count in sorted(lengths.items())): 1}
        for number, size in enumerate(groups):
            following: dict[Cycles, int] = {}
            for free, ways in reached.items():
                for left, choices in _unions(free, size):
                    following[left] = following.get(left, 0) + ways * choices
            reached = following
            totals[number] += sum(reached.values())
    return tuple(total // factorial(suits) for total in totals)


Cycles = tuple[tuple[int, int], ...]
"""Lengths of cycles of cards, each with how many of them are free."""


def _unions(free: Cycles, size: int) -> list[tuple[Cycles, int]]:
    """Ways to make up `size` cards of whole cycles: what is left, and how many choices there are."""
    if not free:
        return [((), 1)] if size == 0 else []
    (length, count), rest = free[0], free[1:]
    return [
        (((length, count - taken), *left), choices * comb(count, taken))
        for taken in range(min(count, size // length) + 1)
        for left, choices in _unions(rest, size - taken * length)
    ]


def _cycle_lengths(images: Sequence[int]) -> list[int]:
    lengths, seen = [], set()
    for start in range(len(images)):
        length, suit = 0, start
        while suit not in seen:
            seen.add(suit)
            suit = images[suit]
            length += 1
        if length:
            lengths.append(length)
    return lengths
