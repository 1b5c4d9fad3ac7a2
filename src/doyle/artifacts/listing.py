"""What a cache holds, for people: agents and artifacts with their sizes; a damaged one stops nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from doyle.artifacts.checkpoints import is_snapshot_name
from doyle.artifacts.manifest import FILE, read_manifest
from doyle.errors import DoyleError, shortened

_AGENT_FIELDS = ("game", "cards", "betting", "solver", "iterations")


def artifact_rows(root: Path) -> Iterator[dict[str, Any]]:
    """The finished artifacts under `root`, by name; `problem` says why one cannot be read."""
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


def folder_size(folder: Path) -> int:
    """Bytes of all files in a folder; those that vanish meanwhile count nothing."""
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
