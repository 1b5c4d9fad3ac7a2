"""The HTML report of a build: what it shows, that it is whole, and that names cannot break it."""

from __future__ import annotations

import errno
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.agents import named_strategy
from doyle.building import BuildDescription, build
from doyle.cli import main
from doyle.games import Game
from doyle.matches import play_match
from doyle.reports import StrategyGrid, write_build_report
from doyle.reports.builds import report_build
from doyle.strategy import ChosenField, Point, StrategyInfo
from doyle.workers import Workers
from tests.building.rank_cards import RankCards, use_rank_cards

VOID = {"meta", "br", "hr", "img"}
EVIL = "<script>alert('x')</script> & \"co\""


class Page(HTMLParser):
    """Tables by their headings, and what is left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.titles: list[str] = []
        self.text = ""
        self._heading = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "h2":
            self._heading = ""
        if tag == "tr":
            self.tables.setdefault(self._heading, []).append([])
        if tag in ("td", "th"):
            self.tables[self._heading][-1].append("")
            self.titles += [value or "" for name, value in attrs if name == "title"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] == "h2":
            self._heading += data
        elif self.open and self.open[-1] in ("td", "th"):
            self.tables[self._heading][-1][-1] += data


def grid() -> StrategyGrid:
    cells = np.zeros((13, 13, 3))
    cells[..., 0], cells[..., 1], cells[..., 2] = 0.5, 0.3, 0.2
    return StrategyGrid("cr300", 1, ("fold", "call", "all-in"), cells, np.array([0.5, 0.3, 0.2]))


def write(path: Path, **changes: Any) -> Page:
    arguments: dict[str, Any] = {
        "info": StrategyInfo(
            agent="tiny",
            cards="ir169.ir20.ir20.20",
            solver="external",
            history=tuple(Point(10 * n, 1.0 * n, float("nan"), 5.0 / n) for n in range(1, 5)),
            fields=(ChosenField("seed", 1, "assumed", "any"),),
        ),
        "game": "holdem-nl-20bb",
        "betting": "fca",
        "stages": {"cards": 1.25, "solving": 20.0},
        "grids": [grid()],
        "matches": [{"opponent": "ev", "hands": 2000, "mbb_per_hand": 812.4, "ci95": 90.0}],
        "facts": [("information sets", "11,900"), ("exploitability", "12.5 mbb/h")],
        "advice": "Four times the minutes halve it.",
    }
    write_build_report(path, **(arguments | changes))
    return Page(path.read_text(encoding="utf-8"))


def test_the_report_shows_curve_grid_sizes_matches_and_sources(tmp_path: Path) -> None:
    page = write(tmp_path / "report.html")
    assert page.open == []
    assert ["information sets", "11,900"] in page.tables["The strategy"]
    assert ["exploitability", "12.5 mbb/h"] in page.tables["The strategy"]
    assert ["ev", "+812 ± 90", "2,000", "yes"] in page.tables["Duplicate matches"]
    assert ["solving", "20.0"] in page.tables["Where the time went"]
    sources = page.tables["What was built, and where each choice comes from"]
    assert ["seed", "1", "assumed", "any"] in sources
    assert "svg" in page.tags
    assert "Four times the minutes halve it." in page.text
    rows = page.tables["Before the flop"]
    assert [len(row) for row in rows] == [13] * 13
    assert (rows[0][0], rows[0][1], rows[1][0], rows[12][12]) == ("AA", "AKs", "AKo", "22")
    assert "AKs: fold 50%, call 30%, all-in 20%" in page.titles
    assert "after 'cr300'" in page.text


def test_the_curve_goes_through_the_points_of_the_solve(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write(path)
    (curve,) = re.findall(r'<path d="([^"]*)"[^>]*stroke: #b83b3b', path.read_text())
    points = np.array(re.findall(r"[ML] ([\d.]+) ([\d.]+)", curve), dtype=float)
    assert len(points) == 4
    # 5/n against n on two logarithmic axes: a straight line, falling (down is up in SVG).
    steps = np.diff(points, axis=0)
    assert (steps > 0).all()
    np.testing.assert_allclose(steps[:, 1] / steps[:, 0], steps[0, 1] / steps[0, 0], rtol=1e-3)


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ([], False),
        ([1.0], False),
        ([0.0, 0.0], False),
        ([3.0, 0.0, 0.0], False),
        ([3.0, 1.0, 0.0], True),
        ([float("nan"), 2.0, 1.0], True),
    ],
)
def test_a_short_or_finished_solve_has_a_report_too(
    tmp_path: Path, values: list[float], drawn: bool
) -> None:
    history = tuple(Point(1 + n, 1.0 + n, value) for n, value in enumerate(values))
    info = StrategyInfo(agent="a", cards="c", solver="lp", history=history)
    page = write(tmp_path / "report.html", info=info, grids=[], matches=[])
    assert page.open == []
    assert "Duplicate matches" not in page.tables
    assert ("svg" in page.tags) == drawn
    assert ("Too short a solve" in page.text) != drawn


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    fields = (ChosenField(EVIL, EVIL, "given", EVIL),)
    page = write(
        path,
        info=StrategyInfo(agent=EVIL, cards=EVIL, solver=EVIL, fields=fields),
        game=EVIL,
        betting=EVIL,
        stages={EVIL: 1.0},
        matches=[{"opponent": EVIL, "hands": 1, "mbb_per_hand": 1.0, "ci95": 2.0}],
        facts=[(EVIL, EVIL)],
        advice=EVIL,
    )
    assert page.open == []
    assert "script" not in page.tags
    assert [EVIL, EVIL, "given", EVIL] in page.tables[
        "What was built, and where each choice comes from"
    ]
    assert page.text.count(EVIL) >= 10


def test_a_report_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    write(path)
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(Exception, match="disk full"):
            write(path, advice="another")
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def test_the_report_of_a_build_says_its_sizes_and_how_exploitable_it_is(
    fresh_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_rank_cards(monkeypatch)
    path, report = tmp_path / "tiny.toml", tmp_path / "tiny.html"
    path.write_text(
        'name = "tiny"\ngame = "holdem-nl-20bb"\nbetting = "fca"\ncards = "ir169.ir50.ir50.50"\n'
        'solver = "external"\nsmall = { cards = "ir169.ir20.ir20.20" }\n'
    )
    arguments = ["build", str(path), "--iterations", "500000", "--workers", "1", "--hands", "0"]
    assert main([*arguments, "--report", str(report), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["report"] == str(report)
    page = Page(report.read_text(encoding="utf-8"))
    facts = {row[0]: row[1] for row in page.tables["The strategy"]}
    assert facts["information sets"] == f"{sum(document['infosets']):,}"
    assert facts["buckets by round"] == "13, 13, 13, 13"
    assert facts["iterations"].startswith(f"{document['iterations']:,} (")
    assert facts["memory for regrets and averages"].endswith(" MiB")
    assert "doyle exploitability" in facts["exploitability"]
    assert "svg" in page.tags
    assert [len(row) for row in page.tables["Before the flop"]] == [13] * 13 * 4
    fields = {row[0] for row in page.tables["What was built, and where each choice comes from"]}
    assert {"game", "cards", "seed", "threshold", "small", "prune_below"} <= fields


def test_a_build_is_measured_and_reported_by_the_library(
    fresh_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_rank_cards(monkeypatch)
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda *_, **__: RankCards())
    fields = {"name": "tiny", "game": "holdem-nl-20bb", "betting": "fca", "solver": "external"}
    cards = "ir169.ir50.ir50.50"
    described = BuildDescription.model_validate(
        {**fields, "cards": cards, "small": {"cards": cards}, "translation": "det-geo"}
    )
    result = build(described, iterations=1, workers=Workers(1))
    opponents = ["always-fold", "random"]
    report = report_build(result, opponents=opponents, hands=10, workers=Workers(1))
    assert report.path == result.folder / "report.html"
    page = Page(report.path.read_text(encoding="utf-8"))
    assert [row[0] for row in page.tables["Duplicate matches"][1:]] == opponents
    expected = play_match(
        Game.named("holdem-nl-20bb"), [str(result.folder), "random"], hands=10, seed=1
    )
    assert report.matches[1].mbb_per_hand == expected.to_json()["players"][0]["mbb_per_hand"]
    assert report.document()["matches"] == [row.document() for row in report.matches]
    assert {"matches", "solving"} <= set(report.document()["stages"])
    facts = dict(row[:2] for row in page.tables["The strategy"])
    assert facts["translation of unknown bets"] == "det-geo"
    assert "Building again resumes it." in page.text
    assert "--" not in page.text
    assert capsys.readouterr() == ("", "")
