"""`doyle agents list`: every listed name and form stands for an agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.agents import agent_names, check_agent_text
from doyle.apps.cli import main
from doyle.building import load_description
from doyle.games import Game
from tests.plugins import install_plugins


def test_the_list_has_every_name(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    install_plugins(tmp_path, monkeypatch, {"theirs": "no_such_module:make"})
    assert main(["agents", "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = [row["name"] for row in document["agents"]]
    assert sorted(names) == sorted(agent_names())
    assert "theirs" in names
    for row in document["agents"]:
        assert row["summary"]
        if row["kind"] == "preset":
            assert row["built"] is row["built_small"] is False
            game = Game.named(row["game"])
            check_agent_text(row["name"], game)
            check_agent_text(f"{row['name']}-small", game)
    forms = {row["form"] for row in document["forms"]}
    assert {"NAME-small", "NAME@GAME", "FILE.py:CLASS", "acpc:PORT"} <= forms


def test_the_forms_stand_for_agents() -> None:
    game = Game.named("holdem-nl-100bb")
    check_agent_text("tartanian@holdem-nl-100bb", game)
    check_agent_text("tartanian-small@holdem-nl-100bb", game)
    check_agent_text("tartanian-small@holdem-nl-100bb:translation=det-geo", game)


def test_the_list_for_people(capsys: pytest.CaptureFixture[str], fresh_cache: Path) -> None:
    assert main(["agents", "list"]) == 0
    text = capsys.readouterr().out
    for title in ("baseline\n", "scripted\n", "preset\n", "forms\n"):
        assert title in text
    assert "river-bettor-0.33   Bets 0.33 of the pot" in text
    lines = [line for line in text.splitlines() if "-bettor-0.33 " in line]
    assert ["in the last round" in line for line in lines] == [True, False]
    assert "overbettor-5        Bets 5 pots" in text
    assert load_description("default").summary in text
    assert "not built, -small not built" in text
