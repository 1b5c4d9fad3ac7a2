"""An atlas of two flops, small enough to build within a test run, shared by the tests of a session."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.base.artifacts import Store
from doyle.base.workers import Workers

FLOPS = (700, 1500)


@cache
def small_atlas(workers: int = 1) -> Atlas:
    return Atlas(flops=FLOPS, store=Store(_folder()), workers=Workers(workers))


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="doyle-small-atlas-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
