"""`DealtGame`: a whole game of two hole cards whose boards are dealt as they are asked for.

The public game of Hold'em inside a betting tree, from the blinds on with all hands: too many boards to
number. Walks go over it as over a `PublicGame` (see `doyle.solving.reach`); a board is a `Dealt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree
from doyle.cards.suits.relabelling import SAME_SUITS, Suits, relabellings
from doyle.errors import DoyleError
from doyle.public_games.chance import Boards, Deals, Dealt
from doyle.public_games.evaluators import SortedShowdown, compare
from doyle.public_games.poker import hands_of, hole_ranks
from doyle.public_games.public_game import Floats, Hands, Ints


@dataclass(frozen=True, eq=False)
class DealtGame:
    """All hands of a game in a betting tree; suits that are not alike are never relabelled."""

    tree: BettingTree
    suits_alike: bool = True

    def __post_init__(self) -> None:
        game = self.tree.game
        if game.hole_cards != 2 or game.players != 2:
            raise DoyleError(f"{game.name}: expected two players with two hole cards each")

    @cached_property
    def hands(self) -> Hands:
        """The hands of either seat, pairs a < b in the order of b * (b - 1) / 2 + a."""
        cards = hands_of(self.tree.game)
        return Hands(cards, np.ones(len(cards)))

    @cached_property
    def deals(self) -> Deals:
        game = self.tree.game
        return Deals(game.deck, game.board_cards[1:], hidden=4)

    @property
    def pairs(self) -> int:
        """Ordered pairs of hands that share no card."""
        hands = len(self.hands)
        return hands * (hands - 1 - 2 * (len(self.tree.game.deck) - 2))

    @cached_property
    def _images(self) -> dict[Suits, Ints]:
        return {suits: self.hands.permuted(suits) for suits in self.root.group}

    def images(self, board: Dealt) -> list[Ints]:
        """For each copy of a board what every hand becomes on it."""
        return [self._images[suits] for suits in board.copies]

    def free(self, board: Dealt) -> npt.NDArray[np.bool_]:
        """Which hands share no card with a board."""
        return ~np.asarray(np.isin(self.hands.cards, board.cards).any(axis=1))

    # What walks ask -----------------------------------------------------------------------------

    @property
    def first_level(self) -> int:
        return 0

    @property
    def levels(self) -> int:
        return self.tree.rounds

    @cached_property
    def root(self) -> Dealt:
        alike = relabellings(self.tree.game.suits) if self.suits_alike else (SAME_SUITS,)
        return Dealt((), 0, alike)

    def level(self, board: Dealt) -> int:
        return board.level

    def below(self, board: Dealt) -> Iterator[Dealt]:
        return self.deals.below(board)

    def ways(self, board: Dealt) -> int:
        return self.deals.ways(board)

    def weights(self, seat: int) -> Floats:
        return self.hands.weights

    def entering(self, seat: int, board: Dealt, vector: Floats) -> Floats:
        return np.asarray(vector * self.free(board))

    def add_leaving(self, seat: int, board: Dealt, values: Floats, total: Floats) -> None:
        kept = np.where(self.free(board), values, 0.0)
        for hands in self.images(board):
            total[..., hands] += kept

    def met(self, seat: int, board: Dealt, reach: Floats) -> Floats:
        low, high = self.hands.cards.T
        by_card = np.bincount(low, reach, 52) + np.bincount(high, reach, 52)
        return np.asarray(reach.sum() - by_card[low] - by_card[high] + reach)

    def shown(self, seat: int, board: Dealt, reach: Floats) -> Floats:
        cards = (self.hands.cards, self.hands.cards)
        ranks = hole_ranks(self.tree.game, self.hands.cards)
        showdown = SortedShowdown(Boards.one(board.cards), cards, (ranks, ranks))
        return compare(showdown.arrays, 0, seat, reach, len(reach))[0]
