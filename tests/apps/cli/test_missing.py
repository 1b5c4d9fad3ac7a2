"""Agents that are not built yet: small ones are built, others only if the user says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle import building
from doyle.agents import named_strategy, resolve_agent
from doyle.apps.cli import main
from doyle.building import NotBuiltError, agent_folder, load_agent_strategy
from doyle.games import Game
from tests.apps.cli.refusals import refused
from tests.building.rank_cards import RankCards, use_rank_cards

TEXT = """
name = "tiny"
game = "holdem-nl-20bb"
betting = "fca"
cards = "ir169.ir50.ir50.50"
solver = "external"
seconds = 0.01
small = { cards = "ir169.ir20.ir20.20" }
"""

STATE = "MATCHSTATE:1:0::|AsKd"


@pytest.fixture
def tiny(fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A description whose cards need no time, with nothing built yet."""
    use_rank_cards(monkeypatch)
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda *_, **__: RankCards())
    path = tmp_path / "tiny.toml"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "holdem-nl-200bb", "default", "ev"],
        ["match", "holdem-nl-200bb", "ev", "default:purification=full"],
        ["league", "holdem-nl-200bb", "default", "random", "ev"],
        ["strategy", "show", "default"],
        ["exploitability", "default"],
        ["explain", "default", "--state", STATE],
    ],
)
def test_a_long_build_is_not_begun_unasked(
    arguments: list[str], fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, *arguments)
    assert "agent 'default': not built yet, which takes 4 minutes of solving" in line
    assert "run `doyle build default`, or add --build" in line
    assert not agent_folder("default").exists()


def test_the_game_and_the_workers_are_checked_first(
    fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "match", "kuhn", "default", "ev", "--build")
    assert "agent 'default' plays holdem-nl-200bb, not kuhn" in line
    line = refused(capsys, "match", "holdem-nl-200bb", "default", "nobody", "--build")
    assert "agent 'nobody': no such agent" in line
    for command in ("match", "league"):
        line = refused(
            capsys, command, "holdem-nl-200bb", "default", "ev", "--build", "--workers", "many"
        )
        assert "workers 'many'" in line
    assert not agent_folder("default").exists()


def test_it_is_built_if_the_user_says_so(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doyle.apps.cli.missing.SMALL_SECONDS", 0.001)
    assert "0.01 seconds of solving" in refused(capsys, "strategy", "show", str(tiny))
    assert main(["strategy", "show", str(tiny), "--build", "--json"]) == 0
    assert f"doyle: building {tiny} first: 0.01 seconds" in capsys.readouterr().err
    assert main(["strategy", "show", str(tiny), "--json"]) == 0
    assert "building" not in capsys.readouterr().err


def test_a_small_build_is_made_on_the_way(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []
    build = building.load_or_build_strategy

    def noted(agent: str, **options: object) -> object:
        built.append(agent)
        return build(agent, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(building, "load_or_build_strategy", noted)
    assert main(["strategy", "show", f"{tiny}:purification=full", "--json"]) == 0
    assert built == [str(tiny)]
    assert "doyle: building" in capsys.readouterr().err


def test_a_library_look_up_builds_nothing(
    fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.named("holdem-nl-200bb")
    with pytest.raises(NotBuiltError, match="4 minutes of solving") as caught:
        resolve_agent("default", game)
    assert caught.value.seconds == 240
    with pytest.raises(NotBuiltError, match="20 seconds"):
        load_agent_strategy("default-small")
    assert not (fresh_cache / "agents").exists()
    assert capsys.readouterr() == ("", "")
