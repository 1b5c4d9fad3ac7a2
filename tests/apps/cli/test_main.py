"""The command line as a whole: exit codes, one line for bad input, quick help."""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from doyle.apps.cli import main
from doyle.apps.cli.app import TOPICS, command_tree
from doyle.base.artifacts import Builder, Checkpoints, Description, Store
from tests.agents.case_bases.synthetic import category_base


def test_help_does_not_load_numpy() -> None:
    code = "import sys; from doyle.apps.cli import main; main(['--help']); assert 'numpy' not in sys.modules"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert completed.returncode == 0, completed.stderr
    assert "doctor" in completed.stdout


def test_a_short_match_loads_no_compiled_code() -> None:
    code = (
        "import sys; from doyle.apps.cli import main; "
        "main('match kuhn random always-call --hands 10 --workers 1'.split()); "
        "assert 'doyle.matches' in sys.modules and 'numba' not in sys.modules"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert completed.returncode == 0, completed.stderr


def test_each_topic_registers_the_commands_that_it_names() -> None:
    for topic, commands in TOPICS.items():
        registered = typer.main.get_command(command_tree([topic])).commands  # type: ignore[attr-defined]
        lines = {
            name: " ".join(inspect.cleandoc(one.help).partition("\n\n")[0].split("\n"))
            for name, one in registered.items()
        }
        assert lines == commands, topic


def test_help_of_flags_shows_no_type(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["cache", "check", "-h"], ["build", "--help"], []):
        assert main(words) == (0 if words else 2)
        text = capsys.readouterr().out
        assert "--help" in text
        assert "<bool>" not in text


def test_python_m_doyle() -> None:
    command = [sys.executable, "-m", "doyle", "--version"]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert completed.stdout.startswith("doyle ")


LOST_HEAD = """
import atexit, os, sys
from doyle.apps.cli import app
from doyle.base.workers import cluster as head

def nobody(address):
    raise OSError("nobody is there")

head.look_at, head._LOOKS = nobody, 1
app._called = lambda command, arguments: head.check_head("127.0.0.1:1")
atexit.register(os.abort)
sys.argv = ["doyle", "cache", "list"]
sys.exit(app.main())
"""


def test_a_lost_head_is_refused_though_its_threads_would_abort_the_exit() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST_HEAD], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "127.0.0.1:1 is gone (nobody is there)" in done.stderr
    assert done.stderr.count("\n") == 1


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


def test_doctor_notices_missing_extras_and_a_broken_cache(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = importlib.metadata.version

    def without_pages(name: str) -> str:
        if name == "nicegui":
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", without_pages)
    assert main(["doctor"]) == 0  # everything else works
    assert "lacks nicegui: pip install 'doyle[web]'" in capsys.readouterr().out
    folder = Store().get(Description("numbers", 1), put_number).folder
    (folder / "values.bin").write_bytes(b"x" * 64)
    assert main(["doctor", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["extras"]["web"]["missing"] == ["nicegui"]
    assert document["extras"]["parquet"]["missing"] == []
    assert document["cache"]["damaged"] == 1
    assert folder.name in document["problems"][0]


@pytest.mark.parametrize("broken", ["file", "loop"])
def test_doctor_names_a_cache_that_is_no_folder(
    broken: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "broken"
    path.touch() if broken == "file" else path.symlink_to(path)
    monkeypatch.setenv("DOYLE_CACHE", str(path))
    assert main(["doctor"]) == 1
    assert f"problem   {path}: is not a folder" in capsys.readouterr().out


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


def test_cache_list_names_agents_and_survives_a_bad_manifest(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    store = Store()
    good = store.get(Description("numbers", 1, {"spec": "8.8"}), put_number).folder
    for content, folder in (("{", "bad-json"), ("[]", "bad-form"), ("{}", "bad-fields")):
        (store.root / folder).mkdir()
        (store.root / folder / "manifest.json").write_text(content)
    agents = fresh_cache / "agents"
    strategy = Checkpoints(agents / "mine" / "strategy")
    facts = {
        "game": "kuhn", "cards": "8.8", "betting": "fcpa", "solver": "pcs", "iterations": 12000,
    }  # fmt: skip

    def put(builder: Builder) -> None:
        put_number(builder)
        builder.metadata.update(facts)

    strategy.save(12000, Description("strategy", 1), put)
    broken = agents / "broken" / "strategy" / "000000000001"
    broken.mkdir(parents=True)
    (broken / "manifest.json").write_text("nonsense")
    (agents / "begun").mkdir()
    assert main(["cache", "list", "--json"]) == 0
    listing = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in listing["artifacts"]}
    assert set(rows) == {good.name, "bad-json", "bad-form", "bad-fields"}
    assert [name for name, row in rows.items() if "problem" not in row] == [good.name]
    found = {row["name"]: row for row in listing["agents"]}
    assert {field: found["mine"][field] for field in facts} == facts
    assert found["mine"]["built"] is True
    assert "cannot be read" in found["broken"]["problem"]
    assert found["begun"]["built"] is False
    assert main(["cache", "list"]) == 0
    text = capsys.readouterr().out
    assert "mine    kuhn, cards 8.8, betting fcpa; 12,000 iterations of pcs" in text
    assert "begun   (unfinished)" in text
    assert "broken  (damaged: " in text
    assert f"{good.name}  spec 8.8" in text


def test_cache_list_and_check_show_case_bases(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    root = fresh_cache / "case_bases"
    training = {"players": ["expert", "expert#2"], "hands": 5, "unseen_decisions": 0, "logs": []}
    base = replace(category_base("limit", hands=20), training=training)
    places = ("mine/members/expert", "mine/members/damaged", "trained/0123", "trained/4567")
    for place in places:
        base.save(root / place)
    (root / "trained" / "locks").mkdir()
    (root / "trained" / "locks" / "0123").touch()
    (root / "mine" / ".members").mkdir()  # unfinished
    assert main(["cache", "check"]) == 0
    shown = capsys.readouterr().out
    assert all(f"case_bases/{place}: good" in shown for place in places)
    (root / "mine/members/damaged/manifest.json").write_text("{")
    (root / "trained/0123/manifest.json").unlink()
    counts = root / "trained/4567/round0_counts.bin"
    counts.write_bytes(bytes(counts.stat().st_size))
    (root / "other").write_text("a file")
    assert main(["cache", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["case_bases"]}
    assert set(rows) == {*places}
    good = rows["mine/members/expert"]
    assert (good["cases"], good["decisions"]) == (base.cases, base.decisions)
    assert (good["game"], good["hands"]) == (base.game.name, 5)
    # Numbers in arrays are compared by `check` only.
    assert {name for name, row in rows.items() if "problem" in row} == {*places[1:3]}
    assert main(["cache", "list"]) == 0
    text = capsys.readouterr().out
    assert f"trained on expert; {base.decisions:,} decisions in {base.cases:,} cases" in text
    assert "(damaged: " in text
    assert main(["cache", "check", "--json"]) == 1
    found = {
        row["name"]: row["problem"] for row in json.loads(capsys.readouterr().out)["artifacts"]
    }
    assert found.pop("case_bases/mine/members/expert") is None
    assert set(found) == {*(f"case_bases/{place}" for place in places[1:]), "case_bases/other"}
    assert all(found.values())
