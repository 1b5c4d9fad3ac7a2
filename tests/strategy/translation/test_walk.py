"""What makes actions of different nodes the same, for the removal of pseudo-dominated ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.games import Game
from doyle.strategy.translation.steps import CALL, FOLD
from doyle.strategy.translation.walk import action_kinds

POT = ("pot", Fraction(1))


def tree_of(*stacks: int) -> BettingTree:
    game = replace(Game.named("holdem-nl-20bb"), stacks=stacks)
    return BettingTree.build(BettingModel.parse("fcpa"), game)


def test_kinds_of_actions_with_equal_stacks() -> None:
    tree = tree_of(40, 40)
    assert action_kinds(tree, 0) == [FOLD, CALL, POT, "all-in"]
    assert action_kinds(tree, tree.find([40])) == [FOLD, CALL]


def test_a_raise_beyond_the_other_stack_is_not_all_in() -> None:
    tree = tree_of(40, 80)
    node = tree.find([6, 18])
    assert (tree.actor[node], tree.actions_of(node).tolist()) == (1, [FOLD, CALL, 54, 80])
    assert action_kinds(tree, node) == [FOLD, CALL, POT, "all-in"]


def test_all_of_the_smaller_stack_is_all_in() -> None:
    tree = tree_of(40, 80)
    node = tree.find([CALL])
    assert (tree.actor[node], tree.actions_of(node).tolist()) == (0, [CALL, 6, 40])
    assert action_kinds(tree, node) == [CALL, POT, "all-in"]
