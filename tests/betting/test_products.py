"""The compiled products against the interpreter, brute force and straight-line code."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.straight_line import StraightLineProducts, c_source, compiler
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.betting import BettingModel, BettingTree
from doyle.betting._products_kernels import gather_rows, scatter_rows
from doyle.betting.bml.document import BmlDocument, document_of, write_bml
from doyle.betting.bml.interpreter import BmlInterpreter
from doyle.betting.bml.reader import parse_bml, read_bml
from doyle.betting.products import CompiledProducts, FloatArray, ProductPlan, VectorLayout
from doyle.errors import DoyleError
from doyle.games import Game
from tests.reference import payoff_rows

SHAPES = [(3, 4), (5, 6), (7, 8), (9, 10)]


def tree_of(model: str, game: str) -> BettingTree:
    return BettingTree.build(BettingModel.parse(model), Game.named(game))


def weights(rounds: int, seed: int = 0) -> tuple[list[FloatArray], list[FloatArray]]:
    rng = np.random.default_rng(seed)
    fold = [rng.random(shape) for shape in SHAPES[:rounds]]
    return fold, [matrix * rng.uniform(-1, 1, matrix.shape) for matrix in fold]


def plan_of(tree: BettingTree) -> ProductPlan:
    return ProductPlan.from_bml(document_of(tree))


def vectors(layouts: tuple[VectorLayout, ...], seed: int = 1) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    return rng.random(layouts[0].size), rng.random(layouts[1].size)


def assert_close(ours: FloatArray, reference: FloatArray, tolerance: float = 1e-12) -> None:
    assert np.abs(ours - reference).max() <= tolerance * np.abs(reference).max()


def assert_same_products(
    products: CompiledProducts | StraightLineProducts, document: BmlDocument, rounds: int
) -> None:
    interpreter = BmlInterpreter(document, *weights(rounds))
    x, y = vectors(products.layouts)
    assert_close(products.times(y), interpreter.times(y))
    assert_close(products.transposed_times(x), interpreter.transposed_times(x))


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("limit", "kuhn"),
        ("limit", "leduc"),
        ("fcpa", "doyle-500bb"),
        ("tartanian-2007", "holdem-nl-100bb"),
    ],
)
@pytest.mark.parametrize("block_leaves", [1, 7, 1024])
def test_plans_equal_the_interpreter(model: str, game: str, block_leaves: int) -> None:
    tree = tree_of(model, game)
    document = document_of(tree)
    rounds = tree.game.rounds
    products = plan_of(tree).bind(*weights(rounds), block_leaves=block_leaves)
    assert_same_products(products, document, rounds)


def test_products_equal_the_payoff_matrix_written_out() -> None:
    """Leduc's A, entry by entry from the tree's leaves, without plan or interpreter."""
    tree = tree_of("limit", "leduc")
    fold, showdown = weights(2)
    products = plan_of(tree).bind(fold, showdown)
    first, second = products.layouts
    matrix = np.zeros((first.size, second.size))

    def place(layout: VectorLayout, seat: int, number: int, round_: int, bucket: int) -> int:
        if number < 0:
            return 0
        row = number - int(tree.sequence_starts[seat, round_])
        return layout.starts[round_] + row * layout.buckets[round_] + bucket

    for leaf in tree.leaves:
        round_ = int(tree.round[leaf])
        s, t = tree.last_sequence[leaf]
        won = int(tree.spent[leaf].min())
        weight = showdown[round_] * won
        if tree.folded[leaf]:
            weight = fold[round_] * (-won if tree.folded[leaf] & 1 else won)
        for i in range(first.buckets[round_]):
            for j in range(second.buckets[round_]):
                row, column = place(first, 0, s, round_, i), place(second, 1, t, round_, j)
                matrix[row, column] += weight[i, j]
    x, y = vectors(products.layouts)
    assert_close(products.times(y), matrix @ y)
    assert_close(products.transposed_times(x), x @ matrix)


def test_both_products_give_one_value() -> None:
    products = plan_of(tree_of("fcpa", "doyle-500bb")).bind(*weights(4))
    x, y = vectors(products.layouts)
    assert x @ products.times(y) == pytest.approx(products.transposed_times(x) @ y, rel=1e-12)


def test_single_precision_and_given_output() -> None:
    plan = plan_of(tree_of("fcpa", "doyle-500bb"))
    double, single = plan.bind(*weights(4)), plan.bind(*weights(4), dtype=np.float32)
    _, y = vectors(double.layouts)
    out = np.full(double.layouts[0].size, np.nan)
    assert double.times(y, out) is out
    assert single.times(y).dtype == np.float32
    assert_close(single.times(y), out, tolerance=1e-5)
    assert single.flops == double.flops > 0


def test_hand_edited_file_compiles_to_what_the_interpreter_does(tmp_path: Path) -> None:
    """Write Kuhn, drop player 2's raise after a check and change a payoff, read and compile."""
    path = tmp_path / "kuhn.bml"
    write_bml(tree_of("limit", "kuhn"), path)
    text = path.read_text()
    for line in (
        "        <action name='R1' number='1' />\n",
        "      <decision player='1' sequence='kR1' parent='0'>\n"
        "        <action name='f' number='2' />\n"
        "        <action name='c' number='3' />\n"
        "      </decision>\n",
        "      <leaf seq1='2' seq2='1' type='fold' sequence='kR1f' payoff='-1.0' />\n",
        "      <leaf seq1='3' seq2='1' type='showdown' sequence='kR1c' potshare='2.0' />\n",
    ):
        assert line in text
        text = text.replace(line, "")
    text = text.replace("sequence='r1C' potshare='2.0'", "sequence='r1C' potshare='2.5'")
    path.write_text("<?xml version='1.0'?>\n<!-- edited by hand -->\n" + text)
    document = read_bml(path)
    assert [decision.sequence for decision in document.decisions] == ["", "k", "r1"]
    products = ProductPlan.from_bml(document).bind(*weights(1))
    assert_same_products(products, document, 1)
    x, y = vectors(products.layouts)
    share = [leaf.amount for leaf in document.leaves if leaf.sequence == "r1C"]
    assert share == [2.5]
    unedited = document_of(tree_of("limit", "kuhn"))
    assert not np.allclose(
        products.times(y), BmlInterpreter(unedited, *weights(1)).times(y)[: x.size]
    )


def test_straight_line_code_equals_the_interpreter() -> None:
    """Where there is no compiler, the refusal says so."""
    document = document_of(tree_of("fca", "holdem-nl-100bb"))
    if compiler() is None:
        with pytest.raises(DoyleError, match="needs a C compiler"):
            StraightLineProducts(document, *weights(4))
    else:
        assert_same_products(StraightLineProducts(document, *weights(4)), document, 4)


def test_straight_line_source_has_a_line_per_leaf_and_product() -> None:
    document = document_of(tree_of("limit", "leduc"))
    source = c_source(document)
    assert source.count(" += ") == 2 * len(document.leaves)
    assert "* prob * 3.0; /* r1R1f */" in source.replace("-3.0", "3.0")


def test_straight_line_code_refuses_large_models() -> None:
    document = document_of(tree_of("tartanian", "doyle-500bb"))
    with pytest.raises(DoyleError, match="leaves; at most 20,000"):
        StraightLineProducts(document, *weights(4))


def test_wrong_weights_and_vectors_are_refused() -> None:
    plan = plan_of(tree_of("limit", "leduc"))
    fold, showdown = weights(2)
    with pytest.raises(DoyleError, match="1 fold_weights; the program has 2 rounds"):
        plan.bind(fold[:1], showdown)
    with pytest.raises(DoyleError, match="round 2 have shapes"):
        plan.bind(fold, [showdown[0], showdown[0]])
    with pytest.raises(DoyleError, match="dtype int64"):
        plan.bind(fold, showdown, dtype=np.int64)
    with pytest.raises(DoyleError, match="strategy vector has shape"):
        plan.bind(fold, showdown).times(np.zeros(3))


def test_three_players_are_refused() -> None:
    tree = tree_of("limit", "kuhn-3p")
    with pytest.raises(DoyleError, match="3 players"):
        document_of(tree)


@given(seed=st.integers(0, 2**32 - 1), single=st.booleans())
@settings(max_examples=30)
def test_row_kernels_equal_their_twins(seed: int, single: bool) -> None:
    rng = np.random.default_rng(seed)
    dtype = np.float32 if single else np.float64
    leaves, sources, buckets, targets = rng.integers(1, 9, 4)
    rows = rng.random((sources, buckets)).astype(dtype)
    block = np.full((targets, buckets), np.nan, dtype=dtype)
    arguments = (
        rows,
        dtype(rng.random()),
        rng.integers(-1, sources, leaves).astype(np.int32),
        rng.integers(0, targets, leaves).astype(np.int32),
        rng.random(leaves).astype(dtype),
    )
    expected = copy.deepcopy(block)
    gather_rows(block, *arguments)
    payoff_rows.gather_rows(expected, *arguments)
    np.testing.assert_allclose(block, expected, rtol=1e-6)
    places = rng.integers(-1, sources, targets).astype(np.int32)
    ours, theirs = rows.copy(), rows.copy()
    empty = scatter_rows(ours, block, places)
    assert empty == pytest.approx(payoff_rows.scatter_rows(theirs, block, places), rel=1e-5)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_reading_what_was_written_gives_the_same_plan(tmp_path: Path) -> None:
    tree = tree_of("fcpa", "holdem-nl-100bb")
    path = tmp_path / "tree.bml"
    write_bml(tree, path)
    read, direct = ProductPlan.from_bml(read_bml(path)), plan_of(tree)
    assert parse_bml(path.read_text()) == read_bml(path)
    assert read.sequences == direct.sequences
    for ours, theirs in zip(read.groups, direct.groups, strict=True):
        assert (ours.round, ours.showdown) == (theirs.round, theirs.showdown)
        np.testing.assert_array_equal(ours.rows, theirs.rows)
        np.testing.assert_array_equal(ours.amounts, theirs.amounts)


def test_a_leaf_that_one_player_has_not_reached_is_named() -> None:
    document = document_of(tree_of("limit", "leduc"))
    wrong = [
        replace(leaf, numbers=(leaf.numbers[0], 0)) if leaf.sequence == "kK/kK" else leaf
        for leaf in document.leaves
    ]
    with pytest.raises(DoyleError, match=r"products: leaf 'kK/kK' of round 2 .* player 2 has not"):
        ProductPlan.from_bml(replace(document, leaves=tuple(wrong)))
