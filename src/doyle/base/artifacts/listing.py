"""The contents of a cache as readable rows: agents, case bases and artifacts with their sizes.

A damaged entry does not stop the listing: its row names the problem.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from doyle.base.artifacts.checkpoints import is_snapshot_name
from doyle.base.artifacts.manifest import FILE, read_manifest
from doyle.base.errors import DoyleError, shortened

TRAINED = "trained"
"""The folder of bases that are named by a digest; all others are named by a preset."""

_WORKING = "locks"
_AGENT_FIELDS = ("game", "cards", "betting", "solver", "iterations")

_CASE_BASE_FIELDS = ("game", "strength", "cases", "decisions", "players", "hands")


def artifact_rows(root: Path) -> Iterator[dict[str, Any]]:
    """The finished artifacts under `root`, by name; `problem` is the reason that one cannot be
    read."""
    for folder in _folders(root):
        if not (folder / FILE).is_file():
            continue
        row: dict[str, Any] = {"name": folder.name, "kind": None, "bytes": 0, "parameters": {}}
        try:
            manifest = read_manifest(folder)
            row |= {"kind": manifest["kind"], "parameters": manifest["parameters"]}
            row["bytes"] = sum(int(entry["bytes"]) for entry in manifest["arrays"].values())
        except (DoyleError, OSError) as error:
            row |= {"bytes": folder_size(folder), "problem": _problem(error)}
        yield row


def agent_rows(root: Path) -> Iterator[dict[str, Any]]:
    """The agents built under `root`, by name, as the newest strategy of each describes itself."""
    for folder in _folders(root):
        row: dict[str, Any] = {"name": folder.name, "bytes": folder_size(folder), "built": False}
        snapshots = [p for p in _folders(folder / "strategy") if is_snapshot_name(p.name)]
        try:
            if snapshots:
                metadata = read_manifest(snapshots[-1])["metadata"]
                row |= {field: metadata.get(field) for field in _AGENT_FIELDS} | {"built": True}
        except (DoyleError, OSError) as error:
            row["problem"] = _problem(error)
        yield row


def case_base_rows(root: Path) -> Iterator[dict[str, Any]]:
    """The case bases under `root`, by their path there: those of presets, and trained ones."""
    for folder in case_base_folders(root):
        row: dict[str, Any] = {"name": str(folder.relative_to(root)), "bytes": folder_size(folder)}
        row |= dict.fromkeys(_CASE_BASE_FIELDS)
        try:
            manifest = read_manifest(folder)
            parameters, metadata = manifest["parameters"], manifest["metadata"]
            training = metadata.get("training")
            known = training if isinstance(training, dict) else {}
            row |= {"game": metadata.get("game"), "strength": parameters.get("strength")}
            row |= {name: _total(metadata.get(name)) for name in ("cases", "decisions")}
            row |= {name: known.get(name) for name in ("players", "hands")}
        except (DoyleError, OSError) as error:
            row["problem"] = _problem(error)
        yield row


def case_base_folders(root: Path) -> list[Path]:
    """The folders of case bases under `root`: two levels below for presets, one for trained
    ones."""
    found = []
    for folder in _folders(root):
        for inner in _folders(folder):
            if inner.name == _WORKING or inner.name.startswith("."):
                continue  # unfinished ones are hidden
            found += [inner] if folder.name == TRAINED else _folders(inner)
    return [folder for folder in found if not folder.name.startswith(".")]


def _total(counts: Any) -> int | None:
    """The sum over rounds of what a manifest says, which anybody may have edited."""
    if isinstance(counts, list) and all(type(count) is int for count in counts):
        return sum(counts)
    return None


def folder_size(folder: Path) -> int:
    """Bytes of all files in a folder; files that vanish meanwhile count 0."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(parent) / name).lstat().st_size
    return total


def parameter_text(parameters: dict[str, Any]) -> str:
    """Parameters in one short line.

    >>> parameter_text({"spec": "ir169", "rounds": [0, 1]})
    'spec ir169, rounds [0, 1]'
    """
    return ", ".join(f"{name} {shortened(str(value), 40)}" for name, value in parameters.items())


def _folders(root: Path) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if path.is_dir())
    except OSError:
        return []


def _problem(error: DoyleError | OSError) -> str:
    return str(error) if isinstance(error, DoyleError) else (error.strerror or str(error))
