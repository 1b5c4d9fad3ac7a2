"""Poker games with a small deck, from their start: a betting tree with merged private states.

Seat 0 is the seat that posts the first blind, as in the game definition. Poker from any moment of a
hand, with ranges, is in `doyle.solving.games.poker`.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.betting import BettingModel, BettingTree
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.games import PrivateStates, PublicGame, state_game
from doyle.solving.games.card_states import CardStates, check_size
from doyle.strategy.layout import WALKED_BYTES, check_room

LARGEST_SOLVED = 5_000_000
"""Nodes of a betting tree that is walked as a whole."""


@dataclass(frozen=True)
class SmallGame:
    """A game whose cards can be enumerated, with what ties its states to real situations."""

    public_game: PublicGame
    betting: BettingTree
    cards: CardStates


def small_game(
    game: Game, betting: BettingTree | None = None, *, lossless: bool = True
) -> SmallGame:
    """The public game of a small deck; all legal bets unless a betting tree is given.

    >>> small_game(Game.named("leduc")).public_game.information_sets()
    (144, 144)
    """
    check_size(game)  # before a tree that may take long
    tree = betting or solvable_tree(BettingModel.parse("full"), game)
    cards = CardStates.of(game, lossless=lossless)
    return SmallGame(bucket_game(game.name, tree, cards.rounds), tree, cards)


def solvable_tree(model: BettingModel, game: Game) -> BettingTree:
    """The betting tree of a game that is solved by walking all of it."""
    return BettingTree.build(model, game, most_nodes=LARGEST_SOLVED)


def bucket_game(name: str, betting: BettingTree, rounds: tuple[PrivateStates, ...]) -> PublicGame:
    """The abstract game of a betting tree over buckets with given matrices per round."""
    if betting.game.players != 2:
        raise DoyleError(
            f"{betting.game.name}: solving needs two players, not {betting.game.players}; "
            "external and pure take more"
        )
    counts = [max(states.count(seat) for seat in (0, 1)) for states in rounds]
    check_room(betting, counts, bytes_each=WALKED_BYTES)
    return state_game(name, betting, rounds)
