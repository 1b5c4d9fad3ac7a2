"""What a report card says of a build: that its page shows it, is whole, and that names cannot break it."""

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

from doyle.apps.cli import main
from doyle.base.statistics import Estimate
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.reports import report_card
from doyle.measuring.reports.build_section import BuildSection, Hints
from doyle.measuring.reports.report_card import Budget, OpponentRow, ReportCard
from doyle.measuring.reports.report_card_page import write_report_card
from doyle.strategy import ChosenField, PlaceView, Point, StrategyInfo
from tests.building.rank_cards import use_rank_cards
from tests.strategy.test_place import view

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


def grid() -> PlaceView:
    return view("cr300", 1, ("fold", "call", "all-in"), np.tile([0.5, 0.3, 0.2], (1326, 1)))


def write(path: Path, **changes: Any) -> Page:
    game = Game.named("holdem-nl-20bb")
    info = changes.pop("info", None) or StrategyInfo(
        agent="tiny",
        cards="ir169.ir20.ir20.20",
        solver="external",
        infosets=(11_000, 900),
        history=tuple(Point(10 * n, 1.0 * n, float("nan"), 5.0 / n) for n in range(1, 5)),
        fields=(ChosenField("seed", 1, "assumed", "any"),),
    )
    matches = changes.pop("matches", (OpponentRow("ev", Estimate(812.4, 90.0), "duplicate"),))
    card = ReportCard(changes.pop("agent", "tiny"), game, Budget(), None, None, (), matches)
    arguments: dict[str, Any] = {
        "betting": "fca",
        "stages": {"cards": 1.25, "solving": 20.0},
        "hints": Hints(resume="Run it again."),
    }
    grids = changes.pop("grids", [grid()])
    section = BuildSection(info, game, **(arguments | changes))
    write_report_card(path, card, grids, build=section)
    return Page(path.read_text(encoding="utf-8"))


def test_the_page_shows_curve_grid_sizes_matches_and_sources(tmp_path: Path) -> None:
    page = write(tmp_path / "report.html")
    assert page.open == []
    assert ["information sets", "11,900"] in page.tables["The strategy"]
    assert ["betting, cards, solver", "fca; ir169.ir20.ir20.20; external"] in page.tables[
        "The strategy"
    ]
    assert ["ev", "+812 ± 90", "duplicate"] in page.tables["Matches"]
    assert ["solving", "20.0"] in page.tables["Where the time went"]
    sources = page.tables["What was built, and where each choice comes from"]
    assert ["seed", "1", "assumed", "any"] in sources
    assert page.tags.count("svg") == 2
    assert "It beats 1 of 1 opponents beyond doubt" in page.text
    assert "Run it again." in page.text
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
    page = write(tmp_path / "report.html", info=info, grids=[], matches=())
    assert page.open == []
    assert "Matches" not in page.tables
    assert "beyond doubt" not in page.text
    assert ("svg" in page.tags) == drawn
    assert ("Too short a solve" in page.text) != drawn


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    fields = (ChosenField(EVIL, EVIL, "given", EVIL),)
    page = write(
        path,
        agent=EVIL,
        info=StrategyInfo(agent=EVIL, cards=EVIL, solver=EVIL, fields=fields),
        betting=EVIL,
        stages={EVIL: 1.0},
        matches=(OpponentRow(EVIL, Estimate(-3.0, 2.0), EVIL),),
        hints=Hints(resume=EVIL, measure=EVIL),
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
            write(path, agent="another")
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
    assert main([*arguments, "--output", str(report), "--json"]) == 0
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
    assert [len(row) for row in page.tables["Before the flop"]] == [13] * 13 * 2
    fields = {row[0] for row in page.tables["What was built, and where each choice comes from"]}
    assert {"game", "cards", "seed", "threshold", "small", "prune_below"} <= fields


def test_a_build_ends_with_its_report_card(
    fresh_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_rank_cards(monkeypatch)
    monkeypatch.setattr(report_card, "OPPONENTS", ("always-fold", "random"))
    monkeypatch.setattr(report_card, "_responders", lambda game: ())
    path = tmp_path / "tiny.toml"
    path.write_text(
        'name = "tiny"\ngame = "holdem-nl-20bb"\nbetting = "fca"\ncards = "ir169.ir50.ir50.50"\n'
        'solver = "external"\ntranslation = "det-geo"\nsmall = { cards = "ir169.ir20.ir20.20" }\n'
    )
    arguments = ["build", str(path), "--iterations", "1", "--workers", "1", "--hands", "10"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    page = Page(Path(document["report"]).read_text(encoding="utf-8"))
    assert [row[0] for row in page.tables["Matches"][1:]] == ["always-fold", "random"]
    assert [row["method"] for row in document["matches"]] == ["exact-hands", "duplicate"]
    expected = play_match(Game.named("holdem-nl-20bb"), [str(path), "random"], hands=10, seed=0)
    assert document["matches"][1]["mbb_per_hand"] == expected.mbb_per_hand(0).mean
    assert {"report card", "solving"} <= {stage["name"] for stage in document["stages"]}
    facts = dict(row[:2] for row in page.tables["The strategy"])
    assert facts["translation of unknown bets"] == "det-geo"
    assert document["advice"] in page.text
    assert main([*arguments, "--measure-only"]) == 2
    assert main(["build", str(path), "--measure-only", "--hands", "10"]) == 0
    assert document["advice"] in capsys.readouterr().out
