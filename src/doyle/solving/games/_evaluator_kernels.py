"""What all hands of a seat earn at 32 leaves of one board at once, in time linear in the hands.

Every row of `reach`, `show` and `fold` is 32 numbers, one per leaf. Rows are the live hands of a
board, by rank at a showdown. After as many rows as the seat with more hands has, padded, `reach` has
one row for what hands that share a card with the board write, and one that stays zero; the first of
these stays zero in `show` and `fold`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.base._numba import inlined_kernel, plain_kernel
from doyle.base._vectors import filled, load, store

Floats = npt.NDArray[Any]
Ints = npt.NDArray[Any]

LANES = 32
BOTH = 3
"""The bits of both halves of the lanes."""
SORTED, MATRIX = 0, 1
DECK = 52


class Evaluator(NamedTuple):
    """All boards of a game; pairs are by seat, `width[s]` is the padded number of hands of seat s.

    `rows[s]`[board, width]: the row of each hand, the largest width for hands that share a card with
    the board. Sorted: `cards[s]`[board, width, 2] of each row; `same[s]`[board, width] the other
    seat's row with the same cards, or the row that stays zero; `card_start[s]`[board, 53] and `card_rows[s]`
    [board, 2 * width]: the rows that hold each card; `group_end[s]`[board, groups]: rows up to and
    including each rank, ascending, `group_count`[board] of them. Matrix: `apart` and `better` by row of
    seat 0 and row of seat 1, from `group_count`[board] on (a field of its own costs 5% of small spots).
    """

    kind: int
    width: Ints
    counts: Ints
    rows: tuple[Ints, Ints]
    cards: tuple[Ints, Ints]
    same: tuple[Ints, Ints]
    card_start: tuple[Ints, Ints]
    card_rows: tuple[Ints, Ints]
    group_count: Ints
    group_end: tuple[Ints, Ints]
    apart: Floats
    better: Floats


@inlined_kernel
def evaluate(
    evaluator: Evaluator,
    board: int,
    seat: int,
    reach: Floats,
    show: Floats,
    fold: Floats,
    sums: Floats,
    shows: int,
    folds: int,
) -> None:
    """Fill `show` and `fold` for `seat` from the other seat's `reach`.

    A row of `show` is the reach of weaker less that of stronger hands, a row of `fold` the reach of
    all hands, in both only of those that can meet the row's hand. `shows` and `folds` have a bit for
    each half of the lanes that is wanted. `sums` is scratch [53, 32].
    """
    if evaluator.kind == MATRIX:
        by_matrix(evaluator, board, seat, reach, show, fold)
        return
    sum_by_card(evaluator, board, 1 - seat, reach, sums)
    if folds == BOTH:
        fold_rows(evaluator, board, seat, reach, fold, sums)
    elif folds:
        fold_half(evaluator, board, seat, reach, fold, sums, np.uint64(16 * (folds >> 1)))
    if shows == BOTH:
        show_rows(evaluator, board, seat, reach, show, sums)
    elif shows:
        show_half(evaluator, board, seat, reach, show, sums, np.uint64(16 * (shows >> 1)))


@plain_kernel
def sum_by_card(evaluator: Evaluator, board: int, seat: int, reach: Floats, sums: Floats) -> None:
    """sums[card] = the reach of the hands that hold the card; sums[52] = that of all hands."""
    starts, rows = evaluator.card_start[seat], evaluator.card_rows[seat]
    width = np.uint64(evaluator.width[seat])
    first = np.uint64(board) * np.uint64(DECK + 1)
    base = np.uint64(board) * np.uint64(2) * width
    half = np.uint64(16)
    size = np.uint64(LANES)
    all_a = filled(reach, 0.0)
    all_b = filled(reach, 0.0)
    for card in range(DECK):
        place = np.uint64(card)
        sum_a = filled(reach, 0.0)
        sum_b = filled(reach, 0.0)
        begin, end = starts[first + place], starts[first + place + np.uint64(1)]
        # Two sums for each half: the processor need not wait for one addition to begin the next.
        odd_a, odd_b = sum_a, sum_b
        for k in range(begin, end - 1, 2):
            row = np.uint64(rows[base + np.uint64(k)]) * size
            next_row = np.uint64(rows[base + np.uint64(k + 1)]) * size
            sum_a = sum_a + load(reach, row)
            sum_b = sum_b + load(reach, row + half)
            odd_a = odd_a + load(reach, next_row)
            odd_b = odd_b + load(reach, next_row + half)
        if (end - begin) % 2:
            row = np.uint64(rows[base + np.uint64(end - 1)]) * size
            sum_a = sum_a + load(reach, row)
            sum_b = sum_b + load(reach, row + half)
        sum_a, sum_b = sum_a + odd_a, sum_b + odd_b
        store(sums, place * size, sum_a)
        store(sums, place * size + half, sum_b)
        all_a = all_a + sum_a
        all_b = all_b + sum_b
    # Every hand holds two cards.
    store(sums, np.uint64(DECK) * size, all_a * filled(reach, 0.5))
    store(sums, np.uint64(DECK) * size + half, all_b * filled(reach, 0.5))


@plain_kernel
def fold_rows(
    evaluator: Evaluator, board: int, seat: int, reach: Floats, fold: Floats, sums: Floats
) -> None:
    """fold[row] = all reach less that of the hands that share a card with the row's hand."""
    width = np.uint64(evaluator.width[seat])
    cards, same = evaluator.cards[seat], evaluator.same[seat]
    base = np.uint64(board) * width
    half = np.uint64(16)
    size = np.uint64(LANES)
    all_a = load(sums, np.uint64(DECK) * size)
    all_b = load(sums, np.uint64(DECK) * size + half)
    for k in range(evaluator.counts[board, seat]):
        row = np.uint64(k)
        first = np.uint64(cards[(base + row) * np.uint64(2)]) * size
        second = np.uint64(cards[(base + row) * np.uint64(2) + np.uint64(1)]) * size
        twin = np.uint64(same[base + row]) * size
        at = row * size
        store(fold, at, all_a - load(sums, first) - load(sums, second) + load(reach, twin))
        store(
            fold,
            at + half,
            all_b - load(sums, first + half) - load(sums, second + half) + load(reach, twin + half),
        )


@plain_kernel
def fold_half(
    evaluator: Evaluator,
    board: int,
    seat: int,
    reach: Floats,
    fold: Floats,
    sums: Floats,
    shift: np.uint64,
) -> None:
    """`fold_rows` for the 16 lanes from `shift` on."""
    cards, same = evaluator.cards[seat], evaluator.same[seat]
    base = np.uint64(board) * np.uint64(evaluator.width[seat])
    size = np.uint64(LANES)
    every = load(sums, np.uint64(DECK) * size + shift)
    for k in range(evaluator.counts[board, seat]):
        row = np.uint64(k)
        first = np.uint64(cards[(base + row) * np.uint64(2)]) * size + shift
        second = np.uint64(cards[(base + row) * np.uint64(2) + np.uint64(1)]) * size + shift
        twin = np.uint64(same[base + row]) * size + shift
        paid = every - load(sums, first) - load(sums, second) + load(reach, twin)
        store(fold, row * size + shift, paid)


@plain_kernel
def show_rows(
    evaluator: Evaluator, board: int, seat: int, reach: Floats, show: Floats, sums: Floats
) -> None:
    """One pass by rank; changes `sums` into running sums of the hands passed.

    With S the reach passed so far less half of all, and S[card] the same among the hands that hold
    a card, a row is S - S[first] - S[second] before its rank plus the same after it. Hands that
    share both cards with the row's hand, which is the same hand, cancel.
    """
    other = 1 - seat
    base = np.uint64(board) * np.uint64(evaluator.width[seat])
    other_base = np.uint64(board) * np.uint64(evaluator.width[other])
    cards, other_cards = evaluator.cards[seat], evaluator.cards[other]
    ends, other_ends = evaluator.group_end[seat], evaluator.group_end[other]
    groups = np.uint64(board) * np.uint64(ends.size // evaluator.group_count.size)
    half = np.uint64(16)
    one, two = np.uint64(1), np.uint64(2)
    size = np.uint64(LANES)
    minus = filled(reach, -0.5)
    passed_a = load(sums, np.uint64(DECK) * size) * minus
    passed_b = load(sums, np.uint64(DECK) * size + half) * minus
    for k in range(2 * DECK):
        at = np.uint64(k) * half
        store(sums, at, load(sums, at) * filled(reach, 0.5))
    begin, other_begin = np.uint64(0), np.uint64(0)
    for group in range(evaluator.group_count[board]):
        end = np.uint64(ends[groups + np.uint64(group)])
        other_end = np.uint64(other_ends[groups + np.uint64(group)])
        for row in range(begin, end):
            first = np.uint64(cards[(base + row) * two]) * size
            second = np.uint64(cards[(base + row) * two + one]) * size
            store(show, row * size, passed_a + load(sums, first) + load(sums, second))
            store(
                show,
                row * size + half,
                passed_b + load(sums, first + half) + load(sums, second + half),
            )
        for row in range(other_begin, other_end):
            first = np.uint64(other_cards[(other_base + row) * two]) * size
            second = np.uint64(other_cards[(other_base + row) * two + one]) * size
            weight_a = load(reach, row * size)
            weight_b = load(reach, row * size + half)
            passed_a = passed_a + weight_a
            passed_b = passed_b + weight_b
            store(sums, first, load(sums, first) - weight_a)
            store(sums, first + half, load(sums, first + half) - weight_b)
            store(sums, second, load(sums, second) - weight_a)
            store(sums, second + half, load(sums, second + half) - weight_b)
        for row in range(begin, end):
            first = np.uint64(cards[(base + row) * two]) * size
            second = np.uint64(cards[(base + row) * two + one]) * size
            at = row * size
            store(show, at, load(show, at) + (passed_a + load(sums, first) + load(sums, second)))
            at = row * size + half
            after = passed_b + load(sums, first + half) + load(sums, second + half)
            store(show, at, load(show, at) + after)
        begin, other_begin = end, other_end


@plain_kernel
def show_half(
    evaluator: Evaluator,
    board: int,
    seat: int,
    reach: Floats,
    show: Floats,
    sums: Floats,
    shift: np.uint64,
) -> None:
    """`show_rows` for the 16 lanes from `shift` on."""
    other = 1 - seat
    base = np.uint64(board) * np.uint64(evaluator.width[seat])
    other_base = np.uint64(board) * np.uint64(evaluator.width[other])
    cards, other_cards = evaluator.cards[seat], evaluator.cards[other]
    ends, other_ends = evaluator.group_end[seat], evaluator.group_end[other]
    groups = np.uint64(board) * np.uint64(ends.size // evaluator.group_count.size)
    one, two = np.uint64(1), np.uint64(2)
    size = np.uint64(LANES)
    passed = load(sums, np.uint64(DECK) * size + shift) * filled(reach, -0.5)
    for card in range(DECK):
        at = np.uint64(card) * size + shift
        store(sums, at, load(sums, at) * filled(reach, 0.5))
    begin, other_begin = np.uint64(0), np.uint64(0)
    for group in range(evaluator.group_count[board]):
        end = np.uint64(ends[groups + np.uint64(group)])
        other_end = np.uint64(other_ends[groups + np.uint64(group)])
        for row in range(begin, end):
            first = np.uint64(cards[(base + row) * two]) * size + shift
            second = np.uint64(cards[(base + row) * two + one]) * size + shift
            store(show, row * size + shift, passed + load(sums, first) + load(sums, second))
        for row in range(other_begin, other_end):
            first = np.uint64(other_cards[(other_base + row) * two]) * size + shift
            second = np.uint64(other_cards[(other_base + row) * two + one]) * size + shift
            weight = load(reach, row * size + shift)
            passed = passed + weight
            store(sums, first, load(sums, first) - weight)
            store(sums, second, load(sums, second) - weight)
        for row in range(begin, end):
            first = np.uint64(cards[(base + row) * two]) * size + shift
            second = np.uint64(cards[(base + row) * two + one]) * size + shift
            at = row * size + shift
            store(show, at, load(show, at) + (passed + load(sums, first) + load(sums, second)))
        begin, other_begin = end, other_end


@plain_kernel
def by_matrix(
    evaluator: Evaluator, board: int, seat: int, reach: Floats, show: Floats, fold: Floats
) -> None:
    """The same from the matrices of small games."""
    base = evaluator.group_count[board]
    columns = evaluator.counts[board, 1]
    for row in range(evaluator.counts[board, seat]):
        for start in range(0, LANES, 16):
            at = np.uint64(row * LANES + start)
            shown = filled(reach, 0.0)
            folded = filled(reach, 0.0)
            for other in range(evaluator.counts[board, 1 - seat]):
                place = base + (row * columns + other if seat == 0 else other * columns + row)
                sign = 1.0 if seat == 0 else -1.0
                weight = load(reach, np.uint64(other * LANES + start))
                shown = shown + weight * filled(reach, sign * evaluator.better[place])
                folded = folded + weight * filled(reach, evaluator.apart[place])
            store(show, at, shown)
            store(fold, at, folded)
