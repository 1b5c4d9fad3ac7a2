"""Kernels that turn the kinds of a round into the multisets, and distances, of the round before.

Twins: tests/reference/shrink_twin.py.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink._shrink_kernels import mix
from doyle.base._numba import kernel
from doyle.cards.suits._board_kernels import find_board

Array: TypeAlias = NDArray[Any]


@kernel
def sort_ids(values: Array, count: Any) -> None:
    """Sort the first `count` entries of `values` in place, by insertion."""
    for i in range(1, count):
        value = values[np.uint64(i)]
        place = np.uint64(i)
        while place > np.uint64(0) and values[place - np.uint64(1)] > value:
            values[place] = values[place - np.uint64(1)]
            place -= np.uint64(1)
        values[place] = value


@kernel
def child_matrix(
    board: Array,
    children: Array,
    child_table: Array,
    binomials: Array,
    hole_maps: Array,
    matrix: Array,
) -> None:
    """Fill matrix[holes, cards] with children[child row, hole] for each next card, -1 for none."""
    count = len(board)
    cards = np.empty(5, np.int64)
    scratch = np.empty(5, np.int64)
    for card in range(matrix.shape[1]):
        taken = False
        for place in range(count):
            cards[place] = board[place]
            taken = taken or board[place] == card
        column = np.uint64(card)
        if taken:
            for hole in range(np.uint64(matrix.shape[0])):
                matrix[hole, column] = -1
            continue
        cards[count] = card
        code = find_board(cards, count + 1, child_table, binomials, scratch)
        source = np.uint64(code >> 5)
        permutation = np.uint64(code & 31)
        for hole in range(np.uint64(matrix.shape[0])):
            matrix[hole, column] = children[source, np.uint64(hole_maps[permutation, hole])]


@kernel
def gather_kinds(
    rows: Array,
    boards: Array,
    index: Array,
    first: Array,
    children: Array,
    child_table: Array,
    binomials: Array,
    hole_maps: Array,
    child_sums: Array,
    child_classes: Array,
    matrix: Array,
    sums: Array,
    hashes: Array,
    classes: Array,
) -> None:
    """For each hand of boards[rows], the multiset of its children's kinds.

    index[boards, holes] numbers the hands, first[hand] is the hole that stands for it; children
    [child boards, holes] holds kinds. Written per hand: sums[hand, 2] of child_sums[kind, 2]; a hash
    of the multiset; classes[hand, 2], how many kinds the children have and the sum over these kinds
    of child_classes[kind].
    """
    cards = matrix.shape[1]
    found = np.empty(cards, np.int32)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        child_matrix(boards[row], children, child_table, binomials, hole_maps, matrix)
        for hole in range(np.uint64(matrix.shape[0])):
            if index[row, hole] < 0 or first[np.uint64(index[row, hole])] != hole:
                continue
            hand = np.uint64(index[row, hole])
            count = collect(matrix, hole, found)
            total = np.uint64(0)
            difference = np.int64(0)
            wins = np.int64(0)
            kinds = np.int64(0)
            deeper = np.int64(0)
            for i in range(count):
                kind = np.uint64(found[np.uint64(i)])
                total += mix(kind)
                difference += child_sums[kind, 0]
                wins += child_sums[kind, 1]
                if i == 0 or found[np.uint64(i) - np.uint64(1)] != found[np.uint64(i)]:
                    kinds += 1
                    deeper += np.int64(child_classes[kind])
            sums[hand, 0] = difference
            sums[hand, 1] = wins
            hashes[hand] = total
            classes[hand, 0] = kinds
            classes[hand, 1] = deeper


@kernel
def collect(matrix: Array, hole: Any, found: Array) -> Any:
    """Write the entries of one row of `matrix` that are not -1 into `found`, sorted; their number."""
    count = np.uint64(0)
    for card in range(np.uint64(matrix.shape[1])):
        if matrix[hole, card] >= 0:
            found[count] = matrix[hole, card]
            count += np.uint64(1)
    sort_ids(found, count)
    return count


@kernel
def list_children(
    rows: Array,
    boards: Array,
    index: Array,
    first: Array,
    children: Array,
    child_table: Array,
    binomials: Array,
    hole_maps: Array,
    slots: Array,
    matrix: Array,
    out: Array,
) -> None:
    """Write the sorted kinds of the children of each hand of boards[rows] with slots[hand] >= 0
    into out[slots[hand], children]."""
    found = np.empty(matrix.shape[1], np.int32)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        child_matrix(boards[row], children, child_table, binomials, hole_maps, matrix)
        for hole in range(np.uint64(matrix.shape[0])):
            if index[row, hole] < 0 or first[np.uint64(index[row, hole])] != hole:
                continue
            slot = slots[np.uint64(index[row, hole])]
            if slot >= 0:
                count = collect(matrix, hole, found)
                for i in range(count):
                    out[np.uint64(slot), np.uint64(i)] = found[np.uint64(i)]


@kernel
def count_orbits(
    boards: Array,
    stabilisers: Array,
    holes: Array,
    rows: Array,
    hole_of: Array,
    kept: Array,
    keeps: Array,
    lowers: Array,
    out: Array,
) -> None:
    """Count the turns, and the (turn, river)s, of each flop hand up to suits into out[hands, 2].

    kept[hole], keeps[suit] and lowers[suit] are masks of the permutations that keep the hole, keep
    the suit and lead it to a lower one. A card stands for its orbit when none that remain lowers it.
    """
    suits = len(keeps)
    size = holes[len(holes) - 1, 1] + 1
    of_suit = np.zeros(suits, np.uint64)
    for card in range(size):
        of_suit[card % suits] |= np.uint64(1) << np.uint64(card)
    for hand in range(len(rows)):
        row = rows[hand]
        hole = hole_of[hand]
        mask = stabilisers[row] & kept[hole]
        dead = (np.uint64(1) << np.uint64(holes[hole, 0])) | (
            np.uint64(1) << np.uint64(holes[hole, 1])
        )
        for place in range(boards.shape[1]):
            dead |= np.uint64(1) << np.uint64(boards[row, place])
        turns = np.int64(0)
        rivers = np.int64(0)
        for suit in range(suits):
            if mask & lowers[suit]:
                continue
            cards = count_bits(of_suit[suit] & ~dead)
            turns += cards
            left = mask & keeps[suit]
            following = np.int64(-1)  # the turn card itself
            for other in range(suits):
                if not left & lowers[other]:
                    following += count_bits(of_suit[other] & ~dead)
            rivers += cards * following
        out[hand, 0] = turns
        out[hand, 1] = rivers


@kernel
def count_bits(word: Any) -> Any:
    """How many bits of 64 are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
