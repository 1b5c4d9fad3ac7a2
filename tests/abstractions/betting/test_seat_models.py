"""Betting trees whose seats have models of their own, against the plain builder."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.enumeration import LARGEST_TREE, count_nodes, rules_of
from doyle.base.errors import DoyleError, ParseError
from doyle.games import Game
from tests.abstractions.betting.test_tree import assert_same, small_game

ARRAYS = (
    "kind",
    "round",
    "actor",
    "parent",
    "action",
    "child_start",
    "child_count",
    "children",
    "spent",
    "folded",
)
ONE = st.sampled_from(
    [
        "fc",
        "fca",
        "fcpa",
        "fchpa/h",
        "fchqpa/hq@3",
        "fcp@2",
        "fcpda@1+a",
        "fc33,70a",
        "fcqpa/qp",
        "tartanian",
        "tartanian5",
        "sartre:fcqva",
        "full",
    ]
)


def assert_equal_trees(one: BettingTree, other: BettingTree) -> None:
    for name in ARRAYS:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.dtype == theirs.dtype
        assert ours.tobytes() == theirs.tobytes(), name


@given(
    stacks=st.tuples(st.integers(2, 24), st.integers(2, 24)),
    blinds=st.sampled_from([(2, 1), (1, 1), (2, 2)]),
    rounds=st.integers(1, 3),
    models=st.tuples(ONE, ONE),
)
def test_pairs_of_models_equal_the_plain_builder(
    stacks: tuple[int, int], blinds: tuple[int, int], rounds: int, models: tuple[str, str]
) -> None:
    if "full" in models:
        stacks, rounds = (min(stacks[0], 7), min(stacks[1], 7)), min(rounds, 2)
    game = small_game(stacks, blinds, rounds)
    model = BettingModel.parse("|".join(models))
    tree = BettingTree.build(model, game)
    assert_same(tree)
    counted = count_nodes(rules_of(model, game), most_nodes=LARGEST_TREE)
    assert counted.exact
    assert counted.nodes == tree.node_count


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("fcpa|fcpta", "doyle-500bb"),
        ("fcpta|fcpa", "doyle-500bb"),
        ("fcpa@3|fchpa/h@2+a", "holdem-nl-100bb"),
        ("tartanian|fcpa", "holdem-nl-100bb"),
        ("full|fcpa", "leduc-nl12"),
    ],
)
def test_pairs_in_bundled_games(model: str, game: str) -> None:
    assert_same(BettingTree.build(BettingModel.parse(model), Game.named(game)))


@pytest.mark.parametrize("model", ["fcpa", "fchpta/h", "tartanian", "fcpa@3+a", "full"])
def test_equal_models_are_one_model(model: str) -> None:
    game = Game.named("leduc-nl12" if model == "full" else "holdem-nl-100bb")
    single, double = BettingModel.parse(model), BettingModel.parse(f"{model}|{model}")
    assert double == single
    assert str(double) == str(single)
    assert_equal_trees(BettingTree.build(double, game), BettingTree.build(single, game))


def test_a_second_model_that_never_differs_gives_the_same_bytes() -> None:
    """A cap that no round reaches: another model, the same tree."""
    game = Game.named("holdem-nl-20bb")
    double = BettingModel.parse("fcpa|fcpa@40")
    assert double.second is not None
    single = BettingTree.build(BettingModel.parse("fcpa"), game)
    assert_equal_trees(BettingTree.build(double, game), single)


def test_only_the_seat_that_may_bets() -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa|fcpta"), Game.named("doyle-500bb"))
    widths = [tree.child_count[tree.actor == seat].max() for seat in (0, 1)]
    assert widths == [4, 5]
    opening = tree.actions_of(0)  # seat 1 is on the button and opens
    assert tree.actor[0] == 1
    assert 42 in opening  # ten times the pot of 4 after a call
    raised = tree.child(0, 42)
    assert tree.actions_of(raised).tolist() == [0, 1, 126, 1000]


@given(first=ONE, second=ONE)
def test_notation_of_pairs_round_trips(first: str, second: str) -> None:
    model = BettingModel.parse(f"{first}|{second}")
    assert model.of_seat(0) == BettingModel.parse(first)
    assert model.of_seat(1) == BettingModel.parse(second)
    assert BettingModel.parse(str(model)) == model
    assert str(BettingModel.parse(str(model))) == str(model)


@pytest.mark.parametrize(
    ("text", "problem", "position"),
    [
        ("fcpa|", "empty", 5),
        ("|fcpa", "empty", 0),
        ("fcpa|fcxa", "expected one of", 7),
        ("fcpa|fcpa@x", "expected a cap", 10),
        ("fcpa|nobody:fcp", "unknown alphabet", 5),
        ("fcpa|fcpta|fca", "a third model", 10),
        ("fcpa|limit", "limit is the game's own betting", 5),
    ],
)
def test_what_is_wrong_with_a_pair(text: str, problem: str, position: int) -> None:
    with pytest.raises(ParseError, match=problem) as error:
        BettingModel.parse(text)
    assert error.value.position == position


def test_pairs_are_for_two_players() -> None:
    with pytest.raises(DoyleError, match="3 players"):
        BettingTree.build(BettingModel.parse("fcpa|fcpta"), Game.named("holdem-nl-200bb-3p"))
    with pytest.raises(DoyleError, match="fixed bets"):
        BettingTree.build(BettingModel.parse("full|fcpa"), Game.named("leduc"))


def test_a_cap_for_both_seats() -> None:
    capped = BettingModel.parse("fcpa|fcpta").with_cap(2)
    assert str(capped) == "fcpa@2|fcpta@2"


def test_sequences_count_by_seat() -> None:
    game = Game.named("doyle-500bb")
    tree = BettingTree.build(BettingModel.parse("fcpa|fcpta"), game)
    both = BettingTree.build(BettingModel.parse("fcpta"), game)
    neither = BettingTree.build(BettingModel.parse("fcpa"), game)
    assert neither.decision_count < tree.decision_count < both.decision_count
    own = tree.decisions[tree.actor[tree.decisions] == 0]
    assert tree.sequence_starts[0, -1] == tree.child_count[own].sum()
    assert np.array_equal(
        tree.sequence_starts[:, -1] > neither.sequence_starts[:, -1], [True, True]
    )
