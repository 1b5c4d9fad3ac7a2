"""`doyle tree`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting.bml.interpreter import BmlInterpreter
from doyle.abstractions.betting.bml.reader import read_bml
from doyle.apps.cli import main


def test_json_has_counts_by_round(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bml = tmp_path / "tree.bml"
    code = main(["tree", "fcpa", "--game", "doyle-500bb", "--json", "--bml", str(bml)])
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert sum(document["decisions_by_round"]) == 2576
    assert [
        len(document[key]) for key in ("decisions_by_round", "fold_leaves", "showdown_leaves")
    ] == [
        4,
        4,
        4,
    ]
    assert len(read_bml(bml).decisions) == 2576
    assert len(read_bml(bml).leaves) == sum(document["fold_leaves"]) + sum(
        document["showdown_leaves"]
    )


def test_text_has_a_line_per_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "limit", "--game", "holdem-limit-2p"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "limit in holdem-limit-2p"
    assert lines[-3].split()[:2] == ["all", "6,378"]


def test_tartanian_prints_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "tartanian", "--game", "doyle-500bb"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("tartanian@3+a in doyle-500bb\n")
    assert "15,888 decisions when the cap stops all-ins too" in text
    assert "16,496 decisions when the cap lets all-ins pass" in text
    assert "15%" in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["fcpx", "--game", "doyle-500bb"], "betting model 'fcpx': expected one of"),
        (["fcpa", "--game", "leduc"], "has fixed bets"),
        (["fcpa", "--game", "nowhere"], "nowhere"),
        (["fcpa"], "give --game GAME, or a file whose name ends in .bml"),
        (["nowhere.bml"], "cannot read nowhere.bml"),
        (["some.bml", "--game", "kuhn"], "cannot read some.bml"),
        (["fcpa|fcpx", "--game", "doyle-500bb"], "expected one of"),
        (["fcpa+c:r3", "--game", "doyle-500bb"], "added bet c:r3: not legal after 'c'"),
        (["fcpa+cr7:r30", "--game", "doyle-500bb"], "bet added after 'cr7'"),
        (["fcpa", "--game", "doyle-500bb", "--bml", ""], "Invalid value for '--bml': empty"),
        (["fcpa", "--game", "doyle-500bb", "--bml", "."], "--bml .: is a folder"),
        (["limit", "--game", "kuhn", "--bml", "/proc/x.bml"], "cannot be written in /proc"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tree", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err.splitlines()[0]


def test_a_file_is_read_counted_and_compiled(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "tree.bml"
    assert main(["tree", "fcpa", "--game", "leduc-nl12", "--json", "--bml", str(path)]) == 0
    written = json.loads(capsys.readouterr().out)
    assert main(["tree", str(path), "--compile", "--json", "--seed", "3"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read.keys() == written.keys()
    for key in (
        "decisions_by_round",
        "decisions_by_seat",
        "fold_leaves",
        "showdown_leaves",
        "sequences",
        "nodes",
        "bml",
    ):
        assert read[key] == written[key]
    assert 0 <= read["compiled"]["largest_difference"] <= 1e-12
    assert main(["tree", str(path), "--compile"]) == 0
    assert "of the largest entry" in capsys.readouterr().out


def test_products_that_differ_are_a_failed_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        BmlInterpreter, "transposed_times", lambda self, x: np.ones(self.layouts[1].size)
    )
    assert main(["tree", "limit", "--game", "kuhn", "--compile", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["compiled"]["largest_difference"] > 1e-3


def test_what_is_wrong_in_a_file_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "tree.bml"
    assert main(["tree", "limit", "--game", "kuhn", "--bml", str(path)]) == 0
    path.write_text(path.read_text().replace("payoff='-1.0'", "payoff='-7.0'"))
    capsys.readouterr()
    assert main(["tree", str(path)]) == 2
    line = capsys.readouterr().err
    assert line.startswith(f"doyle: {path} line 23: leaf 'kR1f': payoff -7")
    assert line.count("\n") == 1


def test_equal_sizes_are_merged_and_the_model_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tree", "fc50ha", "--game", "holdem-nl-20bb"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "fcha in holdem-nl-20bb"


def test_seats_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "fcpa|fcpta", "--game", "doyle-500bb", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    by_seat = document["decisions_by_seat"]
    assert document["model"] == "fcpa|fcpta"
    assert [sum(pair) for pair in zip(*by_seat, strict=True)] == document["decisions_by_round"]
    assert main(["tree", "limit", "--game", "kuhn-3p"]) == 0
    text = capsys.readouterr().out
    assert "decisions: seat 0: 4, seat 1: 4, seat 2: 4" in text


def test_a_file_in_a_game_is_checked_against_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "tree.bml"
    assert main(["tree", "fcpa", "--game", "leduc-nl12", "--json", "--bml", str(path)]) == 0
    written = json.loads(capsys.readouterr().out)
    assert main(["tree", str(path), "--game", "leduc-nl12", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["model"].startswith("bml:")
    assert read["decisions_by_seat"] == written["decisions_by_seat"]
    assert read["nodes"] == written["nodes"]
    assert main(["tree", str(path), "--game", "leduc"]) == 2
    line = capsys.readouterr().err
    assert "is no tree of leduc: " in line
    assert line.count("\n") == 1
