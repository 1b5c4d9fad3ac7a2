"""The artifact store: whole or absent, resumable, checked, built once."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from doyle.base.artifacts import Artifact, Builder, Description, Store
from doyle.base.artifacts.files import replacing, reserve, write_text
from doyle.base.errors import DoyleError

SQUARES = Description("squares", 1, {"count": 5})


def build_squares(builder: Builder) -> None:
    builder.put("values", np.arange(5, dtype=np.int64) ** 2)
    builder.metadata["sum"] = 30


def test_equal_descriptions_share_a_name_and_others_do_not() -> None:
    assert (
        Description("a", 1, {"x": 1, "y": 2}).digest == Description("a", 1, {"y": 2, "x": 1}).digest
    )
    names = {
        Description(kind, version, {"x": x}).folder_name
        for kind in ("a", "b")
        for version in (1, 2)
        for x in (1, 2)
    }
    assert len(names) == 8


def test_builds_once_and_reads_back(tmp_path: Path) -> None:
    calls: list[int] = []

    def build(builder: Builder) -> None:
        calls.append(1)
        build_squares(builder)

    store = Store(tmp_path)
    assert store.find(SQUARES) is None
    store.get(SQUARES, build)
    artifact = store.get(SQUARES, build)
    assert len(calls) == 1
    assert artifact.array("values").tolist() == [0, 1, 4, 9, 16]
    assert artifact.metadata == {"sum": 30}
    assert [found.folder for found in store] == [artifact.folder]
    with pytest.raises(ValueError, match="read-only"):
        artifact.array("values")[0] = 1
    with pytest.raises(DoyleError, match="no array named 'other'"):
        artifact.array("other")


def test_empty_arrays_survive(tmp_path: Path) -> None:
    artifact = Store(tmp_path).get(SQUARES, lambda builder: builder.put("none", np.empty((0, 3))))
    assert artifact.array("none").shape == (0, 3)


def test_a_failed_build_leaves_nothing_to_read(tmp_path: Path) -> None:
    def fail(builder: Builder) -> None:
        builder.put("values", np.zeros(3))
        raise DoyleError("stopped half way")

    store = Store(tmp_path)
    with pytest.raises(DoyleError, match="half way"):
        store.get(SQUARES, fail)
    assert store.find(SQUARES) is None
    assert list(store) == []
    assert [folder.name for folder in store.unfinished()] == [SQUARES.folder_name]
    assert store.get(SQUARES, build_squares).array("values").shape == (5,)
    assert store.unfinished() == []


def test_an_interrupted_build_goes_on_from_its_last_stage(tmp_path: Path) -> None:
    runs: list[str] = []

    def build(builder: Builder) -> None:
        values = builder.array("values", (2,), np.int32)
        for stage in range(2):
            if not builder.finished(f"stage {stage}"):
                runs.append(f"stage {stage}")
                values[stage] = stage + 7
                builder.finish(f"stage {stage}")
            if len(runs) == 1:
                raise DoyleError("interrupted")

    store = Store(tmp_path)
    with pytest.raises(DoyleError):
        store.get(SQUARES, build)
    runs.append("resumed")
    assert store.get(SQUARES, build).array("values").tolist() == [7, 8]
    assert runs == ["stage 0", "resumed", "stage 1"]


@pytest.mark.parametrize("damage", ["truncate", "alter", "delete"])
def test_a_damaged_file_is_named(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path)
    path = store.get(SQUARES, build_squares).folder / "values.bin"
    if damage == "truncate":
        path.write_bytes(path.read_bytes()[:-1])
    elif damage == "alter":
        content = bytearray(path.read_bytes())
        content[3] ^= 1
        path.write_bytes(bytes(content))
    else:
        path.unlink()
    with pytest.raises(DoyleError, match=r"values\.bin"):
        store.find(SQUARES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read"),
        ("[]", "expected a JSON object"),
        ('{"format_version": 99}', "format_version"),
        ('{"format_version": 1, "kind": "x"}', "parameters"),
    ],
)
def test_a_broken_manifest_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DoyleError, match=message) as caught:
        Artifact(tmp_path)
    assert "manifest.json" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"file": "../../escape"},
        {"dtype": "|O"},
        {"dtype": "nonsense"},
        {"shape": [-1]},
        {"bytes": 1},
    ],
)
def test_a_hostile_manifest_entry_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    folder = Store(tmp_path).get(SQUARES, build_squares).folder
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["arrays"]["values"].update(change)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match="'values' is damaged"):
        Store(tmp_path).find(SQUARES)


BUILD_SLOWLY = """
import sys, time
from pathlib import Path
import numpy as np
from doyle.base.artifacts import Description, Store

def build(builder):
    values = builder.array("values", (40,), np.int64)
    print("building", flush=True)
    for stage in range(40):
        if not builder.finished(str(stage)):
            values[stage] = stage * stage
            time.sleep(0.02)
            builder.finish(str(stage))

Store(Path(sys.argv[1])).get(Description("slow", 1), build)
"""


def start_slow_build(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILD_SLOWLY, str(root)], stdout=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=60)
    return process.returncode


def test_killed_builds_end_with_the_same_bytes(tmp_path: Path) -> None:
    assert finish(start_slow_build(tmp_path / "whole")) == 0
    for delay in (0.05, 0.2, 0.4):
        process = start_slow_build(tmp_path / "killed")
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        finish(process)
    assert finish(start_slow_build(tmp_path / "killed")) == 0
    name = Description("slow", 1).folder_name
    for file in ("manifest.json", "values.bin"):
        expected = (tmp_path / "whole" / "artifacts" / name / file).read_bytes()
        assert (tmp_path / "killed" / "artifacts" / name / file).read_bytes() == expected


def test_two_processes_build_once(tmp_path: Path) -> None:
    processes = [start_slow_build(tmp_path) for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(outputs) == ["", "building\n"]


def test_replacing_keeps_the_old_file_on_error(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    write_text(path, "old")
    with pytest.raises(RuntimeError), replacing(path) as stream:
        stream.write("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.txt"]


def test_numbers_and_arrays_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    def build(builder: Builder) -> None:
        build_squares(builder)
        builder.metadata.update(none=0, most=(1 << 63) - 1, more=1 << 63, half=0.5, yes=True)

    artifact = Store(tmp_path).get(SQUARES, build)
    assert [artifact.whole_number(name) for name in ("none", "most")] == [0, (1 << 63) - 1]
    for name in ("more", "half", "yes"):
        with pytest.raises(DoyleError, match=f"metadata.{name}"):
            artifact.whole_number(name)
    target = np.zeros(5, np.int64)
    artifact.read_into("values", target)
    assert target.tolist() == [0, 1, 4, 9, 16]
    for other in (np.zeros(1, np.int64), np.zeros((5, 1), np.int64), np.zeros(5, np.int32)):
        with pytest.raises(DoyleError, match=r"arrays\.values"):
            artifact.read_into("values", other)
        assert not other.any()


@pytest.mark.parametrize("offered", [True, False])
def test_room_is_reserved_where_the_file_system_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, offered: bool
) -> None:
    def refused(*arguments: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not here")

    if offered:
        monkeypatch.setattr(os, "posix_fallocate", refused)
    else:
        monkeypatch.delattr(os, "posix_fallocate")
    path = tmp_path / "room"
    reserve(path, 1 << 20)
    found = path.stat()
    assert found.st_size == 1 << 20
    assert 512 * found.st_blocks >= 1 << 20  # written, not only promised
    path.write_bytes(b"abc")
    reserve(path, 1 << 10)
    assert path.read_bytes() == b"abc" + bytes((1 << 10) - 3)


def test_an_error_of_the_disk_names_the_file_and_others_do_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for filename, expected in ((None, str(path)), ("elsewhere", "elsewhere")):
        with pytest.raises(OSError, match="full") as found, replacing(path):
            raise OSError(errno.ENOSPC, "full", filename)
        assert found.value.filename == expected
    assert not list(tmp_path.iterdir())
