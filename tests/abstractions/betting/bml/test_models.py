"""BML documents as betting models: the tree again, one identity, strategies that keep their document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import (
    BettingModel,
    BettingTree,
    BmlDocument,
    document_of,
    document_text,
    parse_bml,
    write_bml,
)
from doyle.abstractions.betting.bml.document import BmlAction
from doyle.abstractions.betting.bml.models import model_of
from doyle.base.errors import DoyleError, ParseError
from doyle.games import Game, State
from doyle.strategy import TableStrategy, load_strategy, save_strategy, uniform_tables
from tests.abstractions.betting.test_seat_models import assert_equal_trees
from tests.abstractions.betting.test_tree import small_game


def tree_of(model: str, game: str) -> BettingTree:
    return BettingTree.build(BettingModel.parse(model), Game.named(game))


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("limit", "kuhn"),
        ("limit", "leduc"),
        ("full", "leduc-nl12"),
        ("fcpa", "doyle-500bb"),
        ("fcpa|fcpta", "holdem-nl-100bb"),
        ("fcpa+c:r15", "doyle-500bb"),
        ("tartanian", "holdem-nl-20bb"),
    ],
)
def test_a_document_gives_its_tree_again(model: str, game: str) -> None:
    tree = tree_of(model, game)
    again = BettingTree.build(model_of(document_of(tree)), tree.game)
    assert_equal_trees(again, tree)


@given(
    stacks=st.tuples(st.integers(3, 24), st.integers(3, 24)),
    model=st.sampled_from(["fcpa", "fchpa/h", "fcda", "fc33,70a|fcpa", "fcpa@2"]),
    rounds=st.integers(1, 3),
)
def test_documents_of_unequal_stacks(stacks: tuple[int, int], model: str, rounds: int) -> None:
    """Chips that nobody can call are not in a document, so those totals may differ, and no others."""
    game = small_game(stacks, (2, 1), rounds)
    tree = BettingTree.build(BettingModel.parse(model), game)
    document = document_of(tree)
    if len(set(stacks)) == 1:
        assert_equal_trees(BettingTree.build(model_of(document), game), tree)
        return
    try:
        again = BettingTree.build(model_of(document), game)
    except DoyleError as error:
        # Two raises above the other stack, or one that is no legal raise without its excess.
        assert "are both to" in str(error) or "a raise there is to" in str(error)  # noqa: PT017
        return
    assert document_of(again).leaves == document.leaves


def test_a_document_of_the_middle_of_a_hand() -> None:
    game = Game.named("doyle-500bb")
    state = State.start(game).apply(6).apply(1)
    tree = BettingTree.build(BettingModel.parse("fcpa"), game, root=state)
    document = document_of(tree)
    assert document.rounds == 3
    assert_equal_trees(BettingTree.build(model_of(document), game, root=state), tree)
    with pytest.raises(DoyleError, match="3 rounds, and there are 4"):
        BettingTree.build(model_of(document), game)


def edited(document: BmlDocument) -> BmlDocument:
    """Another name, numbers with gaps, and entries in another order within their rounds."""
    decisions = tuple(
        replace(
            one,
            parent=one.parent if one.parent < 0 else 3 * one.parent + 1,
            actions=tuple(BmlAction(a.name, 3 * a.number + 1) for a in reversed(one.actions)),
        )
        for one in document.decisions
    )
    leaves = tuple(
        replace(leaf, numbers=tuple(n if n < 0 else 3 * n + 1 for n in leaf.numbers))  # type: ignore[arg-type]
        for leaf in reversed(document.leaves)
    )
    return replace(document, name="another", decisions=decisions, leaves=leaves)


def test_identity_is_content(tmp_path: Path) -> None:
    tree = tree_of("fcpa", "leduc-nl12")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_bml(tree, tmp_path / folder / f"{folder}.bml")
    models = [BettingModel.named(str(tmp_path / name)) for name in ("one/one.bml", "two/two.bml")]
    changed = model_of(edited(document_of(tree)))
    assert models[0] == models[1] == changed
    assert str(models[0]) == str(changed)
    assert str(models[0]).startswith("bml:")
    assert_equal_trees(BettingTree.build(changed, tree.game), tree)
    assert str(model_of(document_of(tree_of("fca", "leduc-nl12")))) != str(models[0])


def test_a_strategy_needs_no_bml_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.bml"
    write_bml(tree_of("fcpa", "leduc-nl12"), path)
    tree = BettingTree.build(BettingModel.named(str(path)), Game.named("leduc-nl12"))
    strategy = TableStrategy(tree, uniform_tables(tree, (6, 36)))
    save_strategy(strategy, tmp_path / "strategy")
    path.unlink()
    (tmp_path / "strategy").rename(tmp_path / "elsewhere")
    loaded = load_strategy(tmp_path / "elsewhere")
    assert loaded.tree.model == tree.model
    assert document_text(loaded.tree.model) == document_text(tree.model)
    assert_equal_trees(loaded.tree, tree)
    save_strategy(loaded, tmp_path / "copy")
    assert_equal_trees(load_strategy(tmp_path / "copy").tree, tree)


def test_text_alone_names_no_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.bml"
    write_bml(tree_of("fcpa", "leduc-nl12"), path)
    with pytest.raises(ParseError):
        BettingModel.parse(str(path))
    with pytest.raises(ParseError, match=r"give the file, FILE\.bml"):
        BettingModel.parse(str(BettingModel.named(str(path))))
    with pytest.raises(DoyleError, match="cannot read"):
        BettingModel.named(str(tmp_path / "none.bml"))


KUHN = """<bml name="k">
  <round number='1'>
    <decisions>
      <decision player='1' sequence='' parent='-1'>
        <action name='k' number='0' />{bet}
      </decision>
      <decision player='2' sequence='k' parent='-1'>
        <action name='K' number='0' />
      </decision>{answer}
    </decisions>
    <leaves>
      <leaf seq1='0' seq2='0' type='showdown' sequence='kK' potshare='{ante}' />{leaves}
    </leaves>
  </round>
</bml>
"""
BET = "\n        <action name='r1' number='1' />"
FOLDS = (
    "\n      <decision player='2' sequence='r1' parent='-1'>"
    "\n        <action name='F' number='1' />\n      </decision>"
)
FOLDED = "\n      <leaf seq1='1' seq2='1' type='fold' sequence='r1F' payoff='1.0' />"
CALLS = FOLDS.replace(
    "\n      </decision>", "\n        <action name='C' number='2' />\n      </decision>"
)
CALLED = "\n      <leaf seq1='1' seq2='2' type='showdown' sequence='r1C' potshare='{}' />"


@pytest.mark.parametrize(
    ("text", "game", "problem"),
    [
        (
            KUHN.format(bet="", answer="", ante=2, leaves=""),
            "kuhn",
            "leaf 'kK' is a showdown for 2",
        ),
        (KUHN.format(bet="", answer="", ante=1, leaves=""), "leduc", "1 rounds, and there are 2"),
        (
            KUHN.format(bet=BET, answer=FOLDS, ante=1, leaves=FOLDED),
            "kuhn",
            "no leaf says what 'r1' is to",
        ),
        (
            KUHN.format(bet=BET, answer=CALLS, ante=1, leaves=FOLDED + CALLED.format(3)),
            "kuhn",
            "'r1' is to 3; a raise there is to 2 at least and 2 at most",
        ),
        (
            KUHN.format(bet=BET, answer=CALLS, ante=1, leaves=FOLDED + CALLED.format(2.5)),
            "kuhn",
            "no whole number of chips",
        ),
        (
            KUHN.format(
                bet=BET,
                answer=CALLS.replace("\n        <action name='F' number='1' />", ""),
                ante=1,
                leaves=CALLED.format(2),
            ),
            "kuhn",
            "decision 'r1': no fold",
        ),
    ],
)
def test_documents_that_are_no_tree_of_the_game(text: str, game: str, problem: str) -> None:
    model = model_of(parse_bml(text))
    with pytest.raises(DoyleError, match=problem) as error:
        BettingTree.build(model, Game.named(game))
    assert "\n" not in str(error.value)
    assert f"is no tree of {game}" in str(error.value)


def test_a_document_without_the_bet_is_a_smaller_kuhn() -> None:
    model = model_of(parse_bml(KUHN.format(bet="", answer="", ante=1, leaves="")))
    tree = BettingTree.build(model, Game.named("kuhn"))
    assert tree.node_count == 3
    with pytest.raises(DoyleError, match="add the bet to the BML file"):
        BettingTree.build(model, Game.named("kuhn"), added=[("", 2)])
    with pytest.raises(DoyleError, match="BML is for two"):
        BettingTree.build(model, Game.named("holdem-limit-3p"))
    with pytest.raises(DoyleError, match="more than 2 nodes"):
        BettingTree.build(model, Game.named("kuhn"), most_nodes=2)


def test_the_text_of_a_document_is_a_model() -> None:
    model = model_of(document_of(tree_of("fcpa", "leduc-nl12")))
    text = document_text(model)
    assert text is not None
    assert BettingModel.parse(text) == model
    with pytest.raises(DoyleError, match="betting model line 1"):
        BettingModel.parse("<bml")
