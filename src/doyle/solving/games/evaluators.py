"""Showdowns: how they are decided on every board of a game; nothing else in a game knows.

`SortedShowdown` is for hands of two cards: rows by rank, card removal by sums over cards, linear in
the hands. `MatrixShowdown` is for small decks: two matrices a board say which hands can meet and who
wins. `arrays` is what kernels read, made when first asked for; `compare` is the same for one vector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.cards import live_hands
from doyle.cards.suits.relabelling import Cards
from doyle.solving.games._evaluator_kernels import (
    BOTH,
    DECK,
    LANES,
    MATRIX,
    SORTED,
    Evaluator,
    evaluate,
)
from doyle.solving.games.chance import Boards

Floats = npt.NDArray[np.float64]
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


@dataclass(frozen=True, eq=False)
class SortedShowdown:
    """Hands of two cards; `cards[s]` is int[n, 2]."""

    boards: Boards
    cards: tuple[Ints, Ints]
    ranks: tuple[RankHands, RankHands]

    @cached_property
    def arrays(self) -> Evaluator:
        boards, cards = self.boards, self.cards
        arrays = _Arrays(len(boards), cards, with_cards=True)
        last = boards.levels - 1
        groups: list[tuple[Ints, Ints]] = []
        for board, public in enumerate(boards.cards):
            shown = boards.level[board] == last
            ordered: list[Ints] = []
            values: list[Ints] = []
            for seat in (0, 1):
                here = np.flatnonzero(live_hands(cards[seat], public))
                of = self.ranks[seat](public)[here] if shown else here
                order = np.argsort(of, kind="stable")
                ordered.append(here[order])
                values.append(of[order])
            arrays.put(board, ordered)
            every = np.unique(np.concatenate(values)) if shown else values[0][:0]
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


@dataclass(frozen=True, eq=False)
class MatrixShowdown:
    """A small deck with hands of any number of cards."""

    boards: Boards
    cards: tuple[Ints, Ints]
    ranks: tuple[RankHands, RankHands]

    @cached_property
    def arrays(self) -> Evaluator:
        boards, cards = self.boards, self.cards
        arrays = _Arrays(len(boards), cards)
        matrices: list[tuple[Floats, Floats]] = []
        meets = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
        for board, public in enumerate(boards.cards):
            live = [np.flatnonzero(live_hands(own, public)) for own in cards]
            arrays.put(board, live)
            can = meets[np.ix_(live[0], live[1])].astype(np.float64)
            sign = np.zeros_like(can)
            if boards.level[board] == boards.levels - 1:
                first, second = (self.ranks[s](public)[live[s]].astype(np.int64) for s in (0, 1))
                sign = np.sign(first[:, None] - second[None, :])
            matrices.append((can, can * sign))
        empty = np.zeros(1, np.int16)
        sizes = [apart.size for apart, _ in matrices]
        return arrays.evaluator(
            MATRIX,
            group_count=np.cumsum([0, *sizes[:-1]]).astype(np.int32),
            group_end=(empty, empty),
            apart=np.concatenate([apart.ravel() for apart, _ in matrices]),
            better=np.concatenate([better.ravel() for _, better in matrices]),
        )


Showdown: TypeAlias = SortedShowdown | MatrixShowdown


def compare(
    evaluator: Evaluator, board: int, seat: int, reach: Floats, hands: int
) -> tuple[Floats, Floats]:
    """For each of so many hands of `seat`: weaker less stronger reach, and all that it can meet.

    `reach` [other seat's hands] may have further axes in front.
    """
    vectors = reach.reshape(-1, reach.shape[-1])
    rows = [evaluator.rows[one].reshape(len(evaluator.counts), -1)[board] for one in (0, 1)]
    dead = int(evaluator.width.max())
    results = np.zeros((2, len(vectors), hands))
    for begin in range(0, len(vectors), LANES):
        lanes = vectors[begin : begin + LANES]
        given, show, fold = (np.zeros((dead + 2, LANES)) for _ in range(3))
        given[rows[1 - seat][: lanes.shape[1]], : len(lanes)] = lanes.T
        given[dead] = 0.0
        sums = np.zeros((DECK + 1) * LANES)
        evaluate(
            evaluator, board, seat, given.ravel(), show.ravel(), fold.ravel(), sums, BOTH, BOTH
        )
        show[dead] = fold[dead] = 0.0
        results[0, begin : begin + LANES] = show[rows[seat][:hands], : len(lanes)].T
        results[1, begin : begin + LANES] = fold[rows[seat][:hands], : len(lanes)].T
    shape = (*reach.shape[:-1], hands)
    return results[0].reshape(shape), results[1].reshape(shape)


class _Arrays:
    """The arrays that all kinds share, filled board by board."""

    def __init__(self, count: int, cards: tuple[Ints, Ints], *, with_cards: bool = False) -> None:
        self.hand_cards = cards
        self.with_cards = with_cards
        self.width = np.array([padded(len(own)) for own in cards], np.int32)
        self.counts = np.zeros((count, 2), np.int32)
        self.rows, self.cards, self.same, self.starts, self.by_card = (
            [np.zeros((rows, length(int(width))), kind) for width in self.width]
            for rows, length, kind in (
                (count, lambda width: width, np.uint16),
                (count * with_cards, lambda width: 2 * width, np.uint8),
                (count * with_cards, lambda width: width, np.uint16),
                (count * with_cards, lambda width: DECK + 1, np.int32),
                (count * with_cards, lambda width: 2 * width, np.uint16),
            )
        )

    def put(self, board: int, ordered: list[Ints]) -> None:
        """Set the live hands of a board in the order of their rows, by seat."""
        for seat in (0, 1):
            hands, width = ordered[seat], int(self.width.max())
            self.counts[board, seat] = len(hands)
            self.rows[seat][board] = width
            self.rows[seat][board, hands] = np.arange(len(hands))
            if self.with_cards:
                others = self.hand_cards[1 - seat][ordered[1 - seat]]
                self._put_cards(board, seat, self.hand_cards[seat][hands], others)

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
        apart: Floats | None = None,
        better: Floats | None = None,
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
