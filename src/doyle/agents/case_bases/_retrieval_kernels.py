"""Compiled nearest-neighbour search over the cases of a round."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel


class Cases(NamedTuple):
    """What a search reads of a round: features[n], decisions behind each case, similarity tables.

    `parts` is how many similarities are summed: 2 before the flop, 3 after it, 4 with commitment.
    """

    hand: Array
    texture: Array
    commitment: Array
    support: Array
    hand_table: Array
    texture_table: Array
    commitment_table: Array
    parts: int


@kernel
def total_similarity(cases: Cases, case: Any, betting: float, query: Array) -> Any:
    """The mean of the local similarities of a case to query [hand, texture, commitment]."""
    total = betting + cases.hand_table[query[0], np.uint64(cases.hand[case])]
    if cases.parts > 2:
        total += cases.texture_table[query[1], np.uint64(cases.texture[case])]
    if cases.parts > 3:
        total += cases.commitment_table[query[2], np.uint64(cases.commitment[case])]
    return total / cases.parts


@kernel
def is_nearer(
    value: float, support: int, case: Any, best_value: float, best_support: int, best_case: Any
) -> bool:
    """Whether one case comes before another: more similar, then more decisions, then lower number."""
    if value != best_value:
        return value > best_value
    if support != best_support:
        return support > best_support
    return bool(case < best_case)


@kernel
def _insert(
    found: Array, similarity: Array, support: Array, count: int, most: int, case: int, value: float,
    weight: int,
) -> int:  # fmt: skip
    """Put a case into the list of the best; more similar, then more decisions, then lower number."""
    if count < most:
        count += 1
    else:
        worst = found[count - 1]
        if not is_nearer(value, weight, case, similarity[count - 1], support[worst], worst):
            return count
    place = count - 1
    while place > 0:
        before = place - 1
        other = found[before]
        if not is_nearer(value, weight, case, similarity[before], support[other], other):
            break
        similarity[place] = similarity[before]
        found[place] = found[before]
        place -= 1
    similarity[place] = value
    found[place] = case
    return count


@kernel
def search_groups(
    cases: Cases, first: Array, last: Array, betting: Array, query: Array, most: int, found: Array,
    similarity: Array,
) -> Any:  # fmt: skip
    """The nearest cases of the groups [first, last) into found[most] and similarity[most]; how many.

    The groups have the similarities `betting`, descending; a group that cannot reach is not visited.
    """
    count = 0
    rest = np.float64(cases.parts - 1)
    for group in range(len(first)):
        bound = (betting[group] + rest) / cases.parts
        if count == most and bound < similarity[most - 1]:
            return count
        for case in range(first[group], last[group]):
            value = total_similarity(cases, np.uint64(case), betting[group], query)
            count = _insert(
                found, similarity, cases.support, count, most, case, value, cases.support[case]
            )
    return count


@kernel
def search_others(
    cases: Cases, others: Array, skip: Array, query: Array, most: int, count: int, found: Array,
    similarity: Array,
) -> Any:  # fmt: skip
    """As `search_groups` for the cases `others` but those with skip[case] = 1: no similar betting.

    `count` cases have been found before.
    """
    for place in range(len(others)):
        case = others[place]
        if skip[case] == 0:
            value = total_similarity(cases, np.uint64(case), 0.0, query)
            if count == most and value < similarity[most - 1]:
                continue
            count = _insert(
                found, similarity, cases.support, count, most, case, value, cases.support[case]
            )
    return count


@kernel
def nearest_without_betting(
    cases: Cases, others: Array, texture: int, commitment: int, nearest: Array
) -> None:
    """Write nearest[hands]: which of the cases `others` is nearest to each hand if no betting counts."""
    query = np.zeros(3, np.int64)
    query[1], query[2] = texture, commitment
    for hand in range(len(nearest)):
        query[0] = hand
        best, best_value = np.int64(-1), -1.0
        for case in others:
            value = total_similarity(cases, np.uint64(case), 0.0, query)
            if value >= best_value and (
                best < 0
                or is_nearer(
                    value, cases.support[case], case, best_value, cases.support[best], best
                )
            ):
                best, best_value = np.int64(case), value
        nearest[hand] = best


@kernel
def nearest_of_hands(
    cases: Cases, first: Array, last: Array, betting: Array, without: Array, hands: Array,
    texture: int, commitment: int, nearest: Array,
) -> None:  # fmt: skip
    """Write nearest[n]: for each of hands[n] the case that `search_groups` and `search_others` find.

    without[hand] is the nearest if no betting counts. If it has similar betting, the search of the
    groups finds it too, with a higher similarity.
    """
    query = np.zeros(3, np.int64)
    query[1], query[2] = texture, commitment
    rest = np.float64(cases.parts - 1)
    for place in range(len(hands)):
        query[0] = hands[place]
        best = np.int64(without[hands[place]])
        best_value = total_similarity(cases, np.uint64(best), 0.0, query)
        for group in range(len(first)):
            if (betting[group] + rest) / cases.parts < best_value:
                break
            for case in range(first[group], last[group]):
                value = total_similarity(cases, np.uint64(case), betting[group], query)
                if value >= best_value and is_nearer(
                    value, cases.support[case], case, best_value, cases.support[best], best
                ):
                    best, best_value = np.int64(case), value
        nearest[place] = best
