"""Plain twins of the GameShrink kernels for Hold'em: one hand at a time, whole numbers of Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tests.reference.cards_ranking import best_value

WORD = 1 << 64
FACTORS = (0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3)
"""For the hand itself, those beaten, those not lost to, and all that it meets."""

Hole = tuple[int, int]


def mix(value: int) -> int:
    """The finaliser of splitmix64."""
    word = (value + 0x9E3779B97F4A7C15) % WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def hole_index(hole: Hole) -> int:
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


def showdowns(cards: Sequence[int], board: Sequence[int]) -> dict[Hole, dict[Hole, int]]:
    """Per live hole (positions) and opposing hole: 1, 0 or -1 for a win, a tie or a loss."""
    live = [place for place in range(len(cards)) if place not in board]
    shown = [cards[place] for place in board]
    values = {
        hole: best_value([cards[hole[0]], cards[hole[1]], *shown]) for hole in combinations(live, 2)
    }
    return {
        hole: {
            other: (value > values[other]) - (value < values[other])
            for other in values
            if not set(hole) & set(other)
        }
        for hole, value in values.items()
    }


def code_of(results: Sequence[int]) -> int:
    """(wins - losses + 1024) << 10 | wins."""
    wins, losses = sum(r > 0 for r in results), sum(r < 0 for r in results)
    return (wins - losses + 1024) << 10 | wins


def meet(values: dict[Hole, int], met: dict[Hole, dict[Hole, int]]) -> dict[Hole, int]:
    """Each hole's value with the sums of the values it beats, does not lose to, and meets."""
    found = {}
    for hole, results in met.items():
        beaten = sum(mix(values[other]) for other, result in results.items() if result > 0)
        not_losing = sum(mix(values[other]) for other, result in results.items() if result >= 0)
        every = sum(mix(values[other]) for other in results)
        parts = (mix(values[hole]), beaten, not_losing, every)
        word = sum(factor * part for factor, part in zip(FACTORS, parts, strict=True))
        found[hole] = mix(word % WORD)
    return found


def hash_last(
    cards: Sequence[int], board: Sequence[int], parents: Sequence[int], passes: int
) -> dict[Hole, int]:
    """The hashes of all live holes."""
    met = showdowns(cards, board)
    values = {
        hole: mix((parents[hole_index(hole)] << 21) | code_of(list(results.values())))
        for hole, results in met.items()
    }
    for _ in range(passes):
        values = meet(values, met)
    return values


def vector_distance(first: Sequence[int], second: Sequence[int]) -> int:
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


def fit_siblings(
    siblings: Sequence[int], vectors: Sequence[Sequence[int]], limit: int
) -> tuple[list[int], int]:
    """The class of each sibling: the first whose first member is within `limit`; and how many."""
    firsts: list[int] = []
    classes = []
    for sibling in siblings:
        near = [
            number
            for number, first in enumerate(firsts)
            if vector_distance(vectors[sibling], vectors[first]) <= limit
        ]
        classes.append(near[0] if near else len(firsts))
        if not near:
            firsts.append(sibling)
    return classes, len(firsts)


def merge_below(
    flops: Sequence[int],
    turns: Sequence[Sequence[int]],
    turn_vectors: Sequence[Sequence[int]],
    turn_limit: int,
    rivers: Sequence[Sequence[int]],
    river_vectors: Sequence[Sequence[int]],
    river_limit: int,
) -> tuple[int, int]:
    """The turn and river classes under one class of flop kinds."""
    siblings = sorted({turn for flop in flops for turn in turns[flop]})
    classes, count = fit_siblings(siblings, turn_vectors, turn_limit)
    total = 0
    for number in range(count):
        under = {
            river
            for turn, own in zip(siblings, classes, strict=True)
            if own == number
            for river in rivers[turn]
        }
        total += fit_siblings(sorted(under), river_vectors, river_limit)[1]
    return count, total
