"""Compiled loops of exact-hands evaluation: a plan of two agents run on one board, all hands at once.

Hands are in ascending order of rank. A hand of one card has a second one of its own, which no other
hand holds, so that the same sums serve for one and two hole cards.
Twins: tests/reference/exact_hands.py.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

OWN, SEE, CHECK, FOLD_LEAF, SHOWDOWN_LEAF = range(5)
"""Instructions; `joint_plan` documents their arguments."""

VALUE, SQUARE, MASS = range(3)


@kernel
def mass_apart(
    first: Floats,
    second: Floats,
    cards: npt.NDArray[np.uint8],
    sums: Floats,
    others: Floats,
) -> float:
    """The weight of all pairs of a hand of `first` [h] and one of `second` [h] that share no card.

    sums and others [cards] are scratch.
    """
    for card in range(sums.size):
        sums[np.uint64(card)] = 0.0
        others[np.uint64(card)] = 0.0
    total, other_total, same = 0.0, 0.0, 0.0
    for hand in range(first.size):
        here = np.uint64(hand)
        a, b = np.uint64(cards[here, 0]), np.uint64(cards[here, 1])
        weight, other = first[here], second[here]
        total += weight
        other_total += other
        same += weight * other
        sums[a] += weight
        sums[b] += weight
        others[a] += other
        others[b] += other
    shared = 0.0
    for card in range(sums.size):
        shared += sums[np.uint64(card)] * others[np.uint64(card)]
    return total * other_total - shared + same


@kernel
def showdown_masses(
    first: Floats,
    second: Floats,
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    sums: Floats,
    others: Floats,
) -> tuple[float, float]:
    """The weights of the pairs, sharing no card, in which `first` wins and in which it loses.

    One pass by rank with sums over the hands below: a hand and itself are never compared.
    """
    for card in range(sums.size):
        sums[np.uint64(card)] = 0.0
        others[np.uint64(card)] = 0.0
    total, other_total, won, lost = 0.0, 0.0, 0.0, 0.0
    begin = 0
    for group in range(group_end.size):
        end = group_end[np.uint64(group)]
        for hand in range(begin, end):
            here = np.uint64(hand)
            a, b = np.uint64(cards[here, 0]), np.uint64(cards[here, 1])
            won += first[here] * (other_total - others[a] - others[b])
            lost += second[here] * (total - sums[a] - sums[b])
        for hand in range(begin, end):
            here = np.uint64(hand)
            a, b = np.uint64(cards[here, 0]), np.uint64(cards[here, 1])
            weight, other = first[here], second[here]
            total += weight
            other_total += other
            sums[a] += weight
            sums[b] += weight
            others[a] += other
            others[b] += other
        begin = end
    return won, lost


@kernel
def own_step(
    source: Floats,
    target: Floats,
    share: float,
    table: Floats,
    start: int,
    buckets: npt.NDArray[np.int32],
    adds: bool,
) -> bool:
    """Write (or add) source[h] times share times table[start + bucket of h]; is any positive?"""
    largest = 0.0
    if adds:
        for hand in range(source.size):
            here = np.uint64(hand)
            weight = source[here] * (share * table[np.uint64(start) + np.uint64(buckets[here])])
            target[here] += weight
            largest = max(largest, weight)
    else:
        for hand in range(source.size):
            here = np.uint64(hand)
            weight = source[here] * (share * table[np.uint64(start) + np.uint64(buckets[here])])
            target[here] = weight
            largest = max(largest, weight)
    return largest > 0.0


@kernel
def copy_step(source: Floats, target: Floats, share: float, adds: bool) -> None:
    """Write (or add) source[h] times share."""
    for hand in range(source.size):
        here = np.uint64(hand)
        if adds:
            target[here] += share * source[here]
        else:
            target[here] = share * source[here]


@kernel
def reach_row(
    rows: Floats, alive: npt.NDArray[np.bool_], listed: Ints, begin: int, end: int, spare: int
) -> int:
    """The row with the sum of the listed rows that are alive: one of them, or `spare`; -1 if no row
    is alive."""
    found = -1
    for place in range(begin, end):
        row = listed[place]
        if not alive[row]:
            continue
        if found < 0:
            found = row
            continue
        if found != spare:
            copy_step(rows[found], rows[spare], 1.0, False)
            found = spare
        copy_step(rows[row], rows[spare], 1.0, True)
    return found


@kernel
def run_plan(
    code: Ints,
    shares: Floats,
    listed: Ints,
    tables: tuple[Floats, Floats],
    buckets: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    group_end: npt.NDArray[np.int32],
    rows: Floats,
    alive: npt.NDArray[np.bool_],
    card_sums: Floats,
    totals: Floats,
) -> None:
    """Add seat 0's winnings over all pairs of hands, their square, and the weight of the pairs, to
    totals[3].

    buckets int32[seats, rounds, h]; rows f64[n, h] and alive bool[n], of which rows 0 and 1 are the
    hands of seats 0 and 1 at the start and the last two are spare; card_sums f64[2, cards].
    """
    step = 0
    sums, others = card_sums[0], card_sums[1]
    while step < code.shape[0]:
        operation = code[step, 0]
        if operation == OWN:
            source, target, seat = code[step, 1], code[step, 2], code[step, 3]
            adds = code[step, 4] > 0 and alive[target]
            if alive[source]:
                start, round_ = code[step, 5], code[step, 6]
                if start < 0:
                    copy_step(rows[source], rows[target], shares[step], adds)
                    alive[target] = True
                else:
                    table = tables[0] if seat == 0 else tables[1]
                    found = own_step(
                        rows[source],
                        rows[target],
                        shares[step],
                        table,
                        start,
                        buckets[seat, round_],
                        adds,
                    )
                    alive[target] = found or adds
            elif not adds:
                alive[target] = False
        elif operation == SEE:
            source, target = code[step, 1], code[step, 2]
            adds = code[step, 4] > 0 and alive[target]
            if alive[source]:
                copy_step(rows[source], rows[target], shares[step], adds)
                alive[target] = True
            elif not adds:
                alive[target] = False
        elif operation == CHECK:
            found = False
            for place in range(code[step, 1], code[step, 2]):
                found = found or alive[listed[place]]
            if not found:
                step = code[step, 3]
                continue
        else:
            spare = rows.shape[0] - 2
            first = reach_row(rows, alive, listed, code[step, 1], code[step, 2], spare)
            second = -1
            if first >= 0:
                second = reach_row(rows, alive, listed, code[step, 2], code[step, 3], spare + 1)
            if second >= 0:
                amount = float(code[step, 4])
                if operation == FOLD_LEAF:
                    mass = mass_apart(rows[first], rows[second], cards, sums, others)
                    totals[VALUE] += amount * mass
                    totals[SQUARE] += amount * amount * mass
                    totals[MASS] += mass
                else:
                    won, lost = showdown_masses(
                        rows[first], rows[second], cards, group_end, sums, others
                    )
                    totals[VALUE] += amount * (won - lost)
                    totals[SQUARE] += amount * amount * (won + lost)
        step += 1
