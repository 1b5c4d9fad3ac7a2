"""Snapshots: the one saved last counts, and a process killed anywhere leaves a whole one."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.base.errors import DoyleError

RUN = Description("run", 1)


def save(folder: Path, step: int, value: int) -> Artifact:
    def build(builder: Builder) -> None:
        builder.put("values", np.full(4, value))
        builder.metadata["value"] = value

    return Checkpoints(folder).save(step, RUN, build)


def value(folder: Path) -> int:
    latest = Checkpoints(folder).latest()
    assert latest is not None
    assert latest.array("values").tolist() == [latest.detail("value")] * 4
    return int(latest.detail("value"))


@pytest.mark.parametrize("steps", [(200, 100, 10), (5, 5, 5), (1, 2, 1, 2, 3), (3, 2, 3)])
def test_the_snapshot_saved_last_counts_and_is_the_only_one(
    steps: tuple[int, ...], tmp_path: Path
) -> None:
    for number, step in enumerate(steps):
        save(tmp_path, step, number)
        assert value(tmp_path) == number
        assert len(list(tmp_path.glob("[0-9]*"))) == 1
    assert not Checkpoints(tmp_path).others()


def test_growing_steps_are_plain_names(tmp_path: Path) -> None:
    assert [save(tmp_path, step, 0).folder.name for step in (1, 20)] == [
        "000000000001",
        "000000000020",
    ]


KILLED = """
import os, shutil, sys
from pathlib import Path
import tests.base.artifacts.test_checkpoints as here

calls, goal = 0, int(sys.argv[3])

def dying(function):
    def call(*arguments, **options):
        global calls
        calls += 1
        if calls == goal:
            os._exit(9)
        return function(*arguments, **options)
    return call

Path.rename, shutil.rmtree = dying(Path.rename), dying(shutil.rmtree)
here.save(Path(sys.argv[1]), int(sys.argv[2]), 2)
"""


@pytest.mark.parametrize("step", [6, 5, 4], ids=["later", "same", "earlier"])
def test_killed_before_any_change_of_the_folder_a_whole_snapshot_is_left(
    step: int, tmp_path: Path
) -> None:
    codes = []
    for goal in range(1, 5):
        folder = tmp_path / str(goal)
        save(folder, 5, 1)
        command = [sys.executable, "-c", KILLED, str(folder), str(step), str(goal)]
        codes.append(subprocess.run(command, timeout=60, check=False).returncode)
        # The new one counts as soon as it is in its place, which is the first rename.
        assert value(folder) == (1 if goal == 1 else 2)
        save(folder, step + 1, 3)
        assert value(folder) == 3
        assert sorted(p.name for p in folder.iterdir() if p.name != ".lock") == [
            next(folder.glob("0*")).name
        ]
    assert codes == [9, 9, 9, 0]  # rename of the new, of the old, removal; then nothing is left


def test_saves_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: save(tmp_path, number % 3, number), range(24)))
    assert value(tmp_path) in range(24)
    assert len(list(tmp_path.glob("[0-9]*"))) == 1


def test_nothing_else_in_the_folder_is_touched(tmp_path: Path) -> None:
    mine = [tmp_path / ".git", tmp_path / "000-notes", tmp_path / "00"]
    for folder in mine:
        folder.mkdir()
        (folder / "file").write_text("mine")
    save(tmp_path, 1, 1)
    save(tmp_path, 2, 2)
    assert all((folder / "file").read_text() == "mine" for folder in mine)
    assert Checkpoints(tmp_path).others() == [".git", "00", "000-notes"]
    assert Checkpoints(tmp_path).kind() == "run"


def test_damage_is_named_with_the_folder_to_remove(tmp_path: Path) -> None:
    folder = save(tmp_path, 1, 1).folder
    (folder / "values.bin").write_bytes(b"x" * 32)
    with pytest.raises(DoyleError, match="checksum; remove the folder") as error:
        Checkpoints(tmp_path).latest()
    assert "cache clear" not in str(error.value)


def test_an_emptied_metadata_names_the_field(tmp_path: Path) -> None:
    artifact = save(tmp_path, 1, 1)
    manifest = json.loads((artifact.folder / "manifest.json").read_text())
    (artifact.folder / "manifest.json").write_text(json.dumps({**manifest, "metadata": {}}))
    latest = Checkpoints(tmp_path).latest()
    assert latest is not None
    with pytest.raises(DoyleError, match=r"field 'metadata\.value' is missing or damaged"):
        latest.detail("value")


def test_a_snapshot_without_its_manifest_is_damaged_and_not_passed_over(tmp_path: Path) -> None:
    (save(tmp_path, 1, 1).folder / "manifest.json").unlink()
    with pytest.raises(DoyleError, match="manifest"):
        Checkpoints(tmp_path).latest()


def test_snapshots_of_one_step_are_numbered_from_two(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    names = [save(folder, 5, number).folder.name for number in (1, 2, 3)]
    assert names == ["000000000005", "000000000005.2", "000000000005.3"]
    assert (folder / names[-1]).stat().st_mode & 0o777 == 0o755  # not that of a temporary folder
