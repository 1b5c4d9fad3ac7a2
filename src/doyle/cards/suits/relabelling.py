"""Relabellings of suits: suit s becomes suits[s]. What differs by one is the same to every rule.

A *group* of relabellings holds those that leave something as it is; an *orbit* is everything that a
group makes of one choice of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

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


def image(cards: Cards, suits: Suits) -> Cards:
    """The relabelled cards, ascending."""
    return tuple(sorted(relabelled(card, suits) for card in cards))


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
