"""The tree against a plain builder over `State`, and its own invariants."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Game, State
from tests.reference.betting_tree import build

HOLDEM = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {rounds}
stack = {stacks}
blind = {blinds}
firstPlayer = {first}
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = {board}
END GAMEDEF
"""


def small_game(stacks: tuple[int, int], blinds: tuple[int, int], rounds: int) -> Game:
    return Game.parse(
        HOLDEM.format(
            rounds=rounds,
            stacks=f"{stacks[0]} {stacks[1]}",
            blinds=f"{blinds[0]} {blinds[1]}",
            first=" ".join(["2"] + ["1"] * (rounds - 1)),
            board=" ".join(["0", "3", "1", "1"][:rounds]),
        )
    )


def assert_same(tree: BettingTree) -> None:
    rows = build(tree.model, State.start(tree.game))
    kind, round_, actor, parent, action, spent, folded = map(np.array, zip(*rows, strict=True))
    assert tree.node_count == len(rows)
    np.testing.assert_array_equal(tree.kind, kind)
    np.testing.assert_array_equal(tree.round, round_)
    np.testing.assert_array_equal(tree.actor, actor)
    np.testing.assert_array_equal(tree.parent, parent)
    np.testing.assert_array_equal(tree.action, action)
    np.testing.assert_array_equal(tree.spent, spent)
    seats = np.arange(tree.game.players)
    np.testing.assert_array_equal((tree.folded[:, None] >> seats) & 1, folded)


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("limit", "kuhn"),
        ("limit", "leduc"),
        ("limit", "rhode-island"),
        ("limit", "holdem-limit-2p"),
        ("full", "leduc"),
        ("full", "leduc-nl12"),
        ("fcpa", "doyle-500bb"),
        ("fchpea/h", "holdem-nl-100bb"),
        ("fc75pa", "doyle-500bb"),
        ("fc125pa", "doyle-500bb"),
        ("fc75,pa/75p", "holdem-nl-100bb"),
        ("tartanian", "doyle-500bb"),
        ("tartanian@3", "doyle-500bb"),
        ("tartanian-2007", "doyle-500bb"),
        ("tartanian5", "holdem-nl-200bb"),
        ("sartre:fcqipva/qi@2", "holdem-nl-100bb"),
        ("fcq", "leduc-nl12"),
        ("fchpda", "leduc-nl12"),
    ],
)
def test_tree_equals_plain_builder(model: str, game: str) -> None:
    assert_same(BettingTree.build(BettingModel.parse(model), Game.named(game)))


@given(
    stacks=st.tuples(st.integers(2, 30), st.integers(2, 30)),
    blinds=st.sampled_from([(2, 1), (1, 1), (2, 2)]),
    rounds=st.integers(1, 3),
    model=st.sampled_from(
        ["fcpa", "fchpa/h", "fchqpa/hq@3", "fcp@2", "fc33,70a", "fcqpa/qp", "full@"]
    ),
)
def test_tree_equals_plain_builder_on_small_stacks(
    stacks: tuple[int, int], blinds: tuple[int, int], rounds: int, model: str
) -> None:
    if model == "full@":
        model, stacks, rounds = "full", (min(stacks[0], 8), min(stacks[1], 8)), min(rounds, 2)
    assert_same(BettingTree.build(BettingModel.parse(model), small_game(stacks, blinds, rounds)))


@pytest.mark.parametrize("model", ["full", "fchpa"])
@pytest.mark.parametrize("least", [1, 2, 4])
def test_antes_beside_blinds(model: str, least: int) -> None:
    game = replace(small_game((12, 9), (3, 2), 2), min_bet=least)
    assert_same(BettingTree.build(BettingModel.parse(model), game))


def three_player_game(stack: int) -> Game:
    text = Game.named("holdem-limit-3p").to_text()
    lines = [line for line in text.splitlines() if not line.startswith("stack")]
    lines.insert(2, f"stack = {stack} {stack + 10} {stack + 25}")
    return Game.parse("\n".join(lines))


@pytest.mark.parametrize("stack", [10, 15, 20, 40, 50])
def test_three_player_limit_with_short_stacks(stack: int) -> None:
    assert_same(BettingTree.build(BettingModel.parse("limit"), three_player_game(stack)))


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    return BettingTree.build(BettingModel.parse("fchpa/h"), Game.named("holdem-nl-100bb"))


def test_children_and_parents_agree(tree: BettingTree) -> None:
    for node in tree.decisions[:500]:
        below = tree.children_of(int(node))
        assert (tree.parent[below] == node).all()
        assert (np.diff(tree.action[below]) > 0).all()
        assert below[0] == node + 1
    assert np.sort(tree.children).tolist() == list(range(1, tree.node_count))


def test_every_action_is_legal_and_spends_what_the_state_says(tree: BettingTree) -> None:
    rng = np.random.default_rng(1)
    for node in rng.choice(tree.leaves, 200):
        state = State.start(tree.game)
        for action in tree.path(int(node)):
            assert state.is_legal(action)
            state = state.apply(action)
        assert state.is_over
        assert state.spent == tuple(tree.spent[node])
        assert tree.find(state.betting) == node
        assert tree.find(tree.path(int(node))) == node


def test_subtrees_are_ranges(tree: BettingTree) -> None:
    for node in (0, 1, 2, 57, int(tree.leaves[3])):
        inside = {node}
        for other in range(node + 1, tree.node_count):
            if int(tree.parent[other]) in inside:
                inside.add(other)
        assert list(tree.walk(node)) == sorted(inside)


def test_sequences_are_numbered_by_round_then_depth_first(tree: BettingTree) -> None:
    for seat in range(2):
        owned = (tree.kind == DECISION) & (tree.actor == seat)
        nodes = np.flatnonzero(owned)
        order = nodes[np.argsort(tree.round[nodes], kind="stable")]
        firsts = tree.first_sequence[order]
        assert firsts[0] == 0
        np.testing.assert_array_equal(np.diff(firsts), tree.child_count[order][:-1])
        assert firsts[-1] + tree.child_count[order][-1] == tree.sequence_starts[seat, -1]
        for number in range(tree.game.rounds):
            low, high = tree.sequence_starts[seat, number : number + 2]
            here = tree.first_sequence[owned & (tree.round == number)]
            assert ((here >= low) & (here < high)).all()


def test_last_sequence_follows_the_path(tree: BettingTree) -> None:
    rng = np.random.default_rng(2)
    for leaf in rng.choice(tree.leaves, 100):
        expected = [-1] * 2
        node = 0
        for action in tree.path(int(leaf)):
            slot = tree.actions_of(node).tolist().index(action)
            expected[tree.actor[node]] = int(tree.first_sequence[node]) + slot
            node = tree.child(node, action)
        assert tree.last_sequence[leaf].tolist() == expected


def test_all_in_call_is_a_leaf_of_its_own_round() -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    leaf = tree.find([1000, 1])
    assert (tree.kind[leaf], tree.round[leaf]) == (2, 0)
    assert tree.betting_text(leaf) == "r1000c"


def test_unknown_action_is_named() -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    with pytest.raises(DoyleError, match=r"no action 7 after 'c'; actions there: 1 6 1000"):
        tree.find([1, 7])


@pytest.mark.parametrize(
    ("model", "game", "problem"),
    [
        ("fcpa", "leduc", "has fixed bets; use the model `limit`"),
        ("limit", "leduc-nl12", "is no-limit"),
        ("full", "holdem-nl-200bb", "more than 5,000 nodes"),
    ],
)
def test_games_a_model_does_not_fit(
    model: str, game: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doyle.abstractions.betting.tree.LARGEST_TREE", 5_000)
    with pytest.raises(DoyleError, match=problem):
        BettingTree.build(BettingModel.parse(model), Game.named(game))
