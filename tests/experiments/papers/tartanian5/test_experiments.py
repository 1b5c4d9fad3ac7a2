"""Tartanian5's experiments: solves down to printed numbers, verdicts, versions of one agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.base.workers import Workers
from doyle.experiments.papers.cell import Cell, Word
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.claims.tartanian import ITSELF, PAIRED
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.tartanian5 import purification, sizes, solves
from doyle.matches import MatchResult, play_match
from doyle.solving.games import holdem
from doyle.strategy import load_strategy

OPTIONS = Options(workers=Workers(1))
SCALE = solves.Scale("fca", 1, 20, 5, 100)
SIZE = solves.Size("toy", "8.8.8.8", "potential-8-12-4-4", (40.0, 0.5))


class Toy:
    """A card abstraction with few buckets."""

    spec = "toy"

    def parents(self, round: int) -> Any:
        return [None, np.array([0, 1]), np.array([0, 1, 1]), np.array([0, 1, 2, 2])][round]

    def bucket_count(self, round: int) -> int:
        return (2, 2, 3, 4)[round]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, fresh_cache: Path) -> list[str]:
    built: list[str] = []

    def build(cards: str, **_: object) -> Toy:
        built.append(cards)
        return Toy()

    def count_group(_: Any, group: int, workers: Workers) -> Any:
        rng = np.random.default_rng(group)
        pairs = rng.integers(20, 90, (4, 4))
        wins = np.triu(rng.integers(0, 20, (4, 4)), 1).T + 5
        return np.stack([pairs + pairs.T, wins])

    monkeypatch.setattr(solves, "build", build)
    monkeypatch.setattr(holdem, "count_group", count_group)
    return built


def test_a_solve_is_kept_at_each_printed_exploitability(toy: list[str]) -> None:
    found = solves.solved(SIZE, OPTIONS, SCALE)
    assert list(found.reached) == ["40", "0.5"]
    (first, _, early), (second, _, late) = found.reached.values()
    assert first <= second
    assert early <= 40.0
    assert late <= 0.5
    assert found.iterations == SCALE.iterations  # also where a target takes longer
    if second <= found.iterations:
        assert found.exploitability <= late
    for target in SIZE.targets:
        strategy = load_strategy(Path(found.agent(target)))
        assert strategy.info.purification == "full"
        assert strategy.info.iterations == found.reached[f"{target:g}"][0]
    again = solves.solved(SIZE, OPTIONS, SCALE)
    assert again == found
    assert toy == ["8.8.8.8"]  # solved once


def test_sizes_stand_in_the_printed_proportion() -> None:
    def buckets(text: str) -> int:
        return int(np.prod([int(part) for part in text.replace("-", ".").split(".")]))

    small = [buckets(size.small_cards) for size in solves.SIZES]
    published = [buckets(size.name) for size in solves.SIZES]
    assert published == [288, 1536, 10800]
    for ours, theirs in zip(small, published, strict=True):
        assert ours / small[0] == pytest.approx(theirs / published[0], rel=0.1)
    targets = [target for size in solves.SIZES for target in size.targets]
    assert targets == [0.13, 0.55, 0.3, 0.8]


def _played(calls: list[tuple[str, str]]) -> Any:
    def match(first: str, second: str, options: Options, *, hands: int) -> MatchResult:
        calls.append((first, second))
        return play_match("kuhn", ["always-call", "random"], hands=20, seed=len(calls))

    return match


def test_the_size_experiment_has_every_pair(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls: list[tuple[str, str]] = []
    early = {
        "12.8": (5, 0.1, 9.0),
        "6.4": (10, 0.2, 3.0),
        "3.2": (10, 0.2, 3.0),
        "1.6": (15, 0.3, 1.5),
    }
    kept = solves.Solved({**early, "0.8": (20, 1.0, 0.1)}, 100, 0.05, tmp_path)
    monkeypatch.setattr(sizes, "match", _played(calls))
    monkeypatch.setattr(sizes, "solved", lambda *_: kept)
    result = find("tartanian5/sizes").run(OPTIONS)
    # Three pairs, and the largest at three earlier stages: two targets were reached at once.
    assert len(result.cells) == len(calls) == 3 + 3
    claims = decided_claims(result.name, {result.name: result.cells})
    assert all(claim.numbers for claim in claims)


def test_exploitabilities_stand_beside_all_four_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reached = {f"{target:g}": (5, 1.0, 0.1) for target in (0.13, 0.55, 0.3, 0.8)}
    kept = solves.Solved(reached, 100, 0.2, tmp_path)
    monkeypatch.setattr(sizes, "solved", lambda *_: kept)
    result = sizes.exploitabilities(OPTIONS)
    printed = [cell for cell in result.cells if cell.published is not None]
    assert [cell.published for cell in printed] == ["0.13", "0.55", "0.3", "0.8"]
    # Neither a smaller game nor a solve that stops elsewhere is comparable, however far it comes.
    assert {cell.word for cell in printed} == {Word.NOT_COMPARABLE}
    assert [cell.ours for cell in result.cells if cell.published is None] == [5.0] * 4
    whole = sizes.exploitabilities(replace(OPTIONS, scale="published"))
    assert {cell.word for cell in whole.cells} == {Word.NOT_COMPARABLE, None}


def test_purification_compares_versions_of_one_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str]] = []
    monkeypatch.setattr(purification, "match", _played(calls))
    monkeypatch.setattr(purification, "museum_agent", lambda name, options: f"{name}-small")
    monkeypatch.setattr(purification, "museum_opponents", lambda *_, **__: {"one": "a", "two": "b"})
    result = find("tartanian5/purification").run(OPTIONS)
    claims = decided_claims(result.name, {result.name: result.cells})
    assert [len(claim.numbers) for claim in claims] == [1, 2]
    assert len(calls) == 3 + 2 * 3
    assert all(first.startswith("tartanian4-small:purification=") for first, _ in calls)
    assert sum(cell.column == PAIRED for cell in result.cells) == 2


def test_better_against_all_but_one_can_fail() -> None:
    def found(*means: int) -> Finding:
        cells = [
            Cell(str(n), PAIRED, None, float(mean), ci95=3.0, sampled=True)
            for n, mean in enumerate(means)
        ]
        itself = Cell(ITSELF, PAIRED, None, -50.0, ci95=3.0, sampled=True)
        name = "tartanian5/purification"
        return decided_claims(name, {name: [*cells, itself]})[1].finding

    assert [found(9, 9, -9), found(9, -1, -2), found(9, -9, -9)] == [
        Finding.HOLDS, Finding.UNDECIDED, Finding.FAILS,
    ]  # fmt: skip
