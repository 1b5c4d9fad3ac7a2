"""A folder of numbered snapshots of something that keeps improving.

Each snapshot is a whole artifact folder named by its step, `000000000200`. The one that was saved
last counts, also if an earlier run had come further: a snapshot whose step is not above the
existing ones gets a distinguishing mark, `000000000100.2`, and the largest mark counts before the
largest step. A snapshot is written under another name, renamed, and only then are the others
removed, so a process killed at any moment leaves the last good one. Other files of the folder are
never changed.

Stages: the results of a long build's steps, kept until the build is complete.

A stage is a small artifact that appears under its name only when all of it is on disk, so a build
that was killed at any moment finds the stages that it finished and makes the others. A stage's
content must be a function of the build's description and the stage's name alone. Integers are
written as narrowly as they fit, and come back in their own type.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from doyle.base.artifacts.files import is_no_folder, locked
from doyle.base.artifacts.store import Artifact, Builder, Description
from doyle.base.errors import DoyleError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SNAPSHOT = re.compile(r"([0-9]{12,})(?:\.([0-9]+))?")
_UNFINISHED, _REMOVED, _LOCK = ".new-", ".old-", ".lock"


class Checkpoints:
    """Snapshots under `folder`.

    >>> import numpy as np
    >>> checkpoints = Checkpoints(Path(tempfile.mkdtemp()) / "run")
    >>> checkpoints.latest() is None
    True
    >>> for step in (1, 2, 1):
    ...     _ = checkpoints.save(step, Description("run", 1), lambda b: b.put("x", np.ones(3)))
    >>> checkpoints.latest().folder.name
    '000000000001.2'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if is_no_folder(folder):
            raise DoyleError(f"{folder}: is not a folder; remove it")

    def latest(self) -> Artifact | None:
        """The snapshot that was saved last, checked, or None."""
        while snapshots := self._snapshots(whole=False):
            newest = snapshots[-1]
            try:
                artifact = Artifact(newest)
                artifact.check_once()
                return artifact
            except (DoyleError, FileNotFoundError):
                # Another process may have put a newer one in its place meanwhile.
                if newest.exists():
                    raise
        return None

    def save(
        self, step: int, description: Description, build: Callable[[Builder], None]
    ) -> Artifact:
        """Write the snapshot of `step`; it replaces the existing ones."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / _LOCK):
            self._sweep()
            temporary = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.folder))
            temporary.chmod(0o755)
            try:
                builder = Builder(temporary)
                build(builder)
                builder.seal(description)
                older = self._snapshots()
                target = self.folder / _next_name(step, older)
                temporary.rename(target)
            except BaseException as error:
                shutil.rmtree(temporary, ignore_errors=True)
                if isinstance(error, OSError) and str(error.filename).startswith(str(temporary)):
                    # The name known to the caller.
                    error.filename = str(self.folder / Path(error.filename).name)
                raise
            for path in older:
                # Renamed first: a reader never finds a partial snapshot.
                path.rename(self.folder / f"{_REMOVED}{path.name}")
            self._sweep()
        return Artifact(target)

    def kind(self) -> str | None:
        """The kind of the newest snapshot by its manifest; None if absent."""
        latest = self.latest()
        return None if latest is None else str(latest.manifest["kind"])

    def others(self) -> list[str]:
        """Names of entries of the folder that `save` did not write."""
        if not self.folder.is_dir():
            return []
        own = (_UNFINISHED, _REMOVED, _LOCK)
        snapshots = {path.name for path in self._snapshots()}
        names = (path.name for path in self.folder.iterdir())
        return sorted(n for n in names if n not in snapshots and not n.startswith(own))

    def _sweep(self) -> None:
        """Remove the remains of killed saves; only the holder of the lock may call it."""
        for path in self.folder.iterdir():
            if path.name.startswith((_UNFINISHED, _REMOVED)):
                shutil.rmtree(path, ignore_errors=True)

    def _snapshots(self, *, whole: bool = True) -> list[Path]:
        """Snapshots, the current one last; if not `whole`, including those without a manifest."""
        if not self.folder.is_dir():
            return []
        named = (path for path in self.folder.iterdir() if is_snapshot_name(path.name))
        kept = (
            path
            for path in named
            if (path / "manifest.json").is_file() or (not whole and path.is_dir())
        )
        return sorted(kept, key=_rank)


def is_snapshot_name(name: str) -> bool:
    """Whether `save` may have given a folder this name."""
    return _SNAPSHOT.fullmatch(name) is not None


def _rank(snapshot: Path) -> tuple[int, int]:
    """Mark and step of a snapshot's name."""
    found = _SNAPSHOT.fullmatch(snapshot.name)
    assert found is not None
    return int(found[2] or 1), int(found[1])


def _next_name(step: int, older: list[Path]) -> str:
    mark, highest = _rank(older[-1]) if older else (1, -1)
    if step <= highest:
        mark += 1
    return f"{step:012d}" + (f".{mark}" if mark > 1 else "")


Arrays: TypeAlias = "tuple[NDArray[Any], ...]"


class Stages:
    """The stages of one build under `folder`; without a folder they last as long as this object.

    `on_kept` is called with the name of each stage that an interrupted build left.

    >>> import numpy as np
    >>> stages = Stages()
    >>> stages.array("squares", lambda: np.arange(4) ** 2).tolist()
    [0, 1, 4, 9]
    >>> stages.array("squares", lambda: np.zeros(4)).tolist()  # made once
    [0, 1, 4, 9]
    """

    def __init__(
        self, folder: Path | None = None, *, on_kept: Callable[[str], None] | None = None
    ) -> None:
        self.folder = folder
        self.on_kept = on_kept
        self._made: dict[str, Arrays] = {}

    def array(self, name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """The array of the stage `name`, made now if it has not been."""
        (found,) = self.arrays(name, lambda: (make(),))
        return found

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of the stage `name`, made now if they have not been."""
        import numpy as np

        if self.folder is None:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]
        folder = self.folder / name
        if folder.is_dir():
            return self._kept(folder)
        made = tuple(np.ascontiguousarray(values) for values in make())
        self._keep(folder, made)
        return made

    def _kept(self, folder: Path) -> Arrays:
        artifact = Artifact(folder)
        artifact.check()
        if self.on_kept is not None:
            self.on_kept(folder.name)
        # Copies, because kernels are compiled for arrays that can be written to.
        pairs = zip(artifact.arrays(), artifact.metadata["types"], strict=True)
        return tuple(artifact.array(array).astype(kind) for array, kind in pairs)

    def _keep(self, folder: Path, made: Arrays) -> None:
        working = folder.with_name(f".{folder.name}")
        shutil.rmtree(working, ignore_errors=True)
        working.mkdir(parents=True)
        builder = Builder(working)
        for place, values in enumerate(made):
            builder.put(f"{place:03d}", values, dtype=_narrowest(values))
        builder.metadata["types"] = [values.dtype.str for values in made]
        builder.seal(Description("stage", 1, {"name": folder.name}))
        working.rename(folder)


def _narrowest(values: NDArray[Any]) -> Any:
    """The narrowest type of the same kind that holds these values, if they are integers."""
    import numpy as np

    if values.dtype.kind not in "iu" or values.size == 0:
        return values.dtype
    low, high = int(values.min()), int(values.max())
    limits = [np.iinfo(f"{values.dtype.kind}{size}") for size in (1, 2, 4, 8)]
    return next(each.dtype for each in limits if each.min <= low and high <= each.max)
