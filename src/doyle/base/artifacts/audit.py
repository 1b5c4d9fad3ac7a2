"""Looking for damage in a cache: every artifact, snapshot, stage and record against its checksum."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from doyle.base.artifacts.checkpoints import is_snapshot_name
from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import is_no_folder
from doyle.base.artifacts.listing import TRAINED
from doyle.base.artifacts.manifest import FILE, is_as_written
from doyle.base.artifacts.store import Artifact
from doyle.base.errors import DoyleError

FOLDERS = ("artifacts", "agents", "case_bases", "measurements", "numba")
"""The kinds of entries of a cache."""
_WORKING = ("locks", "unfinished")
_SNAPSHOT_FOLDERS = ("checkpoint", "strategy")
_RECORD = "build.json"


@dataclass(frozen=True)
class Finding:
    """A checked entry, by its path inside the cache, and its problem."""

    name: str
    problem: str | None = None


def audit(cache: Path, *, is_damaged_code: Callable[[bytes], bool]) -> Iterator[Finding]:
    """Check everything under `cache`; `is_damaged_code` looks at compiled kernels."""
    if is_no_folder(cache):
        yield Finding(str(cache), f"{cache}: is not a folder; remove it or set DOYLE_CACHE")
        return
    for top in FOLDERS:
        yield from _entry(cache / top, cache, is_damaged_code)


def _entry(path: Path, cache: Path, is_damaged_code: Callable[[bytes], bool]) -> Iterator[Finding]:
    """Check a file or a folder recursively; links are not followed."""
    # Artifacts are called by their own name, as `cache list` and `cache clear` call them.
    inside = path.relative_to(cache)
    name = (
        path.name if inside.parts[:1] == ("artifacts",) and len(inside.parts) == 2 else str(inside)
    )
    if _should_be_folder(inside) and is_no_folder(path):
        yield Finding(name, f"{path}: is not a folder; remove it")
    elif path.is_symlink():
        yield Finding(name, None if path.exists() else f"{path}: is a link to nothing; remove it")
    elif path.name == _RECORD:
        yield Finding(name, _problem(lambda: _check_record(path)))
    elif path.is_dir():
        if (path / FILE).exists() or _should_be_artifact(inside):
            yield Finding(name, _problem(lambda: Artifact(path).check_all()))
            return
        for inner in sorted(path.iterdir()):
            if not inner.name.startswith("."):  # unfinished or removed; swept by the next save
                yield from _entry(inner, cache, is_damaged_code)
    elif path.suffix in (".nbi", ".nbc") and (
        not path.is_file() or is_damaged_code(path.read_bytes())
    ):
        yield Finding(name, f"{path}: damaged compiled code; it is compiled again when needed")


def _problem(check: Callable[[], None]) -> str | None:
    try:
        check()
    except DoyleError as error:
        return str(error)
    except OSError as error:
        return f"{os.fsdecode(error.filename or '')}: {error.strerror or error}"
    return None


def _check_record(path: Path) -> None:
    record = read_json(path)
    if not isinstance(record, dict) or not is_as_written(record):
        raise DoyleError(f"{path}: contents do not match the checksum; remove the folder")


def _should_be_folder(inside: Path) -> bool:
    parts = inside.parts
    return (
        len(parts) == 1
        or (
            parts[0] == "agents"
            and (len(parts) == 2 or parts[2:] in [(n,) for n in _SNAPSHOT_FOLDERS])
        )
        or (parts[0] == "case_bases" and len(parts) < _case_base_depth(inside))
        or parts in [("artifacts", name) for name in _WORKING]
    )


def _should_be_artifact(inside: Path) -> bool:
    parts = inside.parts
    if parts[0] == "artifacts" and len(parts) == 2:
        return parts[1] not in _WORKING
    if parts[0] == "case_bases":
        return len(parts) == _case_base_depth(inside) and parts[-1] not in _WORKING
    return parts[0] != "numba" and (is_snapshot_name(parts[-1]) or parts[-2:-1] == ("stages",))


def _case_base_depth(inside: Path) -> int:
    """The depth of case-base folders: PRESET/members/EXPERT, or trained/DIGEST."""
    return 3 if inside.parts[1:2] == (TRAINED,) else 4
