"""The equity of a hand against an opponent whose hand is random: every hand not seen is as likely.

Equity is E[HS], the mean of win + tie / 2 over all hands of the opponent and all boards still to
come, exactly. In Hold'em it is read from the strength atlas before the river, which is built at the
first use and kept, and counted on the board itself on the river. Other games are enumerated card by
card, which is meant for small ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, Atlas, largest_sum
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.base.workers.local import available_cores
from doyle.cards import hole_index
from doyle.cards.suits.boards import BINOMIALS, HOLE_MAPS, boards
from doyle.games import Game
from doyle.games.payoffs import best_rank
from doyle.games.policies import policy_row, policy_rows

Cards = tuple[int, ...]

_ENUMERATION_LIMIT = 5_000_000
_BOARDS_AT_ONCE = 256


def equity(game: Game, hole: Cards, board: Cards) -> float:
    """The equity of `hole` on the visible `board` against one random hand."""
    if game.is_holdem:
        return _holdem_equity(hole_index(*hole), board)
    return _enumerated(game, *_relabelled(hole, board))


def equities(game: Game, board: Cards) -> npt.NDArray[np.float64]:
    """The equity of every hole on the visible `board` in the order of a policy; 0 where they collide.

    Holes of equal equity have equal numbers, so that they can be put in order.
    """
    if game.is_holdem:
        return _holdem_equities(board)
    found = np.zeros(policy_rows(game))
    rest = [card for card in game.deck if card not in board]
    for hole in combinations(rest, game.hole_cards):
        found[policy_row(game, hole)] = equity(game, hole, board)
    return found


def deal_equities(
    holes: npt.NDArray[np.uint8], boards_: npt.NDArray[np.uint8]
) -> npt.NDArray[np.float64]:
    """`equity` in Hold'em of holes[n, seats, 2] on boards_[n, 5], in every round: [n, seats, 4]."""
    from doyle.agents import _equity_kernels as kernels
    from doyle.cards import boards_strength

    low, high = np.sort(holes.astype(np.int64), axis=2).transpose(2, 0, 1)
    places = high * (high - 1) // 2 + low
    found = np.empty((*places.shape, 4))
    found[:, :, 0] = np.asarray(_strength_sums(0)[0])[places] / largest_sum(0, 1)
    for round_ in (1, 2):
        sums = np.zeros(places.shape, np.int64)
        table = boards(round_ + 2).table
        rows = np.asarray(_strength_sums(round_))
        kernels.deal_sums(rows, table, BINOMIALS, HOLE_MAPS, boards_, round_ + 2, places, sums)
        found[:, :, round_] = sums / largest_sum(round_, 1)
    for start in range(0, len(places), _BOARDS_AT_ONCE):
        part = places[start : start + _BOARDS_AT_ONCE]
        win, tie, _ = boards_strength(boards_[start : start + _BOARDS_AT_ONCE])
        strength = np.take_along_axis(2 * win + tie, part, axis=1)
        found[start : start + len(part), :, 3] = strength / FULL_STRENGTH
    return found


def prepare(game: Game) -> None:
    """Build tables and compile kernels now, which would delay the first equities of a game."""
    if game.is_holdem:
        for count in (0, 3, 4, 5):
            _holdem_equity(hole_index(50, 51), tuple(range(count)))


def _holdem_equity(hole: int, board: Cards) -> float:
    if len(board) == 5:
        return float(_river_strength(board)[hole]) / FULL_STRENGTH
    if not board:
        return float(_strength_sums(0)[0, hole]) / largest_sum(0, 1)
    round_ = len(board) - 2
    row, permutation = boards(len(board)).find(board)
    return float(_strength_sums(round_)[row, HOLE_MAPS[permutation, hole]]) / largest_sum(round_, 1)


def _holdem_equities(board: Cards) -> npt.NDArray[np.float64]:
    if len(board) == 5:
        return np.maximum(_river_strength(board), 0) / FULL_STRENGTH
    if not board:
        return np.asarray(_strength_sums(0)[0] / largest_sum(0, 1))
    round_ = len(board) - 2
    row, permutation = boards(len(board)).find(board)
    sums = np.asarray(_strength_sums(round_)[row])[HOLE_MAPS[permutation]]
    return np.asarray(sums / largest_sum(round_, 1))


@lru_cache(maxsize=1024)
def _river_strength(board: Cards) -> npt.NDArray[np.int32]:
    from doyle.cards import board_strength

    win, tie, _ = board_strength(board)
    return 2 * win + tie


@lru_cache(maxsize=3)
def _strength_sums(round_: int) -> npt.NDArray[np.generic]:
    return Atlas(workers=Workers(available_cores())).sums(round_, 1)


@lru_cache(maxsize=1 << 16)
def _enumerated(game: Game, hole: Cards, board: Cards) -> float:
    points = count = 0
    for opponent, whole in _completions(game, hole, board):
        ours, theirs = _rank(hole + whole), _rank(opponent + whole)
        points += 2 * (ours > theirs) + (ours == theirs)
        count += 2
    return points / count


def _rank(cards: Cards) -> int:
    return _ranked(tuple(sorted(cards)))


@lru_cache(maxsize=1 << 17)
def _ranked(cards: Cards) -> int:
    return best_rank(cards)


def _completions(game: Game, hole: Cards, board: Cards) -> Iterator[tuple[Cards, Cards]]:
    seen = {*hole, *board}
    rest = [card for card in game.deck if card not in seen]
    missing = game.board_ends[-1] - len(board)
    size = comb(len(rest), game.hole_cards) * comb(len(rest) - game.hole_cards, missing)
    if size > _ENUMERATION_LIMIT:
        raise DoyleError(f"agent ev: {game.name} has too many cards to enumerate ({size} cases)")
    for opponent in combinations(rest, game.hole_cards):
        others = [card for card in rest if card not in opponent]
        for added in combinations(others, missing):
            yield opponent, board + added


def _relabelled(hole: Cards, board: Cards) -> tuple[Cards, Cards]:
    """The same cards up to the names of suits and the order within hole cards and board."""
    hole, board = tuple(sorted(hole)), tuple(sorted(board))
    suits: dict[int, int] = {}
    for card in hole + board:
        suits.setdefault(card % 4, 3 - len(suits))
    return (
        tuple(4 * (card // 4) + suits[card % 4] for card in hole),
        tuple(4 * (card // 4) + suits[card % 4] for card in board),
    )
