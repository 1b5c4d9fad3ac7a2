"""`doyle build`: bad input is one line before any work; reports name commands that work."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.building import named_build
from tests.building.rank_cards import use_rank_cards
from tests.building.test_presets import KEYS

TEXT = """
name = "tiny"
game = "holdem-nl-20bb"
betting = "fca"
cards = "ir169.ir50.ir50.50"
solver = "external"
small = { cards = "ir169.ir20.ir20.20" }
"""


@pytest.fixture
def no_work(fresh_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache in which building cards is an error of the test."""
    from doyle.abstractions.cards import registry

    def build(*_: object, **__: object) -> None:
        raise AssertionError("cards were built")

    monkeypatch.setattr(registry, "build", build)
    return fresh_cache


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--minutes", "inf"], "--minutes inf: expected a finite number"),
        (["--minutes", "nan"], "--minutes"),
        (["--minutes", "-1"], "--minutes"),
        (["--minutes", "0"], "--minutes"),
        (["--minutes", "1", "--iterations", "5"], "give one of the two"),
        (["--iterations", "0"], "--iterations"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "x"], "--seed"),
        (["--shards", "-1"], "shards -1; expected 0 to 64"),
        (["--shards", "65"], "shards 65; expected 0 to 64"),
        (["--scale", "tiny"], "--scale 'tiny': expected full or small"),
        (["--workers", "none"], "workers"),
        (["--output", "."], "--output .: is a folder"),
        (["--output", os.devnull], "is not a regular file"),
    ],
)
def test_bad_options_are_refused_before_any_work(
    arguments: list[str],
    says: str,
    no_work: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(TEXT)
    assert main(["build", str(path), *arguments]) == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT.replace('"tiny"', '"default"'), "key 'name': 'default' is a preset's"),
        (TEXT.replace('"tiny"', '"tiny"\ntranslation = "foo"'), "key 'translation': "),
        (TEXT.replace('"fca"', '"limit"'), "key 'betting': "),
        (TEXT.replace('"tiny"', '"tiny"\nseconds = inf'), "key 'seconds': "),
    ],
)
def test_a_broken_description_is_refused_before_any_work(
    text: str,
    says: str,
    no_work: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(text.replace("holdem-nl-20bb", "holdem-nl-200bb"))
    assert main(["build", str(path)]) == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("agent", ["tartanian@kuhn", "tartanian@holdem-limit-2p", "tartanian@no"])
def test_another_game_is_checked_before_any_work(
    agent: str, no_work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", agent]) == 2
    line = capsys.readouterr().err
    assert line.startswith(f"doyle: {agent}: key ")
    assert line.count("\n") == 1
    assert "pydantic" not in line.lower()


def test_a_tree_that_is_too_large_is_refused_before_any_work(
    no_work: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from doyle.abstractions.betting import tree

    monkeypatch.setattr(tree, "LARGEST_TREE", 10)
    path = tmp_path / "tiny.toml"
    path.write_text(TEXT)
    assert main(["build", str(path)]) == 2
    assert "tiny: key 'betting': betting model fca" in capsys.readouterr().err


def test_shards_are_for_sampling(no_work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "tartanian5", "--shards", "2"]) == 2
    assert "egt gives the same bytes anyway" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--scale", "small"], ["--seed", "4", "--shards", "2"]])
def test_the_report_names_commands_that_work(
    options: list[str],
    fresh_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_rank_cards(monkeypatch)
    path = tmp_path / "my agents" / "tiny.toml"
    path.parent.mkdir()
    path.write_text(TEXT)
    arguments = ["build", str(path), *options, "--iterations", "1", "--hands", "0"]
    assert main([*arguments, "--workers", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    html = Path(document["report"]).read_text().replace("&#x27;", "'")
    built = html.partition("`doyle build ")[2].partition("` resumes")[0]
    words = shlex.split(built)
    assert words[-2:] == ["--minutes", "60"]
    again = ["build", *words[:-2], "--iterations", "1", "--hands", "0", "--workers", "1", "--json"]
    assert main(again) == 0
    assert json.loads(capsys.readouterr().out)["folder"] == document["folder"]
    measured = html.partition("doyle exploitability ")[2].partition(" --cards full")[0]
    found = named_build(shlex.split(measured)[0])
    assert found is not None
    assert found.name == document["agent"] == Path(document["folder"]).name


def test_what_workers_change_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--help"]) == 0
    text = capsys.readouterr().out
    assert "never changes results" not in text
    assert "--shards" in text


def test_a_finished_build_is_measured_again_without_solving(
    fresh_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_rank_cards(monkeypatch)
    path, report = tmp_path / "tiny.toml", tmp_path / "again.html"
    path.write_text(TEXT)
    assert main(["build", str(path), "--measure-only"]) == 2
    assert "--measure-only: tiny is not built yet" in capsys.readouterr().err
    assert main(["build", str(path), "--iterations", "1", "--hands", "0", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert set(first) == KEYS
    folder = Path(first["folder"])
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*.bin")}
    path.write_text(TEXT + 'purification = "full"\n')
    arguments = ["build", str(path), "--measure-only", "--hands", "0", "--output", str(report)]
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    again = json.loads(captured.out)
    assert f"doyle: wrote {report}" in captured.err
    assert again == first | {"report": str(report), "stages": [], "wanted_iterations": None}
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.bin")} == before
    # As the description says now, whatever it said when the strategy was solved.
    assert "<td>purification</td><td>full</td>" in report.read_text()
    assert main([*arguments, "--minutes", "1"]) == 2
    assert "--measure-only: does not solve" in capsys.readouterr().err
    path.write_text(TEXT.replace("fca", "fcpa"))
    assert main(arguments) == 2
    assert "was built with betting = 'fca'" in capsys.readouterr().err
