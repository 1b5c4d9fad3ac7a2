"""Agents from a file: what the text may be, what is said of a wrong one, and where the file runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from doyle.agents import check_agent_text, is_foreign, resolve_agent
from doyle.agents.agent_file import agent_file
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Game
from tests.plugins import install_plugins

KUHN = Game.named("kuhn")

SOURCE = """\
import os
from pathlib import Path

from helper_of_test import CALLS

HERE = Path(__file__).parent


def note(what):
    with (HERE / "pids").open("a") as stream:
        stream.write(f"{what} {os.getpid()}\\n")


note("loaded")


class Plain:
    name = "plain"

    def act(self, view):
        note("acts")
        return CALLS


class OfGame:
    def __init__(self, game):
        self.name = f"of-{game.name}"

    def act(self, view):
        return CALLS


def make(game=None):
    return OfGame(game)


class Crashes:
    name = "crashes"

    def act(self, view):
        return self.nothing


class Nameless:
    def act(self, view):
        return CALLS


class Refuses:
    name = "refuses"

    def __init__(self):
        raise ValueError("not today")

    def act(self, view):
        return CALLS
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agent.py").write_text(SOURCE)
    (tmp_path / "helper_of_test.py").write_text("CALLS = 1\n")
    (tmp_path / "single.py").write_text(
        "class Only:\n    name = 'only'\n\n    def act(self, view):\n        return 1\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("./agent.py:Plain", "plain"),
        ("agent.py:OfGame", "of-kuhn"),
        ("agent.py:make", "of-kuhn"),
        ("single.py", "only"),
    ],
)
def test_a_match_with_an_own_agent(
    text: str, name: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "kuhn", text, "always-call", "--hands", "5", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert [player["name"] for player in document["players"]] == [name, "always-call"]
    assert document["forfeits"] == []
    assert document["players"][0]["illegal_actions"] == 0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_file_never_runs_in_the_process_of_the_match(
    workers: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--hands", "3", "--workers", workers]
    assert main(["match", "kuhn", "./agent.py:Plain", "always-raise", *arguments]) == 0
    noted = [line.split() for line in (folder / "pids").read_text().splitlines()]
    assert {what for what, _ in noted} == {"loaded", "acts"}
    assert str(os.getpid()) not in {pid for _, pid in noted}


@pytest.mark.parametrize("arguments", [["--workers", "1"], ["--workers", "2"], []])
@pytest.mark.parametrize("command", ["match", "league"])
def test_plugins_never_run_in_the_process_of_the_match(
    command: str,
    arguments: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Not with one worker, and not where so few deals are played that there is one batch only."""
    (folder / "plugin_of_test.py").write_text(
        SOURCE + "\n\ndef make_plain(game):\n    return Plain()\n"
    )
    install_plugins(folder / "more", monkeypatch, {"mine": "plugin_of_test:make_plain"})
    monkeypatch.syspath_prepend(str(folder))
    assert main([command, "kuhn", "mine", "always-raise", "--hands", "2", *arguments]) == 0
    pids = {line.split()[1] for line in (folder / "pids").read_text().splitlines()}
    assert pids
    assert str(os.getpid()) not in pids


def test_a_crash_names_the_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "kuhn", "./agent.py:Crashes", "random", "--hands", "2", "--json"]) == 0
    [forfeit] = json.loads(capfd.readouterr().out)["forfeits"]
    line = SOURCE.splitlines().index("        return self.nothing") + 1
    assert forfeit["reason"] == f"AttributeError at line {line} of ./agent.py:Crashes"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("./agent.py:Nobody", "agent.py: has no 'Nobody'; it has Plain, OfGame, Crashes"),
        ("./agent.py", "agent.py: has Plain, OfGame, Crashes, Nameless, Refuses; name one as"),
        ("./none.py:Any", "there is no file none.py"),
        ("./agent.py:Nameless", "Nameless gave a Nameless, which has no `name` and `act(view)`"),
        ("./agent.py:Refuses", "agent.py: line 53: ValueError: not today"),
        ("./agent.py:note", "note gave a NoneType, which has no `name`"),
        ("./syntax.py:Any", "syntax.py: line 2: "),
        (
            "./imports.py:Any",
            "imports.py: line 3: ModuleNotFoundError: No module named 'nothing_x'",
        ),
        ("./binary.py:Any", "binary.py: "),
        ("./folder.py:Any", "not a regular file"),
        ("./empty.py", "empty.py: has no class with `act(view)`; name one as empty.py:Class"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    text: str, problem: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "syntax.py").write_text("x = 1\ndef (:\n")
    (folder / "imports.py").write_text("class Any:\n    pass\nimport nothing_x\n")
    (folder / "binary.py").write_bytes(b"\x00\xff\xfe")
    (folder / "folder.py").mkdir()
    (folder / "empty.py").write_text("")
    assert main(["match", "kuhn", text, "always-call", "--hands", "2"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"doyle: agent '{text}'")
    assert problem in captured.err


def test_texts(folder: Path) -> None:
    assert is_foreign("./agent.py:Plain")
    assert agent_file("default:threshold=0.2") is None
    assert agent_file("folder.pyx:Name") is None
    check_agent_text("single.py", KUHN)
    assert not (folder / "pids").exists()
    check_agent_text("./agent.py:Plain", KUHN)
    assert not (folder / "pids").exists(), "looking at a text must not run the file"
    assert resolve_agent("single.py:Only", KUHN).name == "only"
    with pytest.raises(DoyleError, match="has no 'Both'"):
        check_agent_text("single.py:Both", KUHN)
