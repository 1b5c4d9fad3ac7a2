"""Compiled numbering of boards, of (flop, turn card) sequences and of hands up to suits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel


@kernel
def colex_rank(cards: Array, count: int, binomials: Array) -> Any:
    """The rank of the first `count` ascending entries of cards[5] among all sets of that size."""
    rank = np.int64(0)
    for place in range(count):
        rank += binomials[cards[place], place + 1]
    return rank


@kernel
def sort_small(cards: Array, count: int) -> None:
    """Sort the first `count` entries of `cards` in place."""
    for place in range(1, count):
        card = cards[place]
        hole = place
        while hole > 0 and cards[hole - 1] > card:
            cards[hole] = cards[hole - 1]
            hole -= 1
        cards[hole] = card


@kernel
def number_boards(
    count: int,
    card_maps: Array,
    inverses: Array,
    binomials: Array,
    table: Array,
    boards: Array,
    weights: Array,
    stabilisers: Array,
) -> Any:
    """Number the orbits of `count`-card sets under suits; return how many there are.

    table[sets] becomes 32 * row + the permutation that takes the set to its row's representative;
    boards[rows, count], weights[rows] (sets in the orbit) and stabilisers[rows] (bit mask of the
    permutations that keep the representative) are filled. A representative has the least rank.
    """
    cards = np.empty(5, np.int64)
    image = np.empty(5, np.int64)
    for place in range(count):
        cards[place] = place
    rows = np.int64(0)
    for rank in range(len(table)):
        if table[rank] < 0:
            weight = np.int64(0)
            mask = np.int64(0)
            for permutation in range(24):
                for place in range(count):
                    image[place] = card_maps[permutation, cards[place]]
                sort_small(image, count)
                other = colex_rank(image, count, binomials)
                if other == rank:
                    mask |= np.int64(1) << np.int64(permutation)
                if table[other] < 0:
                    table[other] = 32 * rows + inverses[permutation]
                    weight += 1
            for place in range(count):
                boards[rows, place] = cards[place]
            weights[rows] = weight
            stabilisers[rows] = mask
            rows += 1
        place = 0  # the next set in colexicographic order
        while place + 1 < count and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        cards[place] += 1
    return rows


@kernel
def find_board(cards: Array, count: int, table: Array, binomials: Array, scratch: Array) -> Any:
    """32 * row + permutation of the first `count` entries of `cards`, in any order."""
    for place in range(count):
        scratch[place] = cards[place]
    sort_small(scratch, count)
    return np.int64(table[colex_rank(scratch, count, binomials)])


class NextBoards(NamedTuple):
    """The boards with one card more, up to suits: their table, and the holes that permutations lead to."""

    table: Array
    binomials: Array
    hole_maps: Array


@kernel
def next_codes(board: Array, following: NextBoards, codes: Array) -> None:
    """Write 32 * row + permutation of `board` with each card added into codes[cards]; -1 if it is there."""
    count = len(board)
    cards, scratch = np.empty(5, np.int64), np.empty(5, np.int64)
    for card in range(len(codes)):
        codes[card] = 0
        for place in range(count):
            cards[place] = board[place]
            if board[place] == card:
                codes[card] = -1
        cards[count] = card
        if codes[card] == 0:
            codes[card] = find_board(
                cards, count + 1, following.table, following.binomials, scratch
            )


@kernel
def number_sequences(
    flops: Array,
    weights: Array,
    stabilisers: Array,
    card_maps: Array,
    table: Array,
    flop_rows: Array,
    cards: Array,
    sizes: Array,
) -> Any:
    """Number the orbits of (flop, turn card); return how many there are.

    table[flop rows, cards] becomes 32 * sequence + the permutation (one that keeps the flop) taking
    the card to its sequence's card, -1 for cards of the flop; the other three are per sequence.
    """
    sequences = np.int64(0)
    for row in range(len(flops)):
        mask = stabilisers[row]
        for card in range(table.shape[1]):
            table[row, card] = -1
            if card == flops[row, 0] or card == flops[row, 1] or card == flops[row, 2]:
                continue
            least = np.int64(card)
            by = 0
            for permutation in range(24):
                if (mask >> np.int64(permutation)) & 1 and card_maps[permutation, card] < least:
                    least = np.int64(card_maps[permutation, card])
                    by = permutation
            if least == card:
                table[row, card] = 32 * sequences
                flop_rows[sequences] = row
                cards[sequences] = card
                sizes[sequences] = weights[row]
                sequences += 1
            else:
                first = np.int64(table[row, least]) >> 5
                table[row, card] = 32 * first + by
                sizes[first] += weights[row]
    return sequences


@kernel
def number_hands(
    boards: Array,
    weights: Array,
    stabilisers: Array,
    hole_maps: Array,
    holes: Array,
    index: Array,
    rows: Array,
    hole_of: Array,
    sizes: Array,
) -> Any:
    """Number the orbits of (hole, board); return how many there are.

    index[board rows, holes] becomes the hand's number, -1 where hole and board share a card;
    rows, hole_of and sizes (raw deals) are filled per hand.
    """
    hands = np.int64(0)
    count = boards.shape[1]
    for row in range(len(boards)):
        taken = np.int64(0)
        for place in range(count):
            taken |= np.int64(1) << np.int64(boards[row, place])
        for hole in range(len(holes)):
            mine = (np.int64(1) << np.int64(holes[hole, 0])) | (
                np.int64(1) << np.int64(holes[hole, 1])
            )
            if mine & taken:
                index[row, hole] = -1
                continue
            least = np.int64(hole)
            for permutation in range(1, 24):
                if (stabilisers[row] >> np.int64(permutation)) & 1:
                    least = min(least, np.int64(hole_maps[permutation, hole]))
            if least == hole:
                index[row, hole] = hands
                rows[hands] = row
                hole_of[hands] = hole
                sizes[hands] = weights[row]
                hands += 1
            else:
                index[row, hole] = index[row, least]
                sizes[index[row, least]] += weights[row]
    return hands
