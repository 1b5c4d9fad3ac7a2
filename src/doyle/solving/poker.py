"""Poker games as tree games: a betting tree with the states of a small deck.

Seat 0 is the seat that posts the first blind, as in the game definition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from doyle.betting import BettingModel, BettingTree
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.card_states import CardStates
from doyle.solving.tree_game import FOLD, SHOWDOWN, Chance, PublicTree, TreeGame


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
    tree = betting or BettingTree.build(BettingModel.parse("full"), game)
    cards = CardStates.of(game, lossless=lossless)
    return SmallGame(
        tree_game=TreeGame(game.name, public_tree(tree), cards.chances),
        betting=tree,
        cards=cards,
    )


def bucket_game(name: str, betting: BettingTree, chances: tuple[Chance, ...]) -> TreeGame:
    """The abstract game of a betting tree over buckets with given matrices per round."""
    return TreeGame(name, public_tree(betting), chances)


def public_tree(tree: BettingTree) -> PublicTree:
    """The betting tree with chips for seat 0 at its leaves."""
    if tree.game.players != 2:
        raise DoyleError(f"{tree.game.name}: solving needs two players, not {tree.game.players}")
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
