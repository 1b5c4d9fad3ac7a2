"""Plain twins of the kernels of boards, atlas, percentiles and lookups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from doyle.abstractions.cards.abstraction import BucketTables
from doyle.cards import board_ranks, board_strength, hole_index

SUITS = list(permutations(range(4)))


def renamed(cards: Sequence[int], permutation: int) -> tuple[int, ...]:
    """Cards with their suits renamed, in the order given."""
    return tuple(4 * (card // 4) + SUITS[permutation][card % 4] for card in cards)


def colex_rank(cards: Sequence[int]) -> int:
    """How many sets of as many cards come before this one when the largest cards decide."""
    from math import comb

    return sum(comb(card, place) for place, card in enumerate(sorted(cards), start=1))


def least_board(cards: Sequence[int]) -> tuple[int, ...]:
    """The representative of a board: the least rank among its 24 renamings."""
    images = (tuple(sorted(renamed(cards, permutation))) for permutation in range(24))
    return min(images, key=colex_rank)


def strengths(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """2 * wins + ties on every run-out of one hand, each by ranking all opponents."""
    left = [card for card in range(52) if card not in (*hole, *board)]
    found = []
    for more in combinations(left, 5 - len(board)):
        ranks = board_ranks((*board, *more)).astype(np.int64)
        mine = ranks[hole_index(hole[0], hole[1])]
        others = [card for card in left if card not in more]
        against = np.array([ranks[hole_index(a, b)] for a, b in combinations(others, 2)])
        found.append(int(2 * (against < mine).sum() + (against == mine).sum()))
    return found


def strengths_by_board(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """As `strengths`, trusting the counts of whole boards."""
    left = [card for card in range(52) if card not in (*hole, *board)]
    place = hole_index(hole[0], hole[1])
    found = []
    for more in combinations(left, 5 - len(board)):
        win, tie, _ = board_strength((*board, *more))
        found.append(int(2 * win[place] + tie[place]))
    return found


def percentile_buckets(values: Sequence[int], weights: Sequence[int], buckets: int) -> list[int]:
    """The bucket of each hand by the definition: where the middle of its tied hands falls."""
    total = sum(weights)
    found = []
    for value in values:
        below = sum(w for v, w in zip(values, weights, strict=True) if v < value)
        mass = sum(w for v, w in zip(values, weights, strict=True) if v == value)
        found.append(buckets * (2 * below + mass) // (2 * total))
    return found


def bucket(tables: BucketTables, rows: Rows, hole: Sequence[int], board: Sequence[int]) -> int:
    """A hand's bucket read from the tables by trying all renamings of suits."""
    if not board:
        return int(tables.preflop[hole_index(*hole)])
    if len(board) == 3:
        return int(tables.flop[_place(rows.flops, hole, (board,))])
    turn = rows.sequences if tables.by_sequence else rows.turns
    groups = (board[:3], board[3:4]) if tables.by_sequence else (board[:4],)
    last = int(tables.turn[_place(turn, hole, groups)])
    if len(board) == 4:
        return last
    win, tie, _ = board_strength(tuple(board))
    strength = int((2 * win + tie)[hole_index(*hole)])
    return int(tables.river_by_strength[tables.turn_memory[last], strength])


class Rows:
    """The boards of some rows by their groups of cards, to find a row by renaming suits."""

    def __init__(self, flops: Groups, turns: Groups, sequences: Groups) -> None:
        self.flops, self.turns, self.sequences = flops, turns, sequences


Groups = dict[tuple[frozenset[int], ...], int]


def _place(known: Groups, hole: Sequence[int], groups: Sequence[Sequence[int]]) -> tuple[int, int]:
    for permutation in range(24):
        key = tuple(frozenset(renamed(group, permutation)) for group in groups)
        if key in known:
            return known[key], hole_index(*renamed(hole, permutation))
    raise AssertionError("no such board")
