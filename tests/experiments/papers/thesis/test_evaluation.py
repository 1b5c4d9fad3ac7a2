"""Tables 2.1 to 2.3 in kind: from logs that are kept, all printed cells, standard deviations by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.base.workers import Workers
from doyle.experiments.papers.cell import Word
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.table import printed
from doyle.experiments.papers.thesis import evaluation
from doyle.experiments.papers.thesis.evaluation import deviation
from doyle.games.histories import read_hands

OPTIONS = Options(seed=3, workers=Workers(1))


@pytest.fixture(autouse=True)
def baselines(monkeypatch: pytest.MonkeyPatch, fresh_cache: Path) -> Path:
    """Agents that need no build, and few deals."""
    names = {"Hyperborean": "always-call", "Tartanian": "always-raise", "Bluffbot": "always-fold",
             "Ballarat": "always-all-in", "fcpa.8.8.8.8": "always-call"}  # fmt: skip
    monkeypatch.setattr(evaluation, "STAND_INS", names)
    monkeypatch.setattr(evaluation, "DEALS", 20)
    return fresh_cache


@pytest.mark.parametrize("name", ["thesis/table2.1", "thesis/table2.2", "thesis/table2.3"])
def test_every_printed_cell_has_ours_beside_it(name: str) -> None:
    result = find(name).run(OPTIONS)
    table = printed(name)
    assert len(result.cells) == len(table.rows) * len(table.columns)
    assert all(cell.published is not None for cell in result.cells)
    assert {cell.word for cell in result.cells} == {Word.NOT_COMPARABLE}  # other agents
    assert all((cell.ci95 or 0.0) >= 0 and cell.is_sampled for cell in result.cells)


def test_deviations_are_those_of_the_log(baselines: Path) -> None:
    result = find("thesis/table2.1").run(OPTIONS)
    ours = {(cell.row, cell.column): cell.ours for cell in result.cells}
    logs = list(baselines.rglob("*.log"))
    assert len(logs) == 6
    game = evaluation.Game.named(evaluation.GAME)
    for log in logs:
        hands = list(read_hands(log, game))
        if {name for hand in hands for name in hand.players} != {"always-fold", "always-call"}:
            continue
        won = np.array([float(h.payoffs[h.players.index("always-fold")]) for h in hands])
        won /= game.big_blind
        assert ours["Bluffbot vs Hyperborean", "Std"] == pytest.approx(won.std())
        assert ours["Bluffbot vs Hyperborean", "Bankroll"] == pytest.approx(won.mean())
        pairs = won.reshape(-1, 2).mean(axis=1)
        assert ours["Bluffbot vs Hyperborean", "Duplicate Std"] == pytest.approx(pairs.std())
        break
    else:
        pytest.fail("no log of the first match")
    before = {log: log.stat().st_mtime_ns for log in logs}
    assert find("thesis/table2.1").run(OPTIONS).cells == result.cells
    assert {log: log.stat().st_mtime_ns for log in logs} == before  # nothing was played again


def test_the_interval_of_a_deviation_covers_it() -> None:
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(400):
        found = deviation(rng.exponential(2.0, size=2000))
        inside += abs(float(found.mean) - 2.0) <= found.ci95
    assert 0.90 <= inside / 400 <= 0.98
