"""Stages: what the steps of a long build made, kept until the whole is done.

A stage is a small artifact that appears under its name only when all of it is on disk, so a build
that was killed at any moment finds the stages that it finished and makes the others. What a stage
holds must be a function of the description of the whole and of the stage's name alone. Integers are
written as narrowly as they fit, and come back in their own type.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from doyle.base.artifacts.store import Artifact, Builder, Description

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
