"""Plain twins of the numbering of hands up to suits: canonical hands by trying all 24 renamings of suits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

Groups = tuple[tuple[int, ...], ...]


def renamings(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """The cards under each of the 24 renamings of suits."""
    return [
        tuple(4 * (card // 4) + suits[card % 4] for card in cards)
        for suits in permutations(range(4))
    ]


def split(cards: Sequence[int], sizes: Sequence[int]) -> Groups:
    """The cards in groups, each sorted, so that order within a group does not matter."""
    groups, start = [], 0
    for size in sizes:
        groups.append(tuple(sorted(cards[start : start + size])))
        start += size
    return tuple(groups)


def canonical(cards: Sequence[int], sizes: Sequence[int]) -> Groups:
    """The least of all renamed hands: equal for two hands just when they are isomorphic."""
    return min(split(renamed, sizes) for renamed in renamings(cards))


def class_size(cards: Sequence[int], sizes: Sequence[int]) -> int:
    """How many different hands a renaming of suits can make of this one."""
    return len({split(renamed, sizes) for renamed in renamings(cards)})


def count_classes(size: int) -> tuple[int, int]:
    """Classes of sets of `size` cards and sets in all, by listing every set."""
    classes, total = set(), 0
    for cards in combinations(range(52), size):
        total += 1
        classes.add(canonical(cards, (size,)))
    return len(classes), total
