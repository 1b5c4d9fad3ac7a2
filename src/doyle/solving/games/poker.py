"""Poker games as tree games: a betting tree with the states of a small deck.

Seat 0 is the seat that posts the first blind, as in the game definition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from doyle.betting import BettingModel, BettingTree
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.card_states import CardStates, check_size
from doyle.solving.games.tree_game import FOLD, SHOWDOWN, Chance, PublicTree, TreeGame
from doyle.strategy.layout import WALKED_BYTES, check_room

LARGEST_SOLVED = 5_000_000
"""Nodes of a betting tree that is walked as a whole, with a label for each."""


@dataclass(frozen=True)
class SmallGame:
    """A game whose cards can be enumerated, with what ties its tree game to real situations."""

    tree_game: TreeGame
    betting: BettingTree
    cards: CardStates


def small_game(
    game: Game, betting: BettingTree | None = None, *, lossless: bool = True
) -> SmallGame:
    """The tree game of a small deck; all legal bets unless a betting tree is given.

    >>> small_game(Game.named("leduc")).tree_game.information_sets()
    (144, 144)
    """
    check_size(game)  # before a tree that may take long
    tree = betting or solvable_tree(BettingModel.parse("full"), game)
    cards = CardStates.of(game, lossless=lossless)
    return SmallGame(
        tree_game=bucket_game(game.name, tree, cards.chances),
        betting=tree,
        cards=cards,
    )


def solvable_tree(model: BettingModel, game: Game) -> BettingTree:
    """The betting tree of a game that is solved by walking all of it."""
    return BettingTree.build(model, game, most_nodes=LARGEST_SOLVED)


def bucket_game(name: str, betting: BettingTree, chances: tuple[Chance, ...]) -> TreeGame:
    """The abstract game of a betting tree over buckets with given matrices per round."""
    states = [max(chance.states(seat) for seat in (0, 1)) for chance in chances]
    check_room(betting, states, bytes_each=WALKED_BYTES)
    return TreeGame(name, public_tree(betting), chances)


def public_tree(tree: BettingTree) -> PublicTree:
    """The betting tree with chips for seat 0 at its leaves."""
    if tree.game.players != 2:
        raise DoyleError(
            f"{tree.game.name}: solving needs two players, not {tree.game.players}; external and pure take more"
        )
    spent = tree.spent.astype(np.float64)
    stake = spent.min(axis=1)
    amount = np.zeros(len(tree.kind))
    folded = tree.kind == FOLD
    # The seat whose bit is set has folded and loses what it put in.
    amount[folded] = np.where(tree.folded[folded] & 1, -spent[folded, 0], spent[folded, 1])
    shown = tree.kind == SHOWDOWN
    amount[shown] = stake[shown]
    labels = tuple(_label(tree, node) for node in range(len(tree.kind)))
    return PublicTree(
        kind=tree.kind,
        round=tree.round,
        actor=tree.actor,
        parent=tree.parent,
        child_start=tree.child_start,
        child_count=tree.child_count,
        children=tree.children,
        amount=amount,
        labels=labels,
    )


def _label(tree: BettingTree, node: int) -> str:
    action = int(tree.action[node])
    if node == 0:
        return ""
    return "fc"[action] if action < 2 else f"r{action}"
