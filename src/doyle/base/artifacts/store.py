"""The store: find, build and check artifacts under the cache folder.

A build that is interrupted leaves its working folder with the stages that were finished; the next
build of the same description resumes there. The maker must write the same bytes for the same
description, so that an interrupted build ends as an uninterrupted one does.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from doyle.base.artifacts.documents import are_records, read_json
from doyle.base.artifacts.files import (
    checksum,
    is_no_folder,
    locked,
    replacing,
    reserve,
    write_array,
    write_json,
)
from doyle.base.artifacts.manifest import (
    FORMAT_VERSION,
    is_as_written,
    read_manifest,
    write_manifest,
)
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.version import __version__

if TYPE_CHECKING:
    import numpy.typing as npt


_LARGEST_NUMBER = 1e300


@dataclass(frozen=True)
class Description:
    """The identity of an artifact: its kind, the version of its maker, and the parameters that made
    it.

    >>> Description("atlas", 1, {"game": "holdem"}).digest
    '91b3028a09bb202e'
    """

    kind: str
    version: int
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """A name for the content: equal descriptions give equal digests."""
        text = json.dumps([self.kind, self.version, self.parameters], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def folder_name(self) -> str:
        return f"{self.kind}-{self.digest}"


class Artifact:
    """A finished artifact, open for reading. Arrays are memory-mapped and read-only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)

    @property
    def metadata(self) -> dict[str, Any]:
        """The maker's notes about the result."""
        return dict(self.manifest["metadata"])

    def detail(self, name: str) -> Any:
        """The field `name` of the metadata, which must be there."""
        try:
            return self.manifest["metadata"][name]
        except KeyError:
            raise self.damaged(f"metadata.{name}") from None

    def damaged(self, field: str) -> DoyleError:
        """The error to raise for a field of the manifest that is missing or makes no sense."""
        path = self.folder / "manifest.json"
        return DoyleError(f"{path}: field {field!r} is missing or damaged; {self._remedy()}")

    def whole_number(self, name: str) -> int:
        """The field `name` of the metadata, a count from 0 that fits 64 bits."""
        value = self.detail(name)
        if type(value) is not int or not 0 <= value < 1 << 63:
            raise self.damaged(f"metadata.{name}")
        return value

    def number(self, name: str) -> float:
        """The field `name` of the metadata, a finite number from 0."""
        value = self.detail(name)
        if type(value) not in (int, float) or not 0 <= value <= _LARGEST_NUMBER:
            raise self.damaged(f"metadata.{name}")
        return float(value)

    def records(self, name: str) -> list[dict[str, float]]:
        """The field `name` of the metadata, a list of tables of numbers."""
        value = self.detail(name)
        if not are_records(value):
            raise self.damaged(f"metadata.{name}")
        return list(value)

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self.manifest["parameters"])

    def array(self, name: str) -> npt.NDArray[Any]:
        """The array `name`, mapped read-only."""
        import numpy as np

        try:
            entry = self.manifest["arrays"][name]
        except KeyError:
            raise DoyleError(f"{self.folder}: no array named {name!r} in its manifest") from None
        shape = tuple(entry["shape"])
        dtype = np.dtype(entry["dtype"])
        if 0 in shape:
            return np.empty(shape, dtype)
        return np.memmap(self.folder / entry["file"], dtype=dtype, mode="r", shape=shape)

    def read_into(self, name: str, target: npt.NDArray[Any]) -> None:
        """Copy the array `name` over `target`, which must have its shape and type."""
        found = self.array(name)
        if found.shape != target.shape or found.dtype != target.dtype.newbyteorder("<"):
            raise self.damaged(f"arrays.{name}")
        target[...] = found

    def arrays(self) -> list[str]:
        """The names of the arrays."""
        return sorted(self.manifest["arrays"])

    def size(self) -> int:
        """Bytes of all arrays."""
        return sum(int(entry["bytes"]) for entry in self.manifest["arrays"].values())

    def check(self, *, contents: bool = True) -> None:
        """Raise an error that names the first file whose size or contents differ from the
        manifest."""
        for entry in self.manifest["arrays"].values():
            path = self.folder / entry["file"]
            if not path.is_file():
                raise DoyleError(f"{path}: file is missing; {self._remedy()}")
            size = path.stat().st_size
            if size != entry["bytes"]:
                raise DoyleError(
                    f"{path}: has {size} bytes where its manifest says {entry['bytes']}; "
                    + self._remedy()
                )
            if contents and checksum(path) != entry["checksum"]:
                raise DoyleError(f"{path}: contents do not match the checksum; {self._remedy()}")

    def check_all(self) -> None:
        """As `check`, and the manifest itself against its own checksum."""
        if not is_as_written(self.manifest):
            path = self.folder / "manifest.json"
            raise DoyleError(f"{path}: contents do not match the checksum; {self._remedy()}")
        self.check()

    def _remedy(self) -> str:
        if self.folder.parent == Store().root:
            return f"delete it with `doyle cache clear {self.folder.name}` and build it again"
        return f"remove the folder {self.folder} and make it again"

    def check_once(self) -> None:
        """Check contents the first time these very files are opened, sizes every time after.

        The files' times and sizes that were last found good are kept beside them.
        """
        self.check(contents=False)
        try:
            known = read_json(self.folder / "checked.json")
        except (OSError, DoyleError):
            known = None
        if known != self._stamps():
            self.check()
            self.mark_checked()

    def mark_checked(self) -> None:
        """Record that the files as they are now have been found, or made, to match their checksums."""
        try:
            write_json(self.folder / "checked.json", self._stamps())
        except OSError:
            return  # a read-only cache: the check is merely repeated next time

    def _stamps(self) -> dict[str, list[int]]:
        """The time and size of every file."""
        stamps = {}
        for entry in self.manifest["arrays"].values():
            status = (self.folder / entry["file"]).stat()
            stamps[entry["file"]] = [status.st_mtime_ns, status.st_size]
        return stamps


class Builder:
    """Fills an artifact under construction. Arrays created here are writable and memory-mapped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.metadata: dict[str, Any] = {}
        self._arrays: dict[str, dict[str, Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """A writable array `name`; one left by an interrupted build is opened unchanged."""
        import numpy as np

        kind = np.dtype(dtype).newbyteorder("<")
        path = self.folder / f"{name}.bin"
        count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        self._arrays[name] = {"file": path.name, "shape": list(shape), "dtype": kind.str}
        if count == 0:
            path.touch()
            return np.empty(shape, kind)
        if path.is_file() and path.stat().st_size != count:
            path.unlink()  # of a build with other sizes
        reserve(path, count)
        return np.memmap(path, dtype=kind, mode="r+", shape=shape)

    def put(
        self, name: str, values: npt.NDArray[Any], *, dtype: npt.DTypeLike | None = None
    ) -> None:
        """Write the array `name` whole, as `dtype` or its own type."""
        import numpy as np

        kind = np.dtype(values.dtype if dtype is None else dtype).newbyteorder("<")
        path = self.folder / f"{name}.bin"
        write_array(path, values, kind)
        self._arrays[name] = {"file": path.name, "shape": list(values.shape), "dtype": kind.str}

    def finished(self, stage: str) -> bool:
        """Whether `stage` was finished, by this run or by an interrupted one."""
        return stage in self._stages()

    def finish(self, stage: str) -> None:
        """Record that everything written so far for `stage` is on disk and final."""
        for name in self._arrays:
            with (self.folder / f"{name}.bin").open("rb+") as stream:
                os.fsync(stream.fileno())
        write_json(self.folder / "stages.json", sorted({*self._stages(), stage}))

    def _stages(self) -> set[str]:
        try:
            return set(map(str, read_json(self.folder / "stages.json")))
        except (OSError, DoyleError, TypeError):
            return set()

    def seal(self, description: Description) -> None:
        """Write the manifest; the folder then holds exactly the listed files."""
        for entry in self._arrays.values():
            path = self.folder / entry["file"]
            entry["bytes"] = path.stat().st_size
            entry["checksum"] = checksum(path)

        write_manifest(
            self.folder,
            {
                "format_version": FORMAT_VERSION,
                "kind": description.kind,
                "maker": f"doyle {__version__}",
                "maker_version": description.version,
                "parameters": description.parameters,
                "metadata": self.metadata,
                "arrays": self._arrays,
            },
        )
        self.sweep()

    @property
    def is_sealed(self) -> bool:
        """Whether an interrupted build had come as far as its manifest."""
        return (self.folder / "manifest.json").is_file()

    def sweep(self) -> None:
        """Remove files that the manifest does not list: stages, and unused arrays."""
        arrays = read_manifest(self.folder)["arrays"]
        listed = {"manifest.json", *(entry["file"] for entry in arrays.values())}
        for path in self.folder.iterdir():
            if path.name not in listed:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


class Store:
    """Artifacts under one folder (by default the cache).

    >>> import tempfile, numpy as np
    >>> store = Store(Path(tempfile.mkdtemp()))
    >>> squares = Description("squares", 1, {"count": 4})
    >>> artifact = store.get(squares, lambda builder: builder.put("values", np.arange(4) ** 2))
    >>> artifact.array("values").tolist()
    [0, 1, 4, 9]
    >>> store.find(squares).folder == artifact.folder
    True
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root if root is not None else cache_folder()) / "artifacts"

    def find(self, description: Description) -> Artifact | None:
        """The finished artifact of this description, checked, or None."""
        folder = self.root / description.folder_name
        if is_no_folder(folder):
            raise DoyleError(f"{folder}: is not a folder; remove it")
        if not folder.is_dir():
            return None
        artifact = Artifact(folder)
        artifact.check_once()
        return artifact

    def get(self, description: Description, build: Callable[[Builder], None]) -> Artifact:
        """The artifact of this description, built now if absent.

        One process builds; others that request the same artifact meanwhile wait for it.
        """
        found = self.find(description)
        if found is not None:
            return found
        name = description.folder_name

        def say_waiting() -> None:
            logging.getLogger(__name__).info("waiting for another process that builds %s", name)

        with locked(self.root / "locks" / name, on_wait=say_waiting):
            found = self.find(description)
            if found is not None:
                return found
            working = self.root / "unfinished" / name
            working.mkdir(parents=True, exist_ok=True)
            builder = Builder(working)
            was_sealed = builder.is_sealed
            try:
                if was_sealed:
                    builder.sweep()
                else:
                    build(builder)
                    builder.seal(description)
            except OSError as error:
                where = error.filename if isinstance(error.filename, str) else working
                raise DoyleError(
                    f"{where}: {error.strerror or error}; what is done is kept, run again to resume"
                ) from error
            working.rename(self.root / name)
        artifact = Artifact(self.root / name)
        if was_sealed:
            artifact.check_once()
        else:
            artifact.mark_checked()  # the checksums were taken from these very files
        return artifact

    def __iter__(self) -> Iterator[Artifact]:
        """All finished artifacts, by name; other folders are ignored."""
        if not self.root.is_dir():
            return
        for folder in sorted(self.root.iterdir()):
            if (folder / "manifest.json").is_file():
                yield Artifact(folder)

    def unfinished(self) -> list[Path]:
        """Working folders that interrupted builds left."""
        folder = self.root / "unfinished"
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def remove(self, folder: Path) -> None:
        """Delete an artifact or working folder; the manifest is deleted first, so a partial
        artifact is never read."""
        (folder / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(folder)


__all__ = ["Artifact", "Builder", "Description", "Store", "replacing"]
