"""Trees are counted before they are built: exactly where they are small, and refused where not."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel, BettingTree, enumeration, tree
from doyle.abstractions.betting.enumeration import NodeCount, count_nodes, rules_of
from doyle.abstractions.betting.tree import LARGEST_TREE
from doyle.base.errors import DoyleError
from doyle.games import Game, State
from tests.abstractions.betting.test_tree import small_game, three_player_game
from tests.abstractions.betting.too_large import ENDLESS, TOO_LARGE, text_of
from tests.reference.betting_tree import build

MOST_VISITS = 1_500_000
"""Actions a refusal may look at; a walk over the tree would look at 50,000,000."""


def counted(model: str, game: Game, *, most: int = LARGEST_TREE) -> NodeCount:
    return count_nodes(rules_of(BettingModel.parse(model), game), most_nodes=most)


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("limit", "kuhn"),
        ("limit", "leduc"),
        ("limit", "rhode-island"),
        ("limit", "holdem-limit-2p"),
        ("full", "leduc-nl12"),
        ("fcpa", "doyle-500bb"),
        ("fchpea/h", "holdem-nl-100bb"),
        ("tartanian", "doyle-500bb"),
        ("tartanian5", "holdem-nl-200bb"),
        ("fchpta@3", "holdem-nl-200bb"),
    ],
)
def test_the_count_is_that_of_a_walk(model: str, game: str) -> None:
    found = counted(model, Game.named(game))
    rows = build(BettingModel.parse(model), State.start(Game.named(game)))
    assert found.exact
    assert found.nodes == len(rows)


@given(
    stacks=st.tuples(st.integers(2, 24), st.integers(2, 24)),
    blinds=st.sampled_from([(2, 1), (1, 1), (2, 2)]),
    rounds=st.integers(1, 3),
    model=st.sampled_from(["fcpa", "fchpa/h", "fchqpa/hq@3", "fcp@2", "fc3,70a", "fc1", "full"]),
)
def test_the_count_is_that_of_a_walk_on_small_stacks(
    stacks: tuple[int, int], blinds: tuple[int, int], rounds: int, model: str
) -> None:
    if model == "full":
        stacks, rounds = (min(stacks[0], 9), min(stacks[1], 9)), min(rounds, 2)
    game = small_game(stacks, blinds, rounds)
    found = counted(model, game)
    assert found.exact
    assert found.nodes == len(build(BettingModel.parse(model), State.start(game)))


@pytest.mark.parametrize("stack", [10, 15, 20, 40, 50])
def test_three_seats_with_short_stacks(stack: int) -> None:
    game = three_player_game(stack)
    assert counted("limit", game).nodes == len(
        build(BettingModel.parse("limit"), State.start(game))
    )


def test_rounds_that_come_to_their_limit_of_actions() -> None:
    """64 actions a round bound the raises of one chip: the number of actions then matters."""
    game = Game.parse(text_of("limit", rounds=1, board="0"))
    found = counted("limit", game)
    assert found.exact
    assert found.nodes == len(build(BettingModel.parse("limit"), State.start(game)))


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_tree_that_is_too_large_is_refused_without_walking_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, text, reason = TOO_LARGE[name]
    game = Game.parse(text)
    found = counted(model, game)
    assert found.nodes > LARGEST_TREE
    assert found.visits < MOST_VISITS
    # Neither the arrays of the tree nor anything else that is large is allocated.
    monkeypatch.setattr(enumeration, "_arrays", lambda *_: pytest.fail("arrays were made"))
    tracemalloc.start()
    try:
        with pytest.raises(DoyleError) as error:
            BettingTree.build(BettingModel.parse(model), game)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 400 << 20
    line = str(error.value)
    assert f"more than {LARGEST_TREE:,} nodes" in line
    assert reason in line
    assert "\n" not in line


def test_a_count_that_gives_up_leaves_it_to_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    model, game = BettingModel.parse("fchpa"), Game.named("holdem-nl-100bb")
    whole = BettingTree.build(model, game)
    monkeypatch.setattr(enumeration, "_FIRST_ROWS", 16)
    monkeypatch.setattr(enumeration, "_MOST_ROWS", 64)
    monkeypatch.setattr(tree, "LARGEST_TREE", whole.node_count + 10)
    given_up = counted("fchpa", game, most=whole.node_count + 10)
    assert not given_up.exact
    assert given_up.nodes <= whole.node_count
    walked = BettingTree.build(model, game)
    for column in ("kind", "parent", "action", "children", "spent", "child_start"):
        np.testing.assert_array_equal(getattr(walked, column), getattr(whole, column))
    monkeypatch.setattr(tree, "LARGEST_TREE", whole.node_count - 1)
    with pytest.raises(DoyleError, match=r"more than [0-9,]+ nodes"):
        BettingTree.build(model, game)


def test_fewer_nodes_may_be_asked_for() -> None:
    model, game = BettingModel.parse("fcpa"), Game.named("doyle-500bb")
    assert BettingTree.build(model, game, most_nodes=6514).node_count == 6514
    with pytest.raises(DoyleError, match="more than 6,513 nodes"):
        BettingTree.build(model, game, most_nodes=6513)


def test_pot_bets_of_endless_stacks_do_not_overflow() -> None:
    """With 2**31 - 1 chips every pot bet is there: the raises triple until the stack."""
    built = BettingTree.build(BettingModel.parse("fcpa"), Game.parse(text_of("nolimit")))
    node, raised = 0, 0
    while (bet := int(built.actions_of(node)[-2])) > 1:
        node, raised = built.child(node, bet), bet
    assert ENDLESS // 3 < raised < ENDLESS
    assert built.node_count == counted("fcpa", built.game).nodes
