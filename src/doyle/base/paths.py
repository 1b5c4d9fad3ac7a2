"""Where doyle keeps files that last: the platform's cache folder, or `DOYLE_CACHE`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The root of the cache; not created here.

    >>> cache_folder().name != ""
    True
    """
    override = os.environ.get("DOYLE_CACHE")
    if override:
        return Path(override).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "doyle"


def results_folder() -> Path:
    """Where report cards and leagues are kept as JSON documents, for pages to show."""
    return cache_folder() / "results"
