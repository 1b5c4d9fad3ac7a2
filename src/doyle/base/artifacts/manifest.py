"""The manifest of an artifact: its description, its arrays, and checksums of everything.

`manifest.json` lists every array with its file, shape, type, size and checksum, and carries a
checksum of itself. A manifest is text that anybody may edit: everything in it is checked before it
is used, but its own checksum only where damage is looked for (`doyle cache check`).
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.errors import DoyleError

FORMAT_VERSION = 1
FILE = "manifest.json"

_TYPE = re.compile(r"[<|][biuf][1248]")
"""Numbers of one to eight bytes, little-endian."""


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest of `folder` with its own checksum."""
    write_json(folder / FILE, sealed(manifest))


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """A JSON document with its own checksum."""
    return {**document, "checksum": _checksum(document)}


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of `folder`, checked field by field."""
    path = folder / FILE
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        raise DoyleError(f"{folder}: not an artifact folder (it has no {FILE})") from None
    _check_fields(path, manifest)
    return dict(manifest)


def is_as_written(document: dict[str, Any]) -> bool:
    """Whether a document matches its own checksum."""
    return bool(document.get("checksum") == _checksum(document))


def _checksum(document: dict[str, Any]) -> str:
    rest = {name: value for name, value in document.items() if name != "checksum"}
    return hashlib.blake2b(json.dumps(rest, sort_keys=True).encode(), digest_size=16).hexdigest()


def _check_fields(path: Path, manifest: Any) -> None:
    if not isinstance(manifest, dict):
        raise DoyleError(f"{path}: expected a JSON object")
    version = manifest.get("format_version")
    if version != FORMAT_VERSION:
        raise DoyleError(
            f"{path}: field 'format_version' is {version!r}; this version of "
            f"doyle reads {FORMAT_VERSION}; build it again"
        )
    for name, kind in (("kind", str), ("parameters", dict), ("metadata", dict), ("arrays", dict)):
        if not isinstance(manifest.get(name), kind):
            raise DoyleError(f"{path}: field {name!r} is missing or not a {kind.__name__}")
    for name, entry in manifest["arrays"].items():
        if not _is_entry(entry):
            raise DoyleError(f"{path}: the entry for array {name!r} is damaged; build it again")


def _is_entry(entry: Any) -> bool:
    """Whether an entry describes an array that can be mapped from a file beside the manifest."""
    import numpy as np

    try:
        file, shape, kind = entry["file"], entry["shape"], entry["dtype"]
        texts = isinstance(file, str) and isinstance(kind, str) and _TYPE.fullmatch(kind)
        if not texts or Path(file).name != file or not isinstance(shape, list):
            return False
        if not all(type(extent) is int and extent >= 0 for extent in shape):
            return False
        # Raises for shapes that NumPy cannot hold, without memory for them.
        np.broadcast_to(np.zeros((), np.dtype(kind)), shape)
        size = int(np.prod(shape, dtype=object)) * np.dtype(kind).itemsize
        return (
            type(entry["bytes"]) is int
            and size == entry["bytes"]
            and type(entry["checksum"]) is str
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return False
