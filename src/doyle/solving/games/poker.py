"""Poker from any moment of a hand as a public game: two ranges, a board and a betting tree.

Ranges that are the same in some suits let boards that differ by those suits be solved once; the
group of such relabellings is found here, from the board and both ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, board_ranks, live_hands, rank_hand
from doyle.cards.suits.relabelling import (
    ALL_SUITS,
    SAME_SUITS,
    Cards,
    Suits,
    image,
    relabellings,
)
from doyle.games import Game, State
from doyle.solving.games.chance import Board, Boards, Deals
from doyle.solving.games.evaluators import (
    MatrixShowdown,
    RankHands,
    Showdown,
    SortedShowdown,
    padded,
)
from doyle.solving.games.public_game import Floats, Hands, Ints, PublicGame

LARGEST_MATRIX = 64
"""More hands than this are for the sorted showdown."""


def hands_of(game: Game, board: Sequence[int] = ()) -> Ints:
    """Every private hand of a game that shares no card with a board; by hole index in Hold'em."""
    rest = [card for card in game.deck if card not in board]
    every = np.array(list(combinations(rest, game.hole_cards)), np.int32)
    return every[np.lexsort(every.T)]


@dataclass(frozen=True, eq=False)
class Outline:
    """A game before its showdowns are worked out: enough to know how large it is."""

    tree: BettingTree
    boards: Boards
    hands: tuple[Hands, Hands]

    def sequence_hands(self) -> int:
        """Pairs of a sequence and a live hand of its seat, over all boards; hands padded to vectors."""
        first = self.tree.game.rounds - self.boards.levels
        sequences = np.diff(self.tree.sequence_starts, axis=1)[:, first:].astype(np.int64)
        boards = np.array(
            [sum(1 << card for card in cards) for cards in self.boards.cards], np.uint64
        )
        total = 0
        for seat, hands in enumerate(self.hands):
            for level, board in zip(self.boards.level.tolist(), boards, strict=True):
                live = int(((hands.masks & board) == 0).sum())
                total += int(sequences[seat, level]) * padded(max(1, live))
        return total


def outline(
    model: BettingModel,
    state: State,
    *,
    board: Sequence[int] = (),
    hands: tuple[Hands, Hands] | None = None,
    suits: Sequence[Suits] = ALL_SUITS,
) -> Outline:
    """The game from `state` on with all legal hands, or with these ranges.

    `suits` are the relabellings that the caller allows, as far as board and ranges allow them too.
    """
    game = state.game
    public = tuple(int(card) for card in board)
    if state.is_over:
        raise DoyleError(f"{game.name}: the betting is over in that state")
    if len(public) != game.board_ends[state.round]:
        raise DoyleError(
            f"board: {len(public)} cards in round {state.round + 1} of {game.name}, "
            f"expected {game.board_ends[state.round]}"
        )
    tree = BettingTree.build(model, game, root=state)
    if hands is None:
        cards = hands_of(game, public)
        hands = (Hands(cards, np.ones(len(cards))), Hands(cards, np.ones(len(cards))))
    own = set(relabellings(game.suits))
    group = _allowed(public, hands, [one for one in suits if one in own])
    return Outline(tree, Boards.dealt(_deals(game, state.round, Board(public, 0, group))), hands)


def poker_game(parts: Outline) -> PublicGame:
    """The public game of an outline."""
    compared = showdown(parts.tree.game, parts.boards, parts.hands)
    return PublicGame(parts.tree.game.name, parts.tree, parts.boards, parts.hands, compared)


def whole_game(tree: BettingTree, *, suits_alike: bool = True) -> PublicGame:
    """All hands of a game inside a betting tree from its start on, boards dealt as they are asked for.

    Hands of Hold'em are in the order of their hole index. Suits that are not alike are never relabelled.
    """
    game = tree.game
    cards = hands_of(game)
    hands = (Hands(cards, np.ones(len(cards))), Hands(cards, np.ones(len(cards))))
    alike = relabellings(game.suits) if suits_alike else (SAME_SUITS,)
    deals = _deals(game, 0, Board((), 0, alike))
    return PublicGame(game.name, tree, deals, hands, showdown(game, Boards.one(()), hands))


def _deals(game: Game, round_: int, root: Board) -> Deals:
    return Deals(root, game.deck, game.board_cards[round_ + 1 :], hidden=2 * game.hole_cards)


def showdown(game: Game, boards: Boards, hands: tuple[Hands, Hands]) -> Showdown:
    """How hands are compared on these boards."""
    pair = (hands[0].cards, hands[1].cards)
    ranks = (hole_ranks(game, pair[0]), hole_ranks(game, pair[1]))
    if game.hole_cards == 2 and (game.is_holdem or max(map(len, pair)) > LARGEST_MATRIX):
        return SortedShowdown(boards, pair, ranks)
    if max(map(len, pair)) <= LARGEST_MATRIX:
        return MatrixShowdown(boards, pair, ranks)
    raise DoyleError(
        f"{game.name}: {max(map(len, pair))} hands; hands of other than two cards are solved with "
        f"at most {LARGEST_MATRIX}"
    )


def _allowed(board: Cards, hands: tuple[Hands, Hands], suits: Sequence[Suits]) -> tuple[Suits, ...]:
    """The relabellings that change neither the board, as a set, nor a range; a group."""
    same = tuple(sorted(board))
    return tuple(
        one
        for one in suits
        if image(board, one) == same and hands[0].allow(one) and hands[1].allow(one)
    )


def hole_ranks(game: Game, cards: Ints) -> RankHands:
    """How to rank these hands on a last board; 0 where they share a card with it."""
    seven = game.hole_cards == 2 and game.board_ends[-1] == 5
    return partial(_seven_card_ranks if seven else _small_ranks, cards)


def _seven_card_ranks(cards: Ints, board: Cards) -> npt.NDArray[np.uint16]:
    """The rank of each pair with five board cards; 0 where they share a card."""
    index = cards[:, 1] * (cards[:, 1] - 1) // 2 + cards[:, 0]
    return np.asarray(board_ranks(board)[index], np.uint16)


def _small_ranks(cards: Ints, board: Cards) -> npt.NDArray[np.int64]:
    ranks = [0 if set(hand) & set(board) else rank_hand((*hand, *board)) for hand in cards.tolist()]
    return np.array(ranks, np.int64)


def range_hands(weights: Floats, board: Sequence[int]) -> Hands:
    """The hands of a Hold'em range over the 1,326 pairs that have weight and miss the board."""
    blocked = ~live_hands(HOLES, board)
    chosen = np.flatnonzero((weights > 0) & ~blocked)
    return Hands(HOLES[chosen].astype(np.int32), np.asarray(weights[chosen], np.float64))
