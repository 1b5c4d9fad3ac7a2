"""The identity of an agent changes with everything that decides its play, and with nothing else."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import doyle
from doyle.agents import identity as module
from doyle.agents.cases.named import NoCaseBaseError
from doyle.agents.identity import identity
from doyle.base.errors import DoyleError
from doyle.experiments.training import LogRequest
from doyle.games import Game
from doyle.matches import play_match

KUHN = Game.named("kuhn")
LEDUC = Game.named("leduc")

PLAYER = """
{imports}
class Player:
    name = "player"
    def act(self, view):
        return {action}
"""


def _write(path: Path, *, action: str = "1", imports: str = "") -> str:
    path.write_text(PLAYER.format(action=action, imports=imports))
    return f"{path}:Player"


def test_a_file_counts_by_its_content_and_the_modules_it_imports(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from deeper import ACTION\n")
    (tmp_path / "deeper.py").write_text("ACTION = 1\n")
    (tmp_path / "unused.py").write_text("ACTION = 1\n")
    text = _write(tmp_path / "mine.py", action="helper.ACTION", imports="import helper")
    first = identity(text, KUHN)
    (tmp_path / "unused.py").write_text("ACTION = 2\n")
    assert identity(text, KUHN) == first
    (tmp_path / "deeper.py").write_text("ACTION = 2\n")
    second = identity(text, KUHN)
    assert second != first
    _write(tmp_path / "mine.py", action="1 + helper.ACTION", imports="import helper")
    assert identity(text, KUHN) not in (first, second)


def test_an_agent_of_another_package_counts_by_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "others_agents"
    package.mkdir()
    (package / "__init__.py").write_text("from others_agents.inner import make\n")
    (package / "inner.py").write_text("def make(game): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = importlib.metadata.EntryPoint("others", "others_agents:make", "doyle.agents")
    monkeypatch.setattr("doyle.agents.registry.entry_points", lambda group: [point])
    first = identity("others", KUHN)
    (package / "inner.py").write_text("def make(game): return None\n")
    assert identity("others", KUHN) != first


def test_the_code_of_this_package_counts(tmp_path: Path) -> None:
    """One line more in a scripted agent is another identity; a test or a page is not."""
    copy = tmp_path / "copy"
    shutil.copytree(Path(doyle.__file__).parent, copy / "doyle")

    def found() -> str:
        code = "from doyle.agents.identity import code_digest; print(code_digest())"
        command = [sys.executable, "-c", code]
        ran = subprocess.run(command, env={"PYTHONPATH": str(copy)}, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    first = found()
    assert first.strip() == module.code_digest()
    for name, counts in (
        ("apps/cli/app.py", False),
        ("agents/scripted.py", True),
        ("base/_vectors.py", True),  # by which searching agents solve
        ("games/histories/lines.py", True),  # by which case-based agents find their cases
    ):
        path = copy / "doyle" / name
        path.write_text(path.read_text() + "\n# changed\n")
        again = found()
        assert (again != first) is counts
        first = again


def test_a_case_base_that_is_not_built_is_refused(fresh_cache: Path) -> None:
    with pytest.raises(NoCaseBaseError):
        identity("sartre-2010-small", Game.named("holdem-limit-2p"))


def test_unknown_agents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="no such agent"):
        identity("nobody", KUHN)
    with pytest.raises(DoyleError, match=r"mine\.py"):
        identity(str(tmp_path / "mine.py"), KUHN)


def test_a_kept_match_of_a_changed_file_is_refused(tmp_path: Path) -> None:
    text = _write(tmp_path / "mine.py")
    folder = tmp_path / "hands"
    first = play_match(LEDUC, [text, "always-raise"], hands=10, seed=1, results=folder)
    again = play_match(LEDUC, [text, "always-raise"], hands=10, seed=1, results=folder)
    assert again.document() == first.document()
    _write(tmp_path / "mine.py", action="0")
    with pytest.raises(DoyleError, match="holds another match"):
        play_match(LEDUC, [text, "always-raise"], hands=10, seed=1, results=folder)


def test_a_strategy_beside_an_agent_of_a_file_counts_too(tmp_path: Path) -> None:
    from doyle.apps.cli import main

    text = _write(tmp_path / "mine.py")
    folder, strategy = tmp_path / "hands", tmp_path / "leduc"
    for iterations in ("5", "10"):
        command = ["solve", "leduc", "--iterations", iterations, "--save", str(strategy), "--json"]
        assert main(command) == 0
        agents = [text, str(strategy)]
        if iterations == "5":
            play_match(LEDUC, agents, hands=10, seed=1, results=folder)
        else:
            with pytest.raises(DoyleError, match="holds another match"):
                play_match(LEDUC, agents, hands=10, seed=1, results=folder)


def test_a_training_log_follows_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    request = LogRequest("holdem-limit-2p", ("always-call", "always-raise"), 10)
    first = request.description().digest
    monkeypatch.setattr(module, "code_digest", lambda: "other")
    assert request.description().digest != first
