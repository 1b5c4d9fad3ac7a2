"""The equity of a hand against an opponent whose hand is random: every pair not seen is as likely.

Equity is E[HS], the mean of win + tie / 2 over all hands of the opponent and all boards still to
come, computed exactly. In Hold'em whole boards are ranked at once, for all 1,326 hands together;
before the flop the figures of the 169 kinds of hands come from a table that is built once and kept.
Other games are enumerated card by card, which is meant for small ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.artifacts import Builder, Description, Store
from doyle.cards import HOLES, hole_index
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.games.payoffs import best_rank

Cards = tuple[int, ...]
Vector = npt.NDArray[np.float64]

_OPPONENTS = 990  # pairs of the 45 cards that are neither on a whole board nor in the hand
_ENUMERATION_LIMIT = 5_000_000


def equity(game: Game, hole: Cards, board: Cards) -> float:
    """The equity of `hole` on the visible `board` against one random hand."""
    if is_holdem(game):
        return float(holdem_equities(tuple(sorted(board)))[hole_index(*hole)])
    return _enumerated(game, *_relabelled(game, hole, board))


def is_holdem(game: Game) -> bool:
    """Whether the cards are those of Texas Hold'em, whatever the betting and the players."""
    return (game.suits, game.ranks, game.hole_cards, game.board_ends[-1]) == (4, 13, 2, 5)


@lru_cache(maxsize=512)
def holdem_equities(board: Cards) -> Vector:
    """The equity of each of the 1,326 hands on a board, 0 where they share a card."""
    from doyle.cards import boards_strength

    if not board:
        return preflop_equities()
    rest = [card for card in range(52) if card not in board]
    missing = 5 - len(board)
    boards = np.array(
        [board + added for added in combinations(rest, missing)], dtype=np.uint8
    ).reshape(-1, 5)
    points = np.zeros(len(HOLES), dtype=np.int64)  # twice the sum of win + tie / 2
    for start in range(0, len(boards), 128):
        win, tie, _ = boards_strength(boards[start : start + 128])
        points += 2 * win.sum(axis=0, dtype=np.int64) + tie.sum(axis=0, dtype=np.int64)
    return points / (2 * _OPPONENTS * comb(len(rest) - 2, missing))


@lru_cache(maxsize=1)
def preflop_equities() -> Vector:
    """The equity of each of the 1,326 hands before the flop, from the store."""
    description = Description("preflop-equity", 1, {})
    return np.array(Store().get(description, _build_preflop).array("equity"))


def _build_preflop(builder: Builder) -> None:
    builder.put("equity", _preflop())


def _preflop() -> Vector:
    """Rank all hands on one board of each of the 134,459 kinds, weighted by their number.

    A sum over the boards of a kind, averaged over the hands of a kind, is the same for whichever
    member of the kind of boards is looked at, so the mean over each kind of hands is exact.
    """
    from doyle.cards import boards_strength, canonical_boards

    boards, weights = canonical_boards(5)
    points = np.zeros(len(HOLES), dtype=np.int64)
    for start in range(0, len(boards), 256):
        some = slice(start, start + 256)
        win, tie, _ = boards_strength(boards[some])
        points += weights[some].astype(np.int64) @ (2 * win.astype(np.int64) + tie)
    low, high = HOLES[:, 0], HOLES[:, 1]
    kind = 26 * (low // 4) + 2 * (high // 4) + (low % 4 == high % 4)
    _, kind = np.unique(kind, return_inverse=True)
    sums = np.bincount(kind, weights=points) / np.bincount(kind)
    return sums[kind] / (2 * _OPPONENTS * comb(50, 5))


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


def _relabelled(game: Game, hole: Cards, board: Cards) -> tuple[Cards, Cards]:
    """The same cards up to the names of suits and the order within hole cards and board."""
    hole, board = tuple(sorted(hole)), tuple(sorted(board))
    suits: dict[int, int] = {}
    for card in hole + board:
        suits.setdefault(card % 4, 3 - len(suits))
    return (
        tuple(4 * (card // 4) + suits[card % 4] for card in hole),
        tuple(4 * (card // 4) + suits[card % 4] for card in board),
    )
