"""`doyle doctor --warm`: its commands exist, and afterwards the first use of them compiles nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from doyle.apps.cli import main, warming
from tests.apps.cli.test_readme import found, named

SPOT = "spot --board Ks7h4d2c --ranges QQ+,AKs 22+,A2s+ --pot 200 --stacks 800 --iterations 5"


@pytest.mark.parametrize("command", [*warming.ALONE, *warming.WITH_AGENT])
def test_the_commands_exist(command: str) -> None:
    words = command.format(agent="default", folder="x").split()
    name, rest = found(words, named())
    named()[name].make_context(name, rest)


def test_what_cannot_be_run_is_one_line(
    monkeypatch: pytest.MonkeyPatch, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warming, "ALONE", ("solve nothing",))
    assert main(["doctor", "--warm"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("doyle: --warm: doyle solve nothing: doyle: game 'nothing'")
    assert captured.err.count("\n") == 1


def test_commands_with_an_agent_need_one(
    monkeypatch: pytest.MonkeyPatch, fresh_cache: Path
) -> None:
    monkeypatch.setattr(warming, "ALONE", ("rank AsKs",))
    seen: list[tuple[int, int]] = []
    assert warming.warm(lambda label, *step: seen.append(step)) == ["rank AsKs"]
    assert seen == [(0, 1), (1, 1)]


@pytest.mark.slow
def test_the_first_spot_compiles_nothing(fresh_cache: Path) -> None:
    for command in (["doctor", "--warm"], SPOT.split(), ["solve", "leduc"]):
        done = subprocess.run(
            [sys.executable, "-m", "doyle", *command], capture_output=True, text=True, check=True
        )
        assert "compiling" not in done.stderr
    assert list((fresh_cache / "numba").iterdir())
