"""Betting trees from any moment of a hand."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.games import Game, State

FIELDS = ("kind", "round", "actor", "spent", "folded", "child_count")


@pytest.mark.parametrize("model", ["fcpa", "fchpa/h", "fcpa@3", "tartanian"])
@pytest.mark.parametrize("actions", [(), (1, 1), (1, 1, 1, 4), (6, 1, 1)])
def test_a_rooted_tree_is_the_subtree(model: str, actions: tuple[int, ...]) -> None:
    game, parsed = Game.named("doyle-500bb"), BettingModel.parse(model)
    whole = BettingTree.build(parsed, game)
    state = State.start(game)
    for action in actions:
        if action > 1 and action not in whole.actions_of(
            whole.find(actions[: actions.index(action)])
        ):
            action = int(whole.actions_of(whole.find(state.betting))[-2])
        state = state.apply(action)
    node = whole.find(state.betting)
    end = whole.subtree_end(node)
    rooted = BettingTree.build(parsed, game, root=state)
    assert rooted.node_count == end - node
    for field in FIELDS:
        assert np.array_equal(getattr(rooted, field), getattr(whole, field)[node:end]), field
    assert np.array_equal(rooted.action[1:], whole.action[node + 1 : end])


def test_a_root_that_the_model_has_no_bet_for() -> None:
    game = Game.named("doyle-500bb")
    state = State.start(game).apply(7).apply(1)
    tree = BettingTree.build(BettingModel.parse("fcpa"), game, root=state)
    assert tree.actions_of(0).tolist() == [1, 21, 1000]
    assert tree.round[0] == 1
    assert tree.spent[0].tolist() == [7, 7]
