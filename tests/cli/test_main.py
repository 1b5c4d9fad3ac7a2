"""The command line as a whole: exit codes, one line for bad input, quick help."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doyle.artifacts import Builder, Description, Store
from doyle.cli import main


def test_help_does_not_load_numpy() -> None:
    code = "import sys; from doyle.cli import main; main(['--help']); assert 'numpy' not in sys.modules"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert completed.returncode == 0, completed.stderr
    assert "doctor" in completed.stdout


def test_python_m_doyle() -> None:
    command = [sys.executable, "-m", "doyle", "--version"]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert completed.stdout.startswith("doyle ")


def test_closed_stdout_is_no_error() -> None:
    command = f"exec {sys.executable} -m doyle --version >&-"
    completed = subprocess.run(
        ["/bin/sh", "-c", command], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert (completed.returncode, completed.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["doctor", "--wrong"], ["cache", "clear", "../x"], ["cache", "nonsense"]],
)
def test_bad_usage_is_one_line_and_exit_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("doyle: ")
    assert captured.err.count("\n") == 1


def test_doctor_reports(capsys: pytest.CaptureFixture[str], fresh_cache: Path) -> None:
    assert main(["doctor", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cores"] >= 1
    assert document["packages"]["numpy"]
    assert document["cache"]["folder"] == str(fresh_cache)
    assert document["problems"] == []


def put_number(builder: Builder) -> None:
    import numpy as np

    builder.put("values", np.arange(8))


def test_cache_list_check_clear(capsys: pytest.CaptureFixture[str], fresh_cache: Path) -> None:
    folder = Store().get(Description("numbers", 1), put_number).folder
    assert main(["cache", "list", "--json"]) == 0
    listing = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in listing["artifacts"]] == [folder.name]
    assert listing["artifacts"][0]["bytes"] == 64
    assert main(["cache", "check"]) == 0
    (folder / "values.bin").write_bytes(b"x" * 64)
    assert main(["cache", "check", "--json"]) == 1
    capsys.readouterr()
    assert main(["cache", "clear", folder.name]) == 0
    assert not folder.exists()
    assert main(["cache", "clear"]) == 0
