"""The playthrough of every bundled game is what the rules give today (`make playthroughs`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.base.errors import DoyleError
from doyle.games import State, bundled_names
from doyle.testing import playthrough, replayed

FOLDER = Path(__file__).parent.parent / "playthroughs"


def test_every_bundled_game_has_a_playthrough() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(bundled_names())


@pytest.mark.parametrize("name", bundled_names())
def test_playthroughs_have_not_changed(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert replayed(text, what=f"{name}.txt") == text


def test_a_change_of_the_rules_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = playthrough("leduc", hands=2)
    assert replayed(text) == text
    monkeypatch.setattr(State, "to_call", property(lambda state: 7))
    assert replayed(text) != text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: expected 'doyle playthrough"),
        ("doyle playthrough, version 1\ngame kuhn\n", "no rules from GAMEDEF"),
    ],
)
def test_other_files_are_refused(text: str, problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        replayed(text)
