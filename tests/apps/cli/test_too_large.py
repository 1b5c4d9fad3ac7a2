"""Commands refuse trees and games that are too large for the machine, before they take its memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.bml import document as bml
from doyle.abstractions.cards import registry
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.building import load_description
from doyle.building.pipeline import build
from doyle.games import Game
from doyle.strategy import strategy as layout
from doyle.strategy.strategy import SAMPLED_BYTES, check_room
from tests.abstractions.betting.too_large import FULL_1000, SMALL_DECK_1000, TOO_LARGE, text_of

LIMITED = """
import sys
try:
    import resource
except ImportError:  # not on every system
    pass
else:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from doyle.apps.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""Libraries reserve about half of 4 GiB; a tree of 50,000,000 nodes would not fit into the rest."""


def limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command with little address space."""

    return subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "DOYLE_QUIET": "1"},
    )


def assert_refused(done: subprocess.CompletedProcess[str], problem: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert problem in done.stderr


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    return tmp_path / "large.game"


@pytest.mark.parametrize("name", ["full, endless stacks", "ten players"])
def test_tree_is_refused_in_little_memory(name: str, game_file: Path) -> None:
    model, text, reason = TOO_LARGE[name]
    game_file.write_text(text)
    assert_refused(limited("tree", model, "--game", str(game_file)), reason)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (SMALL_DECK_1000, "more than 5,000,000 nodes"),
        (text_of("nolimit", rounds=32, stack=20_000, holes=1), "are too many to enumerate"),
        (text_of("nolimit", players=10, stack=200), "are too many to enumerate"),
    ],
)
def test_solve_is_refused_in_little_memory(text: str, problem: str, game_file: Path) -> None:
    game_file.write_text(text)
    assert_refused(limited("solve", str(game_file), "--iterations", "1"), problem)


@pytest.mark.parametrize(
    "cards", ["169.100000.100000.100000", "169.1000.1000.100", "ir169.1000.1000000.1000000"]
)
def test_cards_are_refused_before_their_tables(cards: str) -> None:
    assert_refused(limited("cards", "build", cards), "buckets in one round")
    done = limited("solve", "holdem-limit-2p", "--cards", cards, "--iterations", "1")
    assert_refused(done, "actions over all buckets need")


def test_size_is_refused_in_little_memory(game_file: Path) -> None:
    first = "firstPlayer = 1 1 1 1"  # the big blind: partitions do not count such a game
    game_file.write_text(text_of("nolimit").replace("blind =", f"{first}\nblind ="))
    assert_refused(limited("game", "show", str(game_file), "--size"), "stacks of 2,147,483,647")


@pytest.mark.parametrize("name", TOO_LARGE)
def test_every_such_tree_is_one_line(
    name: str, game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, text, reason = TOO_LARGE[name]
    game_file.write_text(text)
    assert main(["tree", model, "--game", str(game_file), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1


def test_sampling_is_refused_before_its_tables(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game_file.write_text(FULL_1000)
    assert main(["solve", str(game_file), "--solver", "external", "--iterations", "1"]) == 2
    assert "more than 50,000,000 nodes" in capsys.readouterr().err


def test_tables_that_the_machine_cannot_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("holdem-nl-200bb"))
    buckets = (169, 200, 200, 200)
    actions = [sum(tree.child_count[tree.round == number]) for number in range(4)]
    entries = sum(int(a) * b for a, b in zip(actions, buckets, strict=True))
    monkeypatch.setattr(layout, "usable_memory", lambda: entries * SAMPLED_BYTES)
    check_room(tree, buckets, bytes_each=SAMPLED_BYTES)
    monkeypatch.setattr(layout, "usable_memory", lambda: entries * SAMPLED_BYTES - 1)
    with pytest.raises(DoyleError, match=f"{entries:,} actions over all buckets") as error:
        check_room(tree, buckets, bytes_each=SAMPLED_BYTES)
    assert "fewer bet sizes or buckets" in str(error.value)


@pytest.mark.parametrize("solver", ["external", "cfr+"])
def test_a_build_is_refused_before_its_cards(
    solver: str, tmp_path: Path, fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ngame = "holdem-nl-100bb"\nbetting = "fchpa"\ncards = "8.8.8.8"\n'
        f'solver = "{solver}"\nsmall = {{ cards = "5.5.5.5" }}\n'
    )
    monkeypatch.setattr(registry, "build", lambda *_, **__: pytest.fail("cards were built"))
    monkeypatch.setattr(layout, "usable_memory", lambda: 64 << 20)
    with pytest.raises(
        DoyleError, match=r"GiB, and there are 0\.1; take fewer bet sizes or buckets"
    ):
        build(load_description(str(path)), iterations=1)


def many_actions(count: int, *, gap: int = 1) -> str:
    """A one-round BML file with that many raises in its first decision."""
    raises = [f"r{number + 1}" for number in range(count)]
    first = "".join(
        f"<action name='{name}' number='{gap * (number + 1)}' />\n"
        for number, name in enumerate(raises)
    )
    answers = "".join(
        f"<decision player='2' sequence='{name}' parent='-1'>"
        f"<action name='F' number='{2 * number}' /><action name='C' number='{2 * number + 1}' />"
        "</decision>\n"
        for number, name in enumerate(raises)
    )
    leaves = "".join(
        f"<leaf seq1='{gap * (number + 1)}' seq2='{2 * number}' type='fold' sequence='{name}F' "
        f"payoff='1.0' />\n<leaf seq1='{gap * (number + 1)}' seq2='{2 * number + 1}' "
        f"type='showdown' sequence='{name}C' potshare='{number + 2}.0' />\n"
        for number, name in enumerate(raises)
    )
    return (
        "<bml name='many'><round number='1'><decisions>\n"
        f"<decision player='1' sequence='' parent='-1'>{first}</decision>\n{answers}"
        f"</decisions><leaves>\n{leaves}</leaves></round></bml>\n"
    )


def test_a_bml_file_with_many_actions_is_read_in_one_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names of a decision's actions are looked up, not compared with each other."""
    path = tmp_path / "many.bml"
    path.write_text(many_actions(30_000))
    assert main(["tree", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["decisions_by_round"] == [30_001]
    path.write_text(path.read_text().replace("name='r7'", "name='r8'", 1))
    assert main(["tree", str(path)]) == 2
    assert "action 'r8' is there twice" in capsys.readouterr().err


def test_compiling_a_bml_file_with_gaps_is_refused_before_its_vectors(tmp_path: Path) -> None:
    path = tmp_path / "gaps.bml"
    path.write_text(many_actions(100, gap=10_000_000))
    assert_refused(limited("tree", str(path), "--compile"), "number the actions without large gaps")


def test_a_tree_too_large_for_bml_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bml, "LARGEST_DOCUMENT", 5000)
    path = tmp_path / "x.bml"
    for option in (["--bml", str(path)], ["--compile"]):
        assert main(["tree", "fcpa", "--game", "doyle-500bb", *option]) == 2
        assert "more than 5,000 nodes" in capsys.readouterr().err
    assert not path.exists()
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    with pytest.raises(DoyleError, match="has 6,514 nodes, more than the 5,000 of a BML file"):
        bml.document_of(tree)
