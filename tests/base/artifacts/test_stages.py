"""Stages of a build: made once, kept in their own types, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.base.artifacts import Artifact, Stages
from doyle.base.errors import DoyleError

ARRAYS = (
    np.array([[-1, 70], [3, 4]], np.int32),
    np.array([1, 200], np.uint16),
    np.array([-1, 40_000], np.int64),
    np.array([0.5, np.nan]),
    np.empty((0, 3), np.int32),
    np.asfortranarray(np.arange(6, dtype=np.uint8).reshape(2, 3)),
)


def test_stages_come_back_as_they_were(tmp_path: Path) -> None:
    made = Stages(tmp_path).arrays("all", lambda: ARRAYS)
    kept: list[str] = []
    found = Stages(tmp_path, on_kept=kept.append).arrays("all", lambda: pytest.fail("made again"))
    assert kept == ["all"]
    for before, first, after in zip(ARRAYS, made, found, strict=True):
        assert first.tobytes() == after.tobytes() == before.tobytes()
        assert first.dtype == after.dtype == before.dtype
        assert first.shape == after.shape == before.shape
        assert after.flags.c_contiguous
        assert after.flags.writeable


def test_integers_are_written_as_narrowly_as_they_fit(tmp_path: Path) -> None:
    Stages(tmp_path).arrays("all", lambda: ARRAYS)
    artifact = Artifact(tmp_path / "all")
    kinds = [artifact.array(name).dtype.str for name in artifact.arrays()]
    assert kinds == ["|i1", "|u1", "<i4", "<f8", "<i4", "|u1"]


def test_without_a_folder_stages_last_as_long_as_the_object() -> None:
    stages, made = Stages(), []

    def make() -> np.ndarray:
        made.append(1)
        return np.arange(3)

    assert stages.array("a", make).tolist() == stages.array("a", make).tolist() == [0, 1, 2]
    assert len(made) == 1
    Stages().array("a", make)
    assert len(made) == 2


def test_a_stage_that_fails_leaves_nothing(tmp_path: Path) -> None:
    stages = Stages(tmp_path)

    def fail() -> np.ndarray:
        raise DoyleError("no")

    with pytest.raises(DoyleError):
        stages.array("a", fail)
    (tmp_path / ".a").mkdir()
    (tmp_path / ".a" / "000.bin").write_bytes(b"half of it")
    assert stages.array("a", lambda: np.arange(3)).tolist() == [0, 1, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_truncated_stage_is_named(tmp_path: Path) -> None:
    Stages(tmp_path).array("a", lambda: np.arange(3))
    path = tmp_path / "a" / "000.bin"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DoyleError, match=f"^{path}: has 2 bytes"):
        Stages(tmp_path).array("a", lambda: np.arange(3))
