"""Damage in a cache: found by `cache check`, named in one line by every command that meets it.

Each row damages one file of a cache that holds an artifact, an agent, its checkpoint, a stage and a
measurement; one more kind of damage is one more function.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description, Stages, Store
from doyle.base.artifacts.files import write_json
from doyle.base.artifacts.manifest import sealed
from doyle.base.errors import DoyleError
from tests.attacks.refusals import refusal_of


def put(builder: Builder) -> None:
    builder.put("values", np.arange(100))
    builder.metadata["iterations"] = 7


def fill(cache: Path) -> None:
    """One of everything that a cache holds."""
    Store(cache).get(Description("numbers", 1), put)
    Stages(cache / "artifacts" / "unfinished" / "x-1" / "stages").array("one", lambda: np.ones(50))
    agent = cache / "agents" / "mine"
    for name in ("checkpoint", "strategy"):
        Checkpoints(agent / name).save(3, Description(name, 1), put)
    write_json(agent / "build.json", sealed({"described": {"seed": 1}, "used": {}}))
    Checkpoints(cache / "measurements" / "abc").save(2, Description("full", 1), put)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(bytes(content))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


DAMAGES = (cut, flip, empty, remove, make_folder, link_to_itself)


def files(cache: Path) -> list[Path]:
    others = (".lock", "checked.json")
    found = (path for path in sorted(cache.rglob("*")) if path.is_file())
    return [path for path in found if path.name not in others and "locks" not in path.parts]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_every_damaged_file_is_found(
    damage: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cache, whole = tmp_path / "cache", tmp_path / "whole"
    monkeypatch.setenv("DOYLE_CACHE", str(cache))
    fill(whole)
    paths = [path.relative_to(whole) for path in files(whole)]
    assert len(paths) == 11
    shutil.copytree(whole, cache)
    assert main(["cache", "check"]) == 0
    for path in paths:
        shutil.rmtree(cache)
        shutil.copytree(whole, cache)
        damage(cache / path)
        capsys.readouterr()
        expected = 0 if path.name == "build.json" and damage is remove else 1
        assert main(["cache", "check", "--json"]) == expected, path
        rows = json.loads(capsys.readouterr().out)["artifacts"]
        assert sum(row["problem"] is not None for row in rows) == expected, path


@pytest.mark.parametrize(
    "place", ["artifacts", "agents", "agents/mine", "agents/mine/strategy", "artifacts/unfinished"]
)
@pytest.mark.parametrize("other", ["file", "loop"])
def test_what_should_be_a_folder_and_is_none(
    place: str, other: str, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fresh_cache / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.name) if other == "loop" else path.write_text("not a folder")
    assert main(["cache", "check", "--json"]) == 1
    (row,) = [r for r in json.loads(capsys.readouterr().out)["artifacts"] if r["problem"]]
    assert "is not a folder" in row["problem"]


@pytest.mark.parametrize("place", ["strategy", "checkpoint"])
@pytest.mark.parametrize("other", ["file", "loop"])
def test_an_agent_whose_folder_is_none_is_refused_before_it_is_built(
    place: str, other: str, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fresh_cache / "agents" / "default-small" / place
    path.parent.mkdir(parents=True)
    path.symlink_to(path.name) if other == "loop" else path.write_text("not a folder")
    assert main(["build", "default", "--scale", "small", "--minutes", "0.01"]) == 2
    assert f"{path}: is not a folder" in refusal_of(capsys.readouterr())


def deep_json(levels: int = 100_000) -> str:
    return "[" * levels + "]" * levels


def manifest_with(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        manifest = json.loads(text)
        change(manifest)
        return json.dumps(manifest)

    return changed


def entry_with(**fields: Any) -> Callable[[str], str]:
    return manifest_with(lambda manifest: manifest["arrays"]["regret_0"].update(fields))


def metadata_with(**fields: Any) -> Callable[[str], str]:
    return manifest_with(lambda manifest: manifest["metadata"].update(fields))


MANIFESTS: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: "",
    "half": lambda text: text[: len(text) // 2],
    "binary": lambda text: "\x00\x01\x02",
    "nested": lambda text: deep_json(),
    "nested inside": metadata_with(history=json.loads(deep_json(200))),
    "many digits": lambda text: text.replace('"iteration": 2', f'"iteration": {"9" * 5000}'),
    "some digits": lambda text: text.replace('"iteration": 2', f'"iteration": {"9" * 300}'),
    "shape of text": entry_with(shape=["a"]),
    "shape of fractions": entry_with(shape=[1.5]),
    "shape of truth": entry_with(shape=[True]),
    "shape is text": entry_with(shape="12"),
    "shape is null": entry_with(shape=None),
    "negative shape": entry_with(shape=[-1, -26]),
    "immense shape": entry_with(shape=[2**62, 0], bytes=0),
    "many dimensions": entry_with(shape=[1] * 99, bytes=8),
    "type of objects": entry_with(dtype="|O"),
    "type is a list": entry_with(dtype=[["a", "<i8"]]),
    "file elsewhere": entry_with(file="../../x"),
    "file with a null": entry_with(file="\x00"),
    "size is text": entry_with(bytes="big"),
    "negative iterations": metadata_with(iteration=-5),
    "infinite iterations": metadata_with(iteration=1e999),
    "iterations are text": metadata_with(iteration="two"),
    "seconds not a number": metadata_with(seconds=float("nan")),
    "history of text": metadata_with(history="none"),
    "history of infinity": metadata_with(history=[[1e999, 0, 0]]),
    "no arrays": manifest_with(lambda manifest: manifest.update(arrays={})),
    "no metadata": manifest_with(lambda manifest: manifest.update(metadata={})),
    "another kind": manifest_with(lambda manifest: manifest.update(kind=["x"])),
}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint") / "run"
    assert main(["solve", "kuhn", "--iterations", "2", "--checkpoint", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("change", list(MANIFESTS.values()), ids=list(MANIFESTS))
def test_a_solve_refuses_a_checkpoint_with_another_manifest(
    change: Callable[[str], str],
    checkpoint: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(checkpoint, folder)
    (manifest,) = folder.glob("*/manifest.json")
    manifest.write_text(change(manifest.read_text()))
    command = ["solve", "kuhn", "--iterations", "4", "--resume", "--checkpoint", str(folder)]
    assert main(command) == 2
    refusal_of(capsys.readouterr())


DESCRIPTIONS: dict[str, bytes] = {
    "nothing": b"",
    "half a line": b'name = "x',
    "binary": bytes(range(256)),
    "nested": b"a = " + b"[" * 100_000,
    "nested tables": b"a" + b".a" * 500 + b" = 1",
    "nested headers": b"[" + b"a." * 10_000 + b"a]\n",
    "many digits": b"name = " + b"9" * 5000,
    "date": b"name = 1979-05-27",
    "not a number": b"seed = nan\nname = 'x'",
    "long line": b"name = '" + b"x" * 900_000 + b"'",
    "long key": b"x" * 900_000 + b" = 1",
    "too large": b"# " + b"x" * (2 << 20),
}


@pytest.mark.parametrize("content", list(DESCRIPTIONS.values()), ids=list(DESCRIPTIONS))
def test_a_build_refuses_what_is_no_description(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    assert main(["build", str(path)]) == 2
    assert refusal_of(capsys.readouterr()).startswith(f"doyle: {path}: ")
    assert not fresh_cache.exists()


def test_a_snapshot_without_its_manifest_is_not_begun_again(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    folder = checkpoints.save(3, Description("run", 1), put).folder
    (folder / "manifest.json").unlink()
    with pytest.raises(DoyleError, match=r"000000000003: not an artifact folder"):
        checkpoints.latest()


def test_numbers_of_a_manifest_are_checked(tmp_path: Path) -> None:
    artifact = Store(tmp_path).get(Description("numbers", 1), put)
    assert artifact.whole_number("iterations") == 7
    again = Artifact(artifact.folder)
    for value in (-1, 1.0, True, "7", None, 1 << 63):
        again.manifest["metadata"]["iterations"] = value
        with pytest.raises(DoyleError, match=r"'metadata\.iterations' is missing or damaged"):
            again.whole_number("iterations")
