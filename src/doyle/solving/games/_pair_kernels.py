"""Compiled counts of pairs of buckets over the boards that follow a flop and a turn card."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards._lookup_kernels import Lookup, board_buckets
from doyle.base._numba import kernel
from doyle.cards._strength_kernels import BoardScratch, sort_board
from doyle.cards.ranking import RankTables

Array: TypeAlias = NDArray[Any]

LIVE = 1081
HELD = 46
"""Hands on a river board that hold a given card."""


class PairScratch(NamedTuple):
    """Buffers of one thread: local numbers of buckets and counts between them."""

    local: Array
    bucket_of: Array
    outer: Array
    shared: Array
    wins: Array
    below: Array
    counts: Array
    ids: Array
    ranks: Array
    places: Array
    held: Array
    buckets: Array


def pair_scratch(buckets: int) -> PairScratch:
    """Buffers for `count_pairs` with this many river buckets."""
    square = (buckets, buckets)
    return PairScratch(
        local=np.full(buckets, -1, np.int32),
        bucket_of=np.zeros(buckets, np.int32),
        outer=np.zeros(square, np.int32),
        shared=np.zeros(square, np.int32),
        wins=np.zeros(square, np.int32),
        below=np.zeros(buckets, np.int32),
        counts=np.zeros(buckets, np.int32),
        ids=np.zeros(LIVE, np.uint32),
        ranks=np.zeros(LIVE, np.uint32),
        places=np.zeros((52, HELD), np.uint32),
        held=np.zeros(52, np.uint32),
        buckets=np.zeros(1326, np.int32),
    )


@kernel
def count_pairs(
    tables: RankTables,
    lookup: Lookup,
    turns: Array,
    weights: Array,
    holes: Array,
    board_scratch: BoardScratch,
    scratch: PairScratch,
    pairs: Array,
    wins: Array,
) -> None:
    """Add the pairs of hands on every river after turns[n, 4], weights[n] times, by river bucket.

    pairs[B, B] counts ordered pairs of hands without a common card, wins[B, B] those in which the
    first hand is stronger; both int64, changed in place.
    """
    board = np.empty(5, np.int64)
    cards = np.empty(5, np.uint8)
    for n in range(len(turns)):
        taken = np.int64(0)
        for place in range(4):
            board[place] = turns[n, place]
            cards[place] = np.uint8(turns[n, place])
            taken |= np.int64(1) << board[place]
        known = 0
        for river in range(52):
            if (taken >> river) & 1:
                continue
            board[4] = river
            cards[4] = np.uint8(river)
            sort_board(tables, cards, board_scratch)
            board_buckets(lookup, board, 5, holes, scratch.buckets)
            known = read_board(board_scratch.entries, scratch, known)
            add_all_pairs(scratch, known)
            remove_shared(scratch)
        flush(scratch, known, weights[n], pairs, wins)


@kernel
def read_board(entries: Array, scratch: PairScratch, known: int) -> int:
    """Take the sorted hands of a board: ids[1081], ranks[1081], places of each card's hands.

    Buckets seen for the first time get the next local number; returns how many there are.
    """
    scratch.held[:] = 0
    for i in range(LIVE):
        entry = np.uint64(entries[i])
        high = (entry >> np.uint64(6)) & np.uint64(63)
        low = entry & np.uint64(63)
        hole = ((high * (high - np.uint64(1))) >> np.uint64(1)) + low
        bucket = np.uint64(scratch.buckets[hole])
        if scratch.local[bucket] < 0:
            scratch.local[bucket] = known
            scratch.bucket_of[known] = np.int32(bucket)
            known += 1
        scratch.ids[i] = np.uint32(scratch.local[bucket])
        scratch.ranks[i] = np.uint32(entry >> np.uint64(12))
        for card in (high, low):
            scratch.places[card, np.uint64(scratch.held[card])] = np.uint32(i)
            scratch.held[card] += np.uint32(1)
    return known


@kernel
def add_all_pairs(scratch: PairScratch, known: int) -> None:
    """Add every pair of hands, common cards or not: outer[ids, ids], and wins by a sweep of ranks."""
    width = np.uint64(known)
    below, counts, outer, wins = scratch.below, scratch.counts, scratch.outer, scratch.wins
    for d in range(width):
        below[d] = 0
    first = np.uint64(0)
    total = np.uint64(LIVE)
    while first < total:
        end = first
        while end < total and scratch.ranks[end] == scratch.ranks[first]:
            row = np.uint64(scratch.ids[end])
            for d in range(width):
                wins[row, d] += below[d]
            end += np.uint64(1)
        for i in range(first, end):
            below[np.uint64(scratch.ids[i])] += 1
        first = end
    for d in range(width):
        counts[d] = below[d]
    for a in range(width):
        times = counts[a]
        if times > 0:
            for d in range(width):
                outer[a, d] += times * counts[d]


@kernel
def remove_shared(scratch: PairScratch) -> None:
    """Take away pairs with a common card: wins directly, the rest once in shared[stronger, weaker]."""
    ids, ranks, places = scratch.ids, scratch.ranks, scratch.places
    for hand in range(np.uint64(LIVE)):
        own = np.uint64(ids[hand])
        scratch.outer[own, own] -= 1
    for card in range(np.uint64(52)):
        for p in range(np.uint64(scratch.held[card])):
            i = np.uint64(places[card, p])
            row, rank = np.uint64(ids[i]), ranks[i]
            for q in range(p):
                j = np.uint64(places[card, q])
                other = np.uint64(ids[j])
                scratch.shared[row, other] += 1
                if rank > ranks[j]:
                    scratch.wins[row, other] -= 1


@kernel
def flush(scratch: PairScratch, known: int, weight: int, pairs: Array, wins: Array) -> None:
    """Add the local counts to pairs[B, B] and wins[B, B], and clear them."""
    for a in range(known):
        row = scratch.bucket_of[a]
        for b in range(known):
            column = scratch.bucket_of[b]
            count = scratch.outer[a, b] - scratch.shared[a, b] - scratch.shared[b, a]
            pairs[row, column] += np.int64(weight) * np.int64(count)
            wins[row, column] += np.int64(weight) * np.int64(scratch.wins[a, b])
    for a in range(known):
        scratch.local[scratch.bucket_of[a]] = -1
        for b in range(known):
            scratch.outer[a, b] = 0
            scratch.shared[a, b] = 0
            scratch.wins[a, b] = 0
