"""Rows of strategy tables in games with a small deck: which row a hand reads on a board.

Solvers that walk the tree number private states up to suits (`StateNumbers`); sampling solvers
number every card with every board (`SmallDeals`). The tables of one are told from those of the
other by their numbers of rows, which differ unless the two numberings are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.policies import policy_row, policy_rows
from doyle.solving.games.small_games import Key, StateNumbers
from doyle.solving.sampling.deals import SmallDeals

Cards = tuple[int, ...]


class SmallDeckBuckets:
    """The rows of one game's tables, `bucket_counts` by round."""

    def __init__(self, game: Game, bucket_counts: Sequence[int]) -> None:
        if game.hole_cards not in (1, 2):
            raise DoyleError(f"{game.name}: strategies are played with one or two hole cards")
        self.game, self.bucket_counts = game, tuple(bucket_counts)
        self._numbers = StateNumbers.of(game)
        states = tuple(len(keys) for keys in self._numbers.keys)
        cards = SmallDeals(game).bucket_counts if game.hole_cards == 1 else states
        if self.bucket_counts not in (states, cards):
            raise DoyleError(
                f"tables of {self.bucket_counts} rows by round; {game.name} has {states} states "
                f"up to suits" + (f" and {cards} in all" if cards != states else "")
            )
        self.lossless = self.bucket_counts == states
        """Whether hands that differ by suits alone share a row."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers are counted again in another process."""
        return SmallDeckBuckets, (self.game, self.bucket_counts)

    @cached_property
    def _deals(self) -> SmallDeals:
        return SmallDeals(self.game)

    def row(self, round: int, hole: Cards, board: Cards) -> int:
        """The row of these hole cards with the board as seen in `round`."""
        if self.lossless:
            return self._numbers.state(round, hole, board)
        # Cards dealt together have an order in these tables; play and measurement read one of them.
        starts, ends = (0, *self.game.board_ends), self.game.board_ends
        groups = [sorted(board[starts[number] : ends[number]]) for number in range(round + 1)]
        return self._deals.bucket(hole[0], tuple(card for group in groups for card in group), round)

    def hands(self, round: int) -> Iterator[tuple[Key, int]]:
        """The hands of a round, one for each row that can occur, with the row."""
        numbers = self._numbers if self.lossless else StateNumbers.of(self.game, lossless=False)
        for key in numbers.keys[round]:
            yield key, self.row(round, key[0], sum(key[1:], ()))

    def buckets(self, board: Cards) -> npt.NDArray[np.int32]:
        """The row of every hole, in the order of a policy; -1 where it shares a card."""
        game = self.game
        round = game.board_ends.index(len(board))
        rest = [card for card in game.deck if card not in board]
        rows = np.full(policy_rows(game), -1, np.int32)
        for place, card in enumerate(rest):
            others = [()] if game.hole_cards == 1 else [(other,) for other in rest[:place]]
            for other in others:
                hole = (*other, card)
                rows[policy_row(game, hole)] = self.row(round, hole, board)
        return rows
