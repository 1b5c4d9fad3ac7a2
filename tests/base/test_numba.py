"""Compiled kernels are kept by content: copies of one package share them, changed ones do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CALLEE = """
from doyle.base._numba import kernel

@kernel
def twice(x):
    return 2 * x
"""
CALLER = """
from doyle.base._numba import kernel
from twins._callee_kernels import twice

@kernel
def four_times(x):
    return twice(twice(x))
"""
COUNT = """
from twins._caller_kernels import four_times
print(four_times(5), sum(four_times.stats.cache_hits.values()))
"""


def package(folder: Path, *, callee: str = CALLEE) -> Path:
    """A copy of a package of two kernel modules, with its own path and times."""
    (folder / "twins").mkdir(parents=True)
    (folder / "twins" / "__init__.py").write_text("")
    (folder / "twins" / "_callee_kernels.py").write_text(callee)
    (folder / "twins" / "_caller_kernels.py").write_text(CALLER)
    return folder


def run(folder: Path, *, cache: Path) -> tuple[int, int]:
    """What the caller returns, and how many of its compilations came from the cache."""
    variables = {**os.environ, "DOYLE_CACHE": str(cache), "DOYLE_QUIET": "1"}
    variables.pop("NUMBA_CACHE_DIR", None)
    variables["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", COUNT], env=variables, capture_output=True, text=True, check=True
    )
    value, hits = done.stdout.split()
    return int(value), int(hits)


def test_a_copy_in_another_folder_uses_the_same_compiled_code(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(package(tmp_path / "one"), cache=cache) == (20, 0)
    files = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    copy = package(tmp_path / "two")
    for source in copy.rglob("*.py"):
        os.utime(source, (1, 1))
    assert run(copy, cache=cache) == (20, 1)
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")} == files


def test_a_changed_callee_is_compiled_with_its_caller(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(package(tmp_path / "one"), cache=cache) == (20, 0)
    changed = package(tmp_path / "two", callee=CALLEE.replace("2 *", "3 *"))
    assert run(changed, cache=cache) == (45, 0)
