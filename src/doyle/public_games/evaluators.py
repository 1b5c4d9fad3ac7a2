"""Evaluators: how a showdown is decided on every board of a game, as arrays for the kernels.

`sorted_showdown` is for hands of two cards: rows by rank, card removal by sums over cards.
`matrix_showdown` is for small decks: two matrices a board say which hands can meet and who wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.public_games._evaluator_kernels import DECK, MATRIX, SORTED, Evaluator
from doyle.public_games.chance import Boards, Cards

Ints = npt.NDArray[Any]
WIDTH = 16

RankHands = Callable[[Cards], Ints]
"""The ranks of all hands of a seat on a last board; hands that share a card with it may be anything."""


def padded(count: int) -> int:
    """The number of hands with room for whole vectors.

    >>> padded(1), padded(16), padded(17)
    (16, 16, 32)
    """
    return -(-count // WIDTH) * WIDTH


def sorted_showdown(
    boards: Boards, cards: tuple[Ints, Ints], ranks: tuple[RankHands, RankHands]
) -> Evaluator:
    """The evaluator of hands of two cards; `cards[s]` is int[n, 2]."""
    arrays = _Arrays(boards, cards)
    last = boards.levels - 1
    groups: list[tuple[Ints, Ints]] = []
    for board, public in enumerate(boards.cards):
        live = [~np.isin(own, public).any(axis=1) for own in cards]
        ordered: list[Ints] = []
        values: list[Ints] = []
        for seat in (0, 1):
            here = np.flatnonzero(live[seat])
            of = ranks[seat](public)[here] if boards.level[board] == last else here
            order = np.argsort(of, kind="stable")
            ordered.append(here[order])
            values.append(of[order])
        arrays.put(board, ordered)
        every = np.unique(np.concatenate(values)) if boards.level[board] == last else values[0][:0]
        groups.append(
            (
                np.searchsorted(values[0], every, side="right"),
                np.searchsorted(values[1], every, side="right"),
            )
        )
    most = max(1, *(len(ends[0]) for ends in groups))
    ends = np.zeros((2, len(boards), most), np.int16)
    for board, pair in enumerate(groups):
        for seat in (0, 1):
            ends[seat, board, : len(pair[seat])] = pair[seat]
    return arrays.evaluator(
        SORTED,
        group_count=np.array([len(pair[0]) for pair in groups], np.int32),
        group_end=(ends[0].ravel(), ends[1].ravel()),
    )


def matrix_showdown(
    boards: Boards, cards: tuple[Ints, Ints], ranks: tuple[RankHands, RankHands]
) -> Evaluator:
    """The evaluator of a small deck with hands of any number of cards."""
    arrays = _Arrays(boards, cards)
    widths = [padded(len(own)) for own in cards]
    apart = np.zeros((len(boards), widths[0], widths[1]))
    better = np.zeros_like(apart)
    meets = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    for board, public in enumerate(boards.cards):
        live = [np.flatnonzero(~np.isin(own, public).any(axis=1)) for own in cards]
        arrays.put(board, live)
        can = meets[np.ix_(live[0], live[1])].astype(np.float64)
        apart[board, : len(live[0]), : len(live[1])] = can
        if boards.level[board] == boards.levels - 1:
            first, second = (ranks[seat](public)[live[seat]].astype(np.int64) for seat in (0, 1))
            sign = np.sign(first[:, None] - second[None, :])
            better[board, : len(live[0]), : len(live[1])] = can * sign
    empty = np.zeros(1, np.int16)
    return arrays.evaluator(
        MATRIX,
        group_count=np.zeros(len(boards), np.int32),
        group_end=(empty, empty),
        apart=apart.ravel(),
        better=better.ravel(),
    )


class _Arrays:
    """The arrays that both kinds share, filled board by board."""

    def __init__(self, boards: Boards, cards: tuple[Ints, Ints]) -> None:
        count = len(boards)
        self.hand_cards = cards
        self.width = np.array([padded(len(own)) for own in cards], np.int32)
        self.counts = np.zeros((count, 2), np.int32)
        self.rows, self.cards, self.same, self.starts, self.by_card = (
            [np.zeros((count, length(int(width))), kind) for width in self.width]
            for length, kind in (
                (lambda width: width, np.uint16),
                (lambda width: 2 * width, np.uint8),
                (lambda width: width, np.uint16),
                (lambda width: DECK + 1, np.int32),
                (lambda width: 2 * width, np.uint16),
            )
        )

    def put(self, board: int, ordered: list[Ints]) -> None:
        """Set the live hands of a board in the order of their rows, by seat."""
        for seat in (0, 1):
            hands, width = ordered[seat], int(self.width.max())
            self.counts[board, seat] = len(hands)
            self.rows[seat][board] = width
            self.rows[seat][board, hands] = np.arange(len(hands))
            cards = self.hand_cards[seat][hands]
            if cards.shape[1] == 2:
                self._put_cards(board, seat, cards, self.hand_cards[1 - seat][ordered[1 - seat]])

    def _put_cards(self, board: int, seat: int, cards: Ints, others: Ints) -> None:
        count = len(cards)
        self.cards[seat][board, : 2 * count] = cards.ravel()
        places = np.full((DECK, DECK), int(self.width.max()) + 1)
        places[others[:, 0], others[:, 1]] = np.arange(len(others))
        self.same[seat][board, :count] = places[cards[:, 0], cards[:, 1]]
        flat = cards.ravel()
        order = np.argsort(flat, kind="stable")
        self.by_card[seat][board, : 2 * count] = order // 2
        self.starts[seat][board] = np.searchsorted(flat[order], np.arange(DECK + 1))

    def evaluator(
        self,
        kind: int,
        *,
        group_count: Ints,
        group_end: tuple[Ints, Ints],
        apart: npt.NDArray[np.float64] | None = None,
        better: npt.NDArray[np.float64] | None = None,
    ) -> Evaluator:
        def pair(arrays: list[Ints]) -> tuple[Ints, Ints]:
            return arrays[0].ravel(), arrays[1].ravel()

        nothing = np.zeros(1)
        return Evaluator(
            kind=kind,
            width=self.width,
            counts=self.counts,
            rows=pair(self.rows),
            cards=pair(self.cards),
            same=pair(self.same),
            card_start=pair(self.starts),
            card_rows=pair(self.by_card),
            group_count=group_count,
            group_end=group_end,
            apart=nothing if apart is None else apart,
            better=nothing if better is None else better,
        )
