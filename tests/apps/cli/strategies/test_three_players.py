"""Three-player games in commands: sampled and saved; what is for two says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.strategy import load_strategy


def test_a_solve_of_three_players_is_saved(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "kuhn"
    arguments = ["solve", "kuhn-3p", "--solver", "external", "--iterations", "8192", "--json"]
    assert main([*arguments, "--save", str(folder)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["exploitability"] is None
    assert "has 3" in document["exploitability_note"]
    assert document["infosets"] == [16, 16, 16]
    assert len(document["regret_bound"]) == 3
    strategy = load_strategy(folder)
    assert strategy.tree.game.players == 3
    assert strategy.bucket_counts == (4,)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--solver", "pcs", "--iterations", "9"], "pcs is for two players, and it has 3"),
        (["--solver", "cfr", "--iterations", "9"], "solving needs two players, not 3"),
        (["--solver", "external", "--target", "0.1"], "exploitability is for two players"),
        (["--betting", "fcpa", "--solver", "external", "--iterations", "9"], "fixed bets"),
    ],
)
def test_what_is_for_two_says_so(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert main(["solve", "kuhn-3p", *arguments]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
