"""Kept results and their page: words of cells, resumption, and the page of the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.artifacts.documents import read_json
from doyle.cli.app import main
from doyle.cli.measurements.papers import COMMANDS
from doyle.errors import DoyleError
from doyle.papers import registry
from doyle.papers.registry import ENTRIES, Entry, Options, find
from doyle.papers.result import Cell, Result
from doyle.papers.results import WORDS, Kept, file_of, keep, page, table_word, word_of
from doyle.papers.running import LONGEST, Ran, run_tables
from doyle.papers.unavailable import UNAVAILABLE
from doyle.workers import Workers

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("row", "word"),
    [
        ({"published": "1", "ours": 1.0, "agrees": True}, "agrees"),
        ({"published": "1", "ours": 2.0, "agrees": False}, "differs"),
        ({"published": "1", "ours": 2.0, "agrees": False, "in_range": True}, "explained"),
        ({"published": "1", "ours": 2.0, "agrees": False, "reason": "misprint"}, "explained"),
        ({"published": "1", "ours": 2.0, "not_compared": "other agents"}, "explained"),
        ({"published": "5", "ours": 6.0, "ci95": 1.5, "not_compared": "other agents"}, "agrees"),
        ({"published": "1", "ours": 2.0, "ci95": 1.5, "not_compared": "other agents"}, "explained"),
        ({"published": "1", "ours": 2.0, "agrees": None, "verdict": "differs"}, "differs"),
        ({"published": "wins", "ours": "loses", "ci95": 9.0, "agrees": False}, "differs"),
        ({"published": None, "ours": 2.0, "agrees": None}, None),
    ],
)
def test_the_word_of_a_cell(row: dict[str, object], word: str | None) -> None:
    assert word_of(row) == word


def test_the_word_of_a_table_is_its_worst() -> None:
    assert table_word(["agrees", None, "agrees"]) == "agrees"
    assert table_word(["agrees", "explained"]) == "explained"
    assert table_word(["explained", "differs", "agrees"]) == "differs"
    assert table_word([None]) == "–"


def test_results_are_kept_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("thesis/table6.1", "ijcai2013/table7", "tartanian/table1")
    monkeypatch.setattr(registry, "ENTRIES", tuple(find(name) for name in names))
    folder = str(tmp_path / "kept")
    assert main(["papers", names[0], "--results", folder]) == 0
    capsys.readouterr()
    assert main(["papers", "all", "--results", folder, "--minutes", "0", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said.pop("seconds") < 60
    assert said == {
        "ran": [], "kept": [names[0]], "left": [names[1], names[2]], "failed": {},
    }  # fmt: skip
    assert main(["papers", "all", "--results", folder, "--only", "*/table1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ran"] == [names[2]]
    assert main(["papers", "all", "--results", folder, "--json", "--workers", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["ran"] == [names[1]]
    assert main(["papers", "page", "--results", folder, "--output", str(tmp_path), "--json"]) == 0
    words = json.loads(capsys.readouterr().out)["tables"]
    assert [(row["name"], row["word"]) for row in words] == [
        (names[0], "agrees"), (names[1], "explained"), (names[2], "explained"),
    ]  # fmt: skip
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "-3.406" in text
    assert "BluffBot" in text


def test_tables_side_by_side_are_those_of_one_after_the_other(tmp_path: Path) -> None:
    entries = [find("thesis/table6.1"), find("ijcai2013/table7"), find("tartanian/table1")]
    for count in (1, 2):
        options = Options(workers=Workers(count))
        ran = list(run_tables(entries, options, tmp_path / str(count)))
        assert [one.name for one in ran] == [entry.name for entry in entries]
        for one in ran:
            assert one.path is not None
            assert one.path.parent == tmp_path / str(count)
    alone, beside = (
        [read_json(file_of(tmp_path / count, one.name))["rows"] for one in entries]
        for count in "12"
    )
    assert alone == beside
    late = list(run_tables(entries, Options(workers=Workers(2)), tmp_path / "late", minutes=-1.0))
    assert late == [Ran(entry.name) for entry in entries]


def test_the_longest_tables_begin_first(tmp_path: Path) -> None:
    assert {*LONGEST} <= {entry.name for entry in ENTRIES}
    entries = [find(name) for name in ("thesis/table6.1", "thesis/table4.2", "thesis/table5.2")]
    late = run_tables(entries, Options(workers=Workers(2)), tmp_path, minutes=-1.0)
    assert [one.name for one in late] == ["thesis/table5.2", "thesis/table4.2", "thesis/table6.1"]


def test_a_table_that_was_not_run_is_named(tmp_path: Path) -> None:
    entry = Entry("thesis/table9.9", "Nothing", "nowhere:nothing")
    assert "| `thesis/table9.9` | Nothing | 0 | 0 | 0 | not run |" in page([entry], tmp_path)


def test_the_time_of_the_published_scale_is_kept_and_shown(tmp_path: Path) -> None:
    entry = find("thesis/table4.2")
    cell = Cell("naivePA", "Hard", "15458", 19_910.0, other="own agents")
    result = Result(entry.name, "Translations", "thesis", (cell,), published_seconds=12_345.6)
    keep(result.document() | {"seed": 0, "scale": "small"}, tmp_path, seconds=60.0)
    assert json.loads(file_of(tmp_path, entry.name).read_text())["published_seconds"] == 12_346
    assert "seconds 60.0, published scale about 3.4 hours." in page([entry], tmp_path)
    without = Result(entry.name, "Translations", "thesis", (cell,))
    keep(without.document() | {"seed": 0}, tmp_path, seconds=60.0)
    assert "published_seconds" not in file_of(tmp_path, entry.name).read_text()
    assert "published scale" not in page([entry], tmp_path).partition("## thesis")[2]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    entry = find("thesis/table6.1")
    file_of(tmp_path, entry.name).write_text('{"rows": 3}')
    with pytest.raises(DoyleError, match=r"thesis-table6\.1\.json: field 'rows'"):
        Kept.read(entry, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["papers", "page"], "--results"),
        (["papers", "all"], "--results"),
        (["papers", "played"], "--results"),
        (["papers", "played", "--results", "kept", "--only", "thesis/table6.1"], "--only"),
        (["papers", "thesis/table6.1", "--only", "thesis/*"], "--only"),
        (["papers", "thesis/table6.1", "--minutes", "3"], "--minutes"),
    ],
)
def test_missing_options_are_named(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_the_documentation_has_every_table_of_the_list() -> None:
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    for entry in ENTRIES:
        assert f"| `{entry.name}` |" in text
    for one in UNAVAILABLE:
        assert one.name.split(",")[0] in text


def test_the_documentation_shows_what_is_kept() -> None:
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    assert text == page(ENTRIES, DOCS / "results", commands=COMMANDS)
    for path in (DOCS / "results").glob("*.json"):
        for row in json.loads(path.read_text(encoding="utf-8"))["rows"]:
            assert word_of(row) in (*WORDS, None)


def test_the_list_names_what_cannot_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in document["papers"]] == [entry.name for entry in ENTRIES]
    assert any("BluffBot" in one["name"] and one["reason"] for one in document["unavailable"])
    assert main(["papers", "list"]) == 0
    assert "cannot be had" in capsys.readouterr().out
