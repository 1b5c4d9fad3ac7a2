"""The win probability of one hand against every other hand, if nobody bets any more. Exact.

A tie counts a half. After the flop all run-outs are looked at; before it the answer is read from a
table of all pairs of holes, which is counted once (134,459 boards up to suits, some seconds) and kept.
Against a range the win probability is the mean over the range. Games of other decks are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.base.artifacts import Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import available_cores, map_threads
from doyle.cards import HOLE_COUNT, HOLES, hole_index, rank_tables
from doyle.cards.suits.boards import HOLE_MAPS, boards
from doyle.games import Game
from doyle.games.payoffs import best_rank
from doyle.games.policies import policy_row, policy_rows
from doyle.measuring import _hand_equity_kernels as kernels

Cards = tuple[int, ...]
Floats = npt.NDArray[np.float64]

TABLE = Description("preflop-points", 1, {"game": "holdem"})
PREFLOP_RUNOUTS = comb(48, 5)

_MOST_CASES = 20_000_000


def win_probabilities(game: Game, hole: Cards, board: Cards) -> Floats:
    """The probability [rows of a policy] that `hole` wins against each hand on the visible board.

    It is 0 where the other hand shares a card with the hole or the board.
    """
    if not game.is_holdem:
        return _enumerated(game, tuple(sorted(hole)), board)
    if not board:
        return np.asarray(preflop_points()[hole_index(*hole)] / (2.0 * PREFLOP_RUNOUTS))
    points = np.zeros(HOLE_COUNT, np.int32)
    cards = np.array(board, np.uint8)
    add = kernels.add_flop_points if len(board) == 3 else kernels.add_points
    add(rank_tables(7), cards, hole[0], hole[1], points)
    return points / (2.0 * comb(48 - len(board), 5 - len(board)))


@lru_cache(maxsize=1)
def preflop_points() -> npt.NDArray[np.int32]:
    """Points [hole, other hole] over all boards that both can meet; 0 where they share a card."""
    return make_preflop_points(Store(), workers=Workers(available_cores()))


def make_preflop_points(
    store: Store, *, workers: Workers | None = None, progress: Progress | None = None
) -> npt.NDArray[np.int32]:
    """The table, counted now if the store does not have it."""

    def build(builder: Builder) -> None:
        builder.put("points", _count_pairs(workers, progress), dtype=np.int32)

    found = store.get(TABLE, build).array("points")
    if found.shape != (HOLE_COUNT, HOLE_COUNT):
        raise DoyleError(
            f"{TABLE.folder_name}: field 'arrays.points' has shape {found.shape}; "
            f"delete it with `doyle cache clear {TABLE.folder_name}`"
        )
    return found


def _count_pairs(workers: Workers | None, progress: Progress | None) -> npt.NDArray[np.int32]:
    every = boards(5)
    cards = np.ascontiguousarray(every.boards, np.uint8)
    weights = every.weights.astype(np.int16)
    starts = range(0, len(cards), kernels.BOARDS_TOGETHER)
    parts = np.array_split(np.array(starts), 64)

    def count(part: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        ranks = np.empty((kernels.BOARDS_TOGETHER, HOLE_COUNT), np.int16)
        row = np.empty(HOLE_COUNT, np.int16)
        balance = np.zeros((HOLE_COUNT, HOLE_COUNT), np.int32)
        for start in part.tolist():
            end = min(start + kernels.BOARDS_TOGETHER, len(cards))
            kernels.compare_all_pairs(
                rank_tables(7), cards[start:end], weights[start:end], ranks, row, balance
            )
        return balance

    total = np.zeros((HOLE_COUNT, HOLE_COUNT), np.int64)
    label = "pairs of hands before the flop"
    for balance in map_threads(count, parts, workers=workers, progress=progress, label=label):
        total += balance
    return _points_of(total)


def _points_of(balance: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Points of all pairs from the balances of representatives of boards, h > o."""
    # One board represents all its images: their sum is the mean over relabellings of the pair.
    whole = balance - balance.T
    summed = np.zeros_like(whole)
    for images in HOLE_MAPS.astype(np.int64):
        summed += whole[np.ix_(images, images)]
    if (summed % 24).any():
        raise AssertionError("the sum over relabellings of suits is a multiple of 24")
    points = PREFLOP_RUNOUTS + summed // 24
    apart = np.ones_like(points, bool)
    for mine in (0, 1):
        for theirs in (0, 1):
            apart &= HOLES[:, mine][:, None] != HOLES[:, theirs][None, :]
    return np.where(apart, points, 0).astype(np.int32)


@lru_cache(maxsize=1 << 12)
def _enumerated(game: Game, hole: Cards, board: Cards) -> Floats:
    found = np.zeros(policy_rows(game))
    seen = {*hole, *board}
    rest = [card for card in game.deck if card not in seen]
    missing = game.board_ends[-1] - len(board)
    size = comb(len(rest), game.hole_cards) * comb(len(rest) - game.hole_cards, missing)
    if size > _MOST_CASES:
        raise DoyleError(f"{game.name}: has too many cards to enumerate ({size:,} cases a hand)")
    for other in combinations(rest, game.hole_cards):
        points = [
            2 * (ours > theirs) + (ours == theirs)
            for ours, theirs in _showdowns(hole, other, board, rest, missing)
        ]
        found[policy_row(game, other)] = sum(points) / (2 * len(points))
    found.flags.writeable = False
    return found


def _showdowns(
    hole: Cards, other: Cards, board: Cards, rest: list[int], missing: int
) -> Iterator[tuple[int, int]]:
    left = [card for card in rest if card not in other]
    for added in combinations(left, missing):
        yield _rank(hole + board + added), _rank(other + board + added)


@lru_cache(maxsize=1 << 16)
def _rank(cards: Cards) -> int:
    return best_rank(cards)
