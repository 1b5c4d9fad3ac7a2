"""Real bets read in a tree whose seats have models of their own.

IJCAI 2013, section 9.2: the opponent's side has a bet of many pots so that it is read for what it is;
our side has none, so that it is never made.
"""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.games import Game, State
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import CALL

GAME = Game.named("doyle-500bb")
TREE = BettingTree.build(BettingModel.parse("fcpa|fcpta"), GAME)
US, OPPONENT = 0, 1
POT, TEN_POTS, ALL_IN = 6, 42, 1000
"""Raises to of the first seat to act: it owes 1, and the pot after its call is 4."""
TRANSLATIONS = ["rand-pshar", "polaris-hard+aa+cisc", "polaris-soft+aa+cisc"]


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_the_opponents_overbet_is_read(name: str) -> None:
    state = State.start(GAME)
    assert state.actor == OPPONENT
    readings = named_translation(name).in_step(TREE, 0, state=state, action=TEN_POTS)
    assert [(TREE.action[r.node], r.weight) for r in readings] == [(TEN_POTS, 1)]
    between = named_translation(name).in_step(TREE, 0, state=state, action=60)
    assert {int(TREE.action[r.node]) for r in between} <= {TEN_POTS, ALL_IN}
    assert TEN_POTS in {int(TREE.action[r.node]) for r in between}


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_our_own_side_is_read_with_our_sizes(name: str) -> None:
    state, node = State.start(GAME).apply(CALL), TREE.find([CALL])
    assert state.actor == US
    readings = named_translation(name).in_step(TREE, node, state=state, action=42)
    read = {int(TREE.action[r.node]) for r in readings}
    assert read <= {POT, ALL_IN}
    assert 42 not in TREE.actions_of(node)


def test_the_strategy_never_makes_it() -> None:
    """At our decisions the tree has what the model without ten pots has there, and nothing else."""
    translation = named_translation("rand-pshar")
    largest = 0.0
    checked = 0
    for node in np.flatnonzero((TREE.kind == DECISION) & (TREE.actor == US)).tolist():
        state = State.start(GAME)
        for action in TREE.path(node):
            state = state.apply(action)
        after_call = state.pot + state.to_call
        for abstract in TREE.actions_of(node).tolist():
            spoken = translation.out_step(TREE, node, abstract, state=state)
            if spoken > CALL and spoken < GAME.stacks[US]:
                largest = max(largest, (spoken - state.largest) / after_call)
                checked += 1
    assert checked > 300
    assert largest == 1.0
