"""`doyle game list` and `doyle game show`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.games import Game, bundled_names


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "list"]) == 0
    assert "holdem-nl-200bb" in capsys.readouterr().out
    assert main(["game", "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [game["name"] for game in document["games"]] == list(bundled_names())


def test_show_prints_a_definition_that_can_be_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["game", "show", "leduc"]) == 0
    text = capsys.readouterr().out
    assert Game.parse(text) == Game.named("leduc")
    path = tmp_path / "mine.game"
    path.write_text(text)
    assert main(["game", "show", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "mine"


def test_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "show", "leduc-nl12", "--size", "--json"]) == 0
    size = json.loads(capsys.readouterr().out)["size"]
    assert size["game_states"] == 1_116_360
    assert size["information_sets"] == 278_256
    assert size["without_action_limit"]["game_states"] == 1_116_360
    assert main(["game", "show", "holdem-limit-2p", "--size"]) == 0
    assert "3.16e17" in capsys.readouterr().out


def test_unknown_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "show", "checkers"]) == 2
    assert "neither a file nor one of" in capsys.readouterr().err


def test_listing_games_needs_no_numpy() -> None:
    code = "import sys; from doyle.apps.cli import main; main(['game', 'list']); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("False\n")
