"""Equity: the share of the pot that hands or ranges win at showdown, by exact enumeration.

Every deal of hands from the ranges that share no card, with every board, counts as often as its
weights say. Nothing is sampled: fixed hands run through all boards; two ranges are compared hand
against all hands on each board by sorting and prefix sums; boards that differ only by a renaming
of suits are visited once. With weights of 0 and 1 all counts are whole numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from doyle.base.display import table_html
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import map_threads
from doyle.cards._strength_kernels import (
    board_scratch,
    compare_ranges_on_boards,
    count_showdowns,
    showdown_scratch,
)
from doyle.cards.cards import (
    DECK_SIZE,
    HOLE_COUNT,
    HOLES,
    Card,
    check_cards,
    format_cards,
    hole_index,
    live_hands,
    parse_cards,
)
from doyle.cards.ranges import Range, parse_range
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import HOLE_MAPS, canonical_boards
from doyle.cards.suits.relabelling import ALL_SUITS, image

Holding = str | Range | Sequence[Card] | NDArray[np.float64]
"""A player's hands: range text, a range, two cards, or 1,326 weights."""

_MOST_PLAYERS = 10
_MOST_DEALS = 4_000_000
_MOST_SHOWDOWNS = 40_000_000_000
_LABEL = "showdowns"

# Measured costs, used only to choose between two exact methods.
_SECONDS_PER_SHOWDOWN = 6e-9
_SECONDS_PER_BOARD = 16e-6


@dataclass(frozen=True)
class PlayerEquity:
    """One player's outcomes: how many boards it wins alone, shares and loses, and its share."""

    win: float
    tie: float
    loss: float
    equity: float


@dataclass(frozen=True)
class Equity:
    """The players' outcomes over `total` showdowns (deals times boards, by weight)."""

    players: tuple[PlayerEquity, ...]
    board: tuple[Card, ...]
    total: float

    @property
    def equities(self) -> tuple[float, ...]:
        """Each player's share of the pot; they sum to 1."""
        return tuple(player.equity for player in self.players)

    def _repr_html_(self) -> str:
        rows = [
            [
                f"player {number}",
                *(f"{part:,g}" for part in (one.win, one.tie, one.loss)),
                f"{one.equity:.4%}",
            ]
            for number, one in enumerate(self.players, start=1)
        ]
        return table_html(["", "wins", "ties", "losses", "equity"], rows)


def equity(
    holdings: Sequence[Holding],
    board: str | Sequence[Card] = (),
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Equity:
    """The exact equity of each of 2 to 10 hands or ranges on a board of 0, 3, 4 or 5 cards.

    >>> result = equity(["AsAh", "KcKd"])
    >>> result.players[0].win, result.players[0].tie, result.players[0].loss
    (1388072, 6538, 317694)
    """
    dealt = _read_board(board)
    if not 2 <= len(holdings) <= _MOST_PLAYERS:
        raise DoyleError(f"equity: expected 2 to {_MOST_PLAYERS} hands, found {len(holdings)}")
    ranges = [_read_holding(holding, dealt, i) for i, holding in enumerate(holdings, start=1)]
    whole = all(bool(np.isin(weights, (0.0, 1.0)).all()) for weights in ranges)
    if len(ranges) == 2 and _boards_are_cheaper(ranges, dealt):
        shares = _shares_by_boards(ranges, dealt, workers, progress)
    else:
        shares = _shares_by_deals(ranges, dealt, workers, progress)
    return _result(shares, dealt, whole=whole)


def _result(shares: NDArray[np.float64], board: tuple[Card, ...], *, whole: bool) -> Equity:
    """`shares[i, k]`: weight of the showdowns where player i is one of k winners (0: loses)."""
    total = float(shares[0].sum())
    if total == 0.0:
        raise DoyleError("equity: the hands share cards in every deal; nothing to compare")
    players = []
    for row in shares:
        pot = sum(float(row[k]) / k for k in range(1, len(row)))
        win, tie, loss = float(row[1]), float(row[2:].sum()), float(row[0])
        if whole:
            win, tie, loss = int(win), int(tie), int(loss)
        players.append(PlayerEquity(win, tie, loss, pot / total))
    return Equity(tuple(players), board, int(total) if whole else total)


def _read_board(board: str | Sequence[Card]) -> tuple[Card, ...]:
    dealt = parse_cards(board, what="board") if isinstance(board, str) else tuple(board)
    dealt = check_cards(dealt, what="board")
    if len(dealt) not in (0, 3, 4, 5):
        raise DoyleError(f"board: expected 0, 3, 4 or 5 cards, found {len(dealt)}")
    return dealt


def _read_holding(holding: Holding, board: tuple[Card, ...], number: int) -> NDArray[np.float64]:
    if isinstance(holding, str):
        weights = parse_range(holding)
    elif not isinstance(holding, Range) and len(holding) == 2:
        first, second = (int(card) for card in holding)
        weights = np.zeros(HOLE_COUNT)
        weights[hole_index(first, second)] = 1.0
    else:
        weights = np.array(holding, dtype=np.float64)
        if weights.shape != (HOLE_COUNT,) or not ((weights >= 0.0) & (weights <= 1.0)).all():
            raise DoyleError(f"hand {number}: expected {HOLE_COUNT} weights from 0 to 1")
    weights[~live_hands(HOLES, board)] = 0.0
    if not weights.any():
        raise DoyleError(
            f"hand {number}: no hand of this range is left on board {format_cards(board) or '-'}"
        )
    return weights


def _boards_are_cheaper(ranges: Sequence[NDArray[np.float64]], board: tuple[Card, ...]) -> bool:
    """Whether comparing the ranges board by board beats running each deal through all boards."""
    deals = math.prod(int(np.count_nonzero(weights)) for weights in ranges)
    if deals > _MOST_DEALS // 4:
        return True
    matchups = len(_matchups(ranges, board)[1])
    boards = math.comb(48 - len(board), 5 - len(board))
    by_deals = matchups * boards * 2 * _SECONDS_PER_SHOWDOWN
    if board:
        return math.comb(DECK_SIZE - len(board), 5 - len(board)) * _SECONDS_PER_BOARD < by_deals
    return len(_images(ranges)[0]) * 134_459 * _SECONDS_PER_BOARD < by_deals


def _shares_by_boards(
    ranges: Sequence[NDArray[np.float64]],
    board: tuple[Card, ...],
    workers: Workers | None,
    progress: Progress | None,
) -> NDArray[np.float64]:
    """Two ranges, all hands against all hands on each board.

    The sum over all boards of a class {pi B} equals |class| / 24 times the sum over the 24
    renamings pi of the comparison on B of the ranges renamed by the inverse of pi; renamings that
    give the same pair of ranges are computed once.
    """
    if board:
        rest = [card for card in range(DECK_SIZE) if card not in board]
        draws = list(itertools.combinations(rest, 5 - len(board)))
        boards = np.array([(*board, *draw) for draw in draws], dtype=np.uint8)
        multiplicities = np.ones(len(boards))
        pairs, divisor = np.array([ranges]), 1
    else:
        boards, classes = canonical_boards(5)
        multiplicities = classes.astype(np.float64)
        pairs, divisor = _images(ranges)

    def compare(part: NDArray[np.int64]) -> NDArray[np.float64]:
        totals = np.zeros(3)
        compare_ranges_on_boards(
            rank_tables(7),
            boards[part],
            multiplicities[part],
            pairs,
            board_scratch(),
            np.zeros(2 * DECK_SIZE),
            totals,
        )
        return totals

    parts = np.array_split(np.arange(len(boards)), max(1, len(boards) // 1024))
    total = np.zeros(3)
    for partial in map_threads(compare, parts, workers=workers, progress=progress, label=_LABEL):
        total += partial
    win, tie, loss = total / divisor
    return np.array([[loss, win, tie], [win, loss, tie]])


def _images(ranges: Sequence[NDArray[np.float64]]) -> tuple[NDArray[np.float64], int]:
    """The different pairs of ranges under renaming of suits, and by what to divide their sum.

    Renaming both ranges changes nothing. So if one stays the same under some renamings, the other
    may be replaced by the sum of its images under these, which leaves fewer pairs to look at.
    """
    moves = HOLE_MAPS.astype(np.int64)
    stable = [[move for move in moves if (weights[move] == weights).all()] for weights in ranges]
    fixed = 0 if len(stable[0]) >= len(stable[1]) else 1
    pair = np.array(ranges)
    pair[1 - fixed] = sum(ranges[1 - fixed][move] for move in stable[fixed])
    images = {pair[:, move].tobytes(): pair[:, move] for move in moves}
    # Each image stands for 24 / len(images) renamings of 24, and the sum above for len(stable).
    return np.array(list(images.values())), len(images) * len(stable[fixed])


def _matchups(
    ranges: Sequence[NDArray[np.float64]], board: tuple[Card, ...]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Deals of one hand a player, up to renamings of suits that keep the board: holes and weights."""
    masks = (np.uint64(1) << HOLES.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    deals = np.zeros((1, 0), dtype=np.int64)
    used = np.zeros(1, dtype=np.uint64)
    weights = np.ones(1)
    for weights_of in ranges:
        hands = np.flatnonzero(weights_of)
        if len(deals) * len(hands) > _MOST_DEALS:
            raise DoyleError(f"equity: more than {_MOST_DEALS:,} deals of hands; narrow the ranges")
        left, right = np.nonzero((used[:, np.newaxis] & masks[hands]) == 0)
        deals = np.concatenate([deals[left], hands[right, np.newaxis]], axis=1)
        used = used[left] | masks[hands[right]]
        weights = weights[left] * weights_of[hands[right]]
    if len(ranges) > 6 or len(deals) == 0:  # a key below would not fit in 63 bits
        return deals, weights
    powers = HOLE_COUNT ** np.arange(len(ranges), dtype=np.int64)
    keys = np.full(len(deals), np.iinfo(np.int64).max)
    for suits, moved in zip(ALL_SUITS, HOLE_MAPS.astype(np.int64), strict=True):
        if image(tuple(board), suits) == tuple(sorted(board)):
            np.minimum(keys, moved[deals] @ powers, out=keys)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    merged = np.zeros(len(first))
    np.add.at(merged, inverse.ravel(), weights)
    return deals[first], merged


def _shares_by_deals(
    ranges: Sequence[NDArray[np.float64]],
    board: tuple[Card, ...],
    workers: Workers | None,
    progress: Progress | None,
) -> NDArray[np.float64]:
    """Any number of ranges, each deal of hands through all boards."""
    players = len(ranges)
    deals, weights = _matchups(ranges, board)
    boards = math.comb(DECK_SIZE - 2 * players - len(board), 5 - len(board))
    if len(deals) * boards * players > _MOST_SHOWDOWNS:
        raise DoyleError(
            f"equity: {len(deals):,} different deals of hands with {boards:,} boards each would take "
            "too long; narrow the ranges or give a board"
        )
    dealt = np.array(board, dtype=np.uint8)

    def count(part: NDArray[np.int64]) -> NDArray[np.float64]:
        scratch = showdown_scratch(players)
        shares = np.zeros((players, players + 1))
        for deal in part:
            counts = np.zeros((players, players + 1), dtype=np.int64)
            holes = HOLES[deals[deal]].astype(np.uint8)
            count_showdowns(rank_tables(7), holes, dealt, scratch, counts)
            shares += weights[deal] * counts
        return shares

    per_part = max(1, 2_000_000 // boards)
    parts = np.array_split(np.arange(len(deals)), max(1, len(deals) // per_part))
    total = np.zeros((players, players + 1))
    for partial in map_threads(count, parts, workers=workers, progress=progress, label=_LABEL):
        total += partial
    return total
