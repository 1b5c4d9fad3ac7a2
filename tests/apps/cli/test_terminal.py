"""Readers that leave, and terminals that have ASCII only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DOYLE = [sys.executable, "-m", "doyle"]
ENCODING = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
COMMANDS = [
    ["--help"],
    ["match", "--help"],
    ["game", "show", "kuhn"],
    ["match", "kuhn", "random", "always-call", "--hands", "3", "--workers", "1"],
    ["league", "kuhn", "random", "always-call", "always-raise", "--hands", "9", "--workers", "1"],
    ["match", "kuhn", "random", "always-call", "--hands", "3", "--workers", "1", "--json"],
    ["agents", "list"],
    ["cache", "list"],
]


def name(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else ""


@pytest.mark.parametrize("arguments", COMMANDS, ids=name)
def test_a_reader_that_has_gone_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*DOYLE, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_errors_keep_their_code_when_nobody_reads_them() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([*DOYLE, "nonsense"], stdout=writing, stderr=writing, check=False)
    finally:
        os.close(writing)
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "setting"),
    [*((command, ENCODING) for command in COMMANDS), (COMMANDS[0], LOCALE), (COMMANDS[3], LOCALE)],
    ids=name,
)
def test_ascii_terminals(arguments: list[str], setting: dict[str, str]) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "LANG"} | setting
    done = subprocess.run(
        [*DOYLE, *arguments], capture_output=True, env=environment, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    assert "\\x" not in text
    assert "\\u" not in text
    if arguments[0] == "match" and "--json" not in arguments and "--help" not in arguments:
        assert " +/- " in text
        rows = [line for line in text.splitlines() if line.startswith(("|", "+"))]
        assert len({len(row) for row in rows}) == 1, "the table must stay in line"


def test_json_stays_json_on_ascii_terminals(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(
        "class A:\n    name = 'J\\u00fcrgen'\n    def act(self, view):\n        return 1\n"
    )
    done = subprocess.run(
        [*DOYLE, "match", "kuhn", f"{file}:A", "random", "--hands", "2", "--json"],
        capture_output=True,
        env=os.environ | ENCODING,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    document = json.loads(done.stdout.decode("ascii"))
    assert document["players"][0]["name"] == "J\u00fcrgen"
