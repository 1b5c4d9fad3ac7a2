"""Table 7 in kind: averages and differences deal by deal against plain sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from doyle.base.statistics import student_95
from doyle.base.workers import Workers
from doyle.experiments.papers.cell import Word
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.ijcai2013 import analogous_experiment
from doyle.experiments.papers.ijcai2013.competition import MAPPINGS
from doyle.experiments.papers.registry import Options, find
from doyle.games import Game
from doyle.matches import MatchResult, play_match


@pytest.fixture
def group() -> analogous_experiment.Group:
    def match(first: str, second: str) -> MatchResult:
        return play_match("leduc", [first, second], hands=40, seed=2)

    agents = ("always-call", "always-raise", "random")
    opponents = ("always-fold", "always-call", "random")
    return analogous_experiment.Group({a: {o: match(a, o) for o in opponents} for a in agents})


def test_averages_are_those_of_the_matches(group: analogous_experiment.Group) -> None:
    for mapping, matches in group.matches.items():
        mean = np.mean([float(match.mbb_per_hand(0).mean) for match in matches.values()])
        assert float(group.average(mapping).mean) == pytest.approx(mean)


def test_differences_are_taken_deal_by_deal(group: analogous_experiment.Group) -> None:
    better, worse = ["always-call", "always-raise"], ["random"]
    found = group.difference(better, worse)
    scale = 1000.0 / Game.named("leduc").big_blind
    some = next(iter(group.matches["random"].values()))

    def by_deal(names: list[str]) -> Any:
        rows = [match.units[:, 0] for name in names for match in group.matches[name].values()]
        return np.mean(rows, axis=0) / some.unit * scale

    values = by_deal(better) - by_deal(worse)
    assert float(found.mean) == pytest.approx(values.mean())
    error = values.std(ddof=1) / len(values) ** 0.5
    assert found.ci95 == pytest.approx(student_95(len(values) - 1) * error, rel=1e-9)


def test_every_mapping_meets_the_museum_and_its_own_exploiters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[str, str]] = []

    def match(first: str, second: str, options: Options, *, hands: int) -> MatchResult:
        calls.append((first, second))
        return play_match("kuhn", ["always-call", "random"], hands=30, seed=1)

    monkeypatch.setattr(analogous_experiment, "match", match)
    monkeypatch.setattr(analogous_experiment, "museum_agent", lambda name, options: f"{name}-small")
    monkeypatch.setattr(
        analogous_experiment, "museum_opponents", lambda *_, **__: {"one": "one", "two": "two"}
    )
    result = find("ijcai2013/table7-in-kind").run(Options(workers=Workers(1)))
    assert len(calls) == len(MAPPINGS) * (2 + len(analogous_experiment.EXPLOITERS))
    for agent, opponent in calls:
        assert agent.startswith("tartanian5-small:translation=")
        if opponent not in ("one", "two"):
            assert opponent.partition(":")[2] == agent
    averages = [cell.published for cell in result.cells if cell.column == "average"]
    assert averages == ["609", "571", "454", "459", "449", "597", "568"]
    # All matches are the same here, so nothing is decided.
    found = decided_claims(result.name, {result.name: result.cells})
    assert len(found) == 4
    assert all(claim.finding is not Finding.HOLDS for claim in found)
    assert {cell.word for cell in result.cells} == {Word.NOT_COMPARABLE, None}
