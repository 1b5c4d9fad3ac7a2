"""The program of a BML document against the interpreter, brute force and straight-line code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.straight_line import StraightLineProducts, c_source, compiler

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.bml.document import (
    BmlDocument,
    document_of,
    labelled_tree,
    write_bml,
)
from doyle.abstractions.betting.bml.interpreter import BmlInterpreter, VectorLayout
from doyle.abstractions.betting.bml.reader import read_bml
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.solving.bml_program import BmlProgram, even_states
from doyle.solving.games import PrivateStates

Floats = npt.NDArray[np.float64]
Weights = tuple[list[Floats], list[Floats]]


def tree_of(model: str, game: str) -> BettingTree:
    return BettingTree.build(BettingModel.parse(model), Game.named(game))


def states_of(rounds: int, buckets: int = 6) -> tuple[PrivateStates, ...]:
    counts = [buckets * 2**number for number in range(rounds)]
    return even_states(buckets=counts, rounds=rounds, rng=np.random.default_rng(0))


def weights(rounds: int, buckets: int = 6) -> Weights:
    states = states_of(rounds, buckets)
    return [one.joint.dense() for one in states], [one.showdown.dense() for one in states]


def vectors(layouts: tuple[VectorLayout, ...], seed: int = 1) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return rng.random(layouts[0].size), rng.random(layouts[1].size)


def assert_close(ours: Floats, reference: Floats, tolerance: float = 1e-12) -> None:
    assert np.abs(ours - reference).max() <= tolerance * np.abs(reference).max()


def assert_same_products(
    products: BmlProgram | StraightLineProducts, document: BmlDocument, given: Weights
) -> None:
    interpreter = BmlInterpreter(document, *given)
    x, y = vectors(products.layouts)
    assert_close(products.times(y), interpreter.times(y))
    assert_close(products.transposed_times(x), interpreter.transposed_times(x))


@pytest.mark.parametrize(
    ("model", "game", "buckets"),
    [
        ("limit", "kuhn", 6),
        ("limit", "leduc", 6),
        ("fcpa", "doyle-500bb", 3),
        ("tartanian-2007", "holdem-nl-100bb", 2),
        ("fcpa", "leduc-nl12", 100),  # wide enough for matrix products
    ],
)
def test_programs_equal_the_interpreter(model: str, game: str, buckets: int) -> None:
    tree = tree_of(model, game)
    document = document_of(tree)
    rounds = tree.game.rounds
    program = BmlProgram(document, states_of(rounds, buckets))
    assert program.form.uses_gemm == (buckets == 100)
    assert_same_products(program, document, weights(rounds, buckets))


def test_products_equal_the_payoff_matrix_written_out() -> None:
    """Leduc's A, entry by entry from the tree's leaves, without program or interpreter."""
    tree = tree_of("limit", "leduc")
    fold, showdown = weights(2)
    products = BmlProgram(document_of(tree), states_of(2))
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
    products = BmlProgram(document_of(tree_of("fcpa", "doyle-500bb")), states_of(4, 2))
    x, y = vectors(products.layouts)
    assert x @ products.times(y) == pytest.approx(products.transposed_times(x) @ y, rel=1e-12)


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
    products = BmlProgram(document, states_of(1))
    assert_same_products(products, document, weights(1))
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
        assert_same_products(StraightLineProducts(document, *weights(4)), document, weights(4))


def test_straight_line_source_has_a_line_per_leaf_and_product() -> None:
    document = document_of(tree_of("limit", "leduc"))
    source = c_source(document)
    assert source.count(" += ") == 2 * len(document.leaves)
    assert "* prob * 3.0; /* r1R1f */" in source.replace("-3.0", "3.0")


def test_straight_line_code_refuses_large_models() -> None:
    document = document_of(tree_of("tartanian", "doyle-500bb"))
    with pytest.raises(DoyleError, match="leaves; at most 20,000"):
        StraightLineProducts(document, *weights(4))


def test_vectors_of_another_length_are_refused() -> None:
    document = document_of(tree_of("limit", "leduc"))
    with pytest.raises(DoyleError, match="strategy vector has shape"):
        BmlInterpreter(document, *weights(2)).times(np.zeros(3))


def test_three_players_are_refused() -> None:
    tree = tree_of("limit", "kuhn-3p")
    with pytest.raises(DoyleError, match="3 players"):
        document_of(tree)


def test_a_file_spans_the_tree_that_was_written(tmp_path: Path) -> None:
    tree = tree_of("fcpa", "holdem-nl-100bb")
    path = tmp_path / "tree.bml"
    write_bml(tree, path)
    read = labelled_tree(read_bml(path))
    for name in ("kind", "round", "parent", "child_start", "child_count", "children", "folded"):
        np.testing.assert_array_equal(getattr(read, name), getattr(tree, name))
    decisions = tree.decisions
    np.testing.assert_array_equal(read.actor[decisions], tree.actor[decisions])
    for seat in (0, 1):
        np.testing.assert_array_equal(read.leaf_chips(seat), tree.leaf_chips(seat))


def test_a_leaf_that_one_player_has_not_reached_is_named() -> None:
    document = document_of(tree_of("limit", "leduc"))
    wrong = [
        replace(leaf, numbers=(leaf.numbers[0], 0)) if leaf.sequence == "kK/kK" else leaf
        for leaf in document.leaves
    ]
    with pytest.raises(DoyleError, match=r"bml: leaf 'kK/kK' of round 2 .* player 2 has not"):
        BmlInterpreter(replace(document, leaves=tuple(wrong)), *weights(2))
