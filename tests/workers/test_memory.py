"""Freed memory is kept: the pages of large arrays are not asked for again."""

from __future__ import annotations

import platform
import subprocess
import sys

from doyle.workers.memory import keep_freed_memory

SCRIPT = """
import resource, sys
import numpy as np
from doyle.workers.memory import keep_freed_memory

if sys.argv[1] == "keep":
    assert keep_freed_memory()

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

np.ones(8 << 20)
before = faults()
for _ in range(10):
    np.ones(8 << 20)
print(faults() - before)
"""


def test_large_arrays_made_again_take_the_memory_of_earlier_ones() -> None:
    if platform.libc_ver()[0] != "glibc":
        assert not keep_freed_memory()
        return
    found = {
        how: int(
            subprocess.run(
                [sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=True
            ).stdout
        )
        for how in ("keep", "leave")
    }
    assert found["keep"] < found["leave"] / 10, found
