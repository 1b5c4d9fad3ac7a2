"""Single bets added to a tree, against the plain builder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.base.errors import DoyleError, ParseError
from doyle.games import Game, State
from doyle.strategy import TableStrategy, load_strategy, save_strategy, uniform_tables
from tests.abstractions.betting.test_seat_models import assert_equal_trees
from tests.abstractions.betting.test_tree import assert_same, small_game
from tests.reference.betting_tree import build

GAME = Game.named("doyle-500bb")


@pytest.mark.parametrize(
    "text",
    [
        "fcpa+:r4",
        "fcpa+:r999",
        "fcpa+c:r17",
        "fcpa+cc/:r5",
        "fcpa+cc/cr6:r29+cc/cr6:r31",
        "fcpa+:r7+r7:r15+r7r15c/:r17",
        "fchpa/h@3+cc/:r5",
        "fcpa|fcpta+:r7+cr6:r13",
        "tartanian@3+a+cr6r18r54:r200",
    ],
)
def test_added_bets_equal_the_plain_builder(text: str) -> None:
    model = BettingModel.parse(text)
    assert len(model.added) == text.count(":")
    tree = BettingTree.build(model, GAME if "fch" not in text else Game.named("holdem-nl-20bb"))
    assert tree.model == model
    assert str(tree.model) == str(model)
    assert_same(tree)


@given(data=st.data())
def test_any_place_and_total(data: st.DataObject) -> None:
    stacks = data.draw(st.tuples(st.integers(4, 30), st.integers(4, 30)))
    game = small_game(stacks, (2, 1), data.draw(st.integers(1, 3)))
    model = BettingModel.parse(data.draw(st.sampled_from(["fcpa", "fchpa/h", "fcpa@1|fcda", "fc"])))
    tree = BettingTree.build(model, game)
    for _ in range(data.draw(st.integers(1, 3))):
        node = int(data.draw(st.sampled_from(np.flatnonzero(tree.kind == DECISION).tolist())))
        state = State.start(game)
        for action in tree.path(node):
            state = state.apply(action)
        legal = (
            set(range(state.min_raise_to, state.max_raise_to + 1)) if state.max_raise_to else set()
        )
        possible = sorted(legal - set(tree.actions_of(node).tolist()))
        assume(possible)
        total = data.draw(st.sampled_from(possible))
        by_actions = BettingTree.build(tree.model, game, added=[(tree.path(node), total)])
        tree = BettingTree.build(tree.model, game, added=[(tree.betting_text(node), total)])
        assert_equal_trees(by_actions, tree)
    assert_same(tree)
    assert_equal_trees(BettingTree.build(BettingModel.parse(str(tree.model)), game), tree)


def test_histories_count_from_the_root_of_the_tree() -> None:
    state = State.start(GAME).apply(7).apply(1)
    model = BettingModel.parse("fcpa")
    tree = BettingTree.build(model, GAME, root=state, added=[("c", 20), ("", 9)])
    assert str(tree.model) == "fcpa+:r9+c:r20"
    rows = build(tree.model, state)
    assert tree.node_count == len(rows)
    np.testing.assert_array_equal(tree.action, [row[4] for row in rows])
    np.testing.assert_array_equal(tree.spent, [row[5] for row in rows])


def test_the_model_goes_on_from_the_real_chips() -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa"), GAME, added=[("c", 15)])
    node = tree.find([1, 15])
    assert tree.actions_of(node).tolist() == [0, 1, 45, 1000]
    assert tree.spent[node].tolist() == [15, 2]


@pytest.mark.parametrize(
    ("history", "total", "problem"),
    [
        ("", 6, "the model has this bet after '' already"),
        ("", 3, "not legal after ''; a raise there is to 4 at least and 1000 at most"),
        ("", 1001, "not legal after ''"),
        ("r1000", 1001, "nobody can raise after 'r1000'"),
        ("f", 50, "the betting is over after 'f'"),
        ("r7", 50, "bet added after 'r7': .* no action 7"),
        ("cc", 5, "write 'cc/'"),
        ("cx", 5, "expected f, c, / and r"),
    ],
)
def test_what_cannot_be_added(history: str, total: int, problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        BettingTree.build(BettingModel.parse("fcpa"), GAME, added=[(history, total)])


def test_limit_games_have_no_other_bets() -> None:
    with pytest.raises(DoyleError, match="not legal"):
        BettingTree.build(BettingModel.parse("limit"), Game.named("leduc"), added=[("", 5)])


@pytest.mark.parametrize(
    ("text", "problem", "position"),
    [
        ("fcpa+:750", "such as :r750", 6),
        ("fcpa+c:r0", "such as :r750", 7),
        ("fcpa+cx:r750", "expected a betting history", 6),
        ("fcpa+c:r7+c:r7", "is there twice", 10),
        ("fcpa+c:r7+a", "expected a betting history", 10),
        ("fcpa@3+b", r"expected \+a", 6),
    ],
)
def test_what_is_wrong_with_the_text(text: str, problem: str, position: int) -> None:
    with pytest.raises(ParseError, match=problem) as error:
        BettingModel.parse(text)
    assert error.value.position == position


def test_too_large_with_the_added_bet() -> None:
    model = BettingModel.parse("fcpa")
    nodes = BettingTree.build(model, GAME).node_count
    with pytest.raises(DoyleError, match="more than"):
        BettingTree.build(model, GAME, added=[("", 7)], most_nodes=nodes + 5)


@pytest.mark.parametrize("text", ["fcpa+c:r4", "fcpa|fcda", "full|fcpa+c:r4"])
def test_strategy_files_hold_every_form(text: str, tmp_path: Path) -> None:
    tree = BettingTree.build(BettingModel.parse(text), Game.named("leduc-nl12"))
    save_strategy(TableStrategy(tree, uniform_tables(tree, (6, 36))), tmp_path)
    loaded = load_strategy(tmp_path).tree
    assert loaded.model == tree.model
    assert_equal_trees(loaded, tree)
