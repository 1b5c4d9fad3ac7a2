"""`check_abstraction`: the contract of card abstractions.

On every board the holes that miss it have a bucket in range, and the others have no bucket; one
hand, a whole board and many deals agree; names of suits and the order of cards within a round do
not matter; a bucket that remembers has the earlier bucket of its hands as parent; and the masses of
a round's buckets sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from doyle.abstractions.cards import BOARD_CARDS, CardAbstraction
from doyle.cards import HOLES, live_hands
from doyle.cards.suits.boards import CARD_MAPS, HOLE_MAPS
from doyle.testing.contract import require

Board = tuple[int, ...]


def check_abstraction(
    abstraction: CardAbstraction,
    rivers: Iterable[Board] | None = None,
    *,
    boards: int = 4,
    seed: int = 0,
) -> int:
    """Check all rounds of some five-card boards; return how many. The first three are the flop.

    Without `rivers`, `boards` random ones are taken.
    """
    count = 0
    for board in _random_rivers(boards, seed) if rivers is None else rivers:
        for round, size in enumerate(BOARD_CARDS):
            _check_board(abstraction, round, tuple(board[:size]))
        _check_deals(abstraction, tuple(board))
        count += 1
    for round in range(abstraction.rounds):
        masses = abstraction.masses(round)
        where = f"{abstraction.spec}, round {round}"
        buckets = abstraction.bucket_count(round)
        require(len(masses) == buckets, f"{where}: {len(masses)} masses for {buckets} buckets")
        total = float(masses.sum())
        require(abs(total - 1) < 1e-9, f"{where}: masses sum to {total}")
    return count


def _random_rivers(boards: int, seed: int) -> list[Board]:
    rng = np.random.default_rng(seed)
    return [tuple(int(card) for card in rng.permutation(52)[:5]) for _ in range(boards)]


def _check_board(abstraction: CardAbstraction, round: int, board: Board) -> None:
    where = f"{abstraction.spec}, round {round}, board {board}"
    found = abstraction.buckets(board)
    hit = ~live_hands(HOLES, board)
    require(bool((found[hit] == -1).all()), f"{where}: a hole that shares a card has a bucket")
    inside = (found[~hit] >= 0) & (found[~hit] < abstraction.bucket_count(round))
    require(bool(inside.all()), f"{where}: a bucket is out of range")
    for hole in np.flatnonzero(~hit)[::97]:
        cards = tuple(int(card) for card in HOLES[hole])
        for order in (cards, cards[::-1]):
            one = abstraction.bucket(round, order, board)
            require(one == found[hole], f"{where}: {order} has bucket {one}, not {found[hole]}")
    for permutation in (3, 10, 23):
        renamed = tuple(int(card) for card in CARD_MAPS[permutation, list(board)])
        same = abstraction.buckets(renamed)[HOLE_MAPS[permutation]] == found
        require(bool(same.all()), f"{where}: buckets depend on the names of suits")
    turned = abstraction.buckets((*board[:3][::-1], *board[3:])) == found
    require(bool(turned.all()), f"{where}: buckets depend on the order of the flop")
    parents = abstraction.parents(round)
    if parents is not None:
        before = abstraction.buckets(board[: BOARD_CARDS[round - 1]])
        kept = parents[found[~hit]] == before[~hit]
        require(bool(kept.all()), f"{where}: a bucket's parent is not the earlier bucket")


def _check_deals(abstraction: CardAbstraction, board: Board) -> None:
    left = [card for card in range(52) if card not in board]
    holes = np.array([[left[:2], left[2:4]], [left[5:7][::-1], left[-2:]]])
    found = abstraction.deal_buckets(holes, np.array([board, board]))
    where = f"{abstraction.spec}, board {board}"
    require(found.shape == (2, 2, 4), f"{where}: deals have buckets of shape {found.shape}")
    for deal, seat, round in np.ndindex(2, 2, 4):
        one = abstraction.bucket(round, [int(card) for card in holes[deal, seat]], board)
        other = int(found[deal, seat, round])
        require(one == other, f"{where}, round {round}: a deal has bucket {other}, the hand {one}")
