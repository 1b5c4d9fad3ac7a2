"""Compiled opponent-cluster hand strength: on river boards, and expected on the turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from doyle.abstractions.cards.clustering._kmeans_kernels import nearest_single
from doyle.base._numba import Array, kernel
from doyle.cards._strength_kernels import BoardScratch, entry_cards, hole_of, sort_board
from doyle.cards.ranking import RankTables

LANES = 8
"""Opponent clusters that the kernels handle at once: one vector register of counts."""

UNIT = 1 << 20
"""Strengths are summed over rivers in this many parts of one: integers, whatever the order."""


class ClusterScratch(NamedTuple):
    """Buffers of one thread: the sorted board; int32[2, 8] and int32[2, 52, 8] of counts."""

    board: BoardScratch
    below: Array
    held: Array


@kernel
def cluster_strength(
    tables: RankTables,
    board: Array,
    cluster_of: Array,
    scratch: ClusterScratch,
    strength: Array,
) -> None:
    """Write strength[1326, 8]: the share of each opponent cluster's live hands that a hole beats on
    board (uint8[5]), ties half, or of all live hands when a cluster has none left. cluster_of is int32[1326];
    rows of holes that share a card with the board are left alone."""
    sort_board(tables, board, scratch.board)
    entries = scratch.board.entries
    below, held = scratch.below, scratch.held
    live = np.uint64(entries.shape[0])
    below[:] = 0
    held[:] = 0
    now, whole = np.uint64(0), np.uint64(1)
    for i in range(live):
        high, low = entry_cards(entries[np.uint64(i)])
        cluster = np.uint64(cluster_of[hole_of(high, low)])
        below[whole, cluster] += np.int32(1)
        held[whole, high, cluster] += np.int32(1)
        held[whole, low, cluster] += np.int32(1)
    start = np.uint64(0)
    while start < live:
        rank = entries[start] >> np.uint32(12)
        stop = start
        while stop < live and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            hole = hole_of(high, low)
            for lane in range(LANES):
                k = np.uint64(lane)
                strength[hole, k] = below[now, k] - held[now, high, k] - held[now, low, k]
            stop += np.uint64(1)
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            cluster = np.uint64(cluster_of[hole_of(high, low)])
            below[now, cluster] += np.int32(1)
            held[now, high, cluster] += np.int32(1)
            held[now, low, cluster] += np.int32(1)
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            hole = hole_of(high, low)
            own = np.uint64(cluster_of[hole])
            # A hand holds both its cards, so it is taken off twice: put it back once.
            below[now, own] += np.int32(1)
            below[whole, own] += np.int32(1)
            all_beaten, all_met = np.float32(0.0), np.float32(0.0)
            for lane in range(LANES):
                k = np.uint64(lane)
                not_losing = below[now, k] - held[now, high, k] - held[now, low, k]
                met = below[whole, k] - held[whole, high, k] - held[whole, low, k]
                beaten = np.float32(0.5) * (strength[hole, k] + np.float32(not_losing))
                all_beaten += beaten
                all_met += np.float32(met)
                strength[hole, k] = beaten / np.float32(met) if met > 0 else np.float32(-1.0)
            for lane in range(LANES):
                k = np.uint64(lane)
                if strength[hole, k] < 0:
                    strength[hole, k] = all_beaten / all_met
            below[now, own] -= np.int32(1)
            below[whole, own] -= np.int32(1)
        start = stop


@kernel
def nearest_on_boards(
    tables: RankTables,
    boards: Array,
    rows: Array,
    cluster_of: Array,
    scratch: ClusterScratch,
    strength: Array,
    origin: Array,
    transposed: Array,
    half_norms: Array,
    out: Array,
) -> None:
    """Write out[rows, 1326]: the nearest centroid to each hole's vector of strengths (see
    `nearest_single` for the centroids' form)."""
    board = np.empty(5, np.uint8)
    values = np.empty(LANES, np.float32)
    scores = np.empty(half_norms.shape[0], np.float32)
    keys = scores.view(np.int32)
    for place in range(len(rows)):
        row = rows[place]
        for card in range(5):
            board[card] = boards[row, card]
        cluster_strength(tables, board, cluster_of, scratch, strength)
        for i in range(np.uint64(scratch.board.entries.shape[0])):
            high, low = entry_cards(scratch.board.entries[np.uint64(i)])
            hole = hole_of(high, low)
            for lane in range(np.uint64(LANES)):
                values[lane] = strength[hole, lane] - origin[lane]
            out[row, hole] = nearest_single(values, transposed, half_norms, scores, keys)


@kernel
def sum_over_rivers(
    tables: RankTables,
    boards: Array,
    rows: Array,
    index: Array,
    first: Array,
    cluster_of: Array,
    scratch: ClusterScratch,
    strength: Array,
    out: Array,
) -> None:
    """Write out[hands, 8] (uint32): the strengths of each hand of the turn boards[rows] against each
    cluster, in units, summed over its 46 rivers. index[boards, 1326] numbers the hands; first[hand] is
    the hole that counts for it; strength is as in `cluster_strength`."""
    board = np.empty(5, np.uint8)
    for place in range(len(rows)):
        row = rows[place]
        taken = np.uint64(0)
        for card in range(4):
            board[card] = boards[row, card]
            taken |= np.uint64(1) << np.uint64(boards[row, card])
        for hole in range(1326):
            hand = index[row, hole]
            if hand >= 0 and first[hand] == hole:
                for lane in range(LANES):
                    out[hand, lane] = 0
        for card in range(52):
            if (taken >> np.uint64(card)) & np.uint64(1):
                continue
            board[4] = card
            cluster_strength(tables, board, cluster_of, scratch, strength)
            for i in range(np.uint64(scratch.board.entries.shape[0])):
                high, low = entry_cards(scratch.board.entries[np.uint64(i)])
                held_by = hole_of(high, low)
                hand = index[row, held_by]
                if np.uint64(first[hand]) == held_by:
                    for lane in range(LANES):
                        share = strength[held_by, lane] * np.float32(UNIT) + np.float32(0.5)
                        out[hand, lane] += np.uint32(share)
