"""Chance events of sampling solvers: deals as buckets and showdown results.

A solver sees only buckets by seat and round and showdown winners; these sources hold the cards.
Every batch is a pure function of (seed, batch number).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.cards import HOLES, board_ranks, evaluate, rank_hand
from doyle.games import Game
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling import _sampling_kernels as kernels

if TYPE_CHECKING:
    from doyle.abstractions.cards.abstraction import CardAbstraction


class DealBatch(NamedTuple):
    """buckets int32[deals, seats, rounds]; standings int8[deals, seats]: hands each hand beats."""

    buckets: npt.NDArray[np.int32]
    standings: npt.NDArray[np.int8]

    @property
    def results(self) -> npt.NDArray[np.int8]:
        """The traversal's input: standings, or for two seats the sign of the winner, +1, 0 or
        -1."""
        if self.standings.shape[1] != 2:
            return self.standings
        return self.standings[:, 0] - self.standings[:, 1]


def standings(ranks: npt.NDArray[np.integer]) -> npt.NDArray[np.int8]:
    """How many hands of its deal each hand beats, from ranks [deals, seats].

    >>> standings(np.array([[7, 3, 7], [1, 2, 3]])).tolist()
    [[1, 0, 1], [0, 1, 2]]
    """
    beaten = ranks[:, :, None] > ranks[:, None, :]
    return np.asarray(beaten.sum(axis=2, dtype=np.int8))


class DealSource(Protocol):
    """Random deals, and random boards with all their hands, of one game under one abstraction."""

    @property
    def bucket_counts(self) -> tuple[int, ...]:
        """Buckets by round."""
        ...

    @property
    def cards(self) -> str | None:
        """The card abstraction; None if all cards are distinguished."""
        ...

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        """`count` deals drawn with the generator state uint64[1], which is changed."""
        ...

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        """All hands of a random board, ready for public chance sampling."""
        ...


@dataclass(frozen=True)
class HoldemDeals:
    """Deals of Hold'em with the full deck, bucketed by a card abstraction."""

    abstraction: CardAbstraction
    players: int = 2

    @property
    def cards(self) -> str | None:
        return self.abstraction.spec

    @cached_property
    def bucket_counts(self) -> tuple[int, ...]:
        return tuple(self.abstraction.bucket_count(number) for number in range(4))

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        hidden = 2 * self.players
        cards = np.empty((count, hidden + 5), dtype=np.uint8)
        kernels.deal_cards(cards, 52, state)
        holes = cards[:, :hidden].reshape(count, self.players, 2)
        boards = np.ascontiguousarray(cards[:, hidden:])
        buckets = self.abstraction.deal_buckets(holes, boards)
        ranks = [
            evaluate(np.concatenate((holes[:, seat], boards), axis=1))
            for seat in range(self.players)
        ]
        return DealBatch(buckets, standings(np.stack(ranks, axis=1)))

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        cards = np.empty((1, 5), dtype=np.uint8)
        kernels.deal_cards(cards, 52, state)
        board = tuple(int(card) for card in cards[0])
        ranks = board_ranks(board).astype(np.int32)
        order = np.argsort(ranks, kind="stable").astype(np.int32)
        order = order[ranks[order] > 0]
        by_round = [self.abstraction.buckets(board[:seen]) for seen in (0, 3, 4, 5)]
        return board_hands(HOLES[order], ranks[order], order, by_round, self.bucket_counts)


@dataclass(frozen=True)
class SmallDeals:
    """Deals of a game with one hole card, unabstracted: a bucket is (card, board)."""

    game: Game

    def __post_init__(self) -> None:
        if self.game.hole_cards != 1:
            raise DoyleError(f"{self.game.name}: expected a game with one hole card")

    @property
    def cards(self) -> str | None:
        return None

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards: the top ranks and suits."""
        return tuple(
            4 * rank + suit
            for rank in range(13 - self.game.ranks, 13)
            for suit in range(4 - self.game.suits, 4)
        )

    @cached_property
    def bucket_counts(self) -> tuple[int, ...]:
        size = len(self.deck)
        seen = np.cumsum(self.game.board_cards)
        return tuple(size * size ** int(cards) for cards in seen)

    def deals(self, count: int, state: npt.NDArray[np.uint64]) -> DealBatch:
        size, players = len(self.deck), self.game.players
        drawn = np.empty((count, players + sum(self.game.board_cards)), dtype=np.uint8)
        kernels.deal_cards(drawn, size, state)
        buckets = np.empty((count, players, self.game.rounds), dtype=np.int32)
        for seat in range(players):
            for number in range(self.game.rounds):
                buckets[:, seat, number] = self._bucket(drawn[:, seat], drawn[:, players:], number)
        return DealBatch(buckets, standings(self._ranks[buckets[:, :, -1]]))

    def board(self, state: npt.NDArray[np.uint64]) -> public.BoardHands:
        size = len(self.deck)
        board = np.empty((1, sum(self.game.board_cards)), dtype=np.uint8)
        kernels.deal_cards(board, size, state)
        free = np.array([card for card in range(size) if card not in board[0]], dtype=np.uint8)
        ranks = np.array([self._rank(int(card), board[0]) for card in free], dtype=np.int32)
        order = np.argsort(ranks, kind="stable").astype(np.int32)
        hands = free[order]
        by_round = [
            self._bucket(np.arange(size), np.broadcast_to(board, (size, board.shape[1])), number)
            for number in range(self.game.rounds)
        ]
        # The kernel takes hands of two cards: the second is a card of no other hand.
        cards = np.stack((hands, hands + size), axis=1)
        return board_hands(
            cards, ranks[order], hands.astype(np.int32), by_round, self.bucket_counts
        )

    def bucket(self, card: int, board: tuple[int, ...], number: int) -> int:
        """The bucket of a hole card with the board as seen in round `number`."""
        place = {card: index for index, card in enumerate(self.deck)}
        drawn = np.array([[place[shown] for shown in board]], dtype=np.int64)
        return int(self._bucket(np.array([place[card]]), drawn, number)[0])

    def _bucket(
        self, card: npt.NDArray[np.integer], board: npt.NDArray[np.integer], number: int
    ) -> npt.NDArray[np.int32]:
        code = card.astype(np.int32)
        for column in range(int(np.cumsum(self.game.board_cards)[number])):
            code = code * len(self.deck) + board[:, column]
        return code.astype(np.int32)

    def _rank(self, card: int, board: npt.NDArray[np.integer]) -> int:
        return int(rank_hand((self.deck[card], *(self.deck[int(shown)] for shown in board))))

    @cached_property
    def _ranks(self) -> npt.NDArray[np.int32]:
        """The rank of each bucket of the last round; 0 where a card would occur twice."""
        size, cards = len(self.deck), 1 + sum(self.game.board_cards)
        ranks = np.zeros(size**cards, dtype=np.int32)
        for number, drawn in enumerate(product(range(size), repeat=cards)):
            if len(set(drawn)) == cards:
                ranks[number] = self._rank(drawn[0], np.array(drawn[1:], dtype=np.int32))
        return ranks


def board_hands(
    cards: npt.NDArray[np.integer],
    ranks: npt.NDArray[np.int32],
    order: npt.NDArray[np.int32],
    by_round: list[npt.NDArray[np.int32]],
    bucket_counts: tuple[int, ...],
) -> public.BoardHands:
    """Hands in ascending order of rank, with their hole indices and each round's buckets."""
    size, rounds = ranks.size, len(by_round)
    changes = np.flatnonzero(np.diff(ranks)) + 1
    hands = public.BoardHands(
        cards=np.ascontiguousarray(cards, dtype=np.uint8),
        group_end=np.append(changes, size).astype(np.int32),
        present=np.empty((rounds, size), dtype=np.int32),
        counts=np.empty(rounds, dtype=np.int32),
        local=np.empty((rounds, size), dtype=np.int32),
    )
    for number, buckets in enumerate(by_round):
        place = np.full(bucket_counts[number], -1, dtype=np.int32)
        public.number_buckets(buckets, order, number, place, hands)
    return hands
