"""Kernels that turn the kinds of a round into the multisets, and distances, of the round before.

Lossy merging compares nested sorted results: `vectors[kind]` are the wins of a kind's children in their
order, then their losses (of last signals: their own), and distances are whole numbers of opponents, not
yet divided by how many there are. `sums[kind]` are wins - losses and wins over all run-outs.
Twins: tests/reference/shrink_twin.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.abstractions.gameshrink._shrink_kernels import mix
from doyle.base._numba import Array, kernel
from doyle.cards.suits._board_kernels import NextBoards, next_codes


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
def child_matrix(board: Array, children: Array, following: NextBoards, matrix: Array) -> None:
    """Fill matrix[holes, cards] with children[child row, hole] for each next card, -1 for none."""
    codes = np.empty(matrix.shape[1], np.int64)
    next_codes(board, following, codes)
    for card in range(np.uint64(len(codes))):
        source = np.uint64(codes[card] >> 5)
        permutation = np.uint64(codes[card] & 31)
        for hole in range(np.uint64(matrix.shape[0])):
            if codes[card] < 0:
                matrix[hole, card] = -1
            else:
                mapped = np.uint64(following.hole_maps[permutation, hole])
                matrix[hole, card] = children[source, mapped]


@kernel
def gather_kinds(
    rows: Array,
    boards: Array,
    starts: Array,
    holes: Array,
    children: Array,
    following: NextBoards,
    child_sums: Array,
    child_classes: Array,
    matrix: Array,
    sums: Array,
    hashes: Array,
    classes: Array,
) -> None:
    """For each hand of boards[rows], the multiset of its children's kinds.

    The hands of a row are starts[row] to starts[row + 1], each on holes[hand]; children[child boards,
    holes] has kinds. Written per hand: sums[hand, 2] of child_sums[kind, 2]; a hash of the multiset;
    classes[hand, 2], how many kinds the children have and the sum over these of child_classes[kind].
    """
    found = np.empty(matrix.shape[1], np.int32)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        child_matrix(boards[row], children, following, matrix)
        for number in range(starts[row], starts[row + np.uint64(1)]):
            hand = np.uint64(number)
            count = collect(matrix, np.uint64(holes[hand]), found)
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
    starts: Array,
    holes: Array,
    children: Array,
    following: NextBoards,
    slots: Array,
    matrix: Array,
    out: Array,
) -> None:
    """Write the sorted kinds of the children of each hand of boards[rows] with slots[hand] >= 0
    into out[slots[hand], children]."""
    found = np.empty(matrix.shape[1], np.int32)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        child_matrix(boards[row], children, following, matrix)
        for hand in range(np.uint64(starts[row]), np.uint64(starts[row + np.uint64(1)])):
            if slots[hand] >= 0:
                count = collect(matrix, np.uint64(holes[hand]), found)
                for i in range(count):
                    out[np.uint64(slots[hand]), np.uint64(i)] = found[np.uint64(i)]


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


_ONE = np.uint64(1)


@kernel
def vector_distance(vectors: Array, first: Any, second: Any) -> Any:
    """The sum of absolute differences of two rows."""
    total = np.int32(0)
    for i in range(np.uint64(vectors.shape[1])):
        total += abs(np.int32(vectors[first, i]) - np.int32(vectors[second, i]))
    return np.int64(total)


@kernel
def list_distance(vectors: Array, first: Array, second: Array, limit: Any) -> Any:
    """The sum of the distances of vectors[first[i]] and vectors[second[i]]; may stop above `limit`."""
    total = np.int64(0)
    for i in range(np.uint64(len(first))):
        a = np.uint64(first[i])
        b = np.uint64(second[i])
        if a != b:
            total += vector_distance(vectors, a, b)
            if total > limit:
                break
    return total


@kernel
def nested_distance(
    vectors: Array, children: Array, first: Array, second: Array, limit: int
) -> Any:
    """The sum of the list distances of children[first[i]] and children[second[i]].

    May stop above `limit`. Equal pairs that follow each other are compared once.
    """
    total = np.int64(0)
    known = np.int64(0)
    for i in range(np.uint64(len(first))):
        a = np.uint64(first[i])
        b = np.uint64(second[i])
        if i == 0 or first[i - _ONE] != first[i] or second[i - _ONE] != second[i]:
            known = np.int64(0)
            if a != b:
                known = list_distance(vectors, children[a], children[b], limit - total)
        total += known
        if total > limit:
            break
    return total


@kernel
def fit_siblings(
    siblings: Array,
    sums: Array,
    vectors: Array,
    children: Array,
    limit: int,
    firsts: Array,
    classes: Array,
) -> Any:
    """Put each sibling, in order, into the first class whose first member is within `limit`.

    siblings are different kinds, ascending and so by wins - losses. With no columns in `children`
    they are compared by their vectors, else by those of their children. classes[siblings] is
    written; firsts[classes] is scratch. Returns the number of classes.
    """
    count = np.uint64(0)
    start = np.uint64(0)
    nested = children.shape[1] > 0
    for i in range(np.uint64(len(siblings))):
        own = np.uint64(siblings[i])
        chosen = count
        # Wins - losses differ by no more than the distance: earlier classes are out of reach.
        while start < count and sums[own, 0] - sums[np.uint64(firsts[start]), 0] > limit:
            start += _ONE
        for j in range(start, count):
            other = np.uint64(firsts[np.uint64(j)])
            wins = sums[own, 1] - sums[other, 1]
            losses = wins - (sums[own, 0] - sums[other, 0])
            if abs(wins) + abs(losses) > limit:
                continue
            if nested:
                gap = list_distance(vectors, children[own], children[other], limit)
            else:
                gap = vector_distance(vectors, own, other)
            if gap <= limit:
                chosen = np.uint64(j)
                break
        if chosen == count:
            firsts[count] = siblings[i]
            count += _ONE
        classes[i] = chosen
    return count


@kernel
def different_children(members: Array, children: Array, buffer: Array) -> Any:
    """Write the different kinds among the children of `members` to buffer, ascending; their number."""
    count = np.uint64(0)
    for i in range(np.uint64(len(members))):
        row = np.uint64(members[i])
        for j in range(np.uint64(children.shape[1])):
            buffer[count] = children[row, j]
            count += _ONE
    buffer[:count].sort()
    kept = np.uint64(0)
    for i in range(count):
        if kept == 0 or buffer[kept - _ONE] != buffer[np.uint64(i)]:
            buffer[kept] = buffer[np.uint64(i)]
            kept += _ONE
    return kept


@kernel
def group_by_class(siblings: Array, classes: Array, count: Any, starts: Array, out: Array) -> None:
    """Write the siblings class by class into `out`; class c is out[starts[c]:starts[c + 1]]."""
    for c in range(count + _ONE):
        starts[np.uint64(c)] = 0
    for i in range(np.uint64(len(siblings))):
        starts[np.uint64(classes[i]) + _ONE] += 1
    for c in range(count):
        starts[np.uint64(c) + _ONE] += starts[np.uint64(c)]
    for i in range(np.uint64(len(siblings))):
        place = np.uint64(starts[np.uint64(classes[i])])
        out[place] = siblings[i]
        starts[np.uint64(classes[i])] += 1
    for c in range(count, np.uint64(0), -1):
        starts[np.uint64(c)] = starts[np.uint64(c) - _ONE]
    starts[0] = 0


@kernel
def merge_below(
    member_starts: Array,
    members: Array,
    first_class: int,
    last_class: int,
    turns: Array,
    turn_sums: Array,
    turn_vectors: Array,
    turn_limit: int,
    rivers: Array,
    river_sums: Array,
    river_vectors: Array,
    river_limit: int,
    buffers: Array,
    below: Array,
) -> None:
    """Count the turn (and river) classes under flop classes from `first_class` up to `last_class`.

    The flop kinds of class c are members[member_starts[c]:member_starts[c + 1]]; turns[flop kinds,
    cards] and rivers[turn kinds, cards] are children, the latter without columns in games that end
    on the turn. buffers is int32[5, most turns of a class + 1]; below[flop classes, 1 or 2] is
    written.
    """
    none = np.empty((1, 0), np.int32)
    leaves = np.empty(len(river_sums) + 1, np.int32)
    leaf_classes = np.empty(len(river_sums) + 1, np.int32)
    leaf_firsts = np.empty(len(river_sums) + 1, np.int32)
    seen = np.zeros(len(river_sums), np.int64)
    stamp = np.int64(0)
    for number in range(first_class, last_class):
        flops = members[member_starts[number] : member_starts[number + 1]]
        found = different_children(flops, turns, buffers[0])
        siblings = buffers[0, :found]
        count = fit_siblings(
            siblings, turn_sums, turn_vectors, none, turn_limit, buffers[1], buffers[2]
        )
        below[number, 0] = count
        if rivers.shape[1] == 0:
            continue
        group_by_class(siblings, buffers[2], count, buffers[3], buffers[4])
        total = np.int64(0)
        for c in range(count):
            stamp += 1
            size = np.uint64(0)
            for i in range(buffers[3, np.uint64(c)], buffers[3, np.uint64(c) + _ONE]):
                row = np.uint64(buffers[4, np.uint64(i)])
                for j in range(np.uint64(rivers.shape[1])):
                    leaf = np.uint64(rivers[row, j])
                    if seen[leaf] != stamp:
                        seen[leaf] = stamp
                        leaves[size] = np.int32(leaf)
                        size += _ONE
            leaves[:size].sort()
            total += np.int64(
                fit_siblings(
                    leaves[:size], river_sums, river_vectors, none, river_limit, leaf_firsts,
                    leaf_classes,
                )
            )  # fmt: skip
        below[number, 1] = total
