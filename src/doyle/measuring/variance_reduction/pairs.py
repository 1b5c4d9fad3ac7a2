"""Sums over all pairs of hands, one per seat, that share no card. Exact.

A range is a weight for every row of a policy; a known hand is a range with one entry.
`mass` is the weight of the pairs, `balance` that of those that seat 0 wins less those that it loses if
nobody bets any more, over all boards that the cards seen so far leave to both hands.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.cards import HOLE_COUNT, HOLES, rank_tables
from doyle.games import Game
from doyle.games.policies import policy_rows, possible_hands
from doyle.measuring import _hand_equity_kernels as hand_equity_kernels
from doyle.measuring.exact_hands import _plan_kernels as exact_hands_kernels
from doyle.measuring.exact_hands.evaluators import BoardHands
from doyle.measuring.hand_equity import (
    PREFLOP_RUNOUTS,
    Cards,
    preflop_points,
    win_probabilities,
)

Floats = npt.NDArray[np.float64]
Ranges = tuple[Floats, Floats]


def mass(game: Game, ranges: Ranges) -> float:
    """The weight of all pairs that share no card."""
    first, second = ranges
    if game.hole_cards == 1:
        return float(first.sum() * second.sum() - first @ second)
    sums = np.empty((2, 52))
    return float(exact_hands_kernels.mass_apart(first, second, _HOLES, sums[0], sums[1]))


def balance(game: Game, ranges: Ranges, seen: Cards) -> float:
    """The weight of the pairs that seat 0 wins minus that of the pairs it loses, on the cards
    `seen`."""
    first, second = ranges
    held = np.count_nonzero(first), np.count_nonzero(second)
    if 0 in held:
        return 0.0  # without the table of all pairs, which costs as much as the rest of a hand
    if held[1] == 1:
        row = int(np.flatnonzero(second)[0])
        return -float(second[row]) * float(first @ balance_row(game, row, seen))
    if held[0] == 1:
        row = int(np.flatnonzero(first)[0])
        return float(first[row]) * float(second @ balance_row(game, row, seen))
    if game.is_holdem and len(seen) == game.board_ends[-1]:
        hands = _river_hands(game, seen)
        won, lost = hands.masses(first[hands.rows], second[hands.rows])
        return won - lost
    return float(first @ (balance_matrix(game, seen) @ second))


@lru_cache(maxsize=512)
def balance_row(game: Game, row: int, seen: Cards) -> Floats:
    """P(win) - P(lose) of one hand against every other; 0 against hands that cannot be there."""
    hole = hand_of(game, row)
    possible = possible_hands(game, (*hole, *seen))
    return np.where(possible, 2.0 * win_probabilities(game, hole, seen) - 1.0, 0.0)


def balance_matrix(game: Game, seen: Cards) -> Floats:
    """P(win) - P(lose) [hand, other hand]; 0 where they share a card."""
    if not game.is_holdem:
        return _small_matrix(game, seen)
    return _preflop_matrix() if not seen else _board_matrix(seen)


def hand_of(game: Game, row: int) -> Cards:
    """The hole cards of a row of a policy."""
    if game.hole_cards == 1:
        return (game.deck[row],)
    return tuple(HOLES[row].tolist())


def apart(game: Game) -> npt.NDArray[np.bool_]:
    """Which hands [hand, other hand] share no card, in games of one hole card."""
    return ~np.eye(len(game.deck), dtype=bool)


_HOLES = np.ascontiguousarray(HOLES, np.uint8)


@lru_cache(maxsize=8)
def _river_hands(game: Game, board: Cards) -> BoardHands:
    return BoardHands.of(game, board)


@lru_cache(maxsize=256)
def _small_matrix(game: Game, seen: Cards) -> Floats:
    found = np.zeros((policy_rows(game), policy_rows(game)))
    for row in np.flatnonzero(possible_hands(game, seen)).tolist():
        found[row] = balance_row(game, row, seen)
    return found


@lru_cache(maxsize=1)
def _preflop_matrix() -> Floats:
    points = preflop_points()
    share_no_card = points + points.T > 0
    return np.where(share_no_card, points / PREFLOP_RUNOUTS - 1.0, 0.0)


@lru_cache(maxsize=4)
def _board_matrix(seen: Cards) -> Floats:
    """Every pair over every run-out of three or four cards on the board."""
    rest = [card for card in range(52) if card not in seen]
    missing = 5 - len(seen)
    boards = np.array([(*seen, *added) for added in combinations(rest, missing)], np.uint8)
    weights = np.ones(len(boards), np.int16)
    together = hand_equity_kernels.BOARDS_TOGETHER
    ranks = np.empty((together, HOLE_COUNT), np.int16)
    row = np.empty(HOLE_COUNT, np.int16)
    signs = np.zeros((HOLE_COUNT, HOLE_COUNT), np.int32)
    for start in range(0, len(boards), together):
        part = slice(start, start + together)
        hand_equity_kernels.compare_all_pairs(
            rank_tables(7), boards[part], weights[part], ranks, row, signs
        )
    # Pairs that share a card are compared too: their ranges do not intersect, so they are cleared.
    signs[_meeting()] = 0
    return (signs - signs.T) / float(comb(48 - len(seen), missing))


@lru_cache(maxsize=1)
def _meeting() -> npt.NDArray[np.bool_]:
    """Which holes [hole, other hole] share a card."""
    found = np.zeros((HOLE_COUNT, HOLE_COUNT), bool)
    for mine in (0, 1):
        for theirs in (0, 1):
            found |= HOLES[:, mine][:, None] == HOLES[:, theirs][None, :]
    return found
