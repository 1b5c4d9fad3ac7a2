"""Plain twins of the isomorphism kernels: canonical hands by trying all 24 renamings of suits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby, permutations
from math import comb

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


def index(cards: Sequence[int], sizes: Sequence[int], offsets: dict[tuple[int, ...], int]) -> int:
    """The number of a hand by definition; `offsets` gives where each configuration starts."""
    strides = [1]
    for size in sizes:
        strides.append(strides[-1] * (size + 1))
    suits = []
    for suit in range(4):
        code, number, radix = 0, 0, 1
        free = list(range(13))
        for group, stride in zip(split(cards, sizes), strides, strict=False):
            ranks = sorted(card // 4 for card in group if card % 4 == suit)
            places = [free.index(rank) for rank in ranks]
            number += radix * sum(comb(place, i) for i, place in enumerate(places, start=1))
            radix *= comb(len(free), len(ranks))
            free = [rank for rank in free if rank not in ranks]
            code += stride * len(ranks)
        suits.append((-code, number, radix))
    suits.sort()
    result, worth = offsets[tuple(-code for code, _, _ in suits)], 1
    for _, run in groupby(suits, key=lambda suit: suit[0]):
        members = list(run)
        numbers, radix = [number for _, number, _ in members], members[0][2]
        result += worth * sum(comb(n + i, i + 1) for i, n in enumerate(numbers))
        worth *= comb(radix + len(members) - 1, len(members))
    return result
