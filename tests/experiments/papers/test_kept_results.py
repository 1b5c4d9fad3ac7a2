"""Kept results and their page: words of cells, resumption, and the page of the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.apps.cli.app import main
from doyle.base.artifacts.documents import read_json
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.experiments.cli.papers import COMMANDS
from doyle.experiments.papers import registry
from doyle.experiments.papers.cell import Cell, Word
from doyle.experiments.papers.kept_results import Kept, file_of, keep
from doyle.experiments.papers.page import page
from doyle.experiments.papers.registry import ENTRIES, UNAVAILABLE, Entry, Options, find
from doyle.experiments.papers.running import Ran, run_tables
from doyle.experiments.papers.table import Result

DOCS = Path(__file__).parents[3] / "docs"


def test_facts_are_kept_and_no_word(tmp_path: Path) -> None:
    entry = find("thesis/table4.2")
    cells = (
        Cell("naivePA", "Hard", "15458", 0.0, ci95=np.float64(0.0), sampled=True, rebuilt=True),
        Cell("fcpa", "P1", "0.43", 1 / 3, unsigned=True, equilibria=(1 / 3, 0.25), digits=3),
        Cell("place", "by run-off", "1", "2", uncounted="recomputed", reason="a misprint"),
    )
    result = Result(cells, equilibria=("cfr+", "one"), tuned="longer", name=entry.name)
    text = keep(result, tmp_path, seed=0).read_text(encoding="utf-8")
    assert not any(f'"{word}' in text for word in (*Word, "word", "agrees", "verdict"))
    kept = Kept.read(entry, tmp_path)
    assert [cell.facts() | {"ours": 0} for cell in kept.cells] == [
        cell.facts() | {"ours": 0, "equilibria": (0.3333333333, 0.25)}
        if cell.equilibria
        else cell.facts() | {"ours": 0}
        for cell in cells
    ]
    assert [cell.word for cell in kept.cells] == [Word.UNDECIDED, Word.SAME_SIGN, None]
    assert kept.judged({}).nearest[0].equilibrium == "cfr+"


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
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [(row["name"], row["is_kept"], row["not_counted"]) for row in tables] == [
        (names[0], True, 8), (names[1], True, 14), (names[2], True, 20),
    ]  # fmt: skip
    assert all(not any(row["words"].values()) for row in tables)  # recomputed from the print
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
    entries = [find(name) for name in ("thesis/table6.1", "thesis/table4.2", "thesis/table5.2")]
    late = run_tables(entries, Options(workers=Workers(2)), tmp_path, minutes=-1.0)
    assert [one.name for one in late] == ["thesis/table5.2", "thesis/table4.2", "thesis/table6.1"]


def test_a_table_that_was_not_run_is_named(tmp_path: Path) -> None:
    entry = Entry("thesis/table9.9", "Nothing", "nowhere:nothing")
    assert "| `thesis/table9.9` | Nothing | not run |" in page([entry], tmp_path)


def test_the_time_of_the_published_scale_is_kept_and_shown(tmp_path: Path) -> None:
    entry = find("thesis/table4.2")
    cell = Cell("naivePA", "Hard", "15458", 19_910.0, ci95=243.0, sampled=True, rebuilt=True)
    result = Result((cell,), name=entry.name, published_seconds=12_345.6)
    keep(result, tmp_path, seed=0, scale="small", seconds=60.0)
    assert json.loads(file_of(tmp_path, entry.name).read_text())["published_seconds"] == 12_346
    assert "seconds 60.0, published scale about 3.4 hours." in page([entry], tmp_path)
    without = Result((cell,), name=entry.name)
    keep(without, tmp_path, seed=0, seconds=60.0)
    assert "published_seconds" not in file_of(tmp_path, entry.name).read_text()
    assert "published scale" not in page([entry], tmp_path).partition("## thesis")[2]


def test_the_registry_has_the_times_of_the_kept_results() -> None:
    """About how long the published scale takes was reckoned from the run that is kept."""
    for entry in ENTRIES:
        kept = Kept.read(entry, DOCS / "results").document
        assert kept is not None
        if "published_seconds" in kept:
            assert entry.published_seconds == kept["published_seconds"], entry.name
        else:
            assert not entry.is_experiment or entry.name == "sartre/exploitation"


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    entry = find("thesis/table6.1")
    file_of(tmp_path, entry.name).write_text('{"rows": 3}')
    with pytest.raises(DoyleError, match=r"thesis-table6\.1\.json: field 'rows'"):
        Kept.read(entry, tmp_path)
    for row in ('{"row": "a", "column": "b", "ours": 1, "verdict": "agrees"}', '{"row": "a"}'):
        file_of(tmp_path, entry.name).write_text(f'{{"rows": [{row}]}}')
        with pytest.raises(DoyleError, match=r"thesis-table6\.1\.json: .*; remove the file"):
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
    text = (DOCS / "lab" / "results.md").read_text(encoding="utf-8")
    for entry in ENTRIES:
        assert f"| `{entry.name}` |" in text
    for one in UNAVAILABLE:
        assert one.name.split(",")[0] in text


def test_the_documentation_shows_what_is_kept() -> None:
    text = (DOCS / "lab" / "results.md").read_text(encoding="utf-8")
    assert text == page(ENTRIES, DOCS / "results", commands=COMMANDS)
    for word in Word:
        assert word.value in text
    sections = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    for entry in ENTRIES:
        if entry.is_experiment:  # its null scores
            assert "if all of ours were 0: " in sections[entry.name]
            assert "; if turned: " in sections[entry.name]


def test_the_list_names_what_cannot_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in document["papers"]] == [entry.name for entry in ENTRIES]
    assert any("BluffBot" in one["name"] and one["reason"] for one in document["unavailable"])
    assert main(["papers", "list"]) == 0
    assert "cannot be had" in capsys.readouterr().out
