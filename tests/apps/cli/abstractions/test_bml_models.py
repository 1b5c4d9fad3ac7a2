"""BML files wherever a command or a description takes a betting model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.building.description import parse_description
from doyle.building.pipeline import identity
from doyle.strategy import load_strategy
from tests.building.test_description import GOOD


def written(model: str, game: str, path: Path) -> str:
    assert main(["tree", model, "--game", game, "--bml", str(path)]) == 0
    return str(path)


def solved(capsys: pytest.CaptureFixture[str], betting: str, *options: str) -> dict[str, object]:
    capsys.readouterr()
    assert main(["solve", "leduc-nl12", "--betting", betting, "--json", *options]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    "options", [["--solver", "lp"], ["--solver", "cfr+", "--iterations", "50"]]
)
def test_a_solve_from_a_file_is_the_solve_from_letters(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    path = written("fcpa", "leduc-nl12", tmp_path / "mine.bml")
    letters, file = solved(capsys, "fcpa", *options), solved(capsys, path, *options)
    for key in ("value", "exploitability", "infosets", "sequences"):
        assert file[key] == letters[key]


def test_a_saved_solve_plays_without_its_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = written("fcpa", "leduc-nl12", tmp_path / "mine.bml")
    options = ["--solver", "external", "--iterations", "4096", "--seed", "4", "--save"]
    tables = []
    for betting, name in (("fcpa", "letters"), (path, "file")):
        solved(capsys, betting, *options, str(tmp_path / name))
        tables.append(load_strategy(tmp_path / name).tables)
    for ours, theirs in zip(*tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    Path(path).unlink()
    assert main(["exploitability", str(tmp_path / "file"), "--json"]) == 0
    file = json.loads(capsys.readouterr().out)
    assert main(["exploitability", str(tmp_path / "letters"), "--json"]) == 0
    letters = json.loads(capsys.readouterr().out)
    assert file["exploitability"] == letters["exploitability"]


def test_descriptions_take_files_and_know_them_by_content(tmp_path: Path) -> None:
    first = written("fcpa", "holdem-nl-100bb", tmp_path / "first.bml")
    second = written("fcpa", "holdem-nl-100bb", tmp_path / "second.bml")
    other = written("fca", "holdem-nl-100bb", tmp_path / "other.bml")

    def known(betting: str) -> object:
        text = GOOD.replace('"fcpa"', json.dumps(betting))
        return identity(parse_description(text, where="mine.toml"))["betting"]

    assert known(first) == known(second)
    assert str(known(first)).startswith("bml:")
    assert known(other) != known(first)
    with pytest.raises(DoyleError, match=r"none\.bml"):
        known(str(tmp_path / "none.bml"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [("<bml", "not well-formed XML"), ("", "line 1"), ("<bml name='x'></bml>", "first decision")],
)
def test_a_damaged_file_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, problem: str
) -> None:
    path = tmp_path / "bad.bml"
    path.write_text(content)
    assert main(["solve", "leduc-nl12", "--betting", str(path), "--iterations", "1"]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert str(path) in error
    assert error.count("\n") == 1
