"""A folder of numbered snapshots of something that goes on improving.

Each snapshot is a whole artifact folder named by its step; the newest whole one counts. A snapshot
is written under another name, renamed, and only then are older ones removed, so a process killed
at any moment leaves the last good one.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from doyle.artifacts.store import Artifact, Builder, Description


class Checkpoints:
    """Snapshots under `folder`.

    >>> import numpy as np
    >>> checkpoints = Checkpoints(Path(tempfile.mkdtemp()) / "run")
    >>> checkpoints.latest() is None
    True
    >>> for step in (1, 2):
    ...     _ = checkpoints.save(step, Description("run", 1), lambda b: b.put("x", np.ones(3)))
    >>> checkpoints.latest().folder.name
    '000000000002'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def latest(self) -> Artifact | None:
        """The newest whole snapshot, checked, or None."""
        steps = self._steps()
        if not steps:
            return None
        artifact = Artifact(steps[-1])
        artifact.check_once()
        return artifact

    def save(
        self, step: int, description: Description, build: Callable[[Builder], None]
    ) -> Artifact:
        """Write the snapshot of `step` and remove older ones."""
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        temporary.chmod(0o755)
        target = self.folder / f"{step:012d}"
        try:
            builder = Builder(temporary)
            build(builder)
            builder.seal(description)
            if target.exists():
                # The same step again (a repeated run): the old one must make way first.
                shutil.rmtree(target)
            temporary.rename(target)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        for other in self.folder.iterdir():
            if other.is_dir() and other != target and (other.name < target.name):
                shutil.rmtree(other, ignore_errors=True)
        return Artifact(target)

    def _steps(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(
            path
            for path in self.folder.iterdir()
            if path.name.isdigit() and (path / "manifest.json").is_file()
        )
